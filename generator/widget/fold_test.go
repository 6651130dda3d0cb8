package widget_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/read-finder/read-finder/site/text"
)

var update = flag.Bool("update", false, "write what the tests find to the files in testdata/widget")

// The widget's own test compares its fold with this file, code point by code point: so the two folds are one.
func TestFoldedCodePointsAreWritten(t *testing.T) {
	const name = "../../testdata/widget/folds.txt"
	folder := text.NewFolder(false)
	var b strings.Builder
	b.WriteString("# Every code point that site/text folds to something else, and to what.\n")
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if s := string(r); folder.String(s) != s {
			fmt.Fprintf(&b, "%X", r)
			for _, c := range folder.String(s) {
				fmt.Fprintf(&b, " %X", c)
			}
			b.WriteByte('\n')
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("%s is not what site/text does: run go test ./generator/widget -update, then npm test", name)
	}
}
