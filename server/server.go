// Package server answers the content discovery API over HTTP, from opened corpora: routes, handlers, caching
// headers, limits and the reload of a corpus. It knows nothing of Hugo, and it never exits: package main does.
package server

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Config is what a Server is made of. The zero value is a server without CORS that logs nothing.
type Config struct {
	// CORSOrigins are the origins whose pages may read the answers: "https://www.example.org" or "*".
	// None: no CORS headers are sent.
	CORSOrigins []string
	// MaxInFlight is how many requests may be worked on at once; more are refused with 503. 0: DefaultMaxInFlight.
	MaxInFlight int
	// MaxConnections is how many connections a Listener serves at once. 0: DefaultMaxConnections.
	MaxConnections int

	// Logger gets what goes wrong inside; nil discards it.
	Logger *slog.Logger
	// AccessLog logs a line for each request, with its query if LogQueries, and its client if LogClients.
	AccessLog, LogQueries, LogClients bool
	// CountNoResults counts queries without a result and shows on the admin pages those that came often.
	CountNoResults bool
	// Version of the program, for its metrics.
	Version string
}

// Defaults of a Config.
const (
	DefaultMaxInFlight    = 256
	DefaultMaxConnections = 4096
)

// A Server answers the API for a set of corpora, each under the URL prefix that it was written for. It is an
// http.Handler, safe for concurrent use, and says 503 until its first Swap.
type Server struct {
	cors    cors
	packer  *packer
	logger  *slog.Logger
	access  *accessLog // nil: none
	answers sync.Pool  // of *answer

	routes    []route
	meters    map[string]*meter // by name of the route
	unknown   endpoint          // of paths that have none
	metrics   *metrics
	noResults *noResults // nil: not counted

	maxInFlight    int64
	maxConnections int
	inFlight       atomic.Int64
	connections    atomic.Int64

	swapping sync.Mutex // orders Swaps, so that none works from a stale state
	state    atomic.Pointer[state]
}

// New returns a Server without a corpus. An error names the origin that is not one.
func New(c Config) (*Server, error) {
	s := &Server{logger: c.Logger, maxInFlight: int64(c.MaxInFlight), maxConnections: c.MaxConnections}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	if s.maxInFlight == 0 {
		s.maxInFlight = DefaultMaxInFlight
	}
	if s.maxConnections == 0 {
		s.maxConnections = DefaultMaxConnections
	}
	if c.AccessLog {
		s.access = &accessLog{s.logger, c.LogQueries, c.LogClients}
	}
	if c.CountNoResults {
		s.noResults = newNoResults()
	}
	var err error
	if s.cors, err = newCORS(c.CORSOrigins); err != nil {
		return nil, err
	}
	if s.packer, err = newPacker(); err != nil {
		return nil, err
	}
	if s.metrics, err = newMetrics(s, c.Version); err != nil {
		return nil, err
	}
	s.answers.New = func() any { return new(answer) }
	s.routes = s.apiRoutes()
	s.meters = make(map[string]*meter)
	for _, r := range s.routes {
		s.meters[r.name] = s.metrics.meter(r.name)
	}
	s.unknown = endpoint{handle: notFound, meter: s.metrics.meter("other")}
	s.state.Store(&state{})
	return s, nil
}

// A route is one path of the API, below the prefix of a corpus. Metrics and logs call it by its name.
type route struct {
	name   string
	path   string
	handle handler
}

// A handler fills the answer to one GET or HEAD request, or returns why it cannot.
type handler func(*answer, *mount, *http.Request) error

func (s *Server) apiRoutes() []route {
	return []route{
		{"search", "/api/search", s.searchArticles},
		{"companies", "/api/companies/search", s.searchCompanies},
		{"index", "/api/read-finder-index.json", index},
		{"openapi", "/api/openapi.json", s.serveOpenAPI},
	}
}

// ServeHTTP answers one request to the API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.find) }

// A finder returns the endpoint for a path, if there is one.
type finder func(path string) (endpoint, bool)

func (s *Server) handler(find finder) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, find) })
}

// serve answers one request. Nothing is sent before the answer, or the problem that stands for it, is complete.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, find finder) {
	start := time.Now()
	a := s.answers.Get().(*answer)
	defer s.answers.Put(a)
	defer a.reset()

	s.cors.allow(a, r)
	e, found := find(r.URL.Path)
	if !found {
		e = s.unknown
	}
	if err := s.answer(a, r, e, found); err != nil {
		s.fail(a, err)
	}
	took := time.Since(start)
	e.meter.observe(a.status, took)
	a.send(w, r)
	if s.access != nil {
		s.access.log(a, r, e.meter.route, took)
	}
}

// answer makes the answer, as one of at most maxInFlight at a time. To send it costs next to nothing but memory, so
// a client that reads slowly keeps nobody else out.
func (s *Server) answer(a *answer, r *http.Request, e endpoint, found bool) (err error) {
	defer func() {
		if p := recover(); p != nil { // net/http would log it too, but with the address of the client
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	defer s.inFlight.Add(-1)
	if n := s.inFlight.Add(1); n > s.maxInFlight && !e.unlimited {
		return errBusy
	}
	if !e.unlimited && isCrowded(r.Context()) {
		a.add("Connection", "close")
		return errBusy
	}
	switch {
	case !found, r.Method == http.MethodGet, r.Method == http.MethodHead:
		return e.handle(a, e.mount, r)
	case r.Method == http.MethodOptions:
		s.cors.options(a, r)
		return nil
	}
	return errMethod
}

func notFound(*answer, *mount, *http.Request) error { return errNotFound }

func unavailable(*answer, *mount, *http.Request) error { return errNoCorpus }
