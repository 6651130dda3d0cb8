package generator

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// leftOut replaces a content file that is beyond repair: a page that is neither rendered nor listed.
const leftOut = "---\nbuild: {list: never, render: never, publishResources: false}\n---\n"

func isContent(file string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		rel, err := filepath.Rel(dir, file)
		return err == nil && filepath.IsLocal(rel)
	})
}

// repairContent mends a content file that Hugo refuses at a line, and all others like it that can be found without Hugo.
func (l *ladder) repairContent(file, line, reason string, e *loadError) bool {
	if !l.scanned {
		l.scanned = true
		if l.scanFrontMatter(e.contentDirs) {
			return true
		}
	}
	if m := forbiddenContent.FindStringSubmatch(reason); m != nil && !l.repairs.anyContent {
		l.allowContent(file, m[1], e.contentDirs)
		return true
	}
	if missingShortcode.MatchString(reason) && l.stubShortcodes(e, file, missingShortcode.FindStringSubmatch(reason)[1]) {
		return true
	}
	data, err := l.repairs.read(file)
	if err != nil {
		return false
	}
	bare := withoutShortcodes(data)
	switch {
	case strings.HasSuffix(file, ".gotmpl"):
		return l.replace(RungTemplate, file, nil, "emptied: "+brief(reason))
	case l.dropRefusedKey(data, reason, e.contentDirs) || l.defineOutput(reason):
		return true
	case !bytes.Equal(bare, data) && (strings.Contains(reason, "shortcode") || isBehindFrontMatter(data, line)):
		if l.bared++; l.bared > maxBared {
			return l.bareAll(e.contentDirs)
		}
		return l.replace(RungContent, file, bare, "indexed without its shortcodes: "+reason)
	}
	return l.replace(RungFrontMatter, file, []byte(leftOut), "left out: "+reason)
}

// maxBared bounds the files that are loaded again one by one because of their shortcodes.
const maxBared = 20

// bareAll takes the shortcodes out of all content, since Hugo would name the next file only.
func (l *ladder) bareAll(dirs []string) bool {
	changed := false
	l.eachContent(dirs, func(file string, data []byte) {
		if bare := withoutShortcodes(data); !bytes.Equal(bare, data) {
			changed = l.replace(RungContent, file, bare, "indexed without its shortcodes: Hugo refuses those of more than "+plural(maxBared, "file", "files")) || changed
		}
	})
	return changed
}

var (
	missingShortcode  = regexp.MustCompile(`template for shortcode "([^"]+)" not found`)
	forbiddenContent  = regexp.MustCompile(`"([^"]+)" is not whitelisted in policy "security\.allowContent"`)
	unknownPageOutput = regexp.MustCompile(`failed to resolve output formats .*: OutputFormat with key "([^"]+)" not found`)
)

// refusedKeys are the keys of front matter that a page can do without, by what Hugo says of a value that it refuses. The
// url is none of them: without it, the page would be at another address.
var refusedKeys = map[string]*regexp.Regexp{
	"build":   regexp.MustCompile(`failed to decode build config`),
	"cascade": regexp.MustCompile(`unable to cast .* to \[\]map\[string\]interface`),
	"markup":  regexp.MustCompile(`failed to resolve media type for`),
	"outputs": unknownPageOutput,
	"params":  regexp.MustCompile(`front matter field "params" must be a map`),
	"sites":   regexp.MustCompile(`failed to decode sites from front matter`),
}

// dropRefusedKey takes a key that Hugo refuses out of a file's front matter, and out of all that have it alike.
func (l *ladder) dropRefusedKey(content []byte, reason string, dirs []string) bool {
	changed := false
	for key, refused := range refusedKeys {
		value := frontMatterValue(content, key)
		if value == nil || !refused.MatchString(reason) {
			continue
		}
		l.eachContent(dirs, func(file string, data []byte) {
			if !reflect.DeepEqual(frontMatterValue(data, key), value) {
				return
			}
			if fixed, ok := dropFrontMatterKey(data, key); ok {
				changed = l.replace(RungFrontMatter, file, fixed, key+" left out: "+reason) || changed
			}
		})
	}
	return changed
}

// allowContent lets Hugo read content of any kind. It forbids HTML where the site does not say otherwise, which older
// versions published.
func (l *ladder) allowContent(first, mediaType string, dirs []string) {
	l.repairs.anyContent = true
	l.eachContent(dirs, func(file string, _ []byte) {
		ext := strings.ToLower(filepath.Ext(file))
		if file == first || ext == ".html" || ext == ".htm" {
			l.tolerances.add(RungContent, relativeTo(l.source, file), `indexed although security.allowContent forbids "`+mediaType+`"`)
		}
	})
}

