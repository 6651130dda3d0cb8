// Package text folds and tokenizes text. The writer of a corpus and the query side use this one fold, so that a
// query matches exactly what a scan of the folded text would find. It may do nothing else.
package text

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Version is the version of the fold. A corpus records the version it was written with, and a reader refuses
// another one: two folds side by side would miss words silently.
//
//	1: as Folder describes it, Unicode 15
const Version = 1

// A Folder brings text into the one form in which it is compared. It
//
//   - removes the soft hyphen, the zero-width space and the byte order mark: nobody sees them, nobody types them;
//   - normalizes to NFC (Unicode Standard Annex 15), folds case fully (Unicode Standard 3.13, CaseFolding.txt, status
//     C and F: ß becomes ss, ς becomes σ), and normalizes again, since folding can decompose;
//   - writes typographic quotes, apostrophes, dashes and the ellipsis as ASCII: Hugo's typographer makes ’ of the
//     author's ', “ of ", – of --, … of ..., and each must be found by the other;
//   - where asked, drops the combining diacritical marks (U+0300 to U+036F) of the decomposed text, so that é is e.
//     Marks of scripts that spell with them (Devanagari, Thai, kana) are letters, and stay;
//   - replaces NUL, and each byte that is not UTF-8, by U+FFFD, as HTML does.
//
// Folding never makes or removes white space, and is idempotent. A Folder is not safe for concurrent use.
type Folder struct {
	diacritics bool
	caser      cases.Caser
	alphabet   []string // folds of the characters below alphabetEnd, made when first needed
}

// Latin, Greek, Cyrillic and Armenian: where nearly all letters with a case are.
const alphabetEnd = 0x0590

// NewFolder returns a Folder that drops diacritical marks if foldDiacritics is set.
func NewFolder(foldDiacritics bool) *Folder {
	return &Folder{diacritics: foldDiacritics, caser: cases.Fold()}
}

// Append appends the folded form of s to dst.
func (f *Folder) Append(dst []byte, s string) []byte {
	for len(s) > 0 {
		if c := s[0]; c < utf8.RuneSelf && isSpace(c) {
			dst = append(dst, c)
			s = s[1:]
			continue
		}
		// White space is a normalization boundary, so words fold one by one: nearly all of them the short way.
		n := 0
		for n < len(s) && !isSpace(s[n]) {
			n++
		}
		var ok bool
		if dst, ok = f.appendSimple(dst, s[:n]); !ok {
			dst = f.appendFull(dst, s[:n])
		}
		s = s[n:]
	}
	return dst
}

// String returns the folded form of s.
func (f *Folder) String(s string) string { return string(f.Append(nil, s)) }

// appendSimple folds s if its characters fold one by one; otherwise it returns dst and false.
func (f *Folder) appendSimple(dst []byte, s string) ([]byte, bool) {
	mark := len(dst)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			} else if c == 0 {
				return dst[:mark], false
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if ignored(r) {
			continue
		}
		folded := asciiPunctuation(r)
		if folded == "" && r < alphabetEnd {
			folded = f.letter(r)
		}
		if folded == "" {
			return dst[:mark], false
		}
		dst = append(dst, folded...)
	}
	return dst, true
}

// letter returns the fold of r where its neighbours have no say in it, and "" elsewhere: for a character that is not
// normalized, or that normalization may join to the one before it.
func (f *Folder) letter(r rune) string {
	if f.alphabet == nil {
		f.alphabet = make([]string, alphabetEnd)
		for r := rune(utf8.RuneSelf); r < alphabetEnd; r++ {
			s := string(r)
			if norm.NFC.IsNormalString(s) && norm.NFC.PropertiesString(s).BoundaryBefore() {
				f.alphabet[r] = string(f.appendFull(nil, s))
			}
		}
	}
	return f.alphabet[r]
}

func (f *Folder) appendFull(dst []byte, s string) []byte {
	clean := strings.Map(dropIgnored, s)
	folded := norm.NFC.Bytes(f.caser.Bytes(norm.NFC.Bytes([]byte(clean))))
	if f.diacritics {
		folded = norm.NFC.Bytes(dropMarks(norm.NFD.Bytes(folded)))
	}
	for i := 0; i < len(folded); {
		r, size := utf8.DecodeRune(folded[i:])
		if p := asciiPunctuation(r); p != "" {
			dst = append(dst, p...)
		} else if c := cherokeeCapital(r); c != r {
			dst = utf8.AppendRune(dst, c)
		} else {
			dst = append(dst, folded[i:i+size]...)
		}
		i += size
	}
	return dst
}

func dropIgnored(r rune) rune {
	switch {
	case ignored(r):
		return -1
	case r == 0:
		return utf8.RuneError
	}
	return r
}

// cherokeeCapital finishes the fold of Cherokee, the one script that CaseFolding.txt folds to its capitals:
// cases.Fold swaps the two cases there.
func cherokeeCapital(r rune) rune {
	switch {
	case 0xAB70 <= r && r <= 0xABBF:
		return r - 0xAB70 + 0x13A0
	case 0x13F8 <= r && r <= 0x13FD:
		return r - 8
	}
	return r
}

func ignored(r rune) bool { return r == 0x00AD || r == 0x200B || r == 0xFEFF }

func dropMarks(b []byte) []byte {
	kept := b[:0]
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r < 0x0300 || r > 0x036F {
			kept = append(kept, b[i:i+size]...)
		}
		i += size
	}
	return kept
}

// asciiPunctuation returns what a typographic character is written as in ASCII, "" for any other character.
func asciiPunctuation(r rune) string {
	switch r {
	case '‘', '’', '‚', '‛', '‹', '›', 'ʼ':
		return "'"
	case '“', '”', '„', '‟', '«', '»':
		return `"`
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return "-"
	case '…':
		return "..."
	}
	return ""
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// Fields splits a query at white space, the Unicode property White_Space, into its tokens.
func Fields(s string) []string { return strings.Fields(s) }

// Words yields the words of folded text: what stands between white space. They are parts of folded, not copies.
func Words(folded []byte) iter.Seq[[]byte] { return bytes.FieldsSeq(folded) }
