package corpus

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A collector turns articles into the numbers of their words. Words are numbered as they come.
type collector struct {
	fold     *text.Folder
	buf      []byte
	numbers  map[string]uint32
	words    []string
	seen     []uint32 // per word, where in the log the article that last had it has it, plus one
	log      []uint32 // per article, its words: number << fieldBits | the weightiest field it is in
	ends     []int    // per article, where its words end
	articles int
	runs     runCollector

	unions unionLimits
}

const (
	fieldBits = 2
	fieldMask = 1<<fieldBits - 1

	maxWords = 1 << (32 - fieldBits)
)

func (c *collector) init(foldDiacritics bool) {
	c.fold = text.NewFolder(foldDiacritics)
	c.numbers = make(map[string]uint32)
	c.unions = defaultUnions
}

func (c *collector) add(a *site.Article) error {
	err := c.field(Title, a.Title)
	for _, tag := range a.Tags {
		err = errors.Join(err, c.field(Labels, tag))
	}
	err = errors.Join(err, c.field(Labels, a.Section), c.field(Labels, a.Author), c.field(Excerpt, a.Excerpt), c.field(Body, a.Body))
	if err != nil {
		return fmt.Errorf("article %q: %w", a.Path, err)
	}
	c.ends = append(c.ends, len(c.log))
	c.articles++
	if len(c.words) > maxWords || len(c.log) > math.MaxUint32 {
		return fmt.Errorf("article %q: too much for one corpus: %d distinct words, %d are allowed, in articles %d times, %d are allowed",
			a.Path, len(c.words), maxWords, len(c.log), math.MaxUint32)
	}
	return nil
}

// field adds the words of a field. The weightiest field comes first, so what an article has already stays.
func (c *collector) field(f Field, s string) error {
	c.buf = c.fold.Append(c.buf[:0], s)
	for w := range text.Words(c.buf) {
		if isRun(w) {
			if err := c.run(w, f); err != nil {
				return err
			}
			continue
		}
		c.word(w, f)
	}
	return nil
}

// run adds a run, and its characters as words.
func (c *collector) run(w []byte, f Field) error {
	if err := c.runs.add(w, uint32(c.articles)<<fieldBits|uint32(f)); err != nil {
		return err
	}
	for len(w) > 0 {
		_, n := utf8.DecodeRune(w)
		c.word(w[:n], f)
		w = w[n:]
	}
	return nil
}

// word adds a word, if the article does not have it yet.
func (c *collector) word(w []byte, f Field) {
	n, ok := c.numbers[string(w)]
	if !ok {
		n = uint32(len(c.words))
		word := string(w)
		c.numbers[word] = n
		c.words = append(c.words, word)
		c.seen = append(c.seen, 0)
	}
	begin := 0
	if c.articles > 0 {
		begin = c.ends[c.articles-1]
	}
	if c.seen[n] > uint32(begin) {
		return
	}
	c.log = append(c.log, n<<fieldBits|uint32(f))
	c.seen[n] = uint32(len(c.log))
}

// sections makes the sections of dictionary, postings and unions, and the header's numbers of them.
func (c *collector) sections(s [][]byte) (header, error) {
	order := make([]uint32, len(c.words))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if c.words[a] < c.words[b] {
			return -1
		}
		return 1
	})
	words := make([]string, len(order))
	rank := make([]uint32, len(order))
	letters := 0
	for i, n := range order {
		words[i], rank[n] = c.words[n], uint32(i)
		letters += len(words[i])
	}
	if letters > math.MaxUint32 {
		return header{}, secNodes.error(fmt.Errorf("the distinct words have %d bytes, more than 4 GiB", letters))
	}
	inv := c.invert(rank)
	*c = collector{articles: c.articles, runs: c.runs, unions: c.unions} // the rest is a third of all memory

	h := header{foldVersion: text.Version, articles: uint32(c.articles), words: uint32(len(words))}
	c.runs.sections(s, &h)
	s[secOffsets], s[secLists] = writePostings(inv, newUniverse(c.articles))
	dict := buildDictionary(words)
	s[secNodes], s[secShared], s[secKeys] = dict.nodes, dict.shared, dict.keys
	s[secPrefixes] = pack(dict.prefixes, widthOf(uint64(dict.numNodes)))
	h.nodes, h.prefixes = dict.numNodes, uint32(len(dict.prefixes))

	// The unions are computed by the reader, over the corpus that has none yet.
	writeUnions(s, nil, &h)
	bare, err := attach(h, s)
	if err != nil {
		return header{}, err
	}
	bytes := 0
	for _, section := range s {
		bytes += len(section)
	}
	unions := buildUnions(bare, dict.common, c.unions, bytes)
	writeUnions(s, unions, &h)
	return h, nil
}

