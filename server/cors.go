package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// preflightAge is how long a browser may remember a preflight, in seconds: a day, of which browsers take what
// they like.
const preflightAge = "86400"

// A cors says which origins may read the answers, by the CORS protocol of the Fetch standard.
type cors struct {
	origins []string // as a browser writes them
	any     bool
	vary    string // Vary of every answer
}

// CheckOrigin returns an error unless origin can stand in Config.CORSOrigins.
func CheckOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin != "*" && (err != nil || u.Host == "" || origin != strings.ToLower(u.Scheme+"://"+u.Host)) {
		return errors.New("neither * nor scheme://host[:port] in lower case")
	}
	return nil
}

func newCORS(origins []string) (cors, error) {
	for _, o := range origins {
		if err := CheckOrigin(o); err != nil {
			return cors{}, fmt.Errorf("CORS origin %q: %w", o, err)
		}
	}
	c := cors{origins: origins, any: slices.Contains(origins, "*"), vary: "Accept-Encoding"}
	if len(origins) > 0 && !c.any {
		c.vary = "Accept-Encoding, Origin"
	}
	return c, nil
}

// allow adds the headers that let the page behind the request read the answer, where it may.
func (c *cors) allow(a *answer, r *http.Request) {
	a.vary = c.vary
	if allowed := c.allowed(r); allowed != "" {
		a.add("Access-Control-Allow-Origin", allowed)
		a.add("Access-Control-Expose-Headers", "ETag")
	}
}

func (c *cors) allowed(r *http.Request) string {
	if c.any {
		return "*"
	}
	if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(c.origins, origin) {
		return origin
	}
	return ""
}

// options answers OPTIONS, a preflight or not.
func (c *cors) options(a *answer, r *http.Request) {
	a.status, a.cache = http.StatusNoContent, "no-store"
	a.add("Allow", allowedMethods)
	if c.allowed(r) != "" && r.Header.Get("Access-Control-Request-Method") != "" {
		a.add("Access-Control-Allow-Methods", allowedMethods)
		a.add("Access-Control-Allow-Headers", "If-None-Match")
		a.add("Access-Control-Max-Age", preflightAge)
	}
}
