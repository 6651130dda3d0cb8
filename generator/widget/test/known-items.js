// The known-item benchmark's material: 5,000 entries and the queries of readers who look for one of them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fold } from '../src/fold.js';

const source = join(import.meta.dirname, '../../../testdata/widget/titles.tsv');

/** Mulberry32: the same numbers on every machine. */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * n entries: the real titles first, then titles that continue real ones word by word, so that there is much to confuse.
 *
 * @param {number} n
 */
export async function entries(n, seed = 1) {
  const rows = (await readFile(source, 'utf8')).trim().split('\n').slice(1).map((line) => line.split('\t'));
  const rand = random(seed);
  const pick = (list) => list[Math.floor(rand() * list.length)];
  const next = new Map();
  for (const [title] of rows) {
    const words = title.split(' ');
    words.forEach((w, i) => next.set(w, [...(next.get(w) ?? []), words[i + 1] ?? '']));
  }
  const titles = new Set(rows.map(([title]) => title));
  while (titles.size < n) {
    const words = [pick(rows)[0].split(' ')[0]];
    for (let w; words.length < 12 && (w = pick(next.get(words.at(-1)))); ) words.push(w);
    if (words.length > 3) titles.add(words.join(' '));
  }
  return [...titles].slice(0, n).map((title, i) => ({
    path: `/news/${i}`, title, excerpt: '', tags: (rows[i] ?? pick(rows))[1].split(',').filter(Boolean), section: 'news', author: '', date: '',
  }));
}

const STOP = new Set('a an and are as at by for from how in into is it its of on or our that the their this to we what why with you your'.split(' '));
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** What a hurried hand makes of a word: a letter wrong, missing, doubled up or swapped with its neighbour. */
function typo(word, rand) {
  const i = 1 + Math.floor(rand() * (word.length - 2));
  const letter = LETTERS[Math.floor(rand() * 26)];
  switch (Math.floor(rand() * 4)) {
    case 0: return word.slice(0, i) + letter + word.slice(i + 1);
    case 1: return word.slice(0, i) + word.slice(i + 1);
    case 2: return word.slice(0, i) + letter + word.slice(i);
    default: return word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2);
  }
}

function shuffle(list, rand) {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(rand() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

/** How each kind of query is made of the words that a reader remembers. Null: these words do not allow it. */
export const KINDS = {
  reordered(words, rand) {
    const out = shuffle(words, rand);
    return out.join() === words.join() ? out.reverse() : out;
  },
  infix(words, rand) {
    if (words.some((w) => w.length < 6)) return null;
    return words.map((w) => {
      const from = 1 + Math.floor(rand() * 2);
      return w.slice(from, Math.max(from + 4, w.length - Math.floor(rand() * 2)));
    });
  },
  'one typo'(words, rand) {
    const long = words.filter((w) => w.length >= 5);
    if (!long.length) return null;
    const victim = long[Math.floor(rand() * long.length)];
    return words.map((w) => (w === victim ? typo(w, rand) : w));
  },
  'two typos'(words, rand) {
    const long = shuffle(words.filter((w) => w.length >= 5), rand).slice(0, 2);
    if (long.length < 2) return null;
    return words.map((w) => (long.includes(w) ? typo(w, rand) : w));
  },
};

/**
 * n queries of one kind, each with the entry that it looks for.
 *
 * @param {{path: string, title: string}[]} all
 * @param {keyof typeof KINDS} kind
 * @param {number} n
 */
export function queries(all, kind, n, seed = 2) {
  const rand = random(seed);
  const out = [];
  while (out.length < n) {
    const target = all[Math.floor(rand() * all.length)];
    const words = [...new Set(fold(target.title).match(/[a-z]{3,}/g))].filter((w) => !STOP.has(w));
    if (words.length < 3) continue;
    const kept = new Set(shuffle(words, rand).slice(0, 3));
    const query = KINDS[kind](words.filter((w) => kept.has(w)), rand);
    if (query) out.push({ query: query.join(' '), path: target.path });
  }
  return out;
}
