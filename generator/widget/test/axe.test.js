// axe-core finds no violation in any state, in light and dark, wide and narrow.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { stage } from './browser.js';
import { expect } from './expect.js';
import { page as html } from './site.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @type {Awaited<ReturnType<typeof stage>>} */
let s;
before(async () => {
  s = await stage();
  const json = (value) => () => ({ type: 'json', body: JSON.stringify(value) });
  s.site.routes['/'] = html({ attributes: 'api="/api" theme="auto"', head: '<link rel="stylesheet" href="/page.css">' });
  s.site.routes['/page.css'] = ':root { color-scheme: light dark }';
  s.site.routes['/broken'] = html({ attributes: 'src="/api/none.json" theme="auto"', head: '<link rel="stylesheet" href="/page.css">' });
  s.site.routes['/ar'] = html({ lang: 'ar', dir: 'rtl', attributes: 'theme="auto"', head: '<link rel="stylesheet" href="/page.css">' });
  s.site.routes['/api/search'] = json({ query: '', count: 1, articles: [{ title: 'Reading a research budget', excerpt: 'What the harbour spends.', path: '/x', url: '/x' }] });
  s.site.routes['/api/companies/search'] = json({ query: '', companies: [{ slug: 'v', name: 'Vandersteen', articleCount: 1, articles: [{ title: 'First', path: '/a', url: '/a' }] }] });
});
after(() => s.close());

/** Every state: where it is, and how to get there. @type {Record<string, [path: string, reach: (w: any) => Promise<unknown>]>} */
const STATES = {
  closed: ['/', (w) => w.trigger.waitFor()],
  'open, nothing typed': ['/', async (w) => (await w.search(), await expect(w.groups).equals(['Latest articles']))],
  'recent searches': ['/', async (w) => {
    await w.page.evaluate(() => localStorage.setItem('read-finder:recent', '["wool","harbour"]'));
    await w.search();
    await expect(async () => (await w.groups()).length).is(2);
  }],
  results: ['/', async (w) => (await w.search('harbour'), await expect(async () => (await w.groups()).length).is(3))],
  'walking through results': ['/', async (w) => {
    await w.search('harbour');
    await expect(async () => (await w.groups()).length).is(3);
    await w.page.keyboard.press('End');
    await w.page.keyboard.press('ArrowUp');
  }],
  'a company’s articles': ['/', async (w) => {
    await w.search('harbour');
    await expect(async () => (await w.groups()).length).is(3);
    await w.widget.getByRole('option', { name: 'Vandersteen' }).click();
    await expect(w.groups).equals(['Vandersteen']);
  }],
  'close matches': ['/', async (w) => {
    await w.search('calbiration');
    await expect(async () => (await w.groups()).length).is(3);
    assert.equal((await w.groups())[0], 'Close matches');
  }],
  'no results': ['/broken', async (w) => (await w.search('x'), await w.note.waitFor())],
  'right to left': ['/ar', async (w) => (await w.search('wool'), await expect(() => w.options.count()).is(1))],
  'right to left, no results': ['/ar', async (w) => (await w.search('zeppelin'), await w.note.waitFor())],
};

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const [state, [path, reach]] of Object.entries(STATES)) {
    for (const width of [320, 1280]) {
      test(`${state}, ${colorScheme}, ${width} px`, async () => {
        const w = await s.visit(path, { colorScheme, viewport: { width, height: 720 } });
        await reach(w);
        await w.page.evaluate(axe);
        const found = await w.page.evaluate(() => /** @type {any} */ (window).axe.run(document, { resultTypes: ['violations', 'incomplete'] }));
        const say = (list) => list.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html} ${n.failureSummary}`).join('\n')}`);
        assert.deepEqual(say(found.violations), []);
        if (process.env.INCOMPLETE) console.log(state, say(found.incomplete));
        await w.leave();
      });
    }
  }
}
