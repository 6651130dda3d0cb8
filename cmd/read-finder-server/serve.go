package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/read-finder/read-finder/server"
)

// serve answers on the addresses of c until ctx is done, then drains. It listens before it loads the corpora, so
// that no client finds the door closed, and answers once the files are loaded.
func serve(ctx context.Context, c *config, stderr io.Writer) error {
	logger := newLogger(c.logFormat, stderr)
	c.server.Logger, c.loader.Logger, c.server.Version = logger, logger, versionString()
	c.loader.Loaded = paceCollector()
	s, err := server.New(c.server)
	if err != nil {
		return err
	}
	loader, err := server.NewLoader(s, c.loader)
	if err != nil {
		return err
	}
	var g group
	defer g.close()
	if err := g.open(c, s, logger); err != nil {
		return err
	}
	defer keepLoading(ctx, loader)()
	return g.run(ctx, c, logger)
}

func newLogger(format string, w io.Writer) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// keepLoading loads the corpora that are files, and then all that is new; SIGHUP forces it. The function that it
// returns stops it.
func keepLoading(ctx context.Context, loader *server.Loader) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	loader.LoadFiles(ctx)
	var loading sync.WaitGroup
	loading.Go(func() { loader.Run(ctx) })
	loading.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangups:
				loader.Reload()
			}
		}
	})
	return func() {
		signal.Stop(hangups)
		cancel()
		loading.Wait()
	}
}

// A group is the HTTP servers of the process, each with the listener it will serve.
type group struct {
	servers   []*http.Server
	listeners []net.Listener
}

// open binds the addresses of c, or takes the sockets that a service manager has bound.
func (g *group) open(c *config, s *server.Server, logger *slog.Logger) error {
	api, admin, err := inherited(os.LookupEnv)
	if err != nil {
		return err
	}
	if api == nil {
		if api, err = net.Listen("tcp", c.listen); err != nil {
			return err
		}
	}
	if admin == nil && c.adminListen != "" {
		if admin, err = net.Listen("tcp", c.adminListen); err != nil {
			return errors.Join(err, api.Close())
		}
	}
	if admin == nil {
		g.add(c, s.Listener(api), s.WithAdmin(), logger)
		return nil
	}
	g.add(c, s.Listener(api), s, logger)
	g.add(c, admin, s.Admin(), logger)
	return nil
}

// add adds a server of h on l, which does not answer yet.
func (g *group) add(c *config, l net.Listener, h http.Handler, logger *slog.Logger) {
	g.listeners = append(g.listeners, l)
	g.servers = append(g.servers, &http.Server{
		Handler:           h,
		ReadHeaderTimeout: c.readHeaderTimeout,
		ReadTimeout:       c.readTimeout,
		WriteTimeout:      c.writeTimeout,
		IdleTimeout:       c.idleTimeout,
		MaxHeaderBytes:    c.maxHeaderBytes,
		ConnContext:       server.ConnContext,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	})
}

// close closes the listeners, which does nothing to those that are closed.
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
