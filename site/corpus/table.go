package corpus

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A tableWriter collects the byte strings of a table.
type tableWriter struct {
	data []byte
	ends []int
}

func (t *tableWriter) add(v any) error {
	fragment, err := site.Marshal(v)
	t.data = append(t.data, fragment...)
	t.ends = append(t.ends, len(t.data))
	return err
}

func (t *tableWriter) append(s string) {
	t.data = append(t.data, s...)
	t.ends = append(t.ends, len(t.data))
}

func (t *tableWriter) len() int { return len(t.ends) }

func (t *tableWriter) at(i int) []byte {
	if i == 0 {
		return t.data[:t.ends[0]]
	}
	return t.data[t.ends[i-1]:t.ends[i]]
}

func (t *tableWriter) offsets() []byte {
	b := make([]byte, 4, 4*(len(t.ends)+1))
	for _, end := range t.ends {
		b = binary.LittleEndian.AppendUint32(b, uint32(end))
	}
	return b
}

// brotliQuality trades a little size for much time: the highest takes seconds for a large index and saves 5 %.
const brotliQuality = 5

// maxWindow is the largest zstd window that an HTTP client must accept, in bytes (RFC 9659).
const maxWindow = 8 << 20

// encode returns data in a content coding.
func encode(coding string, data []byte) ([]byte, error) {
	var buf bytes.Buffer
	var w io.WriteCloser
	var err error
	switch coding {
	case "gzip":
		w, err = gzip.NewWriterLevel(&buf, gzip.BestCompression)
	case "br":
		w = brotli.NewWriterLevel(&buf, brotliQuality)
	case "zstd":
		// One goroutine: the same bytes on every machine.
		w, err = zstd.NewWriter(&buf, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(maxWindow))
	default:
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func encodeHeader(h header, sections [][]byte) []byte {
	le := binary.LittleEndian
	b := []byte(magic)
	b = le.AppendUint32(b, FormatVersion)
	b = le.AppendUint32(b, text.Version)
	b = le.AppendUint32(b, h.flags)
	b = le.AppendUint32(b, uint32(len(sections)))
	b = le.AppendUint64(b, h.fingerprint)
	b = le.AppendUint64(b, uint64(h.generatedAt))
	for _, n := range []uint32{h.articles, h.companies, h.words, h.nodes, h.prefixes, h.unions, h.parts, h.positions, h.runes, h.pairs, h.segments} {
		b = le.AppendUint32(b, n)
	}
	for _, s := range sections {
		b = le.AppendUint64(b, uint64(len(s)))
		b = le.AppendUint64(b, xxhash.Sum64(s))
	}
	return le.AppendUint64(b, xxhash.Sum64(b))
}
