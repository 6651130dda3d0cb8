// With a server: its hits join below. Without one, or with one that fails, the widget is whole.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ARTICLES, stage } from './browser.js';
import { expect } from './expect.js';
import { index, page as html } from './site.js';

/** @type {Awaited<ReturnType<typeof stage>>} */
let s;
before(async () => (s = await stage()));
after(() => s.close());

const json = (value) => ({ type: 'json', body: JSON.stringify(value) });
const article = (path, title, excerpt = '') => ({ title, excerpt, path, url: `https://www.example.org${path}/` });
const BODY_HIT = article('/software/data/budget', 'Reading a research budget', 'What the harbour of Gent spends on software.');
const COMPANY = { slug: 'vandersteen', name: 'Vandersteen Harbour Works', articleCount: 2, articles: [article('/a', 'First'), article('/b', 'Second')] };

/** A page's requests to the server, in order, and what they ask for. */
const toServer = (w) => w.requests.filter((r) => /^\/api\/.*search$/.test(new URL(r.url()).pathname));
const asked = (w) => toServer(w).map((r) => r.url().slice(s.site.url.length));

/** Waits until the page has the whole answer to all that it has asked the server for, and has made of it what it will. */
async function answered(w) {
  for (const request of toServer(w)) await (await request.response())?.finished();
  await w.pass(100);
}

/** An answer that is sent when `send` is called, not before. */
function held(answer) {
  /** @type {() => void} */
  let send;
  const sent = new Promise((resolve) => (send = () => resolve(answer)));
  return { sent, send };
}

/** Longer than the pause in typing after which the server is asked, in milliseconds. */
const PAUSE = 500;

beforeEach(() => {
  s.site.routes['/'] = html({ attributes: 'api="/api"' });
  s.site.routes['/api/search'] = () => json({ query: 'harbour', count: 2, articles: [article('/logistics/ports/harbour', 'The harbour that measures itself'), BODY_HIT] });
  s.site.routes['/api/companies/search'] = () => json({ query: 'harbour', companies: [COMPANY] });
});

test('companies and full-text hits join below what is there, in the server’s order, and nothing twice', async () => {
  const w = await s.visit();
  await w.search('harbour');
  await expect(w.groups).equals(['Articles', 'Companies', 'In the full text']);
  assert.deepEqual(await w.titles(), ['The harbour that measures itself', 'How the punch cutter counts', COMPANY.name, BODY_HIT.title]);
  assert.deepEqual(await w.widget.locator('mark').allTextContents(), ['harbour', 'Harbour', 'Harbour', 'harbour']);
  await expect(() => w.status.textContent()).is('4 results');
  assert.equal(await w.options.last().getAttribute('href'), `${s.site.url}/software/data/budget/`);
  assert.deepEqual(asked(w).sort(), ['/api/companies/search?q=harbour&limit=3', '/api/search?q=harbour&limit=30']);
  await w.leave();
});

test('the option that the reader is on stays when the server answers', async () => {
  const answer = held(json({ query: '', count: 1, articles: [BODY_HIT] }));
  s.site.routes['/api/search'] = () => answer.sent;
  const w = await s.visit();
  await w.search('harbour');
  await expect(() => w.options.count()).is(2);
  await w.page.keyboard.press('ArrowDown');
  answer.send();
  await expect(() => w.options.count()).is(4);
  assert.equal(await w.input.getAttribute('aria-activedescendant'), 'o1');
  await w.leave();
});

