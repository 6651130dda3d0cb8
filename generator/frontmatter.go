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
	repeatedTOML = regexp.MustCompile(`key (\S+) is already defined`)
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
		message := err.Error()
		if m := repeatedYAML.FindStringSubmatch(message); m != nil {
			line, _ := strconv.Atoi(m[2])
			column, _ := strconv.Atoi(m[3])
			if line < 1 || line >= end {
				return nil, ""
			}
			blankYAML(lines[:end], line, column) // line 1 of the front matter is line 2 of the file: index 1
			keys = append(keys, m[1])
		} else if m := repeatedTOML.FindStringSubmatch(message); m != nil && blankTOML(lines[:end], m[1]) {
			keys = append(keys, m[1])
		} else {
			return nil, ""
		}
		fixed = []byte(strings.Join(lines, ""))
		if err = frontMatterError(fixed); err == nil {
			return fixed, fmt.Sprintf("repeated %s, the last one counts", quotedList(keys))
		}
	}
	return nil, ""
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

var tomlKey = regexp.MustCompile(`^\s*(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*=|^\s*\[`)

// blankTOML empties the first of a table's lines that set the key, and the lines that its value goes on for.
func blankTOML(lines []string, key string) bool {
	for i := 1; i < len(lines); i++ {
		m := tomlKey.FindStringSubmatch(lines[i])
		if m == nil || !strings.EqualFold(m[1]+m[2]+m[3], key) {
			continue
		}
		lines[i] = "\n"
		for i++; i < len(lines) && !tomlKey.MatchString(lines[i]); i++ {
			lines[i] = "\n"
		}
		return true
	}
	return false
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
	if blankTOML(head, key) {
		return []byte(strings.Join(lines, "")), true
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
