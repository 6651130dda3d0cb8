// What else may happen: nothing found, slips of the finger, a server or a network that is gone, pages that attack.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ARTICLES, stage } from './browser.js';
import { expect } from './expect.js';
import { index, page as html } from './site.js';

/** @type {Awaited<ReturnType<typeof stage>>} */
let s;
before(async () => (s = await stage()));
after(() => s.close());

const FORM = '<form method="get" action="/archive/"><input type="hidden" name="in" value="all"><input type="search" name="s" aria-label="Search"><button>Go</button></form>';

test('no results: a message, and the way that the form knows', async () => {
  s.site.routes['/form'] = html({ content: FORM });
  const w = await s.visit('/form');
  await w.search('zeppelin & co');
  await expect(() => w.note.textContent()).matches(/No articles match “zeppelin & co”/);
  await expect(() => w.status.textContent()).is('No articles match “zeppelin & co”');
  assert.equal(await w.input.getAttribute('aria-expanded'), 'false');
  assert.equal(await w.list.isVisible(), false);
  await w.page.keyboard.press('Enter');
  await w.page.keyboard.press('ArrowDown');
  await w.widget.getByRole('link', { name: 'Search another way' }).click();
  await w.page.waitForURL('**/archive/?in=all&s=zeppelin+%26+co');
  await w.leave();
});

test('what is typed is shown as it is typed', async () => {
  const w = await s.visit();
  await w.search("$& $' {query} <b>");
  await expect(() => w.note.locator('p').first().textContent()).is("No articles match “$& $' {query} <b>”");
  await w.leave();
});

test('a typo finds close matches, said to be such, and not where the exact ones are enough', async () => {
  const w = await s.visit();
  await w.search('calbiration');
  await expect(w.groups).equals(['Close matches']);
  assert.deepEqual(await w.titles(), ['Calibration is a conversation']);
  assert.deepEqual(await w.widget.locator('mark').allTextContents(), ['Calibration']);
  await w.input.fill('harbour measurs');
  await expect(w.titles).equals(['The harbour that measures itself']);
  await w.input.fill('e');
  await expect(w.groups).equals(['Articles']);
  await w.leave();
});

test('the index is fetched when the search is first touched, then revalidated by its ETag, then not at all', async () => {
  const w = await s.visit();
  const fetched = () => s.site.log.filter((r) => r.path.endsWith('index.json')).map((r) => r.status);
  s.site.log.length = 0;
  await w.trigger.waitFor();
  assert.deepEqual(fetched(), []);
  await w.trigger.focus();
  await expect(fetched).equals([200]);
  await w.search('wool');
  await w.page.keyboard.press('Escape');
  await w.search('harbour');
  await expect(() => w.options.count()).is(2);
  assert.deepEqual(fetched(), [200]);
  await w.page.reload();
  await w.search('wool');
  await expect(() => w.options.count()).is(1);
  assert.deepEqual(fetched(), [200], 'a following page of the session takes the cached copy');
  await w.page.evaluate(() => sessionStorage.clear());
  await w.page.reload();
  await w.search('wool');
  await expect(() => w.options.count()).is(1);
  assert.deepEqual(fetched(), [200, 304], 'a new session revalidates it');
  await w.leave();
});

test('offline after the first load', async () => {
  const w = await s.visit();
  await w.search('wool');
  await expect(() => w.options.count()).is(1);
  await w.page.context().setOffline(true);
  await w.input.fill('calibration');
  await expect(w.titles).equals(['Calibration is a conversation']);
  await w.leave();
});

test('an index that cannot be revalidated is taken from the cache', async () => {
  const w = await s.visit();
  await w.search('wool');
  await expect(() => w.options.count()).is(1);
  await w.page.evaluate(() => sessionStorage.clear());
  await w.page.reload();
  await w.page.context().setOffline(true);
  await w.search('calibration');
  await expect(w.titles).equals(['Calibration is a conversation']);
  await w.leave();
});

for (const [what, answer] of Object.entries({
  'is missing': { status: 404, body: 'no' },
  'is no JSON': { status: 200, body: '{"version":1,"articles":[' },
  'is of another version': { status: 200, body: '{"version":2,"articles":[]}' },
  'is not an index': { status: 200, body: '[]' },
  'is too large': { status: 200, body: ' '.repeat(65 << 20) },
})) {
  test(`an index that ${what}: a message and a link; the next opening tries again`, async () => {
    s.site.routes['/api/broken.json'] = () => answer;
    s.site.routes['/broken'] = html({ attributes: 'src="/api/broken.json"' });
    const w = await s.visit('/broken');
    await w.search('wool');
    await expect(() => w.note.textContent()).matches(/not available/);
    await expect(() => w.status.textContent()).matches(/not available/);
    assert.equal(await w.widget.getByRole('link').getAttribute('href'), `${s.site.url}/`);
    await w.page.keyboard.press('Escape');
    s.site.routes['/api/broken.json'] = index(ARTICLES);
    await w.search('wool');
    await expect(() => w.options.count()).is(1);
    assert.equal(await w.note.isVisible(), false);
    assert.deepEqual(w.complaints, []);
    await w.leave();
  });
}

