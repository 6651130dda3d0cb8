package server

import (
	"net/http"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
)

// Limits of the two searches: how many results there are when limit is not given, and at most.
const (
	defaultArticles  = 80
	maxArticles      = 200
	defaultCompanies = 200
	maxCompanies     = 500
)

// searchCache lets a shared cache keep a search for a minute, and for ten more while it asks for a new one.
const searchCache = "public, max-age=0, s-maxage=60, stale-while-revalidate=600"

// searchArticles answers GET /api/search.
func (s *Server) searchArticles(a *answer, m *mount, r *http.Request) error {
	q, limit, err := m.query(r, defaultArticles, maxArticles)
	if err != nil {
		return err
	}
	tag := searchTag(m.tag, "articles", q.Text, limit)
	if s.unchanged(a, r, tag) {
		return nil
	}
	if len(q.Tokens) > 0 {
		a.hits = m.engine.Articles(a.hits, q, limit)
		s.noteNothing(a, m, "articles", q)
	}
	b := appendJSONString(append(a.text, `{"query":`...), q.Text)
	b = strconv.AppendInt(append(b, `,"count":`...), int64(len(a.hits)), 10)
	b = append(b, `,"articles":[`...)
	for i, n := range a.hits {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, m.corpus.Article(n)...)
	}
	a.text = append(b, "]}"...)
	return s.pack(a, r, tag, searchCache)
}

// searchCompanies answers GET /api/companies/search.
func (s *Server) searchCompanies(a *answer, m *mount, r *http.Request) error {
	q, limit, err := m.query(r, defaultCompanies, maxCompanies)
	if err != nil {
		return err
	}
	tag := searchTag(m.tag, "companies", q.Text, limit)
	if s.unchanged(a, r, tag) {
		return nil
	}
	if len(q.Tokens) > 0 {
		a.hits = m.engine.Companies(a.hits, q, limit)
		s.noteNothing(a, m, "companies", q)
	}
	b := appendJSONString(append(a.text, `{"query":`...), q.Text)
	b = append(b, `,"companies":[`...)
	for i, n := range a.hits {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, m.corpus.Company(n)...)
	}
	a.text = append(b, "]}"...)
	return s.pack(a, r, tag, searchCache)
}

// noteNothing counts a query that found nothing, where that is asked for.
func (s *Server) noteNothing(a *answer, m *mount, kind string, q search.Query) {
	if s.noResults != nil && len(a.hits) == 0 {
		s.noResults.add(missed{m.corpus.Meta().Prefix, kind, q.Normal()})
	}
}

// query reads the two parameters of a search. Each is checked by itself: a limit that is none is refused even
// where nothing is asked.
func (m *mount) query(r *http.Request, fallback, most int) (q search.Query, n int, err error) {
	if n, err = limit(r.URL.RawQuery, fallback, most); err != nil {
		return q, 0, err
	}
	text, err := param(r.URL.RawQuery, "q")
	if err != nil {
		return q, 0, err
	}
	q, err = m.engine.Parse(text)
	return q, n, err
}

// unchanged reports whether the client holds the answer to its search, by a tag that it sends; then a is the complete 304,
// and nothing is searched: this is what a cache asks most. It leaves to pack what cannot be known without the answer, whether it is
// long enough to be compressed, but where the client knows its tag as a weak one.
func (s *Server) unchanged(a *answer, r *http.Request, tag string) bool {
	held := r.Header["If-None-Match"]
	if len(held) == 0 {
		return false
	}
	accept := r.Header["Accept-Encoding"]
	long, short := s.packer.choose(accept, minPacked), s.packer.choose(accept, 0)
	if (long == identity) != (short == identity) && !holdsWeak(held, tag) {
		return false
	}
	return !a.validate(r, tag, long, searchCache)
}

// pack makes a the answer with the body in a.text, compressed where the client wants it and it pays.
func (s *Server) pack(a *answer, r *http.Request, tag, cache string) error {
	coding := s.packer.choose(r.Header["Accept-Encoding"], len(a.text))
	if !a.validate(r, tag, coding, cache) {
		return nil
	}
	if coding == identity {
		a.body = a.text
		return nil
	}
	var err error
	a.packed, err = s.packer.pack(a.packed, a.text, coding)
	a.body = a.packed
	return err
}

// searchTag is the validator of a search: the content, and all of the request that the answer depends on.
func searchTag(fingerprint, kind, text string, limit int) string {
	var d xxhash.Digest
	d.Reset()
	var number [20]byte
	d.WriteString(kind)
	d.Write(append(strconv.AppendInt(number[:0], int64(limit), 10), ' '))
	d.WriteString(text)
	tag := make([]byte, 0, 40)
	tag = append(append(tag, fingerprint...), '-')
	return string(appendHex(tag, d.Sum64()))
}

// appendHex appends n as 16 hex digits.
func appendHex(b []byte, n uint64) []byte {
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, digits[n>>shift&15])
	}
	return b
}

// appendJSONString appends s, which is UTF-8, as a JSON string.
func appendJSONString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			quoted, _ := site.Marshal(s) // a string always encodes
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
