package generator

import (
	"regexp"
	"strings"
)

// errorPosition matches the position of a file in an error of Hugo's.
var errorPosition = regexp.MustCompile(`"([^"\n]+?):(\d+:\d+)": ((?s:.*))`)

// ownLine returns the line of an error that says what is wrong, and what Hugo was not allowed to do where that is why. The
// other lines are of other errors, which were logged before.
func ownLine(message string) string {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	for _, line := range lines[1:] {
		if strings.Contains(line, "; --allow-") {
			return lines[0] + ": " + strings.TrimSpace(line)
		}
	}
	return lines[0]
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// inFile shortens an error that begins with a position in file: "[line:column] ...".
func inFile(file, message string) string {
	if m := errorPosition.FindStringSubmatchIndex(message); m != nil && m[0] == 0 && message[m[2]:m[3]] == file {
		return "[" + message[m[4]:m[5]] + "] " + message[m[6]:]
	}
	return message
}

// What Hugo's errors say twice.
var (
	shortcodeFailed = regexp.MustCompile(`failed to render (shortcode "[^"]+"): failed to process shortcode: `)
	executionFailed = regexp.MustCompile(`"([^"\n]+:\d+:\d+)": execute of template failed: template: \S+:\d+:\d+: executing "[^"]+" `)
	templateFailed  = regexp.MustCompile(`(?:parse of template failed: )?template: \S+?:(\d+(?::\d+)?): (?:executing "[^"]+" )?`)
)

// brief shortens an error of Hugo's about a template.
func brief(message string) string {
	message = shortcodeFailed.ReplaceAllString(message, "$1: ")
	message = executionFailed.ReplaceAllString(message, "$1 ")
	return templateFailed.ReplaceAllString(message, "[$1] ")
}
