// Package corpus is the compact search corpus: the format, its Writer and its reader. It answers which articles a
// token occurs in; what a query is, and which answer comes first, is for others. It knows neither HTTP nor Hugo.
//
// # Format
//
// A token holds no white space, so it occurs in a text exactly if it occurs in one of the text's words, which white
// space delimits. So the corpus stores no text, but the distinct folded words with the articles of each, and a way to
// find all words that contain a token. Integers are little-endian, bits are numbered from the least significant on.
//
//	header     magic "rfcorpus", u32 format version, u32 fold version, u32 flags (1: diacritics folded),
//	           u32 number of sections, u64 fingerprint, i64 time of generation (Unix seconds),
//	           u32 articles, u32 companies, u32 words, u32 nodes, u32 prefixes, u32 unions, u32 parts, u32 positions,
//	           u32 runes, u32 pairs, u32 segments
//	table      per section u64 length and u64 XXH64 of its bytes
//	u64        XXH64 of all bytes so far
//	sections   one behind the other, in the order of sectionNames; the file ends with the last one
//
// # The dictionary
//
// The words stand in byte order, front coded (Witten, Moffat, Bell, Managing Gigabytes, 4.1): a word is stored without the
// bytes that it shares with the word before, except every 32nd, which is stored whole. A stored byte is a node: the
// node stands for the prefix of its word that ends with it, and the words that begin with this prefix follow one another.
// Real words share a lot ("word", "word,", "words"): there are about 0.35 nodes to a byte of the words.
//
//	nodes      blocks of 64: 64 bytes, u64 with a bit per node that begins a word, u32 word beginnings before the block
//	shared     per word u8, the bytes it shares with the word before, at most 255 (also where it is stored whole)
//
// A word contains a token exactly if one of its prefixes ends with it. So the prefix array holds, for every prefix that
// ends with a whole UTF-8 sequence, its first node, ordered by the prefix read backwards: the prefixes that end with the
// token are one range of it. It is a suffix array of the reversed words in which equal suffixes are one entry, and so a
// third of its size, and what an entry leads to are neighbours.
//
//	prefixes   packed: ceil(log2(nodes)) bits each
//	keys       for every 32nd prefix u64: its last eight bytes, the very last in the highest byte, zeros where it is shorter
//
// # Postings
//
// Articles are numbered in answer order, so the first bits of a set are the first answers. For each of four fields
// (title; labels: tags, section, author; excerpt; body) and each word, there is the list of the articles in which the word
// occurs in this field and in no field before, coded as a universe does; empty lists are left out. So a posting is stored once,
// in the field that it weighs most in. The lists of 16 words stand in a block, all that a token needs of one in a line or two
// of memory; blocks begin with whole bytes.
//
//	offsets    packed: byte position of each block
//	lists      blocks: u64 with a bit per list, bit 16f + w if word w of the block has one for field f; a code of 4 bits per
//	           list, the length less one, or 15 where that is no less; the lengths of the latter, ceil(log2(articles + 1))
//	           bits each; the lists
//
// # Unions
//
// A short token occurs in so many words that the union of their lists would take long. So it is precomputed for those ranges of
// the prefix array for which that saves most time in least space: the "precomputed document lists" of Gagie et al., Document
// retrieval on repetitive string collections, Information Retrieval 20, 2017. It is the many short lists that take long, and the
// few long ones that take space; so a union may refer to the latter. It is its parts, lists of words or of unions inside it,
// and per field the rest: the articles that a word of the range has in this field, but that no list of the union has for this
// field or a weightier one. A range is inside another, or they have nothing in common.
//
//	ranges     packed: start and end alternate, by start, the longer first
//	offsets    packed: bit position of each union
//	parts      packed: per list that is a part of any union its bit position in the lists of words, or, from their end on, in
//	           those of unions, and length<<2 | field, alternate
//	lists      bits, per union: Elias gamma code of the number of parts plus one; the number of each, ceil(log2(all parts + 1))
//	           bits; per field the Elias gamma code of the length of the rest plus one; the lists of the rest
//
// # Runs
//
// In some scripts white space stands between clauses, and hardly any clause occurs twice; nor does a word of 256 bytes and more. A
// dictionary of them takes more than twice their size. So their characters are numbered through, one number left out
// behind each such word, and each distinct pair of neighbours has the list of the positions at which it stands, which takes 0.8 of
// the text's size. (A list for each character takes half of it, but is so long that a search takes as long as a scan.) A token
// of several characters is looked for there, too, besides the dictionary; the characters themselves are words of the
// dictionary. Positions are of segments, the runs of one field of one article.
//
//	runes         u32 per distinct character, ascending
//	pair firsts   packed: per character, how many pairs begin with a lower one; and how many there are
//	pair seconds  packed: per pair the number of its second character; pairs ascend
//	pair offsets  packed: per pair the bit position of its list
//	pair lists    bits: per pair the Elias gamma code of the length, and the list, always Elias-Fano coded
//	segments      packed: the first position of the segment, and article<<2 | field, alternate
//
// # Answers
//
// Every answer is stored as the JSON that is sent. A table is two sections, the u32 offsets, one more than there are
// entries, and the bytes.
//
//	language, prefix      bytes
//	results               table: site.SearchResult per article
//	companies             table: site.CompanyResult per company, more articles first, then by name
//	names                 table: folded name, 0, folded slug, 0 per company
//	digests               u64 per article: the XXH64 of everything in it that can change an answer
//	index                 site.Index in four content codings: identity, gzip, br, zstd
//
// Limits: 2^27 articles, 2^28 - 1 positions, 2^32 - 1 nodes, 4 GiB per table. A bit section ends with sixteen zero bytes more than it needs.
package corpus

