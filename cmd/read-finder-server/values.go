package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/read-finder/read-finder/server"
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

// checkURL refuses what is not an http(s) URL.
func checkURL(s string) (string, error) {
	if !strings.Contains(s, "://") || server.CheckSource(s) != nil {
		return "", errors.New("not an http or https URL")
	}
	return s, nil
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

func count[T int | int64](to *T, value T) flag.Value {
	*to = value
	return checked[T]{to, func(s string) (T, error) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 1 || int64(T(n)) != n {
			return 0, errors.New("not an integer of at least 1")
		}
		return T(n), nil
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

// oneOf is a flag that takes one of some words, the first by default.
func oneOf(to *string, words ...string) flag.Value {
	*to = words[0]
	return checked[string]{to, func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", fmt.Errorf("not one of %s", strings.Join(words, ", "))
		}
		return s, nil
	}}
}
