package server

import (
	"slices"
	"strings"
)

// entityTag writes an entity tag: strong for the identity, weak for an encoded answer, whose bytes may differ
// between two servers of the same content (RFC 9110, 8.8.3.3).
func entityTag(tag, coding string) string {
	if coding == identity {
		return `"` + tag + `"`
	}
	return `W/"` + tag + `"`
}

// matchesTag reports whether the lines of If-None-Match hold tag, by the weak comparison of RFC 9110, 8.8.3.2.
// A field that is malformed anywhere holds nothing: a full answer is always right.
func matchesTag(lines []string, tag string) bool {
	if len(lines) == 1 && strings.Trim(lines[0], " \t") == "*" {
		return true
	}
	matches := false
	for _, line := range lines {
		for {
			line = strings.TrimLeft(line, " \t,")
			if line == "" {
				break
			}
			opaque, rest, ok := cutTag(line)
			if !ok {
				return false
			}
			matches = matches || sameTag(opaque, tag)
			line = rest
		}
	}
	return matches
}

// holdsWeak reports whether the lines of If-None-Match, if they are well formed, hold tag as it was sent with an encoded answer.
func holdsWeak(lines []string, tag string) bool {
	weak := `W/"` + tag + `"`
	return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, weak) })
}

// cutTag cuts the entity tag that s begins with, and checks that the list goes on or ends behind it.
func cutTag(s string) (opaque, rest string, ok bool) {
	s, quoted := strings.CutPrefix(strings.TrimPrefix(s, "W/"), `"`)
	opaque, rest, closed := strings.Cut(s, `"`)
	if !quoted || !closed || strings.ContainsFunc(opaque, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return "", "", false
	}
	rest = strings.TrimLeft(rest, " \t")
	return opaque, rest, rest == "" || rest[0] == ','
}

// sameTag compares the opaque parts of a client's tag and ours. A proxy that compresses appends what it did.
func sameTag(theirs, ours string) bool {
	suffix, ok := strings.CutPrefix(theirs, ours)
	if !ok {
		return false
	}
	switch suffix {
	case "", "-gzip", "-br", "-zstd":
		return true
	}
	return false
}