// eachContent calls f for every content file below dirs, as Hugo gets it.
func (l *ladder) eachContent(dirs []string, f func(file string, data []byte)) {
	for _, dir := range dirs {
		// What cannot be read here fails in Hugo too, which then names it.
		_ = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !isContentFile(file) {
				return nil //nolint:nilerr // as above
			}
			data, err := l.repairs.read(file)
			if err == nil {
				f(file, data)
			}
			return nil
		})
	}
}

// isContentFile tells whether Hugo makes a page of the file. Only such names are looked at: a bundle's images are not.
func isContentFile(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".asciidoc", ".ad", ".rst", ".pandoc", ".pdc", ".org":
		return true
	}
	return false
}

// scanFrontMatter repairs the front matter of all files at once, where Hugo names but the first.
func (l *ladder) scanFrontMatter(dirs []string) bool {
	changed := false
	l.eachContent(dirs, func(file string, data []byte) {
		err := frontMatterError(data)
		if err == nil {
			return
		}
		fixed, what := repairFrontMatter(data, err)
		if fixed == nil {
			fixed, what = []byte(leftOut), "left out: "+errorLine(err)
		}
		changed = l.replace(RungFrontMatter, file, fixed, what) || changed
	})
	return changed
}

// unmarshalFailed matches how a message of Hugo's on front matter may begin, and the position in it.
var unmarshalFailed = regexp.MustCompile(`^(?:"_stream\.\w+:(\d+:\d+)": )?unmarshal failed: `)

// errorLine returns what is wrong with front matter, "[line:column] ..." where that is known.
func errorLine(err error) string {
	line := firstLine(err.Error())
	m := unmarshalFailed.FindStringSubmatch(line)
	switch {
	case m == nil:
		return line
	case m[1] == "":
		return line[len(m[0]):]
	}
	return "[" + m[1] + "] " + line[len(m[0]):]
}

// A usage is how content calls a shortcode.
type usage struct {
	closed   bool // somewhere with an end: it has inner text
	markdown bool // somewhere between percent signs: its result is rendered
	files    []string
}

// shortcodeCall matches the beginning of a call, "{{< /name" or "{{% name". An escaped call, "{{</* name", is none.
var shortcodeCall = regexp.MustCompile(`\{\{([<%])\s*(/?)\s*([\pL\pN_][\pL\pN_./-]*)`)

// selfClosing matches the end of a call without inner text that could have one.
var selfClosing = regexp.MustCompile(`^[^}]*?/\s*[%>]\}\}`)

// stubShortcodes makes a shortcode of every name that content calls and that the site does not have. It returns false
// when that does not help.
func (l *ladder) stubShortcodes(e *loadError, file, first string) bool {
	if len(e.layoutDirs) == 0 {
		return false
	}
	if l.shortcodes == nil {
		l.shortcodes = map[string]*usage{}
		l.eachContent(e.contentDirs, l.countCalls)
	}
	if l.shortcodes[first] == nil {
		l.shortcodes[first] = &usage{files: []string{file}}
	}
	changed := false
	for name, u := range l.shortcodes {
		if e.hasShortcode(name) || strings.HasSuffix(name, ".inline") { // which is defined where it is called
			continue
		}
		stub := ""
		switch {
		case u.closed && u.markdown:
			stub = "{{ .Inner }}"
		case u.closed:
			stub = `{{ .Page.RenderString (dict "display" "block") .Inner }}`
		}
		file := filepath.Join(e.layoutDirs[0], "_shortcodes", filepath.FromSlash(name)+".html")
		if l.has(file) {
			continue
		}
		l.repairs.files[file] = []byte(stub)
		changed = true
		for _, file := range u.files {
			l.tolerances.add(RungShortcode, relativeTo(l.source, file), "shortcode \""+name+"\" is missing, its inner text stands for it")
		}
	}
	return changed
}

func (l *ladder) countCalls(file string, data []byte) {
	for _, m := range shortcodeCall.FindAllSubmatchIndex(data, -1) {
		name := strings.TrimRight(string(data[m[6]:m[7]]), "/")
		u := l.shortcodes[name]
		if u == nil {
			u = &usage{}
			l.shortcodes[name] = u
		}
		if n := len(u.files); n == 0 || u.files[n-1] != file {
			u.files = append(u.files, file)
		}
		u.closed = u.closed || m[5] > m[4] || selfClosing.Match(data[m[7]:]) || data[m[7]-1] == '/'
		u.markdown = u.markdown || data[m[2]] == '%'
	}
}

// anyCall matches a whole call. Its parameters are no text of the page.
var anyCall = regexp.MustCompile(`(?s)\{\{[<%].*?[%>]\}\}`)

// withoutShortcodes returns the content with every call taken out and what stands between them left.
func withoutShortcodes(content []byte) []byte {
	bare := anyCall.ReplaceAll(content, nil)
	return bytes.ReplaceAll(bytes.ReplaceAll(bare, []byte("{{<"), nil), []byte("{{%"), nil)
}
