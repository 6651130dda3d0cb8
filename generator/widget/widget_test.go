package widget_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/read-finder/read-finder/generator/widget"
)

// maxGzipped is what the widget may weigh in all, gzipped, in bytes.
const maxGzipped = 14_000

func TestFilesAreStampedAndSmall(t *testing.T) {
	total := 0
	for _, name := range []string{"read-finder.js", "read-finder.css"} {
		data, err := widget.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if stamp := "/*! read-finder " + widget.Version + ", "; !strings.HasPrefix(string(data), stamp) {
			t.Errorf("%s: begins with %.40q, want %q", name, data, stamp)
		}
		var b bytes.Buffer
		zw, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := zw.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := zw.Close(); err != nil {
			t.Fatal(err)
		}
		total += b.Len()
	}
	if total > maxGzipped {
		t.Errorf("the widget is %d bytes gzipped, at most %d are allowed", total, maxGzipped)
	}
}

func TestVersionIsThatOfThePackage(t *testing.T) {
	data, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	var pkg struct{ Version string }
	if err := json.Unmarshal(data, &pkg); err != nil {
		t.Fatal(err)
	}
	if pkg.Version != widget.Version {
		t.Errorf("package.json has version %q, the Go package %q", pkg.Version, widget.Version)
	}
}

// The lock file pins every build tool by its checksum, and names no registry.
func TestLockFileNamesNoRegistry(t *testing.T) {
	data, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte(`"resolved"`)) {
		t.Error(`package-lock.json contains "resolved" addresses: run npm install --omit-lockfile-registry-resolved`)
	}
}
