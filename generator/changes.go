package generator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Changes are the paths of the articles that differ from the artifacts before, sorted. A changed article is one whose
// entry in the index differs: the index knows no bodies.
type Changes struct {
	Added   []string `json:"added"`
	Changed []string `json:"changed"`
	Removed []string `json:"removed"`
}

// A DropError says that so many articles are gone that it looks like a mistake. Nothing has been written.
type DropError struct {
	Before, Now, MaxPercent int
	Removed                 []string // paths
}

func (e *DropError) Error() string {
	const most = 10
	gone := e.Removed[:min(len(e.Removed), most)]
	return fmt.Sprintf("%s where there were %d: more than %d %% fewer, and --max-drop (or maxDrop) does not allow it\n  gone are %s%s",
		plural(e.Now, "article", "articles"), e.Before, e.MaxPercent, strings.Join(gone, ", "),
		strings.Repeat(", ...", min(len(e.Removed)-len(gone), 1)))
}

// checkDrop compares the number of articles with that of the artifacts in dir.
func checkDrop(dir string, x *extraction) error {
	pub, maxPercent := x.pub, x.settings.maxDrop
	before, err := previousEntries(dir)
	if err != nil {
		return err
	}
	if drop := len(before) - len(pub.Articles); drop*100 <= maxPercent*len(before) {
		return nil
	}
	now := map[string]bool{}
	for i := range pub.Articles {
		now[pub.Articles[i].Path] = true
	}
	e := &DropError{Before: len(before), Now: len(pub.Articles), MaxPercent: maxPercent}
	for path := range before {
		if !now[path] {
			e.Removed = append(e.Removed, path)
		}
	}
	slices.Sort(e.Removed)
	return e
}

// previousEntries returns the entries of the index in dir by path, each as its JSON. A missing index has none, nor has a
// damaged one, which is replaced.
func previousEntries(dir string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, IndexName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return entriesOf(data), nil
}

func entriesOf(index []byte) map[string]string {
	var list struct{ Articles []json.RawMessage }
	if json.Unmarshal(index, &list) != nil {
		return nil
	}
	entries := make(map[string]string, len(list.Articles))
	for _, raw := range list.Articles {
		var key struct{ Path string }
		if json.Unmarshal(raw, &key) == nil {
			entries[key.Path] = string(raw)
		}
	}
	return entries
}

// compareEntries says how two indexes differ.
func compareEntries(before, now map[string]string) *Changes {
	c := &Changes{Added: []string{}, Changed: []string{}, Removed: []string{}}
	for path, entry := range now {
		switch old, ok := before[path]; {
		case !ok:
			c.Added = append(c.Added, path)
		case old != entry:
			c.Changed = append(c.Changed, path)
		}
	}
	for path := range before {
		if _, ok := now[path]; !ok {
			c.Removed = append(c.Removed, path)
		}
	}
	for _, list := range [][]string{c.Added, c.Changed, c.Removed} {
		slices.Sort(list)
	}
	return c
}
