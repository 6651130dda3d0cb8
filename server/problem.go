package server

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
)

// allowedMethods is the Allow of every path of the API.
const allowedMethods = "GET, HEAD, OPTIONS"

// A statusError is a request that is answered with an error status.
type statusError struct {
	status int
	detail string
	retry  string // Retry-After, seconds; "" for none
}

func (e *statusError) Error() string { return e.detail }

var (
	errNotFound = &statusError{http.StatusNotFound, "there is nothing at this path", ""}
	errMethod   = &statusError{http.StatusMethodNotAllowed, "this path answers " + allowedMethods, ""}
	errNoCorpus = &statusError{http.StatusServiceUnavailable, "no corpus is loaded yet", "5"}
	errBusy     = &statusError{http.StatusServiceUnavailable, "too many requests at once", "1"}
)

// A paramError is a query parameter that cannot be used. Its text is fit for the client.
type paramError struct {
	name, value string
	reason      string
}

func (e *paramError) Error() string {
	return fmt.Sprintf("%s %q %s", e.name, shortened(e.value), e.reason)
}

// shortened keeps a message readable when a client sends a very long value.
func shortened(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// A problem is the body of an error answer, the problem details of RFC 9457. Its type is the default,
// "about:blank": the status says all, the detail is for people.
type problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// fail makes a the answer for err. It is the one place where an error becomes a response; what is not known to
// be fit for the client stays in the log.
func (s *Server) fail(a *answer, err error) {
	p := problem{Status: http.StatusInternalServerError}
	var known *statusError
	var param *paramError
	var query *search.QueryError
	switch {
	case errors.As(err, &known):
		p.Status, p.Detail = known.status, known.detail
		if known.retry != "" {
			a.add("Retry-After", known.retry)
		}
	case errors.As(err, &param), errors.As(err, &query):
		p.Status, p.Detail = http.StatusBadRequest, err.Error()
	default:
		s.logger.Error("request failed", "error", err)
	}
	p.Title = http.StatusText(p.Status)
	if p.Status == http.StatusMethodNotAllowed {
		a.add("Allow", allowedMethods)
	}
	body, err := site.Marshal(p)
	if err != nil { // a struct of strings always encodes
		s.logger.Error("problem not encoded", "error", err)
	}
	a.status, a.tag, a.coding, a.cache = p.Status, "", identity, "no-store"
	a.media, a.body = mediaProblem, body
}
