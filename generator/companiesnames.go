package generator

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bareWords reduces a folded name to the letters and digits of its words, without what does not tell companies apart: a
// legal suffix, an article at the beginning, "and".
func bareWords(folded string) []string {
	var words []string
	for _, word := range strings.Fields(folded) {
		word = strings.Map(func(r rune) rune {
			if isWordRune(r) {
				return r
			}
			return -1
		}, word)
		if word != "" && word != "and" && word != "und" && word != "et" {
			words = append(words, word)
		}
	}
	for len(words) > 1 && isLegalSuffix(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	return words
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

func isLegalSuffix(word string) bool {
	switch word {
	case "inc", "incorporated", "corp", "corporation", "co", "company", "llc", "llp", "lp", "ltd", "limited", "plc",
		"pty", "pte", "pvt", "gmbh", "mbh", "ag", "kg", "kgaa", "ohg", "ug", "se", "sa", "sas", "sasu", "sarl", "eurl", "spa",
		"srl", "sl", "ltda", "lda", "bv", "nv", "ab", "as", "asa", "aps", "oy", "oyj", "kk", "sro", "kft", "doo", "bhd":
		return true
	}
	return false
}

var brackets = regexp.MustCompile(`^([^()（）]*)[(（]([^()（）]+)[)）]([^()（）]*)$`)

// bracketed returns the keys of the names in a folded name that explains an abbreviation: of "digital analytics program (dap)"
// those of "digital analytics program" and "dap", which may be the other way round, and of "artificial intelligence (ai) lab"
// that of "artificial intelligence lab". Brackets that hold something else tell companies apart: "apple (records)".
func bracketed(folded string) []string {
	m := brackets.FindStringSubmatch(folded)
	if m == nil {
		return nil
	}
	before, inside, after := bareWords(m[1]), bareWords(m[2]), bareWords(m[3])
	short, long := strings.Join(inside, ""), strings.Join(before, "")
	switch {
	case abbreviates(inside, before) && len(after) > 0:
		return []string{long + strings.Join(after, "")}
	case abbreviates(inside, before), abbreviates(before, inside) && len(after) == 0:
		return []string{long, short}
	}
	return nil
}

// abbreviates tells whether short is one word, made of the beginnings of two or more of the words, in their order: "fedccs" of
// "federal community for crowdsourcing and citizen science".
func abbreviates(short, words []string) bool {
	if len(short) != 1 || utf8.RuneCountInString(short[0]) < 2 {
		return false
	}
	s := short[0]
	if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, s) }) {
		return false
	}
	reached := make([]bool, len(s)+1) // how much of s the words so far can make up
	reached[0] = true
	for _, word := range words {
		for from := len(s) - 1; from >= 0; from-- {
			for n := 1; reached[from] && n <= min(len(word), len(s)-from) && word[:n] == s[from:from+n]; n++ {
				reached[from+n] = true
			}
		}
	}
	return reached[len(s)]
}

// minInitials is how many initials make an abbreviation that is not often that of two names.
const minInitials = 4

// initials returns the initials of a folded name of several words, with and without those of words like "of".
func initials(folded string) []string {
	var all, some strings.Builder
	words := strings.FieldsFunc(folded, func(r rune) bool { return !isWordRune(r) })
	for len(words) > 1 && isLegalSuffix(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	for _, word := range words {
		r, _ := utf8.DecodeRuneInString(word)
		all.WriteRune(r)
		if !isParticle(word) {
			some.WriteRune(r)
		}
	}
	keys := slices.Compact([]string{all.String(), some.String()})
	return slices.DeleteFunc(keys, func(key string) bool { return utf8.RuneCountInString(key) < minInitials })
}

func isParticle(word string) bool {
	switch word {
	case "of", "for", "and", "the", "in", "on", "de", "la", "le", "les", "des", "du", "et", "und", "für", "der", "die", "das":
		return true
	}
	return false
}

// isCapitals tells whether a name looks like an abbreviation: nothing but capital letters.
func isCapitals(name string) bool {
	for _, r := range name {
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return true
}
