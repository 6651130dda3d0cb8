package generator

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Errors of settings that this version of Hugo refuses and that a site can be read without.
var (
	unknownCache    = regexp.MustCompile(`"([^"]+)" is not a valid cache name`)
	unknownOutput   = regexp.MustCompile(`unknown output format "([^"]+)" for kind`)
	unknownMarkdown = regexp.MustCompile(`Configured defaultMarkdownHandler "([^"]+)" not found`)
	refusedTable    = regexp.MustCompile(`failed to decode "(\w+)": ([^\n]*)`)
)

// dispensable are the tables of the configuration that change neither an article's path nor, with the exception of markup,
// its text: what Hugo makes of content by default is better than none of it.
var dispensable = []string{"caches", "deployment", "imaging", "markup", "mediatypes", "menus", "minify", "outputformats",
	"pagination", "privacy", "related", "server", "services", "sitemap"}

// A configEdit changes a configuration file, whose base name is, in a config folder, the key of what it holds. It returns
// whether it changed anything.
type configEdit func(root map[string]any, name string) bool

// repairConfig takes a setting that Hugo refuses out of the configuration files.
func (l *ladder) repairConfig(message string) bool {
	edit, reason := configRepair(message)
	if edit == nil {
		return false
	}
	changed := false
	for _, file := range configFiles(l.opts, l.source) {
		if l.editConfig(file, edit) {
			changed = true
			l.tolerances.add(RungConfig, relativeTo(l.source, file), reason)
		}
	}
	return changed
}

// configRepair returns what mends the setting that an error is about, and how that is reported.
func configRepair(message string) (edit configEdit, reason string) {
	if m := unknownCache.FindStringSubmatch(message); m != nil {
		return func(root map[string]any, name string) bool {
			return deleteKeys(section(root, name, "caches"), m[1])
		}, "cache " + m[0] + ", left out"
	}
	if m := unknownOutput.FindStringSubmatch(message); m != nil {
		return inLanguages(func(root map[string]any, name string) bool {
			return deleteValue(section(root, name, "outputs"), m[1])
		}), `unknown output format "` + m[1] + `", left out`
	}
	if m := unknownMarkdown.FindStringSubmatch(message); m != nil {
		return inLanguages(func(root map[string]any, name string) bool {
			return deleteKeys(section(root, name, "markup"), "defaultMarkdownHandler")
		}), `defaultMarkdownHandler "` + m[1] + `" is none of this Hugo's, left out`
	}
	if m := refusedTable.FindStringSubmatch(message); m != nil && slices.Contains(dispensable, strings.ToLower(m[1])) {
		return inLanguages(func(root map[string]any, name string) bool {
			return strings.EqualFold(name, m[1]) && deleteAll(root) || deleteKeys(root, m[1], strings.TrimSuffix(m[1], "s"))
		}), m[1] + " left out: " + m[2]
	}
	return nil, ""
}

// defineOutput defines an output format that a cascade gives to pages and that the site does not have: the error names a
// page that gets it, if any, and not where it comes from.
func (l *ladder) defineOutput(message string) bool {
	m := unknownPageOutput.FindStringSubmatch(message)
	if m == nil {
		return false
	}
	define := func(root map[string]any, name string) bool {
		if name != "hugo" && name != "config" {
			return false
		}
		formats := section(root, name, "outputFormats")
		if formats == nil {
			formats = map[string]any{}
			root["outputFormats"] = formats
		}
		if _, ok := formats[m[1]]; ok {
			return false
		}
		formats[m[1]] = map[string]any{"mediaType": "text/plain", "isPlainText": true}
		return true
	}
	for _, file := range configFiles(l.opts, l.source) {
		if l.editConfig(file, define) {
			l.tolerances.add(RungConfig, relativeTo(l.source, file), `unknown output format "`+m[1]+`" in a cascade, taken for plain text`)
			return true
		}
	}
	return false
}

// inLanguages applies an edit to the tables of the languages too.
func inLanguages(edit configEdit) configEdit {
	return func(root map[string]any, name string) bool {
		changed := edit(root, name)
		for _, language := range section(root, name, "languages") {
			if sub, ok := language.(map[string]any); ok {
				changed = edit(sub, "") || changed
			}
		}
		return changed
	}
}

// configFiles are the files that Hugo may read the configuration from.
func configFiles(o Options, source string) []string {
	var files []string
	for _, name := range strings.FieldsFunc(o.Config, func(r rune) bool { return r == ',' }) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(source, name)
		}
		files = append(files, name)
	}
	dir := orDefault(o.ConfigDir, "config")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(source, dir)
	}
	patterns := []string{filepath.Join(dir, "*", "*.*"), filepath.Join(dir, "*", "*", "*.*")}
	if o.Config == "" {
		patterns = append(patterns, filepath.Join(source, "hugo.*"), filepath.Join(source, "config.*"))
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			continue // a folder with a bracket in its name
		}
		files = append(files, found...)
	}
	return slices.DeleteFunc(files, func(file string) bool {
		return !slices.Contains([]string{".toml", ".yaml", ".yml", ".json"}, filepath.Ext(file))
	})
}

// editConfig lays an edited configuration file over the real one.
func (l *ladder) editConfig(file string, edit configEdit) bool {
	data, err := l.repairs.read(file)
	if err != nil {
		return false
	}
	root, err := decodeConfig(file, data)
	if err != nil {
		return false
	}
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	if !edit(root, strings.ToLower(name)) {
		return false
	}
	if data, err = encodeConfig(file, root); err != nil {
		return false
	}
	l.repairs.files[file] = data
	return true
}

// section returns the table under a key, which a file of that name holds at its top.
func section(root map[string]any, name, key string) map[string]any {
	if name == key {
		return root
	}
	for k, v := range root {
		if m, ok := v.(map[string]any); ok && strings.EqualFold(k, key) {
			return m
		}
	}
	return nil
}

func deleteKeys(m map[string]any, names ...string) bool {
	changed := false
	for k := range m {
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(k, n) }) {
			delete(m, k)
			changed = true
		}
	}
	return changed
}

func deleteAll(m map[string]any) bool {
	changed := len(m) > 0
	clear(m)
	return changed
}

// deleteValue takes a value out of the lists in m.
func deleteValue(m map[string]any, value string) bool {
	changed := false
	for k, v := range m {
		list, ok := v.([]any)
		if !ok {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(list), func(e any) bool {
			s, ok := e.(string)
			return ok && strings.EqualFold(s, value)
		})
		if len(rest) < len(list) {
			m[k] = rest
			changed = true
		}
	}
	return changed
}
