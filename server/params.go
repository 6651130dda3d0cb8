package server

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

// param returns the first value of a parameter in a raw query, "" when it has none. The query is read as HTML
// forms write it, where only & separates (a ; is part of the value), but a stray % is an error.
func param(query, name string) (string, error) {
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		key, value, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err != nil || key != name {
			continue
		}
		decoded, err := url.QueryUnescape(value)
		if err != nil {
			return "", &paramError{name, value, "is not percent-encoded: a % itself is written %25"}
		}
		return decoded, nil
	}
	return "", nil
}

// limit returns the effective limit of a raw query: fallback when it has none, most when it asks for more.
func limit(query string, fallback, most int) (int, error) {
	value, err := param(query, "limit")
	if err != nil {
		return 0, err
	}
	if value == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil && !errors.Is(err, strconv.ErrRange) || n < 1 { // out of range, n is the largest or the least int
		return 0, &paramError{"limit", value, "is not an integer of at least 1"}
	}
	return min(n, most), nil
}
