package generator

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Errors of the YAML and the TOML decoder on a key that a table has twice.
var (
	repeatedYAML = regexp.MustCompile(`mapping key "([^"]*)" already defined at \[(\d+):(\d+)\]`)
	repeatedTOML = regexp.MustCompile(`_stream\.toml:(\d+):\d+.* is already defined`)
)

// maxRepeats bounds the repeated keys of one file.
const maxRepeats = 100

// repairFrontMatter returns the content with its front matter repaired, and what was done: of a repeated key the last
// one is kept, as older versions of Hugo did. It returns nil where there is no repair. Lines keep their numbers.
func repairFrontMatter(content []byte, err error) (fixed []byte, what string) {
	if bytes.HasPrefix(content, []byte("{{")) { // a shortcode, taken for JSON
		return append([]byte("---\n---\n"), content...), "begins with a shortcode that reads as front matter"
	}
	lines := strings.SplitAfter(string(content), "\n")
	end := frontMatterEnd(lines)
	var keys []string
	for range maxRepeats {
		key := blankRepeated(lines[:end], err.Error())
		if key == "" {
			return nil, ""
		}
		keys = append(keys, key)
		fixed = []byte(strings.Join(lines, ""))
		if err = frontMatterError(fixed); err == nil {
			return fixed, fmt.Sprintf("repeated %s, the last one counts", quotedList(keys))
		}
	}
	return nil, ""
}

// blankRepeated empties the first of the two lines that an error of the decoder is about, and returns their key. "": the
// error is of something else. The decoders count lines from the first of the front matter, which is the second of the file.
func blankRepeated(lines []string, message string) string {
	if m := repeatedYAML.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		if line < 1 || line >= len(lines) || column < 1 {
			return ""
		}
		blankYAML(lines, line, column)
		return m[1]
	}
	if m := repeatedTOML.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[1])
		return blankRepeatedTOML(lines, line)
	}
	return ""
}

// frontMatterEnd returns the index of the line that ends the front matter.
func frontMatterEnd(lines []string) int {
	delimiter := strings.TrimSpace(lines[0])
	for i, line := range lines[1:] {
		if strings.TrimRight(line, " \t\r\n") == delimiter {
			return i + 1
		}
	}
	return len(lines)
}

// isBehindFrontMatter tells whether a line of the content, counted from 1, is one of the text.
func isBehindFrontMatter(content []byte, line string) bool {
	n, err := strconv.Atoi(line)
	if err != nil {
		return false
	}
	switch lines := strings.SplitAfter(string(content), "\n"); strings.TrimSpace(lines[0]) {
	case "---", "+++":
		return n > frontMatterEnd(lines)+1
	default:
		return !bytes.HasPrefix(content, []byte("{"))
	}
}

// blankYAML empties the lines of the key that stands at a line and a column, its value included.
func blankYAML(lines []string, line, column int) {
	rest := lines[line]
	if lead := rest[:min(column-1, len(rest))]; strings.TrimSpace(lead) != "" { // "- key: value"
		lines[line] = lead + "\n"
	} else {
		lines[line] = "\n"
	}
	for i := line + 1; i < len(lines); i++ {
		text := strings.TrimLeft(lines[i], " ")
		indent := len(lines[i]) - len(text)
		isItem := strings.HasPrefix(text, "-") && indent == column-1
		if strings.TrimSpace(text) != "" && indent < column && !isItem {
			return
		}
		lines[i] = "\n"
	}
}

// tomlLine matches a line that sets a key, or that begins a table.
var tomlLine = regexp.MustCompile(`^\s*(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*=|^\s*\[`)

// tomlKey returns the key that a line sets, "" where it begins a table. Any other line is not ok.
func tomlKey(line string) (key string, ok bool) {
	m := tomlLine.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[1] + m[2] + m[3], true
}

// blankRepeatedTOML empties the line above that sets the key of a line in the same table, and returns the key. "": there is
// none.
func blankRepeatedTOML(lines []string, line int) string {
	if line >= len(lines) {
		return ""
	}
	key, _ := tomlKey(lines[line])
	for i := line - 1; i > 0 && key != ""; i-- {
		switch above, ok := tomlKey(lines[i]); {
		case ok && above == "":
			return ""
		case ok && above == key:
			blankTOML(lines, i)
			return key
		}
	}
	return ""
}

// blankTOML empties the line that sets a key, and those that its value goes on for.
func blankTOML(lines []string, i int) {
	lines[i] = "\n"
	for i++; i < len(lines); i++ {
		if _, ok := tomlKey(lines[i]); ok {
			return
		}
		lines[i] = "\n"
	}
}

// dropFrontMatterKey returns the content without a key at the top of its front matter.
func dropFrontMatterKey(content []byte, key string) ([]byte, bool) {
	lines := strings.SplitAfter(string(content), "\n")
	head := lines[:frontMatterEnd(lines)]
	for i, line := range head {
		if name, _, ok := strings.Cut(line, ":"); ok && i > 0 && strings.EqualFold(strings.TrimRight(name, " "), key) {
			blankYAML(head, i, 1)
			return []byte(strings.Join(lines, "")), true
		}
	}
	for i, line := range head {
		name, ok := tomlKey(line)
		if ok && name == "" {
			break // a table
		}
		if ok && strings.EqualFold(name, key) {
			blankTOML(head, i)
			return []byte(strings.Join(lines, "")), true
		}
	}
	return nil, false
}

func quotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = strconv.Quote(s)
	}
	return strings.Join(quoted, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
