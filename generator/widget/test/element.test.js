// What a reader does: open, type, move, choose.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expect } from './expect.js';
import { ARTICLES, stage } from './browser.js';
import { page as html } from './site.js';

/** @type {Awaited<ReturnType<typeof stage>>} */
let s;
before(async () => (s = await stage()));
after(() => s.close());

const isOpen = (w) => w.dialog.evaluate((node) => node.open);

test('open, type, choose', async () => {
  const w = await s.visit();
  await w.trigger.click();
  await expect(() => w.input.evaluate((node) => node === node.getRootNode().activeElement)).is(true);
  await expect(w.groups).equals(['Latest articles']);
  await w.page.keyboard.type('harbour');
  await expect(w.titles).equals(['The harbour that measures itself', 'How the punch cutter counts']);
  await expect(() => w.status.textContent()).is('2 results');
  await w.page.keyboard.press('Enter');
  await w.page.waitForURL('**/logistics/ports/harbour/');
  assert.deepEqual(w.complaints, []);
  await w.leave();
});

test('an ugly address gets no slash, and the site may lie below a base', async () => {
  s.site.routes['/based'] = html({ attributes: 'base="/below/"' });
  const w = await s.visit('/based');
  await w.search('strassen');
  await expect(() => w.options.first().getAttribute('href')).is(`${s.site.url}/below/materials/metals/strassen.html`);
  await w.leave();
});

test('arrows, Home and End walk through the options, and the input says which', async () => {
  const w = await s.visit();
  await w.search('e');
  await expect(() => w.options.count()).is(6);
  const active = async () => [await w.active.getAttribute('id'), await w.input.getAttribute('aria-activedescendant')];
  const press = async (key) => (await w.page.keyboard.press(key), (await active()).join());
  assert.equal((await active()).join(), 'o0,o0');
  assert.equal(await press('Home'), 'o0,o0', 'before walking, Home is about the text');
  assert.equal(await press('ArrowDown'), 'o1,o1');
  assert.equal(await press('End'), 'o5,o5');
  assert.equal(await press('ArrowDown'), 'o0,o0');
  assert.equal(await press('ArrowUp'), 'o5,o5');
  assert.equal(await press('Home'), 'o0,o0');
  assert.equal(await press('PageDown'), 'o5,o5');
  assert.equal(await press('PageUp'), 'o0,o0');
  assert.equal(await w.active.count(), 1);
  assert.equal(await w.input.getAttribute('aria-expanded'), 'true');
  await w.leave();
});

test('Home is the text’s again once a letter is typed', async () => {
  const w = await s.visit();
  await w.search('e');
  await expect(() => w.options.count()).is(6);
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.type('r');
  await w.page.keyboard.press('Home');
  await w.page.keyboard.type('h');
  assert.equal(await w.input.inputValue(), 'her');
  await w.leave();
});

test('Ctrl-Enter opens a new tab and the search goes on', async () => {
  const w = await s.visit();
  await w.search('wool');
  await expect(() => w.options.count()).is(1);
  const tab = w.page.context().waitForEvent('page');
  await w.page.keyboard.press('Control+Enter');
  const opened = await tab;
  await expect(() => new URL(opened.url()).pathname).is('/materials/fibres/wool-nobody-wants/');
  assert.equal(await isOpen(w), true);
  await w.leave();
});

test('Escape closes, and the focus returns to where it was', async () => {
  const w = await s.visit();
  await w.search('wool');
  await w.page.keyboard.press('Escape');
  await expect(() => isOpen(w)).is(false);
  await expect(() => w.trigger.evaluate((node) => node === node.getRootNode().activeElement)).is(true);
  await w.trigger.click();
  await expect(() => isOpen(w)).is(true);
  assert.equal(await w.input.inputValue(), 'wool', 'the query stays');
  assert.equal(await w.input.evaluate((node) => node.selectionEnd - node.selectionStart), 4, 'ready to be typed over');
  await w.leave();
});