test('an entry that is not what it should be does no harm', async () => {
  s.site.routes['/api/odd.json'] = JSON.stringify({ version: 1, articles: [null, 7, {}, { path: 5 }, { path: '/a', title: null, tags: 'x', date: 'yesterday' }, { path: '/b', title: 'Wool', tags: [1, null] }] });
  s.site.routes['/odd'] = html({ attributes: 'src="/api/odd.json"' });
  const w = await s.visit('/odd');
  await w.search();
  await expect(w.titles).equals(['/a', 'Wool']);
  assert.deepEqual(w.complaints, []);
  await w.leave();
});

test('hostile titles, excerpts, tags and paths stay text and stay on the site', async () => {
  const bad = '<img src=x onerror=alert(1)><script>alert(2)</script>{{x}}';
  s.site.routes['/api/hostile.json'] = index(
    ['javascript:alert(3)', '//evil.example/x', '/\\evil.example', 'data:text/html,x', '/ok?x=1'].map((path) => ({ path, title: bad, excerpt: bad, author: bad, section: bad, tags: [bad] })),
  );
  s.site.routes['/api/search'] = () => ({ type: 'json', body: JSON.stringify({ query: '', count: 1, articles: [{ title: bad, excerpt: bad, path: 'javascript:alert(4)//', url: 'javascript:alert(5)' }] }) });
  s.site.routes['/api/companies/search'] = () => ({ type: 'json', body: JSON.stringify({ query: '', companies: [{ slug: '../../<x>', name: bad, articleCount: 1, articles: [] }] }) });
  s.site.routes['/hostile'] = html({ attributes: 'src="/api/hostile.json" api="/api" company-url="/companies/{slug}/"' });
  const w = await s.visit('/hostile');
  w.page.on('dialog', (dialog) => w.complaints.push(`a script ran: ${dialog.message()}`));
  await w.search('img onerror');
  await expect(w.groups).equals(['Articles', 'Companies', 'In the full text']);
  for (const title of await w.titles()) assert.equal(title, bad);
  assert.equal(await w.widget.locator('.option img, .option script').count(), 0);
  for (const link of await w.options.all()) assert.equal(new URL(await link.getAttribute('href')).origin, s.site.url);
  assert.deepEqual(w.complaints, []);
  delete s.site.routes['/api/search'];
  delete s.site.routes['/api/companies/search'];
  await w.leave();
});

test('everything works under default-src self, and nothing is reported', async () => {
  // Every page here is served with that policy; this one also counts what it would have blocked.
  const w = await s.visit();
  await w.page.evaluate(() => {
    Object.assign(window, { violations: [] });
    document.addEventListener('securitypolicyviolation', (event) => /** @type {any} */ (window).violations.push(event.violatedDirective));
  });
  await w.search('harbour');
  await expect(() => w.options.count()).is(2);
  assert.deepEqual(await w.page.evaluate(() => /** @type {any} */ (window).violations), []);
  assert.equal(await w.widget.evaluate((node) => node.shadowRoot.querySelectorAll('[style], style').length), 0);
  assert.equal(await w.dialog.evaluate((node) => getComputedStyle(node).borderRadius), '12px', 'the stylesheet is in force');
  await w.leave();
});

test('without JavaScript the form remains', async () => {
  s.site.routes['/form'] = html({ content: FORM });
  const w = await s.visit('/form', { javaScriptEnabled: false });
  await w.page.getByRole('searchbox').fill('wool');
  await w.page.getByRole('button', { name: 'Go' }).click();
  await w.page.waitForURL('**/archive/?in=all&s=wool');
  await w.leave();
});

test('with JavaScript the form gives way to the button', async () => {
  s.site.routes['/form'] = html({ content: FORM });
  const w = await s.visit('/form');
  await w.trigger.waitFor();
  assert.equal(await w.page.getByRole('searchbox').isVisible(), false);
  await w.leave();
});

test('what a reader has typed into the form is not lost when the search takes its place', async () => {
  // The page does not link the stylesheet: it would wait for it.
  s.site.routes['/bare-form'] = html({ content: FORM }).replace(/<link[^>]*>/, '');
  const page = await s.newPage();
  const styles = new Promise((resolve) => page.route('**/read-finder.css', resolve));
  await page.goto(`${s.site.url}/bare-form`, { waitUntil: 'commit' });
  await page.getByRole('searchbox').fill('wool');
  await (await styles).continue();
  await expect(() => page.getByRole('combobox').inputValue()).is('wool');
  await expect(() => page.getByRole('option').count()).is(1);
  await page.context().close();
});

