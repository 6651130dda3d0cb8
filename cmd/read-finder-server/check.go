package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// checkTimeout is how long a healthy server may take, under any load.
const checkTimeout = 5 * time.Second

// check asks url, and returns nil if the answer is a success: a health check for images that hold nothing else.
func check(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := (&http.Client{Transport: new(http.Transport)}).Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("%s: status %s", url, res.Status)
	}
	return nil
}
