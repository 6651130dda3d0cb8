package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A list is a repeatable flag, each of whose values is checked.
type list struct {
	to    *[]string
	check func(string) error
}

func (l *list) String() string {
	if l.to == nil {
		return ""
	}
	return strings.Join(*l.to, ",")
}

func (l *list) Set(s string) error {
	if err := l.check(s); err != nil {
		return err
	}
	*l.to = append(*l.to, s)
	return nil
}

// checkCorpus refuses what can be neither a file nor an http(s) URL.
func checkCorpus(s string) error {
	if s == "" {
		return errors.New("empty")
	}
	if u, err := url.Parse(s); err == nil && strings.Contains(s, "://") {
		if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return errors.New("not a file, nor an http or https URL")
		}
	}
	return nil
}

// A checked is a flag whose values are parsed and checked by a function.
type checked[T any] struct {
	to    *T
	parse func(string) (T, error)
}

func (v checked[T]) String() string {
	if v.to == nil {
		return ""
	}
	return fmt.Sprint(*v.to)
}

func (v checked[T]) Set(s string) (err error) {
	*v.to, err = v.parse(s)
	return err
}

func duration(to *time.Duration, value time.Duration) flag.Value {
	*to = value
	return checked[time.Duration]{to, func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return 0, errors.New("not a time above zero such as 30s or 2m")
		}
		return d, nil
	}}
}

func count(to *int, value int) flag.Value {
	*to = value
	return checked[int]{to, func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return 0, errors.New("not an integer of at least 1")
		}
		return n, nil
	}}
}

func address(to *string, value string) flag.Value {
	*to = value
	return checked[string]{to, func(s string) (string, error) {
		if _, _, err := net.SplitHostPort(s); err != nil {
			return "", errors.New("not host:port or :port")
		}
		return s, nil
	}}
}
