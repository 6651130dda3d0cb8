package generator

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRepairFrontMatter repairs what random edits make of some front matter. What is repaired is front matter that Hugo
// takes, and neither the text nor the number of any line has changed. It is no fuzz test, which would take the time to
// instrument Hugo.
func TestRepairFrontMatter(t *testing.T) {
	seeds := []string{
		"---\ntitle: a\ntags:\n- x\ntitle: b\n---\ntext\n",
		"---\r\nmore:\r\n  deep: 1\r\n  deep: 2\r\n---\r\ntext",
		"---\nlist:\n- a: 1\n  a: 2\n- {b: 1, b: 2}\n---\n---\n",
		"---\n? a\n: 1\n? a\n: 2\n---\n",
		"---\n{a: 1, a: 2}\n---\nx: 1\nx: 2\n",
		"+++\na = 1\n[t]\na = 1\na = [\n 2]\n+++\ntext\n",
		"+++\n'a b' = 1\n\"a b\" = 2\n+++\n",
		"{\"a\": 1, \"a\": }\ntext",
		"{{< shortcode >}} text",
		"---\na: [\n---\n",
		"---\na: 1\na: 2",
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	repaired := 0
	for range 20000 {
		content := edited(r, seeds[r.IntN(len(seeds))])
		cause := frontMatterError([]byte(content))
		if cause == nil {
			continue
		}
		fixed, what := repairFrontMatter([]byte(content), cause)
		if fixed == nil {
			continue
		}
		repaired++
		if err := frontMatterError(fixed); err != nil || what == "" {
			t.Fatalf("seed %d: %q is repaired to %q (%s), which is refused: %v", seed, content, fixed, what, err)
		}
		before, after := strings.SplitAfter(content, "\n"), strings.SplitAfter(string(fixed), "\n")
		end := frontMatterEnd(before)
		if strings.HasPrefix(content, "{{") {
			end, after = 0, after[2:]
		}
		if end < len(before) && (len(after) != len(before) || strings.Join(after[end:], "") != strings.Join(before[end:], "")) {
			t.Fatalf("seed %d: %q becomes %q", seed, content, fixed)
		}
	}
	if repaired < 1000 {
		t.Errorf("seed %d: only %d were repaired", seed, repaired)
	}
}

// edited returns the content with a few lines repeated, indented or shortened.
func edited(r *rand.Rand, content string) string {
	lines := strings.SplitAfter(content, "\n")
	for range r.IntN(4) {
		from, to := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(4) {
		case 0:
			lines[to] += lines[from]
		case 1:
			lines[to] = " " + lines[to]
		case 2:
			lines[to] = lines[to][r.IntN(len(lines[to])+1):]
		case 3:
			lines[to] = "\t" + lines[from] + lines[to]
		}
	}
	return strings.Join(lines, "")
}
