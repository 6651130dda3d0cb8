package server

import (
	"context"
	"net"
	"sync"
)

// reserve is how many connections beyond the limit are still accepted, to be told so. Beyond it they wait in the
// kernel's queue.
func reserve(most int) int { return most/8 + 16 }

// Listener returns l with at most Config.MaxConnections connections open that are served. Some more are accepted and
// answered with 503, so that a load balancer goes elsewhere at once. The http.Server on it needs ConnContext.
func (s *Server) Listener(l net.Listener) net.Listener {
	return &listener{Listener: l, server: s, slots: make(chan struct{}, s.maxConnections+reserve(s.maxConnections)), closed: make(chan struct{})}
}

type listener struct {
	net.Listener
	server *Server
	slots  chan struct{}

	closing sync.Once
	closed  chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	crowded := l.server.connections.Add(1) > int64(l.server.maxConnections)
	return &conn{Conn: c, listener: l, crowded: crowded}, nil
}

func (l *listener) Close() error {
	l.closing.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// A conn is an accepted connection, which gives its slot back when it is closed.
type conn struct {
	net.Conn
	listener *listener
	crowded  bool // beyond the limit
	closing  sync.Once
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	c.closing.Do(func() {
		c.listener.server.connections.Add(-1)
		<-c.listener.slots
	})
	return err
}

// CloseWrite is what net/http calls after the last answer, so that the client gets all of it before a reset.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// crowdedKey is the key in the context of a connection beyond the limit.
type crowdedKey struct{}

// ConnContext is the ConnContext of the http.Server on a Listener.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if c, ok := c.(*conn); ok && c.crowded {
		return context.WithValue(ctx, crowdedKey{}, true)
	}
	return ctx
}

func isCrowded(ctx context.Context) bool { return ctx.Value(crowdedKey{}) != nil }
