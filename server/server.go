// Package server answers the content discovery API over HTTP, from opened corpora: routes, handlers, caching
// headers, limits and the reload of a corpus. It knows nothing of Hugo, and it never exits: package main does.
package server

import (
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
)

// Config is what a Server is made of. The zero value is a server without CORS that logs nothing.
type Config struct {
	// CORSOrigins are the origins whose pages may read the answers: "https://www.example.org" or "*".
	// None: no CORS headers are sent.
	CORSOrigins []string
	// Logger gets what goes wrong inside; nil discards it.
	Logger *slog.Logger
}

// A Server answers the API for a set of corpora, each under the URL prefix that it was written for. It is an
// http.Handler, safe for concurrent use, and says 503 until its first Swap.
type Server struct {
	cors    cors
	packer  *packer
	logger  *slog.Logger
	answers sync.Pool // of *answer

	swapping sync.Mutex // orders Swaps, so that none works from a stale state
	state    atomic.Pointer[state]
}

// New returns a Server without a corpus. An error names the origin that is not one.
func New(c Config) (*Server, error) {
	cors, err := newCORS(c.CORSOrigins)
	if err != nil {
		return nil, err
	}
	packer, err := newPacker()
	if err != nil {
		return nil, err
	}
	s := &Server{cors: cors, packer: packer, logger: c.Logger}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.answers.New = func() any { return new(answer) }
	s.state.Store(&state{})
	return s, nil
}

// A route is one path of the API, below the prefix of a corpus.
type route struct {
	path   string
	handle handler
}

// A handler fills the answer to one GET or HEAD request, or returns why it cannot.
type handler func(*answer, *mount, *http.Request) error

func (s *Server) routes() []route {
	return []route{
		{"/api/search", s.searchArticles},
		{"/api/companies/search", s.searchCompanies},
		{"/api/read-finder-index.json", index},
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
	a := s.answers.Get().(*answer)
	defer s.answers.Put(a)
	defer a.reset()

	s.cors.allow(a, r)
	if err := s.answer(a, r, find); err != nil {
		s.fail(a, err)
	}
	a.send(w, r)
}

func (s *Server) answer(a *answer, r *http.Request, find finder) error {
	e, found := find(r.URL.Path)
	if !found {
		return errNotFound
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return e.handle(a, e.mount, r)
	case http.MethodOptions:
		s.cors.options(a, r)
		return nil
	}
	return errMethod
}