// FormatVersion is the version of the format. A reader opens no other.
//
//	1: the first
//	2: the lists of all fields of a word stand together; runs
//	3: unions have parts
//
// A change of the format raises it, and freezes a corpus of the new version with what it answers, beside those of the
// versions before: go test ./site/corpus -run Frozen -update.
const FormatVersion = 3

const (
	magic       = "rfcorpus"
	headerBytes = 84
	entryBytes  = 16
	sumBytes    = 8

	flagFoldDiacritics = 1

	// MaxArticles is the most articles that a corpus can hold.
	MaxArticles = 1 << 27
)

// fixedBytes are the bytes before the sections.
const fixedBytes = headerBytes + int(numSections)*entryBytes + sumBytes

type section int

const (
	secLanguage section = iota
	secPrefix
	secNodes
	secShared
	secPrefixes
	secKeys
	secOffsets
	secLists
	secUnionRanges
	secUnionOffsets
	secUnionParts
	secUnionLists
	secRunes
	secPairFirsts
	secPairSeconds
	secPairOffsets
	secPairLists
	secSegments
	secResultOffsets
	secResults
	secCompanyOffsets
	secCompanies
	secNameOffsets
	secNames
	secDigests
	secIndex
	secIndexGzip
	secIndexBr
	secIndexZstd
	numSections
)

// sectionNames are the names that errors and Meta use.
var sectionNames = [numSections]string{
	"language", "prefix", "nodes", "shared", "prefixes", "keys", "offsets", "lists",
	"union ranges", "union offsets", "union parts", "union lists",
	"runes", "pair firsts", "pair seconds", "pair offsets", "pair lists", "segments",
	"result offsets", "results", "company offsets", "companies", "name offsets", "names", "digests",
	"index", "index gzip", "index br", "index zstd",
}

func (s section) String() string { return sectionNames[s] }

// codings are the content codings of the index, in the order of their sections.
var codings = [...]string{"identity", "gzip", "br", "zstd"}

// A header is what the file begins with.
type header struct {
	foldVersion int
	flags       uint32
	fingerprint uint64
	generatedAt int64
	articles    uint32
	companies   uint32
	words       uint32
	nodes       uint32
	prefixes    uint32
	unions      uint32
	parts       uint32
	positions   uint32
	runes       uint32
	pairs       uint32
	segments    uint32
	entries     [numSections]entry
}

// An entry is what the table in the header says of a section.
type entry struct{ bytes, sum uint64 }
