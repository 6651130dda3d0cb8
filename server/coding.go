package server

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const identity = "identity" // the content coding that is none

// negotiate returns the offered coding that Accept-Encoding likes best (RFC 9110, 12.5.3), the first of those it
// likes alike. An identity that is not mentioned stands where the offers put it: before them, it is taken; after
// them, only when none of them is acceptable. It is also the answer when nothing at all is acceptable.
func negotiate(accept []string, offers []string) string {
	best, most := identity, 0
	for i, coding := range offers {
		q, listed := weight(accept, coding)
		if coding == identity && !listed {
			if i == 0 {
				return identity
			}
			continue
		}
		if q > most {
			best, most = coding, q
		}
	}
	return best
}

// weight returns the q of a coding in thousandths, and whether the coding or a * is in the lines of Accept-Encoding.
func weight(accept []string, coding string) (q int, listed bool) {
	for _, line := range accept {
		for line != "" {
			var element string
			element, line, _ = strings.Cut(line, ",")
			name, parameter, weighted := strings.Cut(element, ";")
			name = strings.Trim(name, " \t")
			exact := strings.EqualFold(name, coding) || coding == "gzip" && strings.EqualFold(name, "x-gzip")
			if !exact && (name != "*" || listed) {
				continue
			}
			q, listed = 1000, true
			if weighted {
				q = parseWeight(strings.Trim(parameter, " \t"))
			}
			if exact {
				return q, true
			}
		}
	}
	return q, listed
}

// parseWeight reads the q of RFC 9110, 12.4.2, in thousandths. What is not a weight counts as 0: not acceptable.
func parseWeight(s string) int {
	if len(s) < 3 || len(s) > len("q=0.123") || s[0]|0x20 != 'q' || s[1] != '=' {
		return 0
	}
	whole, fraction, _ := strings.Cut(s[2:], ".")
	n, err := strconv.ParseUint(whole+(fraction + "000")[:3], 10, 16)
	if err != nil || len(whole) != 1 || n > 1000 {
		return 0
	}
	return int(n)
}

// minPacked is the smallest answer worth compressing, in bytes: below it headers and body fit one packet anyway.
const minPacked = 1400

// A packer compresses answers that are assembled for one request.
type packer struct {
	zstd  *zstd.Encoder
	gzips sync.Pool // of *gzip.Writer
}

// newPacker sets both codings for speed: an answer is compressed for one request, or for a minute in a cache.
func newPacker() (*packer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(128<<10),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("set up zstd: %w", err)
	}
	if _, err := gzip.NewWriterLevel(io.Discard, gzipLevel); err != nil {
		return nil, fmt.Errorf("set up gzip: %w", err)
	}
	p := &packer{zstd: z}
	p.gzips.New = func() any {
		w, _ := gzip.NewWriterLevel(io.Discard, gzipLevel) // the level is good: see above
		return w
	}
	return p, nil
}

// gzipLevel is where more effort stops to pay: of a search of 29.0 kB, level 1 makes 8.7 kB in 85 us, 4 8.1 kB in 113 us, and 5
// 8.0 kB in 152 us.
const gzipLevel = 4

// choose returns the coding for an answer of size bytes.
func (p *packer) choose(accept []string, size int) string {
	if size < minPacked {
		return negotiate(accept, []string{identity, "zstd", "gzip"})
	}
	return negotiate(accept, []string{"zstd", "gzip", identity})
}

// pack appends body in a coding that choose returned to dst.
func (p *packer) pack(dst, body []byte, coding string) ([]byte, error) {
	if coding == "zstd" {
		return p.zstd.EncodeAll(body, dst), nil
	}
	w := p.gzips.Get().(*gzip.Writer)
	defer p.gzips.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	if _, err := w.Write(body); err != nil {
		return dst, fmt.Errorf("compress: %w", err)
	}
	if err := w.Close(); err != nil {
		return dst, fmt.Errorf("compress: %w", err)
	}
	return out.Bytes(), nil
}
