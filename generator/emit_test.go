package generator

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/read-finder/read-finder/generator/widget"
)

func TestWidget(t *testing.T) {
	root := t.TempDir()
	write := func() ([]ArtifactReport, error) {
		s, err := openSet(t.Context(), filepath.Join(root, WidgetDir))
		if err != nil {
			return nil, err
		}
		reports, err := stageWidget(s)
		return reports, errors.Join(err, s.commit(), s.close())
	}
	reports, err := write()
	if err != nil || len(reports) != 2 {
		t.Fatalf("%v, error %v", reports, err)
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, r := range reports {
		if err := os.Chtimes(r.File, old, old); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(root, WidgetDir, "read-finder.js")
	if err := os.WriteFile(script, []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := write(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(script)
	want, _ := widget.Files.ReadFile("read-finder.js")
	if err != nil || string(got) != string(want) {
		t.Errorf("the damaged script was not mended: %v", err)
	}
	info, err := os.Stat(filepath.Join(root, WidgetDir, "read-finder.css"))
	if err != nil || !info.ModTime().Equal(old) {
		t.Errorf("the unchanged stylesheet was written: %v, %v", info, err)
	}
}

// TestWidgetOfHosts is of its places: once for all languages of a host, once for each host.
func TestWidgetOfHosts(t *testing.T) {
	const pages = "-- content/a/one.en.md --\n-- content/a/one.fr.md --\n"
	for _, tt := range []struct {
		name, config string
		want         []string
	}{
		{"one host", "[languages.en]\n[languages.fr]\n", []string{"public/read-finder"}},
		{"two hosts", "[languages.en]\nbaseURL = 'https://en.example.org/'\n[languages.fr]\nbaseURL = 'https://fr.example.org/'\n",
			[]string{"public/en/read-finder", "public/fr/read-finder"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeSite(t, pages+"-- hugo.toml --\nbaseURL = 'https://example.org/'\n"+tt.config)
			r := generate(t, Options{Source: dir})
			var got []string
			for i := 0; i < len(r.Widget); i += 2 {
				got = append(got, relativeTo(dir, filepath.Dir(r.Widget[i].File)))
			}
			equal(t, "folders", got, tt.want)
		})
	}
}
