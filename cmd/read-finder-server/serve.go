package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"

	"github.com/read-finder/read-finder/server"
	"github.com/read-finder/read-finder/site/corpus"
)

// serve answers on the addresses of c until ctx is done, then drains.
func serve(ctx context.Context, c *config, stderr io.Writer) error {
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	s, err := server.New(server.Config{CORSOrigins: c.corsOrigins, Logger: logger})
	if err != nil {
		return err
	}
	if err := load(s, c.corpora); err != nil {
		return err
	}
	var g group
	if c.adminListen == "" {
		err = g.listen(c, c.listen, s.WithAdmin(), logger)
	} else {
		err = errors.Join(g.listen(c, c.listen, s, logger), g.listen(c, c.adminListen, s.Admin(), logger))
	}
	if err != nil {
		g.close()
		return err
	}
	return g.run(ctx, c, logger)
}

// load opens the corpora and puts them into s.
func load(s *server.Server, paths []string) error {
	corpora := make([]*corpus.Corpus, len(paths))
	for i, path := range paths {
		var err error
		if corpora[i], err = corpus.ReadFile(path); err != nil {
			return err
		}
	}
	return s.Swap(corpora...)
}

// A group is the HTTP servers of the process, each with the listener it will serve.
type group struct {
	servers   []*http.Server
	listeners []net.Listener
}

// listen adds a server of h that is bound to addr, but does not answer yet.
func (g *group) listen(c *config, addr string, h http.Handler, logger *slog.Logger) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	g.listeners = append(g.listeners, l)
	g.servers = append(g.servers, &http.Server{
		Handler:           h,
		ReadHeaderTimeout: c.readHeaderTimeout,
		ReadTimeout:       c.readTimeout,
		WriteTimeout:      c.writeTimeout,
		IdleTimeout:       c.idleTimeout,
		MaxHeaderBytes:    c.maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	})
	return nil
}

func (g *group) close() {
	for _, l := range g.listeners {
		l.Close()
	}
}

// run answers until ctx is done or a server fails, then lets the open requests finish.
func (g *group) run(ctx context.Context, c *config, logger *slog.Logger) error {
	failed := make(chan error, len(g.servers))
	for i, s := range g.servers {
		l := g.listeners[i]
		logger.Info("listening", "addr", l.Addr().String())
		go func() { failed <- s.Serve(l) }()
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		logger.Info("draining", "timeout", c.drainTimeout)
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.drainTimeout)
	defer cancel()
	for _, s := range g.servers {
		if e := s.Shutdown(drain); e != nil {
			err = errors.Join(err, fmt.Errorf("requests are still open after --drain-timeout %s: %w", c.drainTimeout, e))
			s.Close()
		}
	}
	return err
}
