package generator

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// A Report says what a generation read and wrote. Its JSON is the answer of generate --json.
type Report struct {
	Languages []EditionReport  `json:"languages"`
	Registry  *RegistryReport  `json:"registry,omitempty"` // when there are near-duplicates
	Widget    []ArtifactReport `json:"widget"`             // its files, in every host's folder
	Stages    []StageReport    `json:"stages"`
	Watch     []string         `json:"-"` // of a build: the files and folders that the site was made of
	// Tolerances are what the run has borne, by rung, then file.
	Tolerances []Tolerance `json:"tolerances"`
	Warnings   []Warning   `json:"warnings"` // our own first, by file, then message
}

// An EditionReport is the part of a Report on one language.
type EditionReport struct {
	Language       string           `json:"language"`
	Prefix         string           `json:"prefix"`
	Root           string           `json:"-"` // folder of its host, absolute
	Articles       int              `json:"articles"`
	Companies      int              `json:"companies"`
	Words          int              `json:"words"` // distinct words of the dictionary
	Fingerprint    string           `json:"fingerprint"`
	Unchanged      bool             `json:"unchanged"` // the artifacts held this content already and were left untouched
	Artifacts      []ArtifactReport `json:"artifacts"`
	NearDuplicates []NearDuplicate  `json:"nearDuplicates"`
	NotIndexed     []NotIndexed     `json:"notIndexed"`        // published pages
	Missing        []MissingPage    `json:"missing,omitempty"` // where the folder holds a rendered site
	Changes        *Changes         `json:"changes,omitempty"` // against the artifacts that were replaced
}

// An ArtifactReport is one file of an artifact set.
type ArtifactReport struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

// A NotIndexed is a page that Hugo publishes and that is no article.
type NotIndexed struct {
	File   string `json:"file"`
	Reason string `json:"reason"` // one of the constants below
}

// Why a published page is no article.
const (
	NotSelected = "section not selected"
	NoSection   = "in no section"
	OptedOut    = "opted out"
	NoHTML      = "not published as HTML"
)

// A StageReport is the wall-clock time of one stage. Stages of a build overlap.
type StageReport struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// A NearDuplicate is a group of companies that may be one. They are reported, never merged: the registry does that.
type NearDuplicate struct {
	Reasons   []string       `json:"reasons"`   // one or more of BySpelling, ...
	Companies []CompanyFiles `json:"companies"` // at least two: of the registry first, by one letter last, more articles first
}

// Why companies may be one.
const (
	BySpelling     = "spelling"     // names differ by punctuation, spacing, accents, "and" or a legal suffix
	ByOneLetter    = "one letter"   // ... by one letter that is missing, added, changed or swapped with the next
	ByAbbreviation = "abbreviation" // one is an abbreviation of the other
	ByAddress      = "address"      // they give one url
)

// CompanyFiles names a company and the files that name it.
type CompanyFiles struct {
	Slug       string   `json:"slug"`
	Name       string   `json:"name"`
	Files      []string `json:"files"`
	Registered bool     `json:"registered"` // it has an entry in the registry, and need not be in a file
	OneLetter  bool     `json:"oneLetter"`  // it is among the others only for being one letter from one of them
}

// A RegistryReport is what makes one company of all near-duplicates, in the format of the registry.
type RegistryReport struct {
	File    string `json:"file"`    // the registry, relative to the site's folder; it need not be there yet
	Add     string `json:"add"`     // entries to append, "" when there are none
	Replace string `json:"replace"` // entries that get aliases, whole, to stand for those of their slugs; likewise
}

// A Warning is something that a publisher should look at. The artifacts are written all the same.
type Warning struct {
	File    string `json:"file"` // relative to the site's folder; "" when it concerns the whole site
	Message string `json:"message"`
	Hugo    bool   `json:"hugo,omitempty"` // logged by Hugo, of the site rather than of its search
}

func (w Warning) String() string {
	if w.File == "" {
		return w.Message
	}
	return w.File + ": " + w.Message
}

// warnings collects Warnings from several goroutines. Repeated ones count once.
type warnings struct {
	mu   sync.Mutex
	seen map[Warning]bool
}

func (w *warnings) add(file, format string, args ...any) {
	w.put(Warning{File: file, Message: fmt.Sprintf(format, args...)})
}

func (w *warnings) put(v Warning) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen == nil {
		w.seen = map[Warning]bool{}
	}
	w.seen[v] = true
}

// merge adds those of another collection.
func (w *warnings) merge(other *warnings) {
	for _, v := range other.sorted() {
		w.put(v)
	}
}

func (w *warnings) sorted() []Warning {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([]Warning, 0, len(w.seen))
	for v := range w.seen {
		list = append(list, v)
	}
	rank := func(v Warning) int {
		if v.Hugo {
			return 1
		}
		return 0
	}
	slices.SortFunc(list, func(a, b Warning) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.File, b.File), cmp.Compare(a.Message, b.Message))
	})
	return list
}
