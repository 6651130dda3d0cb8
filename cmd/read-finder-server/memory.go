package main

import (
	"os"
	"runtime/debug"
)

// garbage is how much may lie about before it is collected, in bytes: what the runtime allows to the smallest heap.
const garbage = 4 << 20

// paceCollector returns what to do after each load of corpora, nil for nothing. The collector lets garbage grow to a share
// of the heap, and nearly all of the heap is corpora, which no request adds to: by default a corpus of 100 MB would
// allow 100 MB of garbage. A GOGC that is given stands.
func paceCollector() func(corpora int64) {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return func(corpora int64) { debug.SetGCPercent(collectorShare(corpora)) }
}

// collectorShare returns the share of a heap, in percent, that is garbage bytes of corpora, and at most Go's default.
func collectorShare(corpora int64) int { return int(min(100, max(1, 100*garbage/max(1, corpora)))) }
