import { fold } from './fold.js';

/**
 * A piece of text, marked or not.
 * @typedef {{text: string, marked: boolean}} Piece
 */

/** Where the first mark starts later than this, an excerpt is cut before it. */
const LEAD = 90;

/**
 * Splits text into clusters, a base character and the marks on it, and says where each one lies in the folded text: a
 * fold changes lengths (ß is two letters, é may be one or two characters). Returns null where folding the clusters
 * one by one does not give the fold of the whole.
 *
 * @param {string} text
 * @param {boolean} dropDiacritics
 */
function clusters(text, dropDiacritics) {
  const parts = text.match(/[\u1100-\u11ff]+|[^]\p{M}*/gu) ?? [];
  let folded = '';
  const starts = parts.map((part) => {
    const start = folded.length;
    folded += fold(part, dropDiacritics);
    return start;
  });
  return folded === fold(text, dropDiacritics) ? { parts, starts, folded } : null;
}

/**
 * Marks ranges of the folded text in the text. A cluster is marked when any part of it is.
 *
 * @param {string} text
 * @param {boolean} dropDiacritics
 * @param {(folded: string) => number[]} find gives the ranges: from, to, from, to, ...
 * @returns {Piece[]}
 */
function mark(text, dropDiacritics, find) {
  const split = clusters(text, dropDiacritics);
  if (!split) return [{ text, marked: false }];
  const marked = new Uint8Array(split.folded.length + 1);
  const ranges = find(split.folded);
  for (let k = 0; k < ranges.length; k += 2) marked.fill(1, ranges[k], ranges[k + 1]);
  /** @type {Piece[]} */
  const pieces = [];
  split.parts.forEach((part, k) => {
    const start = split.starts[k];
    const end = split.starts[k + 1] ?? split.folded.length;
    const on = marked.subarray(start, end).includes(1);
    const last = pieces.at(-1);
    if (last && (last.marked === on || start === end)) last.text += part;
    else pieces.push({ text: part, marked: on });
  });
  return pieces;
}

/**
 * Marks every occurrence of the words.
 *
 * @param {string} text
 * @param {string[]} words folded
 * @param {boolean} dropDiacritics
 */
export function markWords(text, words, dropDiacritics) {
  return mark(text, dropDiacritics, (folded) => {
    const ranges = [];
    for (const word of words) {
      for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
        ranges.push(at, at + word.length);
      }
    }
    return ranges;
  });
}

/**
 * Marks ranges of the loosely folded text, as a close match has them.
 *
 * @param {string} text
 * @param {number[]} ranges
 */
export const markRanges = (text, ranges) => mark(text, true, () => ranges);

/**
 * Cuts the start of an excerpt so that the first mark is in sight.
 *
 * @param {Piece[]} pieces
 * @returns {Piece[]}
 */
export function snippet(pieces) {
  const [first, ...rest] = pieces;
  if (!rest.length || first.marked || first.text.length < LEAD) return pieces;
  const space = first.text.indexOf(' ', first.text.length - LEAD / 2);
  return [{ text: `… ${first.text.slice(space < 0 ? -LEAD / 2 : space + 1)}`, marked: false }, ...rest];
}
