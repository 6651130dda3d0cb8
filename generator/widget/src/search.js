import uFuzzy from '@leeoniya/ufuzzy';
import { fold, tokens } from './fold.js';

/**
 * An entry of the article index.
 * @typedef {{path: string, title: string, excerpt: string, tags: string[], section: string, author: string, date: string}} Entry
 *
 * A hit. Where it is a close match, `ranges` says what of the loosely folded title matched: from, to, from, to, ...
 * @typedef {{entry: Entry, ranges?: number[]}} Hit
 *
 * What a search found: the best exact hits, how many there are in all, and the close matches.
 * @typedef {{total: number, exact: Hit[], close: Hit[]}} Found
 */

/** Fewer exact hits than this, and close matches are looked for. */
const ENOUGH = 5;

/** How many close matches are shown at most. */
const MAX_CLOSE = 8;

/** Terms up to which every order is tried: 4! = 24 searches. */
const MAX_PERMUTED = 4;

/** How much of a term is matched closely, in UTF-16 units: the time grows with the square of it. */
const MAX_TERM = 32;

/** uFuzzy puts this word in the place of a quoted phrase, and cannot search for it. */
const PLACEHOLDER = 'eexxaacctt';

/** A letter of a script other than Latin. */
const FOREIGN = /[^\P{L}\p{Script=Latin}]/u;

/** One letter wrong, missing, added or swapped in each term. */
const LATIN = { intraMode: /** @type {1} */ (1) };

/**
 * The same for terms in other scripts, to which every character beyond ASCII is a letter. uFuzzy's own way, its Unicode
 * option, gives the same answers in more than ten times the time.
 */
const ANY_SCRIPT = {
  ...LATIN,
  interSplit: "[^a-z\\d'\\u0080-\\uffff]+",
  intraSplit: '',
  interBound: '[^a-z\\d\\u0080-\\uffff]',
  intraBound: '',
  intraChars: "[a-z\\d'\\u0080-\\uffff]",
};

/** @param {string} s */
const loose = (s) => fold(s, true);

/** Searches the entries of an article index. */
export class Engine {
  #entries;
  #dropDiacritics;
  /** @type {string[][]} per entry, folded: title; tags, author and section; excerpt */
  #fields;
  /** @type {string[]} per entry: its short fields, loosely folded */
  #short;
  #latin = new uFuzzy(LATIN);
  #anyScript = new uFuzzy(ANY_SCRIPT);

  /**
   * @param {Entry[]} entries newest first
   * @param {boolean} dropDiacritics match "resume" with "résumé", as the site's server does
   */
  constructor(entries, dropDiacritics) {
    this.#entries = entries;
    this.#dropDiacritics = dropDiacritics;
    const folded = (/** @type {string} */ s) => fold(s, dropDiacritics);
    this.#fields = entries.map((e) => [
      folded(e.title),
      folded([...e.tags, e.author, e.section].join('\n')),
      folded(e.excerpt),
    ]);
    this.#short = entries.map((e) => loose([e.title, ...e.tags, e.author, e.section].join(' ')));
  }

  /**
   * The answer to a query; to an empty one, the newest articles.
   *
   * @param {string} query
   * @param {number} limit how many exact hits to return at most
   * @returns {Found}
   */
  search(query, limit) {
    const words = tokens(query, this.#dropDiacritics);
    const exact = this.#exact(words);
    const close = words.length && exact.length < ENOUGH ? this.#close(query, new Set(exact)) : [];
    return {
      total: words.length ? exact.length : 0,
      exact: exact.slice(0, limit).map((i) => ({ entry: this.#entries[i] })),
      close,
    };
  }

  /**
   * The articles that hold every word, in the server's order: an article's score is the sum over the words of the
   * weight of the best field that holds it; ties stand newest first.
   *
   * @param {string[]} words
   */
  #exact(words) {
    /** @type {{i: number, score: number}[]} */
    const hits = [];
    this.#fields.forEach(([title, short, excerpt], i) => {
      let score = 0;
      for (const word of words) {
        const weight = title.includes(word) ? 8 : short.includes(word) ? 4 : excerpt.includes(word) ? 2 : 0;
        if (!weight) return;
        score += weight;
      }
      hits.push({ i, score });
    });
    return hits.sort((a, b) => b.score - a.score).map((hit) => hit.i);
  }

  /**
   * Close matches. Where a query finds nothing at all, it is asked again without each of its terms in turn,
   * as long as that leaves the larger part of it.
   *
   * @param {string} query
   * @param {Set<number>} except hits already found
   * @returns {Hit[]}
   */
  #close(query, except) {
    // Only letters and digits: quotes and a leading minus would be operators to uFuzzy.
    const words = loose(query).match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
    const terms = words.filter((word) => word !== PLACEHOLDER).map((word) => word.slice(0, MAX_TERM));
    let hits = this.#fuzzy(terms);
    if (!hits.size && !except.size && terms.length > 1 && terms.length <= MAX_PERMUTED) {
      const letters = terms.join('').length;
      const without = terms
        .map((term, k) => (term.length <= letters / 2 ? this.#fuzzy(terms.toSpliced(k, 1)) : new Map()))
        .filter((found) => found.size);
      without.sort((a, b) => a.size - b.size); // the fewer there are, the more the terms say
      hits = new Map(without.flatMap((found) => [...found].slice(0, MAX_CLOSE)));
    }
    return [...hits]
      .filter(([i]) => !except.has(i))
      .slice(0, MAX_CLOSE)
      .map(([i, ranges]) => ({ entry: this.#entries[i], ranges }));
  }

  /**
   * @param {string[]} terms
   * @returns {Map<number, number[]>} the entries that hold all terms, best first, and where
   */
  #fuzzy(terms) {
    const needle = terms.join(' ');
    const fuzzy = FOREIGN.test(needle) ? this.#anyScript : this.#latin;
    const [found, info, order] = fuzzy.search(this.#short, needle, MAX_PERMUTED);
    return new Map(info ? order.map((k) => [info.idx[k], info.ranges[k]]) : (found ?? []).map((i) => [i, []]));
  }
}
