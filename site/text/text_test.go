package text_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/read-finder/read-finder/site/text"
)

// The same table is run in the browser, against the widget's fold.
func TestFoldTable(t *testing.T) {
	data, err := os.ReadFile("../../testdata/fold.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Why, In, Out   string
		FoldDiacritics bool
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) < 25 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, r := range rows {
		if got := text.NewFolder(r.FoldDiacritics).String(r.In); got != r.Out {
			t.Errorf("%s: fold of %q: got %q, want %q", r.Why, r.In, got, r.Out)
		}
	}
}

// naiveFold follows Folder's comment to the letter, over the whole string at once.
func naiveFold(s string) string {
	s = strings.NewReplacer("\u00ad", "", "\u200b", "", "\ufeff", "", "\x00", "\ufffd").Replace(string([]rune(s)))
	s = norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Cherokee, r):
			b.WriteRune(unicode.ToUpper(r))
		case strings.ContainsRune("‘’‚‛‹›ʼ", r):
			b.WriteByte('\'')
		case strings.ContainsRune("“”„‟«»", r):
			b.WriteByte('"')
		case strings.ContainsRune("‐‑‒–—―−", r):
			b.WriteByte('-')
		case r == '…':
			b.WriteString("...")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Don’t STOP", "e\u00ad\u0301", "ΐ ﬃ\u0345", "a\xffb\x00", "Ω\u00a0Å\u3000ς", strings.Repeat("\u0301", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		folder := text.NewFolder(false)
		got := folder.String(s)
		if want := naiveFold(s); got != want {
			t.Errorf("fold of %q: got %q, the definition gives %q", s, got, want)
		}
		for _, fold := range []*text.Folder{folder, text.NewFolder(true)} {
			once := fold.String(s)
			if twice := fold.String(once); twice != once {
				t.Errorf("fold of %q is not idempotent: %q, then %q", s, once, twice)
			}
			spaces := func(s string) int { return strings.Count(strings.Map(spaceOnly, s), " ") }
			if got, want := spaces(once), spaces(s); got != want {
				t.Errorf("fold of %q: %d white space characters became %d", s, want, got)
			}
			if i := strings.IndexFunc(once, func(r rune) bool { return r == 0 || 'A' <= r && r <= 'Z' }); i >= 0 {
				t.Errorf("fold of %q: %q holds %q", s, once, once[i])
			}
		}
	})
}

// Characters that differ only in case fold to one: all that Unicode's simple case folding puts into one orbit.
func TestFoldTakesEveryCaseOrbitTogether(t *testing.T) {
	fold := text.NewFolder(false)
	orbits := 0
	for r := rune(1); r <= unicode.MaxRune; r++ {
		next := unicode.SimpleFold(r)
		if next == r {
			continue
		}
		orbits++
		if a, b := fold.String(string(r)), fold.String(string(next)); a != b {
			t.Errorf("%U folds to %q, %U to %q", r, a, next, b)
		}
	}
	if orbits < 2000 {
		t.Errorf("only %d characters have a case", orbits)
	}
}

func spaceOnly(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	return '.'
}

func TestWordsAreFieldsOfTheFoldedText(t *testing.T) {
	const s = "  The\u00a0quick\u3000brown\nFOX\u2028jumps "
	folded := text.NewFolder(false).Append(nil, s)
	var words []string
	for w := range text.Words(folded) {
		words = append(words, string(w))
	}
	if want := []string{"the", "quick", "brown", "fox", "jumps"}; !slices.Equal(words, want) || !slices.Equal(text.Fields(string(folded)), want) {
		t.Errorf("got %q and %q, want %q", words, text.Fields(string(folded)), want)
	}
}

// BenchmarkFold folds English prose and prose whose every word takes the long way.
func BenchmarkFold(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"English", strings.Repeat("The publisher’s readers want to find things — quickly. ", 100)},
		{"Greek", strings.Repeat("Οι αναγνώστες του εκδότη θέλουν να βρίσκουν πράγματα. ", 100)},
	} {
		b.Run(c.name, func(b *testing.B) {
			fold := text.NewFolder(false)
			var buf []byte
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				buf = fold.Append(buf[:0], c.text)
			}
		})
	}
}
