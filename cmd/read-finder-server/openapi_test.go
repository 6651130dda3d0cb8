package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
)

// described is the document that the API gives of itself, ready to hold responses against.
var described = sync.OnceValues(func() (validator.Validator, error) {
	data, err := os.ReadFile("../../server/openapi.json")
	if err != nil {
		return nil, err
	}
	// Where the document came from is the root, in these tests.
	document, err := libopenapi.NewDocument(bytes.Replace(data, []byte(`"url": ".."`), []byte(`"url": "/"`), 1))
	if err != nil {
		return nil, err
	}
	v, errs := validator.NewValidator(document)
	return v, errors.Join(errs...)
})

// TestOpenAPIDocument checks that the document is OpenAPI 3.1, and the one that is served.
func TestOpenAPIDocument(t *testing.T) {
	v, err := described()
	if err != nil {
		t.Fatal(err)
	}
	if valid, errs := v.ValidateDocument(); !valid {
		for _, e := range errs {
			t.Errorf("%v", e)
		}
	}
	data, err := os.ReadFile("../../server/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "--corpus", "en.corpus", "--corpus", "fr.corpus")
	for _, path := range []string{"/api/openapi.json", "/fr/api/openapi.json"} {
		if res := send(t, p.addrs[0], nil, []string{"GET " + path}); !bytes.Equal(res.body, data) {
			t.Errorf("%s: status %d, %d bytes, want the document", path, res.StatusCode, len(res.body))
		}
	}
}

// checkDescribed holds a response against the document. It must describe every response of the API but those to paths and
// methods that there are not.
func checkDescribed(t *testing.T, method, target string, res *response) {
	t.Helper()
	v, err := described()
	if err != nil {
		t.Fatal(err)
	}
	path, _, _ := strings.Cut(target, "?")
	switch {
	case res.StatusCode == http.StatusNotFound, res.StatusCode == http.StatusMethodNotAllowed, !strings.Contains(path, "/api/"):
		return
	}
	_, below, _ := strings.Cut(target, "/api/")
	r, err := http.NewRequest(method, "http://test/api/"+below, nil)
	if err != nil {
		t.Fatal(err)
	}
	body := res.body
	if method == http.MethodHead {
		body = nil
	}
	answer := &http.Response{StatusCode: res.StatusCode, Header: res.Header, Body: io.NopCloser(bytes.NewReader(body)), Request: r}
	if valid, errs := v.ValidateHttpResponse(r, answer); !valid {
		for _, e := range errs {
			t.Errorf("not as described: %s: %s %v", e.Message, e.Reason, schemaErrors(e.SchemaValidationErrors))
		}
	}
}

func schemaErrors[T any](errs []T) string { return fmt.Sprintf("%+v", errs) }
