package generator

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// settings are the site's own choices, [params.readFinder] in its configuration.
type settings struct {
	sections       []string // paths of the sections that hold articles; nil: see selectPages
	tagsKey        string
	authorKeys     []string // the first key that a page has counts
	companiesKey   string
	registry       string // name of the data file that is the registry of companies; "": none
	foldDiacritics bool

	strict  bool // a Tolerance or a MissingPage is an error, and nothing is written
	widget  bool // the widget is written
	maxDrop int  // percent of its articles that the language may lose at most
}

// settingNames are the settings as a configuration spells them. Hugo hands them over in lower case.
var settingNames = []string{
	"sections", "tagsKey", "authorKey", "companiesKey", "companiesRegistry", "foldDiacritics", "strict", "widget", "maxDrop",
}

// decodeSettings reads [params.readFinder] as the site sets it, then the overrides. Unknown settings and wrong
// types are errors: a misspelt key must not silently index the wrong field.
func decodeSettings(params any, overrides map[string]any) (settings, error) {
	s := settings{
		tagsKey: "tags", authorKeys: []string{"author", "authors"}, companiesKey: "companies", registry: defaultRegistry,
		widget: true, maxDrop: 100,
	}
	m, ok := stringMap(params)
	if !ok {
		return s, fmt.Errorf("params.readFinder: want a table of settings, got %T %q", params, fmt.Sprint(params))
	}
	for _, layer := range []map[string]any{m, overrides} {
		for _, key := range slices.Sorted(maps.Keys(layer)) {
			if err := s.set(key, layer[key]); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

func (s *settings) set(key string, v any) (err error) {
	i := slices.IndexFunc(settingNames, func(n string) bool { return strings.EqualFold(n, key) })
	if i < 0 {
		return fmt.Errorf("params.readFinder.%s: unknown setting\n  known are: %s", key, strings.Join(settingNames, ", "))
	}
	switch name := settingNames[i]; name {
	case "sections":
		s.sections, err = stringList(name, v)
	case "tagsKey":
		s.tagsKey, err = keyName(name, v)
	case "authorKey":
		var key string
		key, err = keyName(name, v)
		s.authorKeys = []string{key}
	case "companiesKey":
		s.companiesKey, err = keyName(name, v)
	case "companiesRegistry":
		var ok bool
		if s.registry, ok = v.(string); !ok {
			err = settingError(name, "the name of a data file, or nothing", v)
		}
	case "foldDiacritics":
		s.foldDiacritics, err = boolean(name, v)
	case "strict":
		s.strict, err = boolean(name, v)
	case "widget":
		s.widget, err = boolean(name, v)
	case "maxDrop":
		s.maxDrop, err = percentage(name, v)
	}
	return err
}

// boolean and percentage read values that may also come as text, from a flag or an environment variable.
func boolean(name string, v any) (bool, error) {
	b, err := strconv.ParseBool(fmt.Sprint(v))
	if err != nil {
		return false, settingError(name, "true or false", v)
	}
	return b, nil
}

func percentage(name string, v any) (int, error) {
	n, err := strconv.Atoi(fmt.Sprint(v))
	if err != nil || n < 0 || n > 100 {
		return 0, settingError(name, "a whole number of percent, 0 to 100", v)
	}
	return n, nil
}

// keyName returns a front matter key in lower case, as Hugo stores it.
func keyName(name string, v any) (string, error) {
	key, ok := v.(string)
	if !ok || strings.TrimSpace(key) == "" {
		return "", settingError(name, "the name of a front matter key", v)
	}
	return strings.ToLower(strings.TrimSpace(key)), nil
}

// stringList returns a list, which an environment variable (HUGO_PARAMS_READFINDER_SECTIONS) can only give as a string.
func stringList(name string, v any) ([]string, error) {
	switch v := v.(type) {
	case string:
		return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }), nil
	case []string:
		return v, nil
	case []any:
		list := make([]string, len(v))
		for i, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, settingError(name, "a list of strings", e)
			}
			list[i] = s
		}
		return list, nil
	}
	return nil, settingError(name, "a list of strings", v)
}

func settingError(name, want string, got any) error {
	return fmt.Errorf("params.readFinder.%s: want %s, got %T %q", name, want, got, fmt.Sprint(got))
}
