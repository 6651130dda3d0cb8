package generator

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// Names of the artifacts, and of their folder in the one that a language is published to.
const (
	Dir        = "api"
	IndexName  = "read-finder-index.json"
	CorpusName = "read-finder.corpus"
)

// generationTime is the time that artifacts show: SOURCE_DATE_EPOCH where it is set, else now. See
// https://reproducible-builds.org/specs/source-date-epoch/.
func generationTime(environ []string, now func() time.Time) (time.Time, error) {
	const name = "SOURCE_DATE_EPOCH"
	v := lookupEnv(environ, name)
	if v == "" {
		return now().UTC().Truncate(time.Second), nil
	}
	seconds, err := strconv.ParseInt(v, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("environment variable %s: want seconds since 1970, got %q", name, v)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// writeEdition writes the artifacts of pub into dir and reports them in er.
func writeEdition(dir string, pub *site.Publication, generatedAt time.Time, er *EditionReport) error {
	er.Articles, er.Companies = len(pub.Articles), len(pub.Companies)
	er.Fingerprint = corpus.Fingerprint(pub)

	if c := existing(dir, er.Fingerprint); c != nil {
		er.Unchanged, er.Words = true, c.Meta().Words
		er.report(dir, IndexName, int64(len(c.Index("identity"))))
		er.report(dir, CorpusName, c.Meta().Bytes)
		return nil
	}

	index, data, err := encode(pub, generatedAt)
	if err != nil {
		return err
	}
	c, err := corpus.Open(data) // nothing is published that the server would refuse
	if err != nil {
		return fmt.Errorf("verify corpus: %w", err)
	}
	before, err := previousEntries(dir)
	if err != nil {
		return err
	}
	if before != nil {
		er.Changes = compareEntries(before, entriesOf(index))
	}
	er.Words = c.Meta().Words
	er.report(dir, IndexName, int64(len(index)))
	er.report(dir, CorpusName, int64(len(data)))
	return writeSet(dir, []artifact{{IndexName, index}, {CorpusName, data}})
}

func (er *EditionReport) report(dir, name string, bytes int64) {
	er.Artifacts = append(er.Artifacts, ArtifactReport{filepath.Join(dir, name), bytes})
}

// existing returns the corpus in dir when it and the index beside it have the fingerprint, else nil.
func existing(dir, fingerprint string) *corpus.Corpus {
	c, err := corpus.ReadFile(filepath.Join(dir, CorpusName))
	if err != nil || c.Meta().Fingerprint != fingerprint {
		return nil // missing, damaged, of another version or other content: all are mended by writing it anew
	}
	index, err := os.ReadFile(filepath.Join(dir, IndexName))
	if err != nil || !bytes.Equal(index, c.Index("identity")) {
		return nil
	}
	return c
}

// encode returns the index and the corpus of pub.
func encode(pub *site.Publication, generatedAt time.Time) (index, data []byte, err error) {
	w := corpus.NewWriter(corpus.Options{
		Language:       pub.Language,
		Prefix:         pub.Prefix,
		FoldDiacritics: pub.FoldDiacritics,
		GeneratedAt:    generatedAt,
	})
	for i := range pub.Articles {
		if err := w.Add(&pub.Articles[i]); err != nil {
			return nil, nil, fmt.Errorf("article %q: %w", pub.Articles[i].Path, err)
		}
	}
	for i := range pub.Companies {
		if err := w.AddCompany(&pub.Companies[i]); err != nil {
			return nil, nil, fmt.Errorf("company %q: %w", pub.Companies[i].Name, err)
		}
	}
	index, err = w.IndexJSON()
	if err != nil {
		return nil, nil, fmt.Errorf("encode index: %w", err)
	}
	var buf bytes.Buffer
	if _, err := w.WriteTo(&buf); err != nil {
		return nil, nil, fmt.Errorf("encode corpus: %w", err)
	}
	return index, buf.Bytes(), nil
}

// An artifact is one file of a set.
type artifact struct {
	name string
	data []byte
}

// writeSet replaces the files of a set in dir. A file is replaced whole: written beside its target, synced and renamed
// over it (github.com/google/renameio). All are complete on disk before the first is renamed, so that what can still
// fail is a rename, and the last is the set's seal: a corpus of some content is in place only when the index of that
// content is. A run that dies between the renames leaves the new index beside the old corpus, each valid, and the
// next run sees that they differ and writes both.
func writeSet(dir string, set []artifact) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := removeLeftovers(dir, time.Now().Add(-leftoverAge)); err != nil {
		return err
	}
	temps := make([]string, 0, len(set))
	defer func() {
		if err != nil {
			for _, t := range temps {
				os.Remove(t)
			}
		}
	}()
	for _, a := range set {
		temp := filepath.Join(dir, tempPrefix+rand.Text())
		temps = append(temps, temp)
		if err := writeSynced(temp, a.data); err != nil {
			return fmt.Errorf("write %s: %w", a.name, err)
		}
	}
	for i, a := range set {
		if err := os.Rename(temps[i], filepath.Join(dir, a.name)); err != nil {
			return err
		}
	}
	return syncDir(dir)
}

// Temporary files of a run that was killed are removed by a later run, once no running one can own them.
const (
	tempPrefix  = ".read-finder-tmp-"
	leftoverAge = time.Hour
)

func removeLeftovers(dir string, before time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.ModTime().After(before) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func writeSynced(file string, data []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
