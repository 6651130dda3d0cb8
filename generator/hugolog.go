package generator

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// A hugoLog turns what Hugo logs into warnings and, where it logs an error and goes on, into tolerances.
type hugoLog struct {
	source     string // of the site, absolute
	warnings   *warnings
	tolerances *tolerances

	mu     sync.Mutex
	errors []string
}

func newHugoLog(source string) *hugoLog {
	return &hugoLog{source: source, warnings: &warnings{}, tolerances: &tolerances{}}
}

// reportTo sends what was logged and what will be to w and t.
func (l *hugoLog) reportTo(w *warnings, t *tolerances) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w.merge(l.warnings)
	t.merge(l.tolerances)
	l.warnings, l.tolerances = w, t
}

// filePosition matches the position of a file in a message of Hugo's, "content/a.md:3:1".
var filePosition = regexp.MustCompile(`([^\s"]+\.\w+):(\d+:\d+)`)

// add takes what Hugo has logged. What it was not allowed to do is never an error of the site.
func (l *hugoLog) add(message string, isError bool) {
	message, _, _ = strings.Cut(below(l.source, message), "\nYou can suppress this ") // which Hugo appends to many
	l.mu.Lock()
	defer l.mu.Unlock()
	what := skipped(message)
	if isError {
		l.errors = append(l.errors, orDefault(what, message))
	}
	if what != "" {
		l.warnings.put(Warning{Message: what})
		return
	}
	file := l.fileIn(message)
	if m := filePosition.FindStringSubmatch(message); m != nil {
		file, message = m[1], strings.Replace(message, m[0], m[2], 1)
	}
	if isError {
		l.tolerances.add(RungLogged, file, message)
	} else {
		l.warnings.put(Warning{File: file, Message: message, Hugo: true})
	}
}

// fileIn returns the first file of the site that a message names. "": it names none.
func (l *hugoLog) fileIn(message string) string {
	isQuote := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`,;:()", r) }
	for _, word := range strings.FieldsFunc(message, isQuote) {
		word = strings.TrimRight(word, ".")
		if !strings.Contains(word, "/") || !filepath.IsLocal(word) {
			continue
		}
		if info, err := os.Stat(filepath.Join(l.source, word)); err == nil && !info.IsDir() {
			return filepath.ToSlash(word)
		}
	}
	return ""
}

// explain adds what Hugo logged to the error that it returned, which often says only how many errors it logged.
func (l *hugoLog) explain(err error) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := append([]string{below(l.source, err.Error())}, l.errors...)
	return strings.Join(lines, "\n  ")
}

// only tells whether err says no more than that errors were logged: the site is assembled nevertheless.
func (l *hugoLog) only(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.errors) > 0 && strings.HasPrefix(err.Error(), "logged ")
}

// relativeTo returns file relative to dir, with slashes, so that reports read the same on every machine.
func relativeTo(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

// below shortens the files in a message that lie in dir, absolute, to paths below it.
func below(dir, message string) string {
	return strings.ReplaceAll(message, dir+string(filepath.Separator), "")
}