test('the close button and a click beside the dialog close it; a selection that ends there does not', async () => {
  const w = await s.visit();
  await w.search('wool');
  const box = await w.input.boundingBox();
  await w.page.mouse.move(box.x + 60, box.y + 20);
  await w.page.mouse.down();
  await w.page.mouse.move(3, 3);
  await w.page.mouse.up();
  assert.equal(await isOpen(w), true);
  await w.page.mouse.click(3, 3);
  await expect(() => isOpen(w)).is(false);
  await w.trigger.click();
  await w.widget.getByRole('button', { name: 'Close' }).click();
  await expect(() => isOpen(w)).is(false);
  await w.leave();
});

test('Ctrl-K, Cmd-K and / open it, never while typing in a field', async () => {
  s.site.routes['/fields'] = html({ body: '<input id="i"><textarea id="t"></textarea><select id="s"><option>a</select><div id="d" contenteditable="true">x</div><button id="b">b</button>' });
  const w = await s.visit('/fields');
  const open = () => isOpen(w);
  await w.trigger.waitFor();
  for (const id of ['i', 't', 's', 'd']) {
    await w.page.locator(`#${id}`).focus();
    for (const key of ['/', 'Control+k', 'Meta+k']) {
      await w.page.keyboard.press(key);
      assert.equal(await open(), false, `${key} in ${id}`);
    }
  }
  for (const key of ['/', 'Control+k', 'Meta+k']) {
    await w.page.locator('#b').focus();
    await w.page.keyboard.press(key);
    await expect(open).is(true);
    assert.equal(await w.input.inputValue(), '', 'the key itself is not typed');
    await w.page.keyboard.press('Escape');
    await expect(() => w.page.evaluate(() => document.activeElement?.id)).is('b');
  }
  for (const key of ['k', 'Control+/', 'Alt+Control+k']) {
    await w.page.keyboard.press(key);
    assert.equal(await open(), false, key);
  }
  await w.leave();
});

test('shortcuts can be left out', async () => {
  s.site.routes['/quiet'] = html({ attributes: 'shortcuts=""' });
  const w = await s.visit('/quiet');
  await w.trigger.waitFor();
  await w.page.keyboard.press('/');
  await w.page.keyboard.press('Control+k');
  assert.equal(await isOpen(w), false);
  await w.leave();
});

test('while an input method composes, keys and letters are its own', async () => {
  const w = await s.visit();
  await w.search('');
  await expect(w.groups).equals(['Latest articles']);
  const ime = await w.page.context().newCDPSession(w.page);
  await ime.send('Input.imeSetComposition', { text: 'wool', selectionStart: 4, selectionEnd: 4 });
  await w.input.evaluate((node) => {
    for (const key of ['Enter', 'ArrowDown']) node.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true }));
  });
  assert.deepEqual(await w.groups(), ['Latest articles']);
  assert.equal(await w.active.count(), 0);
  await ime.send('Input.insertText', { text: 'wool' });
  await expect(w.titles).equals(['Wool nobody wants']);
  await w.leave();
});

test('what matched is marked, in the reader’s own spelling', async () => {
  const w = await s.visit();
  const marks = () => w.widget.locator('mark').allTextContents();
  await w.search("DON'T third");
  await expect(marks).equals(['Don’t', 'third']);
  await w.input.fill('strasse');
  await expect(marks).equals(['Straße']);
  await w.input.fill('ine\u0302s');
  await expect(() => w.options.count()).is(2);
  await w.leave();
});

test('recent searches come back, and are cleared', async () => {
  const w = await s.visit();
  for (const query of ['wool', 'harbour']) {
    await w.search(query);
    await expect(async () => (await w.groups())[0]).is('Articles');
    await w.page.keyboard.press('Enter');
    await w.page.waitForURL(/wool-nobody|harbour/);
    await w.page.goto(s.site.url);
  }
  await w.search();
  await expect(w.groups).equals(['Recent searches', 'Latest articles']);
  assert.deepEqual((await w.titles()).slice(0, 2), ['harbour', 'wool']);
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.press('Enter');
  await expect(() => w.input.inputValue()).is('wool');
  await expect(w.groups).equals(['Articles']);
  await w.input.fill('');
  await w.widget.getByRole('button', { name: 'Clear recent searches' }).click();
  await expect(w.groups).equals(['Latest articles']);
  assert.equal(await w.page.evaluate(() => localStorage.length), 0);
  await w.leave();
});

