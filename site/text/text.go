// Package text folds and tokenizes text. The writer of a corpus and the query side use this one fold, so that a
// query matches exactly what a scan of the folded text would find. It may do nothing else.
package text

import "unicode/utf8"

// Version is the version of the fold. A corpus records the version it was written with.
//
//	1: NFC, Unicode 15 full case folding, typographic punctuation to ASCII, ignorable characters removed
const Version = 1

// Fold appends the folded form of s to dst.
func Fold(dst []byte, s string, diacritics bool) []byte { return append(dst, s...) }

var _ = utf8.RuneError