test('right to left: Arabic words, mirrored dialog, titles in their own direction', async () => {
  s.site.routes['/api/ar.json'] = index([{ title: 'الصوف الذي لا يريده أحد', excerpt: 'كل ربيع تتراكم الجزز.', section: 'مواد' }, ...ARTICLES]);
  s.site.routes['/ar'] = html({ lang: 'ar', dir: 'rtl', attributes: 'src="/api/ar.json"' });
  const w = await s.visit('/ar');
  await w.search('الصوف');
  await expect(w.groups).equals(['المقالات']);
  await expect(() => w.status.textContent()).is('نتيجة واحدة');
  await expect(async () => {
    const [box, icon] = [await w.dialog.boundingBox(), await w.dialog.locator('.bar .icon').first().boundingBox()];
    return icon.x > box.x + box.width / 2 ? 'right' : 'left';
  }).is('right');
  await w.input.fill('الصزف');
  await expect(w.groups).equals(['نتائج قريبة']);
  await w.leave();
});

test('a language that it does not speak: English, numbers and dates by that language', async () => {
  s.site.routes['/pt'] = html({ lang: 'pt-BR' });
  const w = await s.visit('/pt');
  await w.search('wool');
  await expect(w.groups).equals(['Articles']);
  assert.match(await w.widget.locator('.meta').first().textContent(), /11 de ago\. de 2026/);
  await w.leave();
});

test('reduced motion: nothing moves', async () => {
  for (const [reducedMotion, animations] of /** @type {const} */ ([['no-preference', true], ['reduce', false]])) {
    const w = await s.visit('/', { reducedMotion });
    await w.trigger.click();
    await w.input.waitFor();
    assert.equal(await w.dialog.evaluate((node) => getComputedStyle(node).animationName !== 'none'), animations);
    await w.leave();
  }
});

test('forced colours: the active option has an outline', async () => {
  const w = await s.visit('/', { forcedColors: 'active' });
  await w.search('harbour');
  await expect(() => w.options.count()).is(2);
  assert.equal(await w.active.evaluate((node) => getComputedStyle(node).outlineStyle), 'solid');
  await w.leave();
});

test('mobile: the dialog fills the screen, nothing overflows, the input is 16 px or more', async () => {
  s.site.routes['/api/wide.json'] = index([{ title: 'W'.repeat(300), excerpt: 'o'.repeat(400) }, ...ARTICLES]);
  s.site.routes['/wide'] = html({ attributes: 'src="/api/wide.json"' });
  const w = await s.visit('/wide', { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true });
  await w.trigger.tap();
  await w.input.fill('o');
  await expect(() => w.options.count()).is(7);
  await expect(() => w.dialog.boundingBox()).equals({ x: 0, y: 0, width: 320, height: 568 });
  assert.equal(await w.dialog.evaluate((node) => node.scrollWidth), 320);
  assert.equal(await w.list.evaluate((node) => node.scrollWidth), 320);
  assert.ok(parseFloat(await w.input.evaluate((node) => getComputedStyle(node).fontSize)) >= 16);
  const close = await w.widget.getByRole('button', { name: 'Close' }).boundingBox();
  assert.ok(close.width >= 44 && close.height >= 44, 'a finger hits the close button');
  await w.widget.getByRole('option', { name: 'Wool nobody wants' }).tap();
  await w.page.waitForURL('**/wool-nobody-wants/');
  await w.leave();
});

test('20,000 entries are searched in a worker', async () => {
  s.site.routes['/api/large.json'] = index(Array.from({ length: 20_000 }, (_, i) => ({ title: `Report ${i} on the harbour of ${['Gent', 'Porto', 'Trieste', 'Gdańsk'][i % 4]}`, excerpt: 'Sensors in the quay. '.repeat(8) })));
  s.site.routes['/large'] = html({ attributes: 'src="/api/large.json" fold-diacritics' });
  const w = await s.visit('/large');
  await w.search('gdansk 19999');
  await expect(w.titles).equals(['Report 19999 on the harbour of Gdańsk']);
  await expect(() => w.page.workers().length).is(1);
  await w.input.fill('triest 1998 harbor');
  await expect(async () => (await w.groups())[0]).is('Close matches');
  await w.input.fill('');
  await expect(w.groups).equals(['Latest articles']);
  await w.input.pressSequentially('harbour');
  await expect(() => w.status.textContent()).is('20,000 results');
  assert.equal(await w.options.count(), 20);
  assert.deepEqual(w.complaints, []);
  await w.leave();
});

test('10,000 entries need no worker, and more do without where none can be had', async () => {
  const many = (n) => index(Array.from({ length: n }, (_, i) => ({ title: `Report ${i}` })));
  s.site.routes['/api/10000.json'] = many(10_000);
  s.site.routes['/api/10001.json'] = many(10_001);
  for (const [n, path, workers] of /** @type {const} */ ([[10_000, '/large', 0], [10_001, '/large', 1], [10_001, '/no-worker', 0]])) {
    s.site.routes[path] = html({ attributes: `src="/api/${n}.json"`, head: path === '/no-worker' ? `<meta http-equiv="Content-Security-Policy" content="worker-src 'none'">` : '' });
    const w = await s.visit(path);
    await w.search(`report ${n - 1}`);
    await expect(w.titles).equals([`Report ${n - 1}`]);
    await expect(() => w.page.workers().length).is(workers);
    await w.leave();
  }
});
