package sitetest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/read-finder/read-finder/site"
)

func TestUnspaced(t *testing.T) {
	for script, letters := range map[Script][]*unicode.RangeTable{
		Chinese: {unicode.Han}, Japanese: {unicode.Han, unicode.Hiragana, unicode.Katakana},
	} {
		size := Size{50, 200, 600}
		articles := slices.Collect(Unspaced(1, script, size))
		if again := slices.Collect(Unspaced(1, script, size)); !reflect.DeepEqual(articles, again) {
			t.Errorf("%s: the same seed makes other articles", script)
		}
		var all []site.Article
		var clauses []int
		for _, a := range articles {
			all = append(all, *a)
			for clause := range strings.FieldsFuncSeq(a.Body, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("，、。", r) }) {
				if strings.IndexFunc(clause, func(r rune) bool { return unicode.In(r, letters...) }) >= 0 {
					clauses = append(clauses, len([]rune(clause)))
				}
			}
		}
		slices.Sort(clauses)
		if median := clauses[len(clauses)/2]; median < 4 || median > 15 {
			t.Errorf("%s: half of the clauses are shorter than %d characters", script, median)
		}
		scan := NewScan(&site.Publication{Articles: all})
		for _, q := range UnspacedQueries(1, all, 200) {
			if found := scan.Search(q.Text, 1); (len(found) == 0) != (q.Kind == None) && q.Kind != Several {
				t.Errorf("%s: %s query %q finds %d articles", script, q.Kind, q.Text, len(found))
			}
		}
	}
}
