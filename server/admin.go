package server

import "net/http"

// adminRoutes are the pages for whoever runs the server.
func (s *Server) adminRoutes() []route {
	routes := []route{
		{"health", "/healthz", health},
		{"ready", "/readyz", s.readiness},
		{"metrics", "/metrics", s.metrics.page},
	}
	if s.noResults != nil {
		routes = append(routes, route{"no_results", "/no-results", s.noResults.page})
	}
	return routes
}

// Admin returns the handler of the admin pages alone, for a port of their own.
func (s *Server) Admin() http.Handler { return s.handler(s.findAdmin(s.adminRoutes())) }

// WithAdmin returns the handler of the API with the admin pages beside it.
func (s *Server) WithAdmin() http.Handler {
	admin := s.findAdmin(s.adminRoutes())
	return s.handler(func(path string) (endpoint, bool) {
		if e, found := admin(path); found {
			return e, true
		}
		return s.find(path)
	})
}

func (s *Server) findAdmin(routes []route) finder {
	endpoints := make(map[string]endpoint, len(routes))
	for _, r := range routes {
		endpoints[r.path] = endpoint{handle: r.handle, meter: s.metrics.meter(r.name), unlimited: true}
	}
	return func(path string) (endpoint, bool) {
		e, found := endpoints[path]
		return e, found
	}
}

// health answers GET /healthz: the process lives and answers.
func health(a *answer, _ *mount, _ *http.Request) error {
	a.text = append(a.text, "ok\n"...)
	a.uncached(mediaText)
	return nil
}

// readiness answers GET /readyz: requests can be sent here, every corpus is there.
func (s *Server) readiness(a *answer, _ *mount, _ *http.Request) error {
	if !s.Ready() {
		return errNoCorpus
	}
	a.text = append(a.text, "ready\n"...)
	a.uncached(mediaText)
	return nil
}

// uncached makes a.text the answer, which nobody keeps.
func (a *answer) uncached(media string) {
	a.status, a.coding, a.cache = http.StatusOK, identity, "no-store"
	a.media, a.body = media, a.text
}
