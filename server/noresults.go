package server

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/read-finder/read-finder/site"
)

// Bounds of what is kept of queries without a result.
const (
	maxMissed      = 10_000 // different queries
	maxMissedBytes = 100    // of one query: longer ones are not typed twice
	minMissedCount = 5      // a query is shown once it came so often: what one reader alone typed stays unseen
)

// A missed is a search that found nothing.
type missed struct {
	prefix string // URL prefix of the corpus
	kind   string // "articles" or "companies"
	query  string // folded
}

// noResults counts queries without a result, in bounded memory. Its counts are those of Misra and Gries (Finding
// repeated elements, 1982): where there are more queries than room, a count is too low by at most one for each time
// that the table overflowed, and what is asked often stays.
type noResults struct {
	mu     sync.Mutex
	counts map[missed]int
}

func newNoResults() *noResults { return &noResults{counts: make(map[missed]int)} }

func (n *noResults) add(m missed) {
	if len(m.query) > maxMissedBytes {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.counts[m]; known || len(n.counts) < maxMissed {
		m.query = strings.Clone(m.query) // not a part of the request
		n.counts[m]++
		return
	}
	for m, count := range n.counts {
		if count == 1 {
			delete(n.counts, m)
		} else {
			n.counts[m] = count - 1
		}
	}
}

// A missedCount is one line of the page.
type missedCount struct {
	Query  string `json:"query"`
	Kind   string `json:"kind"`
	Prefix string `json:"prefix"`
	Count  int    `json:"count"`
}

// often returns what came at least minMissedCount times, the most frequent first.
func (n *noResults) often() []missedCount {
	n.mu.Lock()
	defer n.mu.Unlock()
	often := []missedCount{}
	for m, count := range n.counts {
		if count >= minMissedCount {
			often = append(often, missedCount{m.query, m.kind, m.prefix, count})
		}
	}
	slices.SortFunc(often, func(a, b missedCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Query, b.Query), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Prefix, b.Prefix))
	})
	return often
}

// page answers GET /no-results.
func (n *noResults) page(a *answer, _ *mount, _ *http.Request) error {
	body, err := site.Marshal(struct {
		Queries []missedCount `json:"queries"`
	}{n.often()})
	a.text = append(a.text, body...)
	a.uncached(mediaJSON)
	return err
}
