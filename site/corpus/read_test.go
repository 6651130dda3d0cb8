package corpus

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"
	"testing/iotest"
)

// What Read refuses is in the tests of Open: the two say the same.
func TestRead(t *testing.T) {
	data := smallCorpus(t)
	want := open(t, data)
	for name, r := range map[string]io.Reader{
		"at once": bytes.NewReader(data), "byte by byte": iotest.OneByteReader(bytes.NewReader(data)),
		"with its end": iotest.DataErrReader(bytes.NewReader(data)),
	} {
		got, err := Read(r, int64(len(data)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !reflect.DeepEqual(got.Meta(), want.Meta()) || !reflect.DeepEqual(got.index, want.index) {
			t.Errorf("%s: %+v, want %+v", name, got.Meta(), want.Meta())
		}
	}
}

func TestReadStopsAtTheLimit(t *testing.T) {
	data := smallCorpus(t)
	for _, limit := range []int64{-1, 0, int64(fixedBytes), int64(len(data)) - 1} {
		r := bytes.NewReader(data)
		if _, err := Read(r, limit); !errors.Is(err, ErrLimit) {
			t.Errorf("limit %d: %v, want %v", limit, err, ErrLimit)
		}
		if read := len(data) - r.Len(); read > fixedBytes {
			t.Errorf("limit %d: %d bytes are read, more than the header's %d", limit, read, fixedBytes)
		}
	}
}

// TestReadFails checks that an error of the reader, wherever it comes, is told as it is.
func TestReadFails(t *testing.T) {
	data, broken := smallCorpus(t), errors.New("broken")
	for n := range len(data) + 1 {
		r := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken))
		if _, err := Read(r, 1<<30); !errors.Is(err, broken) {
			t.Fatalf("broken after %d of %d bytes: %v", n, len(data), err)
		}
	}
}