// An inverted index holds, word after word, the articles of each word, ascending, with the bits of the log.
type inverted struct {
	postings []uint32 // article << fieldBits | the weightiest field
	ends     []int    // per word
}

func (v *inverted) list(word uint32) []uint32 {
	if word == 0 {
		return v.postings[:v.ends[0]]
	}
	return v.postings[v.ends[word-1]:v.ends[word]]
}

// invert turns the log around, by a counting sort.
func (c *collector) invert(rank []uint32) *inverted {
	v := &inverted{postings: make([]uint32, len(c.log)), ends: make([]int, len(rank))}
	next := make([]int, len(rank)+1)
	for _, e := range c.log {
		next[rank[e>>fieldBits]+1]++
	}
	for i := range rank {
		next[i+1] += next[i]
		v.ends[i] = next[i+1]
	}
	begin := 0
	for article, end := range c.ends {
		for _, e := range c.log[begin:end] {
			word := rank[e>>fieldBits]
			v.postings[next[word]] = uint32(article)<<fieldBits | e&fieldMask
			next[word]++
		}
		begin = end
	}
	return v
}

// writePostings makes the sections of the lists of all words, some blocks on each processor.
func writePostings(inv *inverted, u *universe) (offsets, lists []byte) {
	words := len(inv.ends)
	parts := make([]listWriter, (words+wordsAtOnce-1)/wordsAtOnce)
	_ = parallel(len(parts), func(i int) error { // no f fails
		part := &parts[i]
		part.universe, part.lengthWidth = u, widthOf(u.n)
		for word := i * wordsAtOnce; word < min(words, (i+1)*wordsAtOnce); word += wordBlock {
			part.block(inv, word, min(words, word+wordBlock))
		}
		return nil
	})
	var at []uint64
	for _, part := range parts {
		for _, offset := range part.offsets {
			at = append(at, uint64(len(lists))+offset)
		}
		lists = append(lists, part.out.buf...)
	}
	lists = append(lists, make([]byte, padBytes)...)
	return pack(at, widthOf(uint64(len(lists)))), lists
}

// wordsAtOnce is how many words one processor writes before it looks for more: a multiple of wordBlock.
const wordsAtOnce = 1 << 14

// A listWriter writes lists in blocks.
type listWriter struct {
	*universe
	lengthWidth uint
	out         bitWriter
	offsets     []uint64
	numbers     [NumFields * wordBlock][]uint32
}

// block writes the lists of the words from first on, below end.
func (w *listWriter) block(inv *inverted, first, end int) {
	for i := range w.numbers {
		w.numbers[i] = w.numbers[i][:0]
	}
	for word := first; word < end; word++ {
		for _, p := range inv.list(uint32(word)) {
			list := &w.numbers[int(p&fieldMask)*wordBlock+word-first]
			*list = append(*list, p>>fieldBits)
		}
	}
	present := uint64(0)
	for i, list := range w.numbers {
		if len(list) > 0 {
			present |= 1 << i
		}
	}
	w.out.align()
	w.offsets = append(w.offsets, uint64(len(w.out.buf)))
	w.out.put(present&(1<<32-1), 32)
	w.out.put(present>>32, 32)
	for _, list := range w.numbers {
		if len(list) > 0 {
			w.out.put(uint64(min(len(list)-1, longList)), lengthBits)
		}
	}
	for _, list := range w.numbers {
		if len(list) > maxShort {
			w.out.put(uint64(len(list)), w.lengthWidth)
		}
	}
	for _, list := range w.numbers {
		w.write(&w.out, list)
	}
	w.out.align()
}
