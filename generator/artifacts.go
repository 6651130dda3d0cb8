package generator

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// stageEdition adds the artifacts of pub to set, unless they are in place already, and reports them in er.
func stageEdition(set *fileSet, pub *site.Publication, generatedAt time.Time, er *EditionReport) error {
	dir := set.dir.Name()
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
	before, err := readPrevious(dir)
	if err == nil && before != nil {
		er.Changes, err = before.changes(pub, c)
	}
	if err != nil {
		return err
	}
	er.Words = c.Meta().Words
	er.report(dir, IndexName, int64(len(index)))
	er.report(dir, CorpusName, int64(len(data)))
	return errors.Join(set.add(IndexName, index), set.add(CorpusName, data)) // the corpus last: it holds the index too
}

func (er *EditionReport) report(dir, name string, bytes int64) {
	er.Artifacts = append(er.Artifacts, ArtifactReport{filepath.Join(dir, name), bytes})
}

// existing returns the corpus in dir when it is whole, has the fingerprint, and the index beside it is its own, else nil.
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
	w, err := corpus.NewWriterOf(pub, generatedAt)
	if err != nil {
		return nil, nil, err
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
