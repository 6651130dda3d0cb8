package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
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

// TestOpenAPIExamples holds each example of an answer against what the document says of that answer.
func TestOpenAPIExamples(t *testing.T) {
	data, err := os.ReadFile("../../server/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Ref     string `json:"$ref"`
		Content map[string]struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
	var document struct {
		Paths map[string]struct {
			Get struct{ Responses map[string]answer }
		}
		Components struct{ Responses map[string]answer }
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	header := http.Header{ // examples are bodies: these are for the required headers, which have no example of their own
		"X-Content-Type-Options": {"nosniff"}, "Referrer-Policy": {"no-referrer"}, "Content-Security-Policy": {"default-src 'none'"},
		"Vary": {"Accept-Encoding"}, "Cache-Control": {"no-store"}, "Etag": {`"5d3c1f0a9b8e7d6c"`}, "Retry-After": {"5"},
	}
	checked := 0
	for path, item := range document.Paths {
		for code, a := range item.Get.Responses {
			if name, ok := strings.CutPrefix(a.Ref, "#/components/responses/"); ok {
				a = document.Components.Responses[name]
			}
			for media, content := range a.Content {
				for name, example := range content.Examples {
					checked++
					status, err := strconv.Atoi(code)
					if err != nil {
						t.Fatal(err)
					}
					res := &http.Response{StatusCode: status, Header: header.Clone()}
					res.Header.Set("Content-Type", media)
					t.Run(path+" "+code+" "+name, func(t *testing.T) {
						checkDescribed(t, http.MethodGet, path, &response{Response: res, method: http.MethodGet, body: example.Value})
					})
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d examples in the document", checked)
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
