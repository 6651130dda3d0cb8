// The browser folds as Go does: by the shared table, and code point by code point.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stage } from './browser.js';

const testdata = join(import.meta.dirname, '../../../testdata');

/** @type {Awaited<ReturnType<typeof stage>>} */
let s;
before(async () => (s = await stage()));
after(() => s.close());

test('the table that Go’s fold is tested with', async () => {
  const rows = JSON.parse(await readFile(join(testdata, 'fold.json'), 'utf8'));
  assert.ok(rows.length > 25);
  const w = await s.visit();
  const folded = await w.page.evaluate(async (rows) => {
    const { fold } = await import(/** @type {any} */ ('/src/fold.js'));
    return rows.map((row) => fold(row.in, row.foldDiacritics));
  }, rows);
  rows.forEach((row, i) => assert.equal(folded[i], row.out, row.why));
  await w.leave();
});

test('every code point, against the list that Go wrote', async () => {
  const lines = (await readFile(join(testdata, 'widget/folds.txt'), 'utf8')).trim().split('\n').slice(1);
  const want = lines.map((line) => line.split(' ').map((hex) => parseInt(hex, 16)));
  assert.ok(want.length > 2500);
  const w = await s.visit();
  const different = await w.page.evaluate(async (want) => {
    const { fold } = await import(/** @type {any} */ ('/src/fold.js'));
    const folds = new Map(want.map(([c, ...to]) => [c, String.fromCodePoint(...to)]));
    const out = [];
    for (let c = 0; c <= 0x10ffff; c++) {
      if (c >= 0xd800 && c <= 0xdfff) continue;
      const s = String.fromCodePoint(c);
      if (fold(s) !== (folds.get(c) ?? s)) out.push(s);
    }
    return out;
  }, want);
  // The browser knows letters that came after Unicode 15, which Go's fold leaves as they are: Garay, Beria Erfe, and a few
  // Latin and Cyrillic capitals.
  const newer = /[\u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u;
  assert.deepEqual(different.filter((c) => !newer.test(c)), []);
  await w.leave();
});
