package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site/corpus"
)

// A state is one generation of what is served. It is immutable: a request loads it once, and so sees one corpus
// from its first byte to its last.
type state struct {
	mounts    []*mount // one for each corpus of the Swap; nil for one that is still to come
	endpoints map[string]endpoint
}

// An endpoint is a route of one mounted corpus, or an admin page.
type endpoint struct {
	handle    handler
	mount     *mount // nil for an admin page
	meter     *meter
	unlimited bool // answers however busy the server is
}

// A mount is a corpus ready to answer.
type mount struct {
	corpus *corpus.Corpus
	engine *search.Engine
	tag    string   // the fingerprint
	offers []string // content codings of the index, the smallest first
}

func newMount(c *corpus.Corpus) *mount {
	m := &mount{corpus: c, engine: search.New(c), tag: c.Meta().Fingerprint}
	for _, coding := range []string{"br", "zstd", "gzip", identity} {
		if c.Index(coding) != nil {
			m.offers = append(m.offers, coding)
		}
	}
	slices.SortStableFunc(m.offers, func(a, b string) int { return len(c.Index(a)) - len(c.Index(b)) })
	return m
}

// Ready reports whether every corpus is there.
func (s *Server) Ready() bool { return s.state.Load().ready() }

func (st *state) ready() bool {
	for _, m := range st.mounts {
		if m == nil {
			return false
		}
	}
	return len(st.mounts) > 0
}

// Swap replaces all corpora at once. A nil stands for one that is still to come: paths that it may serve are
// answered with 503 instead of 404. An error names the prefix that two corpora claim; then nothing has changed.
func (s *Server) Swap(corpora ...*corpus.Corpus) error {
	s.swapping.Lock()
	defer s.swapping.Unlock()

	old := s.state.Load()
	next := &state{mounts: make([]*mount, len(corpora)), endpoints: make(map[string]endpoint)}
	for i, c := range corpora {
		if c == nil {
			continue
		}
		m := old.mounted(c)
		if m == nil {
			m = newMount(c)
		}
		next.mounts[i] = m
		for _, route := range s.routes {
			path := c.Meta().Prefix + route.path
			if _, taken := next.endpoints[path]; taken {
				return fmt.Errorf("two corpora for the URL prefix %q", c.Meta().Prefix)
			}
			next.endpoints[path] = endpoint{handle: route.handle, mount: m, meter: s.meters[route.name]}
		}
	}
	s.state.Store(next)
	return nil
}

// mounted returns the mount of c, nil for none: a corpus that stays keeps its engine.
func (st *state) mounted(c *corpus.Corpus) *mount {
	for _, m := range st.mounts {
		if m != nil && m.corpus == c {
			return m
		}
	}
	return nil
}

// find returns the endpoint for a path. While a corpus is still to come its prefix is unknown, so any path that
// ends like a route may be its own.
func (s *Server) find(path string) (endpoint, bool) {
	st := s.state.Load()
	e, found := st.endpoints[path]
	if found || st.ready() {
		return e, found
	}
	for _, route := range s.routes {
		if strings.HasSuffix(path, route.path) {
			return endpoint{handle: unavailable, meter: s.meters[route.name]}, true
		}
	}
	return endpoint{}, false
}
