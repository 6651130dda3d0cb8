package generator

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// A Tolerance is something wrong with the site that the run has borne. With the setting strict it is an error.
type Tolerance struct {
	Rung   string `json:"rung"` // one of the Rung constants
	File   string `json:"file"` // relative to the site's folder; of a module its path; "" when it concerns the whole site
	Reason string `json:"reason"`
}

// tolerances collects Tolerances from several goroutines.
type tolerances struct {
	mu   sync.Mutex
	list []Tolerance
}

func (t *tolerances) add(rung, file, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, Tolerance{rung, file, reason})
}

// merge adds those of another collection.
func (t *tolerances) merge(other *tolerances) {
	for _, v := range other.sorted() {
		t.add(v.Rung, v.File, v.Reason)
	}
}

func (t *tolerances) none() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.list) == 0
}

// last returns the newest one, as text.
func (t *tolerances) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.list[len(t.list)-1]
	return fmt.Sprintf("%s: %s: %s", v.Rung, v.File, v.Reason)
}

// rungs is the order in which tolerances are reported.
var rungs = [...]string{RungFrontMatter, RungShortcode, RungContent, RungModule, RungTranslation, RungConfig, RungTemplate, RungLogged, RungContentOnly}

func (t *tolerances) sorted() []Tolerance {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := append([]Tolerance{}, t.list...)
	slices.SortFunc(list, func(a, b Tolerance) int {
		return cmp.Or(slices.Index(rungs[:], a.Rung)-slices.Index(rungs[:], b.Rung), cmp.Compare(a.File, b.File), cmp.Compare(a.Reason, b.Reason))
	})
	return slices.Compact(list)
}

// A StrictError says that a site is not perfect where nothing else is borne.
type StrictError struct{ Tolerances int }

func (e *StrictError) Error() string {
	return plural(e.Tolerances, "thing", "things") + " of this site had to be tolerated, and --strict is set"
}
