package server

import "net/http"

// adminRoutes are the pages for whoever runs the server.
func (s *Server) adminRoutes() []route {
	return []route{
		{"/healthz", health},
		{"/readyz", s.readiness},
	}
}

// Admin returns the handler of the admin pages alone, for a port of their own.
func (s *Server) Admin() http.Handler { return s.handler(findAdmin(s.adminRoutes())) }

// WithAdmin returns the handler of the API with the admin pages beside it.
func (s *Server) WithAdmin() http.Handler {
	admin := findAdmin(s.adminRoutes())
	return s.handler(func(path string) (endpoint, bool) {
		if e, found := admin(path); found {
			return e, true
		}
		return s.find(path)
	})
}

func findAdmin(routes []route) finder {
	return func(path string) (endpoint, bool) {
		for _, r := range routes {
			if r.path == path {
				return endpoint{handle: r.handle}, true
			}
		}
		return endpoint{}, false
	}
}

// health answers GET /healthz: the process lives and answers.
func health(a *answer, _ *mount, _ *http.Request) error {
	a.text = append(a.text, "ok\n"...)
	a.plain()
	return nil
}

// readiness answers GET /readyz: requests can be sent here, every corpus is there.
func (s *Server) readiness(a *answer, _ *mount, _ *http.Request) error {
	if !s.Ready() {
		return errNoCorpus
	}
	a.text = append(a.text, "ready\n"...)
	a.plain()
	return nil
}

// plain makes a.text the answer, as plain text that nobody keeps.
func (a *answer) plain() {
	a.status, a.coding, a.cache = http.StatusOK, identity, "no-store"
	a.media, a.body = "text/plain; charset=utf-8", a.text
}
