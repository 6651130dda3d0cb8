package generator

import (
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	type m = map[string]any
	defaults := settings{tagsKey: "tags", authorKeys: []string{"author", "authors"}, companiesKey: "companies", registry: "companies", widget: true, maxDrop: 100}
	all := settings{sections: []string{"a", "b"}, tagsKey: "topics", authorKeys: []string{"writer"}, companiesKey: "firms",
		foldDiacritics: true, strict: true, widget: false, maxDrop: 20}
	for _, tt := range []struct {
		name      string
		params    any
		overrides m
		want      settings
	}{
		{"none", nil, nil, defaults},
		{"all", m{"sections": []any{"a", "b"}, "tagskey": "Topics", "authorkey": "writer", "companieskey": "firms", "companiesregistry": "", "folddiacritics": true,
			"strict": true, "widget": false, "maxdrop": int64(20)}, nil, all},
		{"strings, as the environment gives them",
			m{"sections": "a, b", "tagskey": "topics", "authorkey": "writer", "companieskey": "firms", "companiesregistry": "", "folddiacritics": "true",
				"strict": "true", "widget": "0", "maxdrop": "20"}, nil, all},
		{"overrides win", m{"sections": "c", "tagskey": "x", "folddiacritics": false, "strict": false, "maxdrop": 1},
			m{"sections": []string{"a", "b"}, "tagsKey": "topics", "authorKey": "writer", "companiesKey": "firms", "companiesRegistry": "", "foldDiacritics": true,
				"strict": true, "widget": false, "maxDrop": "20"}, all},
	} {
		got, err := decodeSettings(tt.params, tt.overrides)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		equal(t, tt.name, got, tt.want)
	}

	for _, tt := range []struct {
		params any
		want   string
	}{
		{"x", `params.readFinder: want a table of settings, got string "x"`},
		{m{"tagkey": "x"}, "params.readFinder.tagkey: unknown setting\n  known are: sections, tagsKey"},
		{m{"tagskey": 3}, `params.readFinder.tagsKey: want the name of a front matter key, got int "3"`},
		{m{"authorkey": " "}, `params.readFinder.authorKey: want the name of a front matter key, got string " "`},
		{m{"companieskey": []any{}}, `params.readFinder.companiesKey`},
		{m{"companiesregistry": 1}, `params.readFinder.companiesRegistry: want the name of a data file, or nothing, got int "1"`},
		{m{"sections": 1}, `params.readFinder.sections: want a list of strings, got int "1"`},
		{m{"sections": []any{"a", 2}}, `params.readFinder.sections: want a list of strings, got int "2"`},
		{m{"folddiacritics": "maybe"}, `params.readFinder.foldDiacritics: want true or false, got string "maybe"`},
		{m{"strict": 2}, `params.readFinder.strict: want true or false, got int "2"`},
		{m{"widget": ""}, `params.readFinder.widget: want true or false, got string ""`},
		{m{"maxdrop": 101}, `params.readFinder.maxDrop: want a whole number of percent, 0 to 100, got int "101"`},
		{m{"maxdrop": "-1"}, `params.readFinder.maxDrop: want a whole number of percent, 0 to 100, got string "-1"`},
		{m{"maxdrop": 2.5}, `params.readFinder.maxDrop`},
	} {
		if _, err := decodeSettings(tt.params, nil); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v\n got %v\nwant %s", tt.params, err, tt.want)
		}
	}
}
