package generator

import (
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// A name is one value of a front matter key that names things: a tag, an author, a company.
type name struct {
	name string
	slug string // explicit, "" where the front matter gives none
	url  string // of the one that is named, likewise
	term string // what the slug is made of when it is not explicit
}

// names reads a front matter value that is a string, a list of strings, or maps with "name". A string is one name:
// "Acme, Inc." is not a list. The errors say what is wrong with the values that are left out, without the file.
func names(v any) ([]name, []error) {
	if v == nil {
		return nil, nil
	}
	if list := reflect.ValueOf(v); list.Kind() == reflect.Slice {
		var all []name
		var wrong []error
		for i := range list.Len() {
			n, errs := names(list.Index(i).Interface())
			all, wrong = append(all, n...), append(wrong, errs...)
		}
		return all, wrong
	}
	if m, ok := stringMap(v); ok {
		n := name{name: trimmed(m["name"]), slug: trimmed(m["slug"]), url: trimmed(m["url"])}
		if n.name == "" {
			return nil, []error{fmt.Errorf(`want a map with "name", got %q`, fmt.Sprint(v))}
		}
		return []name{n}, nil
	}
	if s := trimmed(v); s != "" {
		return []name{{name: s}}, nil
	}
	return nil, nil
}

func trimmed(v any) string { return strings.TrimSpace(scalar(v)) }

// scalar returns a front matter value as text: a year or a date may stand where a string is meant.
func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case time.Time:
		return v.Format(time.DateOnly)
	}
	return fmt.Sprint(v)
}

// stringMap returns v, which may be of a named map type as Hugo's parameters are, as a plain map. Nil is an empty map.
func stringMap(v any) (map[string]any, bool) {
	if v == nil {
		return map[string]any{}, true
	}
	plain := reflect.TypeFor[map[string]any]()
	if rv := reflect.ValueOf(v); rv.CanConvert(plain) {
		return rv.Convert(plain).Interface().(map[string]any), true
	}
	return nil, false
}

// optedOut tells whether front matter keeps the page out of the index: readFinder: false or searchExclude: true.
func optedOut(params map[string]any) (bool, error) {
	for key, out := range map[string]bool{"readfinder": false, "searchexclude": true} {
		v, ok := params[key]
		if !ok {
			continue
		}
		b, err := strconv.ParseBool(strings.ToLower(scalar(v)))
		if err != nil {
			return false, fmt.Errorf("front matter %s: want true or false, got %q", key, fmt.Sprint(v))
		}
		if b == out {
			return true, nil
		}
	}
	return false, nil
}

// articlePath returns the path of a permalink below the base URL's own path, without the trailing slash. It is taken
// from .Permalink since .RelPermalink loses the base path with canonifyURLs.
func articlePath(permalink, basePath string) (string, error) {
	u, err := url.Parse(permalink)
	if err != nil {
		return "", fmt.Errorf("permalink %q: %w", permalink, err)
	}
	p := u.EscapedPath()
	if base := strings.TrimSuffix(basePath, "/"); base != "" {
		if rest, ok := strings.CutPrefix(p, base); ok && strings.HasPrefix(rest, "/") {
			p = rest
		}
	}
	if trimmed := strings.TrimSuffix(p, "/"); trimmed != "" {
		return trimmed, nil
	}
	return "/", nil
}
