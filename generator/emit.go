package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/read-finder/read-finder/generator/widget"
)

// WidgetDir is the widget's folder, in the root of each host that the site is published to: beside the artifacts of the
// language without a prefix, which the widget searches when it is not told otherwise.
const WidgetDir = "read-finder"

// writeWidget writes the widget below root and returns its files. Files that are already the same are left untouched.
func writeWidget(root string) ([]ArtifactReport, error) {
	entries, err := widget.Files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("widget: %w", err)
	}
	dir := filepath.Join(root, WidgetDir)
	var reports []ArtifactReport
	var changed []artifact
	for _, e := range entries {
		data, err := widget.Files.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("widget: %w", err)
		}
		file := filepath.Join(dir, e.Name())
		reports = append(reports, ArtifactReport{file, int64(len(data))})
		old, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("widget: %w", err)
		}
		if err != nil || !bytes.Equal(old, data) {
			changed = append(changed, artifact{e.Name(), data})
		}
	}
	if len(changed) == 0 {
		return reports, nil
	}
	return reports, writeSet(dir, changed)
}
