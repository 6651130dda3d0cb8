package generator

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// escapeFailed matches an error of html/template, which knows a template by its name and not by its file.
	escapeFailed = regexp.MustCompile(`html/template:([^\n:]+)(?::\d+)*: ([^\n]+)`)
	// missingTemplate matches what it says of a call, {{ template "_internal/google_news.html" . }}, that calls nothing.
	missingTemplate = regexp.MustCompile(`no such template "([^"]+)"|"([^"]+)" is an incomplete or empty template`)
)

// emptyTemplates is the partial that defines the missing templates. It lies in memory only.
const emptyTemplates = "_partials/read-finder-empty.html"

// repairTemplate mends a template that Hugo has parsed and cannot use: a template that it calls and that does not exist
// is made an empty one, and anything else makes itself an empty one.
func (l *ladder) repairTemplate(e *loadError) bool {
	m := escapeFailed.FindStringSubmatch(e.message)
	if m == nil || len(e.layoutDirs) == 0 {
		return false
	}
	name, reason := m[1], m[2]
	missing := missingTemplate.FindStringSubmatch(reason)
	if missing == nil {
		file := templateFile(name, e.layoutDirs)
		return file != "" && l.replace(RungTemplate, file, nil, "emptied: "+reason)
	}
	called := missing[1] + missing[2]
	empty := filepath.Join(e.layoutDirs[0], filepath.FromSlash(emptyTemplates))
	define := `{{ define "` + called + `" }}{{ end }}`
	if bytes.Contains(l.repairs.files[empty], []byte(define)) {
		return false
	}
	l.repairs.files[empty] = append(l.repairs.files[empty], define...)
	callers := l.callers(called, e.layoutDirs)
	if len(callers) == 0 {
		callers = []string{name}
	}
	for _, file := range callers {
		l.tolerances.add(RungTemplate, relativeTo(l.source, file), "a call in it left out: "+reason)
	}
	return true
}

// callers returns the files that call a template. Hugo names the first only, and that not by its file.
func (l *ladder) callers(name string, layoutDirs []string) []string {
	call := regexp.MustCompile("\\{\\{-?\\s*template\\s+[\"`]" + regexp.QuoteMeta(name) + "[\"`]")
	var files []string
	for _, dir := range layoutDirs {
		// What cannot be read here fails in Hugo too, which then names it.
		_ = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil //nolint:nilerr // as above
			}
			if data, err := l.repairs.read(file); err == nil && call.Match(data) {
				files = append(files, file)
			}
			return nil
		})
	}
	return files
}

// templateFile returns the file of a template by the name that Hugo gives it, "_partials/footer.html", which older sites
// keep in partials or _default. "": it is not found.
func templateFile(name string, layoutDirs []string) string {
	for _, dir := range layoutDirs {
		for _, candidate := range []string{name, strings.TrimPrefix(name, "_"), path.Join("_default", name)} {
			file := filepath.Join(dir, filepath.FromSlash(candidate))
			if _, err := os.Stat(file); err == nil {
				return file
			}
		}
	}
	return ""
}

// partialCall matches a call of a partial by a literal name.
var partialCall = regexp.MustCompile("\\bpartial(?:Cached)?\\s+[\"`]([^\"`]+)[\"`]")

// plainHooks are templates of Markdown elements that show their text and nothing else, by the kind in the hook's name.
var plainHooks = map[string]string{
	"blockquote":  "<blockquote>{{ .Text }}</blockquote>",
	"codeblock":   "<pre>{{ .Inner }}</pre>",
	"heading":     "<h{{ .Level }}>{{ .Text }}</h{{ .Level }}>",
	"image":       "",
	"link":        "{{ .Text }}",
	"passthrough": "{{ .Inner }}",
	"table":       "{{ range .THead }}{{ range . }}<p>{{ .Text }}</p>{{ end }}{{ end }}{{ range .TBody }}{{ range . }}<p>{{ .Text }}</p>{{ end }}{{ end }}",
}

// repairHooks looks at the templates of Markdown elements (_markup/render-heading.html) of a site that has something
// missing. One that calls a partial of the missing theme would fail on every page with such an element.
func (l *ladder) repairHooks(s *hugoSite) bool {
	if l.tolerances.none() && len(s.missingModules) == 0 {
		return false
	}
	changed := false
	for _, dir := range s.layoutDirs {
		for _, pattern := range []string{"_markup/render-*.html", "_default/_markup/render-*.html"} {
			hooks, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
			if err != nil {
				continue // a folder with a bracket in its name
			}
			for _, file := range hooks {
				changed = l.repairHook(file, s.hasPartial) || changed
			}
		}
	}
	return changed
}

func (l *ladder) repairHook(file string, hasPartial func(string) bool) bool {
	kind, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(file), "render-"), ".")
	kind, _, _ = strings.Cut(kind, "-")
	plain, known := plainHooks[kind]
	data, err := l.repairs.read(file)
	if err != nil || !known {
		return false
	}
	for _, m := range partialCall.FindAllSubmatch(data, -1) {
		if name := string(m[1]); !hasPartial(name) {
			return l.replace(RungTemplate, file, []byte(plain), `shows the text only: its partial "`+name+`" is missing`)
		}
	}
	return false
}
