package corpus

import (
	"errors"
	"fmt"
	"io"
)

// Read reads a corpus of at most limit bytes, to the end of r, and opens it as Open does. Each section has memory of its own:
// what holds on to one, such as the answer to a slow reader of the index, does not hold the whole corpus. Errors are
// those of r and of Open; one that says it is larger wraps ErrLimit.
func Read(r io.Reader, limit int64) (*Corpus, error) {
	fixed := make([]byte, fixedBytes)
	n, err := io.ReadFull(r, fixed)
	if err != nil && !ended(err) {
		return nil, err
	}
	h, err := parseHeader(fixed[:n])
	if err != nil {
		return nil, err
	}
	if err := h.fits(limit); err != nil {
		return nil, err
	}
	sections := make([][]byte, numSections)
	for i, e := range h.entries {
		sections[i] = make([]byte, e.bytes)
		if _, err := io.ReadFull(r, sections[i]); ended(err) {
			return nil, section(i).error(ErrSize)
		} else if err != nil {
			return nil, err
		}
	}
	if n, err := io.ReadFull(r, fixed[:1]); n > 0 {
		return nil, ErrSize
	} else if !ended(err) {
		return nil, err
	}
	if err := h.compare(sections); err != nil {
		return nil, err
	}
	return build(h, sections)
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// fits returns an error unless a corpus of this header has at most limit bytes.
func (h *header) fits(limit int64) error {
	left := uint64(max(limit-int64(fixedBytes), 0))
	for _, e := range h.entries {
		if e.bytes > left {
			return fmt.Errorf("%w: over %d bytes", ErrLimit, limit)
		}
		left -= e.bytes
	}
	return nil
}