test('recent searches can be left out', async () => {
  s.site.routes['/forgetful'] = html({ attributes: 'recent="off"' });
  const w = await s.visit('/forgetful');
  await w.search('wool');
  await expect(() => w.options.count()).is(1);
  await w.page.keyboard.press('Enter');
  await w.page.waitForURL('**/wool-nobody-wants/');
  assert.equal(await w.page.evaluate(() => localStorage.length), 0);
  await w.leave();
});

test('the query stands in the address when asked for, and the way back finds it', async () => {
  s.site.routes['/url'] = html({ attributes: 'url-param="q"' });
  const w = await s.visit('/url?page=2&q=harbour');
  await expect(w.titles).equals(['The harbour that measures itself', 'How the punch cutter counts']);
  await w.input.fill('wool');
  await expect(() => new URL(w.page.url()).search).is('?page=2&q=wool');
  await w.input.fill('wool ');
  await expect(w.titles).equals(['Wool nobody wants']);
  await w.page.keyboard.press('Enter');
  await w.page.waitForURL('**/wool-nobody-wants/');
  await w.page.goBack();
  await expect(() => w.input.inputValue()).is('wool');
  await w.page.keyboard.press('Escape');
  await expect(() => new URL(w.page.url()).search).is('?page=2');
  await w.leave();
});

test('the address stays as it is when not asked for', async () => {
  const w = await s.visit('/?q=harbour');
  await w.search('wool');
  await expect(w.titles).equals(['Wool nobody wants']);
  assert.equal(new URL(w.page.url()).search, '?q=harbour');
  await w.leave();
});

test('a page may bring its own button and its own words', async () => {
  s.site.routes['/own'] = html({ attributes: `strings='{"latest":"Fresh","count":{"one":"just {n}","other":"{n} of them"}}'`, content: '<button slot="trigger" id="own">Find</button>' });
  const w = await s.visit('/own');
  await w.page.locator('#own').click();
  await expect(w.groups).equals(['Fresh']);
  await w.input.fill('wool');
  await expect(() => w.status.textContent()).is('just 1');
  await w.leave();
});

test('the page behind stands still', async () => {
  s.site.routes['/long'] = html({ body: '<div id="tall"></div>', head: '<link rel="stylesheet" href="/tall.css">' });
  s.site.routes['/tall.css'] = '#tall{height:5000px}';
  const w = await s.visit('/long');
  const width = () => w.page.evaluate(() => document.querySelector('main').getBoundingClientRect().width);
  const before = await width();
  const turn = async () => {
    await w.page.screenshot(); // the wheel turns what is drawn, which may lag behind
    await w.page.mouse.wheel(0, 500);
    await w.page.screenshot();
    return w.page.evaluate(() => scrollY);
  };
  await w.trigger.click();
  assert.equal(await width(), before);
  await w.page.mouse.move(3, 300);
  assert.equal(await turn(), 0);
  await w.page.keyboard.press('Escape');
  await expect(() => isOpen(w)).is(false);
  await expect(async () => (await turn()) > 0).is(true);
  await w.leave();
});

test('closed and opened at once, it is open in every respect', async () => {
  const w = await s.visit();
  await w.search('wool');
  await expect(w.titles).equals(['Wool nobody wants']);
  const locks = () => w.page.evaluate(() => document.adoptedStyleSheets.length);
  await w.widget.evaluate((/** @type {any} */ node) => {
    node.close();
    node.open('harbour');
  });
  await expect(() => w.status.textContent()).is('2 results');
  assert.equal(await locks(), 1);
  await w.page.keyboard.press('Escape');
  await expect(locks).is(0);
  await w.leave();
});

test('an element that is removed and put back works on', async () => {
  const w = await s.visit();
  await w.search('wool');
  await w.widget.evaluate((node) => {
    const parent = node.parentNode;
    node.remove();
    parent.append(node);
  });
  await expect(() => isOpen(w)).is(false);
  await w.page.keyboard.press('/');
  await expect(w.titles).equals([ARTICLES[1].title]);
  assert.deepEqual(w.complaints, []);
  await w.leave();
});