test('the server is asked once typing pauses, and an answer that comes late is not shown', async () => {
  const about = (q) => json({ query: '', count: 1, articles: [article('/late', `about ${q}`)] });
  const late = held(about('wool'));
  s.site.routes['/api/search'] = (url) => (url.searchParams.get('q') === 'wool' ? late.sent : about(url.searchParams.get('q')));
  const w = await s.visit();
  await w.search();
  await expect(w.groups).equals(['Latest articles']);
  await w.input.evaluate(async (/** @type {HTMLInputElement} */ node) => {
    for (const letter of 'wool') { // a page's timers fire in order: on a slow machine too the next letter comes before a pause
      node.value += letter;
      node.dispatchEvent(new InputEvent('input'));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  await expect(() => asked(w).length).is(2);
  assert.ok(asked(w).every((target) => target.includes('q=wool&')), String(asked(w)));
  await w.input.fill('harbour');
  await expect(async () => (await w.titles()).includes('about harbour')).is(true);
  const [givenUp] = toServer(w).filter((r) => r.url().includes('/api/search?q=wool'));
  await expect(() => givenUp.failure()?.errorText).is('net::ERR_ABORTED');
  late.send();
  await w.pass(PAUSE);
  assert.ok(!(await w.titles()).includes('about wool'));
  assert.equal(asked(w).length, 4);
  await w.leave();
});

test('a company without a page of its own shows its articles', async () => {
  const w = await s.visit();
  await w.search('harbour');
  await expect(w.groups).equals(['Articles', 'Companies', 'In the full text']);
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.press('Enter');
  await expect(w.groups).equals(['Vandersteen Harbour Works']);
  assert.deepEqual(await w.titles(), ['First', 'Second']);
  await expect(() => w.status.textContent()).is('Vandersteen Harbour Works, 2 results');
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.press('Enter');
  await w.page.waitForURL('**/b/');
  await w.leave();
});

test('a company with a page is a link to it', async () => {
  s.site.routes['/'] = html({ attributes: 'api="/api" company-url="/companies/{slug}/"' });
  const w = await s.visit();
  await w.search('harbour');
  await expect(() => w.options.count()).is(4);
  assert.equal(await w.options.nth(2).getAttribute('href'), `${s.site.url}/companies/vandersteen/`);
  await w.leave();
});

for (const [what, answer] of Object.entries({
  'is down': () => ({ status: 503, body: '{}', type: 'json' }),
  'answers nonsense': () => ({ body: '<html>', type: 'html' }),
  'answers another shape': () => json({ articles: 7 }),
})) {
  test(`a server that ${what}: the widget is whole, and lets it rest`, async () => {
    s.site.routes['/api/search'] = answer;
    const w = await s.visit();
    await w.search('harbour');
    await expect(() => asked(w).length).is(2);
    await answered(w);
    await w.input.fill('wool');
    await expect(w.titles).equals(['Wool nobody wants']);
    await w.pass(PAUSE);
    assert.deepEqual(await w.groups(), ['Articles']);
    assert.equal(asked(w).length, 2);
    assert.deepEqual(w.complaints, []);
    await w.leave();
  });
}

test('a query that the server refuses is no failure of the server', async () => {
  let status = 400;
  const answer = s.site.routes['/api/search'];
  s.site.routes['/api/search'] = () => (status === 400 ? { ...json({}), status } : answer());
  const w = await s.visit();
  await w.search('a b c');
  await expect(() => asked(w).length).is(2);
  await answered(w);
  status = 200;
  await w.input.fill('harbour');
  await expect(w.groups).equals(['Articles', 'Companies', 'In the full text']);
  await w.leave();
});

test('without an index the server’s hits are there all the same', async () => {
  s.site.routes['/'] = html({ attributes: 'api="/api" src="/api/none.json"' });
  const w = await s.visit();
  await w.search('harbour');
  await expect(w.groups).equals(['Companies', 'In the full text']);
  await expect(() => w.note.textContent()).matches(/not available/);
  await w.leave();
});

test('a server of another origin', async () => {
  const other = await stage({ csp: "default-src 'self'", cors: true });
  other.site.routes['/api/search'] = s.site.routes['/api/search'];
  other.site.routes['/api/companies/search'] = s.site.routes['/api/companies/search'];
  const here = await stage({ csp: `default-src 'self'; connect-src 'self' ${other.site.url}` });
  here.site.routes['/'] = html({ attributes: `api="${other.site.url}/api/"` });
  here.site.routes['/api/read-finder-index.json'] = index(ARTICLES);
  const w = await here.visit();
  await w.search('harbour');
  await expect(w.groups).equals(['Articles', 'Companies', 'In the full text']);
  await w.leave();
  await here.close();
  await other.close();
});
