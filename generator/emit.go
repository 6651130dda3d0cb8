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

// stageWidget adds the files of the widget to set, but for those that are in place already, and returns all of them.
func stageWidget(set *fileSet) ([]ArtifactReport, error) {
	entries, err := widget.Files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("widget: %w", err)
	}
	var reports []ArtifactReport
	for _, e := range entries {
		data, err := widget.Files.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("widget: %w", err)
		}
		file := filepath.Join(set.dir.Name(), e.Name())
		reports = append(reports, ArtifactReport{file, int64(len(data))})
		old, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("widget: %w", err)
		}
		if err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := set.add(e.Name(), data); err != nil {
			return nil, fmt.Errorf("widget: %w", err)
		}
	}
	return reports, nil
}
