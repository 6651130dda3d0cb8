package server

import (
	_ "embed"
	"net/http"

	"github.com/cespare/xxhash/v2"
)

// openAPI is the OpenAPI 3.1 description of the API. The HTTP tests hold every response against it.
//
//go:embed openapi.json
var openAPI string

// serveOpenAPI answers GET /api/openapi.json. Its only server is "..", so that it is right under every prefix.
func (s *Server) serveOpenAPI(a *answer, _ *mount, r *http.Request) error {
	a.text = append(a.text, openAPI...)
	tag := string(appendHex(nil, xxhash.Sum64String(openAPI)))
	return s.pack(a, r, tag, indexCache)
}
