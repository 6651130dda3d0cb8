// The engine finds what the server finds, in its order; beyond that, close matches; and nothing that is typed breaks it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { markRanges, markWords, snippet } from '../src/highlight.js';
import { fold, tokens } from '../src/fold.js';
import { pageUrl } from '../src/results.js';
import { Engine } from '../src/search.js';
import { stage } from './browser.js';
import { expect } from './expect.js';
import { entries, random } from './known-items.js';

const table = JSON.parse(await readFile(join(import.meta.dirname, '../../../testdata/matching.json'), 'utf8'));

/** @type {Awaited<ReturnType<typeof stage>>} */
let s;
before(async () => (s = await stage()));
after(() => s.close());

test('the table that the server’s search is tested with, in the page', async () => {
  assert.ok(table.cases.length >= 30);
  s.site.routes['/api/read-finder-index.json'] = JSON.stringify({ version: 1, generatedAt: '', fingerprint: '', articles: table.articles });
  const w = await s.visit();
  await w.search();
  for (const { why, q, paths } of table.cases) {
    if (!q.trim()) continue; // the page shows the newest articles then
    await w.input.fill('');
    await expect(w.groups).equals(['Latest articles']);
    await w.input.fill(q);
    await expect(w.groups).matches(/^(?!Latest)/);
    const found = await w.widget.evaluate((node) => {
      const exact = [...node.shadowRoot.querySelectorAll('.group')].filter((g) => g.querySelector('.head').textContent === 'Articles');
      return exact.flatMap((g) => [...g.querySelectorAll('a')].map((a) => new URL(a.href).pathname.slice(0, -1)));
    });
    assert.deepEqual(found, paths, `${why}: ${q}`);
  }
  await w.leave();
});

/** An entry's score for words, as design and contract put it; 0 where a word is nowhere. */
function score(entry, words) {
  const fields = [[8, entry.title], ...[...entry.tags, entry.section, entry.author].map((f) => [4, f]), [2, entry.excerpt]];
  const best = words.map((word) => Math.max(0, ...fields.filter(([, f]) => fold(f).includes(word)).map(([weight]) => weight)));
  return best.includes(0) ? 0 : best.reduce((a, b) => a + b, 0);
}

test('exact hits are those of a plain scan, best first, newest first among equals', async () => {
  const all = await entries(400);
  all.forEach((e, i) => Object.assign(e, { excerpt: all[(i * 7) % 400].title, author: all[(i * 13) % 400].title.split(' ')[0], section: ['news', 'events'][i % 2] }));
  const engine = new Engine(all, false);
  const rand = random(11);
  let hits = 0;
  for (let n = 0; n < 1_500; n++) {
    const text = Object.values(all[Math.floor(rand() * 400)]).flat().join(' ');
    const words = Array.from({ length: 1 + Math.floor(rand() * 3) }, () => {
      const from = Math.floor(rand() * text.length);
      return text.slice(from, from + 1 + Math.floor(rand() * 6));
    });
    const query = words.join(' ');
    const folded = tokens(query);
    if (!folded.length) continue;
    const scored = all.map((entry) => ({ entry, score: score(entry, folded) })).filter((hit) => hit.score);
    const want = scored.sort((a, b) => b.score - a.score).map((hit) => hit.entry.path);
    const got = engine.search(query, Infinity);
    assert.deepEqual(got.exact.map((hit) => hit.entry.path), want, JSON.stringify(query));
    assert.equal(got.total, want.length);
    hits += want.length;
  }
  assert.ok(hits > 10_000, 'the queries found something');
});

test('diacritics count or not, as the site says', () => {
  const entry = { path: '/a', title: 'Résumé', excerpt: '', tags: [], section: '', author: '', date: '' };
  assert.equal(new Engine([entry], false).search('resume', 5).total, 0);
  assert.equal(new Engine([entry], true).search('resume', 5).total, 1);
  assert.equal(new Engine([entry], false).search('resume', 5).close.length, 1, 'a close match in either case');
});

