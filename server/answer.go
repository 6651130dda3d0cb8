package server

import (
	"net/http"
	"strconv"
)

// Media types of the answers.
const (
	mediaJSON    = "application/json; charset=utf-8"
	mediaProblem = "application/problem+json"
	mediaText    = "text/plain; charset=utf-8"
)

// maxKept is the largest buffer, in bytes, that an answer keeps for the next request. Larger answers are rare,
// and a pool full of their buffers would be memory for nothing.
const maxKept = 1 << 20

// An answer is one complete response, built before anything is sent. Answers are pooled for their buffers.
type answer struct {
	status int
	header []headerLine // beyond those that every answer has
	vary   string
	cache  string // Cache-Control
	tag    string // the opaque part of the entity tag, without quotes; "" for none
	coding string // content coding of body
	media  string // Content-Type of body
	body   []byte // nil for an answer without content

	text   []byte // backing of a body that is assembled here
	packed []byte // backing of a body that is compressed here
	hits   []int  // article or company numbers
}

type headerLine struct{ name, value string }

// add adds a header line; name is in canonical form.
func (a *answer) add(name, value string) { a.header = append(a.header, headerLine{name, value}) }

// reset makes a ready for the next request.
func (a *answer) reset() {
	*a = answer{header: a.header[:0], text: kept(a.text), packed: kept(a.packed), hits: a.hits[:0]}
}

func kept(b []byte) []byte {
	if cap(b) > maxKept {
		return nil
	}
	return b[:0]
}

// validate gives a its validator and reports whether the client needs a body: if not, a is the complete 304.
func (a *answer) validate(r *http.Request, tag, coding, cache string) bool {
	a.tag, a.coding, a.cache = tag, coding, cache
	if matchesTag(r.Header["If-None-Match"], tag) {
		a.status = http.StatusNotModified
		return false
	}
	a.status, a.media = http.StatusOK, mediaJSON
	return true
}

// send writes the whole response. A write fails only when the client has gone: there is nobody to tell.
func (a *answer) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	values := make([]string, 0, 16) // backs all the header's slices, in one allocation
	set := func(name, value string) {
		values = append(values, value)
		h[name] = values[len(values)-1 : len(values) : len(values)]
	}
	set("X-Content-Type-Options", "nosniff")
	set("Referrer-Policy", "no-referrer")
	set("Content-Security-Policy", "default-src 'none'")
	set("Vary", a.vary)
	set("Cache-Control", a.cache)
	if a.tag != "" {
		set("Etag", entityTag(a.tag, a.coding))
	}
	for _, l := range a.header {
		set(l.name, l.value)
	}
	if a.body != nil {
		set("Content-Type", a.media)
		set("Content-Length", strconv.Itoa(len(a.body)))
		if a.coding != identity {
			set("Content-Encoding", a.coding)
		}
	}
	w.WriteHeader(a.status)
	if a.body != nil && r.Method != http.MethodHead {
		w.Write(a.body)
	}
}
