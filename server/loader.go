package server

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/read-finder/read-finder/site/corpus"
)

// LoaderConfig says where a Loader finds the corpora, and how often it looks.
type LoaderConfig struct {
	Sources       []string      // files, or http(s) URLs
	WatchInterval time.Duration // between two looks at a file; 0: DefaultWatchInterval
	PollInterval  time.Duration // between two requests for a URL, give or take a quarter; 0: DefaultPollInterval
	MaxBytes      int64         // of one corpus; 0: DefaultMaxBytes
	Logger        *slog.Logger  // gets what is loaded and what is refused; nil discards it
	Loaded        func(int64)   // is told, after each load, how many bytes all corpora have; nil: nobody is
}

// Defaults of a LoaderConfig.
const (
	DefaultWatchInterval = time.Second
	DefaultPollInterval  = 30 * time.Second
	DefaultMaxBytes      = 1 << 30
)

// A Loader keeps the corpora of a Server as new as their sources. A corpus that cannot be opened is refused: it is
// logged once, and the one before stays.
type Loader struct {
	server *Server
	logger *slog.Logger
	loaded func(int64)
	feeds  []*feed

	swapping sync.Mutex
	corpora  []*corpus.Corpus // of the feeds, in their order; nil for one that is still to come
}

// NewLoader returns a Loader that has loaded nothing yet: s answers 503 until it has. An error names the source.
func NewLoader(s *Server, c LoaderConfig) (*Loader, error) {
	l := &Loader{server: s, logger: c.Logger, loaded: c.Loaded, corpora: make([]*corpus.Corpus, len(c.Sources))}
	if l.logger == nil {
		l.logger = slog.New(slog.DiscardHandler)
	}
	if l.loaded == nil {
		l.loaded = func(int64) {}
	}
	limit, client := c.MaxBytes, newClient()
	if limit == 0 {
		limit = DefaultMaxBytes
	}
	for i, location := range c.Sources {
		src, err := newSource(location, limit, client)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(l.feeds, func(f *feed) bool { return f.source.String() == src.String() }) {
			return nil, fmt.Errorf("corpus %q is named twice", src)
		}
		f := &feed{source: src, number: i, every: c.WatchInterval, forced: make(chan struct{}, 1)}
		if f.every == 0 {
			f.every = DefaultWatchInterval
		}
		if f.remote = isURL(location); f.remote {
			if f.every = c.PollInterval; f.every == 0 {
				f.every = DefaultPollInterval
			}
		}
		l.feeds = append(l.feeds, f)
	}
	if err := s.metrics.registry.Register(l); err != nil {
		return nil, fmt.Errorf("metrics of the corpora: %w", err)
	}
	return l, s.Swap(l.corpora...)
}

// LoadFiles loads the corpora that are files, once: after it, a server of files is ready before its first request.
func (l *Loader) LoadFiles(ctx context.Context) {
	var loading sync.WaitGroup
	for _, f := range l.feeds {
		if !f.remote {
			loading.Go(func() { l.check(ctx, f, false) })
		}
	}
	loading.Wait()
}

// Run looks for new corpora until ctx is done.
func (l *Loader) Run(ctx context.Context) {
	var watching sync.WaitGroup
	for _, f := range l.feeds {
		watching.Go(func() { l.watch(ctx, f) })
	}
	watching.Wait()
}

// Reload makes Run load every corpus again at once, whether its source looks new or not.
func (l *Loader) Reload() {
	for _, f := range l.feeds {
		select {
		case f.forced <- struct{}{}:
		default: // it is about to be
		}
	}
}

func (l *Loader) watch(ctx context.Context, f *feed) {
	for {
		next := time.NewTimer(f.pause())
		select {
		case <-ctx.Done():
			next.Stop()
			return
		case <-f.forced:
			next.Stop()
			l.check(ctx, f, true)
		case <-next.C:
			l.check(ctx, f, false)
		}
	}
}

// check fetches from a source, and takes what is new. It is called by one goroutine for each feed.
func (l *Loader) check(ctx context.Context, f *feed, force bool) {
	start := time.Now()
	got, err := f.source.fetch(ctx, force)
	if ctx.Err() != nil {
		return // the server is stopping
	}
	f.checks++
	switch {
	case err != nil:
		f.complain("corpus not fetched", err, &f.failures)
	case got == nil:
		f.unchanged()
	case f.same(got) && !force:
		f.unchanged()
	default:
		if err := l.take(f, got, start); err != nil {
			f.held = nil // a new content is a complaint of its own, even in the same words
			f.complain("corpus refused", fmt.Errorf("%s: %w", f.source, err), &f.refusals)
		}
	}
	if f.due(force) {
		l.logger.Error(f.held.what, "error", f.held.err, "serving", l.serving(f))
	}
	f.failing.Store(f.held != nil && f.held.said)
	if got != nil {
		release()
	}
}

// release gives memory back after a fetch: what is not served any more is as large as all that is. Left to its pace, the
// collector would let the heap double before it looked. What only pools refer to outlives one collection.
func release() {
	runtime.GC()
	debug.FreeOSMemory()
}

// take serves from now on what was fetched.
func (l *Loader) take(f *feed, got *fetched, start time.Time) error {
	if got.refusal != nil {
		return got.refusal
	}
	if err := l.swap(f.number, got.corpus); err != nil {
		return err
	}
	f.held = nil
	f.loads.Add(1)
	f.loaded.Store(time.Now().Unix())
	m := got.corpus.Meta()
	l.logger.Info("corpus loaded", "corpus", f.source.String(), "fingerprint", m.Fingerprint, "language", m.Language,
		"articles", m.Articles, "bytes", m.Bytes, "took", time.Since(start).Round(time.Millisecond))
	return nil
}

func (l *Loader) swap(number int, c *corpus.Corpus) error {
	l.swapping.Lock()
	defer l.swapping.Unlock()
	next := slices.Clone(l.corpora)
	next[number] = c
	if err := l.server.Swap(next...); err != nil {
		return err
	}
	l.corpora = next
	total := int64(0)
	for _, c := range next {
		if c != nil {
			total += c.Meta().Bytes
		}
	}
	l.loaded(total)
	return nil
}

// corpus returns what is served from a feed, nil for nothing yet.
func (l *Loader) corpus(f *feed) *corpus.Corpus {
	l.swapping.Lock()
	defer l.swapping.Unlock()
	return l.corpora[f.number]
}

// serving says in a log what is served from a feed.
func (l *Loader) serving(f *feed) string {
	if c := l.corpus(f); c != nil {
		return c.Meta().Fingerprint
	}
	return "nothing"
}

// jitter returns d, give or take a quarter, so that replicas which were started together do not ask together.
func jitter(d time.Duration) time.Duration { return d*3/4 + rand.N(d/2+1) }