test('close matches in other scripts', () => {
  const titles = ['Искусство калибровки', 'Η βαθμονόμηση είναι διάλογος', 'الصوف الذي لا يريده أحد', 'कैलिब्रेशन एक बातचीत है'];
  const all = titles.map((title, i) => ({ path: `/${i}`, title, excerpt: '', tags: [], section: '', author: '', date: '' }));
  const engine = new Engine(all, false);
  for (const [query, path] of [['колибровки', '/0'], ['калибровки исскуство', '/0'], ['βαθμονομιση', '/1'], ['الذي الصووف', '/2'], ['बातचित', '/3']]) {
    assert.equal(engine.search(query, 5).total, 0, query);
    assert.equal(engine.search(query, 5).close[0]?.entry.path, path, query);
  }
});

test('close matches show what of the title matched', () => {
  const entry = { path: '/a', title: 'The Café’s Straße: calibration', excerpt: '', tags: ['Metrology'], section: '', author: '', date: '' };
  const [hit] = new Engine([entry], false).search('calbiration cafe metrolgy', 5).close;
  const marked = markRanges(entry.title, hit.ranges).filter((p) => p.marked).map((p) => p.text);
  assert.deepEqual(marked, ['Café', 'calibration']);
});

test('marks cover whole characters of the original', () => {
  const marked = (text, query, loose = false) => markWords(text, tokens(query, loose), loose).filter((p) => p.marked).map((p) => p.text);
  assert.deepEqual(marked('Straße', 'ras'), ['raß']);
  assert.deepEqual(marked('e\u0301te\u0301', 'é'), ['e\u0301', 'e\u0301']);
  assert.deepEqual(marked('co\u00adop coop', 'coop'), ['co\u00adop', 'coop']);
  assert.deepEqual(marked('Wait… İzmir', '.. i'), ['i', '…', 'İ', 'i']);
  assert.deepEqual(marked('résumé', 'resume', true), ['résumé']);
  assert.deepEqual(marked('aaaa', 'aa'), ['aaaa']);
  assert.deepEqual(marked('𐐀bc 한국', '𐐨 한'), ['𐐀', '한']);
  for (const text of ['', 'Ἀ\u0345\u0301', '\u1112\u1161\u11ab', 'a\u00ad\u0301']) {
    assert.equal(markWords(text, ['x'], false).map((p) => p.text).join(''), text);
  }
});

test('an excerpt begins near its first mark', () => {
  const text = `${'word '.repeat(60)}needle and more`;
  const short = snippet(markWords(text, ['needle'], false));
  assert.match(short.map((p) => p.text).join(''), /^… (word ){4,12}needle and more$/);
  const early = markWords('a needle', ['needle'], false);
  assert.equal(snippet(early), early);
});

test('addresses need no redirect', () => {
  const root = new URL('https://example.org/');
  const below = new URL('https://example.org/docs/');
  assert.equal(pageUrl(root, '/a/b'), 'https://example.org/a/b/');
  assert.equal(pageUrl(root, '/a/b.html'), 'https://example.org/a/b.html');
  assert.equal(pageUrl(root, '/a/version-1.2'), 'https://example.org/a/version-1.2/');
  assert.equal(pageUrl(below, '/fr/a%20b'), 'https://example.org/docs/fr/a%20b/');
  assert.equal(pageUrl(root, '/'), 'https://example.org/');
  assert.equal(new URL(pageUrl(root, '//evil.example/x')).origin, 'https://example.org');
});

test('nothing that is typed breaks the search', async () => {
  const engine = new Engine(await entries(200), false);
  const rand = random(5);
  const alphabet = [..."abcdefghi '\"-+*?.()[]{}|\\^$/eexxaacctt123éßжあ\u0301\u{1f600}\ud800"];
  const fixed = ['"', '-', '-a', '"a b" -c', "'", "a'b'c", '\\', '((((', 'a'.repeat(256), 'ab '.repeat(85), '(?:a|b)*', '"quoted phrase', 'eexxaacctt "x"', 'eexxaacctt'];
  const typed = Array.from({ length: 600 }, () => Array.from({ length: 1 + Math.floor(rand() * 30) }, () => alphabet[Math.floor(rand() * alphabet.length)]).join(''));
  for (const query of [...fixed, ...typed]) {
    const { exact, close, total } = engine.search(query, 20);
    assert.ok(exact.length <= 20 && close.length <= 8 && total >= 0, JSON.stringify(query));
  }
});
