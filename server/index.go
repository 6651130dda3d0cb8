package server

import "net/http"

// indexCache keeps the index for a minute in browsers and five in shared caches, and usable for a day more while
// a new one is fetched or the server is away.
const indexCache = "public, max-age=60, s-maxage=300, stale-while-revalidate=86400, stale-if-error=86400"

// index answers GET /api/read-finder-index.json with the bytes that lie in the corpus, compressed when it was written.
func index(a *answer, m *mount, r *http.Request) error {
	coding := negotiate(r.Header["Accept-Encoding"], m.offers)
	if a.validate(r, m.tag, coding, indexCache) {
		a.body = m.corpus.Index(coding)
	}
	return nil
}
