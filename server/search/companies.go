package search

import (
	"bytes"
	"sort"
)

// How well a company's name fits a query.
const (
	nameEquals = iota
	nameBegins
	nameContains // or the slug does
	numFits
)

// Companies appends to dst the numbers of the first limit companies in whose name or slug every token of q occurs: the
// names that equal the query first, then those that begin with it, then the rest, each in the order of the corpus.
func (e *Engine) Companies(dst []int, q Query, limit int) []int {
	if len(q.Tokens) == 0 {
		return dst
	}
	s := <-e.idle
	defer func() { e.idle <- s }()
	for fit := range s.companies {
		s.companies[fit] = s.companies[fit][:0]
	}
	whole := q.Normal()
	// The keys are one string, searched as such for the first token: at the speed of memory, whatever they are.
	keys := e.corpus.CompanyKeys()
	for pos := 0; ; {
		at := bytes.Index(keys[pos:], []byte(q.Tokens[0]))
		if at < 0 {
			break
		}
		company := sort.Search(e.corpus.NumCompanies(), func(i int) bool { return e.corpus.CompanyKey(i+1) > pos+at })
		key := keys[e.corpus.CompanyKey(company):e.corpus.CompanyKey(company+1)]
		if containsAll(key, q.Tokens[1:]) {
			fit := fitOf(key, whole)
			s.companies[fit] = append(s.companies[fit], company)
		}
		pos = e.corpus.CompanyKey(company + 1)
	}
	for _, companies := range s.companies {
		n := min(len(companies), limit)
		dst = append(dst, companies[:n]...)
		limit -= n
	}
	return dst
}

// containsAll reports whether every token occurs in key. The zero bytes in it keep a token from matching across its parts.
func containsAll(key []byte, tokens []string) bool {
	for _, token := range tokens {
		if !bytes.Contains(key, []byte(token)) {
			return false
		}
	}
	return true
}

// fitOf returns how the name that key begins with fits the whole query.
func fitOf(key []byte, whole string) int {
	switch {
	case len(key) < len(whole) || string(key[:len(whole)]) != whole:
		return nameContains
	case key[len(whole)] == 0:
		return nameEquals
	}
	return nameBegins
}
