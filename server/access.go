package server

import (
	"log/slog"
	"net/http"
	"time"
)

// An accessLog writes one line for each request. The query, which says what a reader is interested in, and the
// client's address are in it only when asked for.
type accessLog struct {
	logger  *slog.Logger
	queries bool
	clients bool
}

func (l *accessLog) log(a *answer, r *http.Request, route string, took time.Duration) {
	attrs := append(make([]slog.Attr, 0, 8),
		slog.String("method", r.Method), slog.String("route", route), slog.Int("status", a.status),
		slog.Int("bytes", len(a.body)), slog.String("coding", a.coding), slog.Duration("took", took))
	if l.queries {
		attrs = append(attrs, slog.String("target", r.URL.RequestURI()))
	}
	if l.clients {
		attrs = append(attrs, slog.String("client", r.RemoteAddr))
		if via := r.Header.Get("X-Forwarded-For"); via != "" {
			attrs = append(attrs, slog.String("forwarded_for", via))
		}
	}
	l.logger.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}
