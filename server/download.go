package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Bounds of one download, so that a server which goes silent is asked again.
const (
	fetchTimeout    = 10 * time.Minute
	responseTimeout = 30 * time.Second
	maxRedirects    = 5
)

// newClient returns the client that downloads corpora.
func newClient() *http.Client {
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true, // the tag and the length are those of the file itself
		TLSHandshakeTimeout:   responseTimeout,
		ResponseHeaderTimeout: responseTimeout,
		IdleConnTimeout:       2 * time.Minute,
	}
	return &http.Client{Transport: transport, Timeout: fetchTimeout, CheckRedirect: checkRedirect}
}

// checkRedirect lets a download go elsewhere, but never from https to http.
func checkRedirect(r *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
		return errors.New("redirected from https to http")
	}
	return nil
}

// A urlSource is a corpus that is downloaded, conditionally where its server gives a validator.
type urlSource struct {
	url          *url.URL
	limit        int64
	client       *http.Client
	etag         string
	lastModified string
}

// String leaves out the user and the query: signed URLs of object stores are secrets.
func (u *urlSource) String() string {
	return (&url.URL{Scheme: u.url.Scheme, Host: u.url.Host, Path: u.url.Path}).String()
}

func (u *urlSource) fetch(ctx context.Context, force bool) (*fetched, error) {
	got, err := u.get(ctx, force)
	var e *url.Error
	if errors.As(err, &e) { // it names the URL, query and all
		err = e.Err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u, err)
	}
	return got, nil
}

func (u *urlSource) get(ctx context.Context, force bool) (*fetched, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.url.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "read-finder-server")
	switch {
	case force:
		r.Header.Set("Cache-Control", "no-cache")
	case u.etag != "":
		r.Header.Set("If-None-Match", u.etag)
	case u.lastModified != "":
		r.Header.Set("If-Modified-Since", u.lastModified)
	}
	res, err := u.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotModified && !force:
		return nil, nil
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("status %s", res.Status)
	}
	got := tooLarge(res.ContentLength, u.limit)
	if res.ContentLength <= u.limit {
		if got, err = read(res.Body, u.limit); err != nil {
			return nil, err
		}
	}
	u.etag, u.lastModified = res.Header.Get("ETag"), res.Header.Get("Last-Modified")
	return got, nil
}
