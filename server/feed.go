package server

import (
	"sync/atomic"
	"time"
)

// patience is how many looks at a file a complaint must last before it is logged: someone may be writing it.
const patience = 5

// A feed is one corpus of a Loader and what is known of its source. Only the counts are read by other goroutines.
type feed struct {
	source source
	remote bool
	number int // among the corpora
	every  time.Duration
	forced chan struct{}

	checks int
	sum    uint64     // of what was fetched last, good or bad
	held   *complaint // what is wrong, nil for nothing

	loads, refusals, failures atomic.Int64
	loaded                    atomic.Int64 // Unix time of the last load, seconds; 0: never
	failing                   atomic.Bool  // something has been told to be wrong, and still is
}

// A complaint is what is wrong with a source for the time being.
type complaint struct {
	what  string
	err   error
	count *atomic.Int64
	age   int // in checks
	said  bool
}

// complain notes what is wrong. The same failure once more is the same complaint.
func (f *feed) complain(what string, err error, count *atomic.Int64) {
	if f.held != nil && f.held.what == what && f.held.err.Error() == err.Error() {
		f.held.age++
		return
	}
	f.held = &complaint{what: what, err: err, count: count}
}

// unchanged notes that the source has what it had. So a refusal stands, but whatever kept it from answering is over.
func (f *feed) unchanged() {
	switch {
	case f.held == nil:
	case f.held.count == &f.failures:
		f.held = nil
	default:
		f.held.age++
	}
}

// due reports whether what is wrong must be told now, which it must once.
func (f *feed) due(force bool) bool {
	h := f.held
	if h == nil || h.said || !force && !f.remote && f.loads.Load() > 0 && h.age < patience {
		return false
	}
	h.said = true
	h.count.Add(1)
	return true
}

// same reports whether what was fetched is what it was the last time: a source without a validator sends it again and
// again.
func (f *feed) same(got *fetched) bool {
	same := got.sum == f.sum
	f.sum = got.sum
	return same
}

// pause returns the time to the next check. A URL that has given nothing yet is asked soon, and then less and less.
func (f *feed) pause() time.Duration {
	switch {
	case !f.remote:
		return f.every
	case f.checks == 0:
		return 0
	case f.loads.Load() == 0:
		return min(time.Second<<min(f.checks-1, 10), jitter(f.every))
	}
	return jitter(f.every)
}
