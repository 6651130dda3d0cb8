package corpus

import "slices"

// A Sweep reads the lists of one field of a cover, from the newest article on and only as far as it is asked to: a search that
// has found enough leaves the rest unread. It is reused from token to token.
type Sweep struct {
	set     Set
	n       uint64
	sparse  []cursor
	missing []cursor
	bitmaps []source
}

// Sweep makes w a sweep of the lists for field f of cover. The short ones are not worth a cursor: they are read at once.
func (c *Corpus) Sweep(w *Sweep, cover *Cover, f Field) {
	w.n = uint64(c.articles)
	w.set.Reset(c.articles)
	w.sparse, w.missing, w.bitmaps = w.sparse[:0], w.missing[:0], w.bitmaps[:0]
	l := &cover.lists[f]
	sparse := func(ref listRef) bool { return c.universe.shape(ref.length).code == codeSparse }
	if l.total >= w.set.blocks/openShare && (slices.ContainsFunc(l.words, sparse) || slices.ContainsFunc(l.unions, sparse)) {
		w.set.openAll()
	}
	for _, ref := range l.words {
		cover.touched |= c.postings.lists[ref.pos/8]
	}
	for _, ref := range l.words {
		w.list(c.universe, c.postings.lists, ref)
	}
	for _, ref := range l.unions {
		w.list(c.universe, c.unions.lists, ref)
	}
	for _, segment := range cover.runs {
		if Field(segment&fieldMask) == f {
			w.set.add(uint64(segment >> fieldBits))
		}
	}
}

func (w *Sweep) list(u *universe, b []byte, ref listRef) {
	switch list := u.shape(ref.length); {
	case list.code == codeBitmap:
		w.bitmaps = append(w.bitmaps, source{b, ref.pos})
	case list.code == codeMissing:
		w.missing = append(w.missing, newCursor(b, ref.pos, list))
	case ref.length <= maxShort:
		u.add(&w.set, b, ref.pos, ref.length)
	default:
		w.sparse = append(w.sparse, newCursor(b, ref.pos, list))
	}
}

// Read reads the articles from number first on, below end. Those before have been read, or are not wanted. Both numbers
// are multiples of 64 * BlockWords, but for an end behind the last article.
func (w *Sweep) Read(first, end int) {
	if len(w.bitmaps)+len(w.missing) > 0 {
		w.set.openRange(first, end)
	}
	for i := range w.sparse {
		w.sparse[i].add(&w.set, uint64(first), uint64(end))
	}
	for i := range w.missing {
		w.missing[i].addOthers(&w.set, uint64(first), min(uint64(end), w.n))
	}
	for _, from := range w.bitmaps {
		for block := first >> blockShift; block < (end+blockSize-1)>>blockShift; block++ {
			addBitmapBlock(&w.set, from.b, from.pos, block, w.n)
		}
	}
}

// Block returns the words of block b of what has been read, and nil if none of its articles is.
func (w *Sweep) Block(b int) *[BlockWords]uint64 { return w.set.Block(b) }
