// Headless Chromium, and the widget as a reader meets it.
import { chromium } from 'playwright-core';
import { PATIENCE } from './expect.js';
import { page as html, index, serve } from './site.js';

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Starts the browser. Without one there is no test: that is an error, not a skip. */
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: QUIET, timeout: PATIENCE });

/** Articles that the tests look for. */
export const ARTICLES = [
  { title: 'Don’t trust the third decimal', excerpt: 'A micrometer is honest only as long as its owner is.', tags: ['Metrology'], section: 'craft', author: 'Aoife Brennan', date: '2026-09-01T00:00:00Z', path: '/craft/toolmaking/third-decimal' },
  { title: 'Wool nobody wants', excerpt: 'Every spring the fleeces pile up, and every spring the price falls.', tags: ['Fibres', 'Markets'], section: 'materials', author: 'Inês Moreira', date: '2026-08-11T00:00:00Z', path: '/materials/fibres/wool-nobody-wants' },
  { title: 'Straßen aus Schlacke', excerpt: 'Slag has paved more of Europe than stone.', tags: ['Metals'], section: 'materials', author: 'Jonas Wieland', date: '2026-07-02T00:00:00Z', path: '/materials/metals/strassen.html' },
  { title: 'The harbour that measures itself', excerpt: 'Sensors in the quay tell the pilot what the tide will not.', tags: ['Ports', 'Software'], section: 'logistics', author: 'Sofie D’hondt', date: '2026-06-20T00:00:00Z', path: '/logistics/ports/harbour' },
  { title: 'Calibration is a conversation', excerpt: 'Between the shop and the laboratory a gauge learns what a metre is.', tags: ['Metrology'], section: 'craft', author: 'Aoife Brennan', date: '2026-05-05T00:00:00Z', path: '/craft/toolmaking/calibration' },
  { title: 'How the punch cutter counts', excerpt: 'Harbour cranes and type have one thing in common: patience.', tags: ['Type'], section: 'craft', author: 'Inês Moreira', date: '2026-04-01T00:00:00Z', path: '/craft/type/punch-cutter' },
];

/**
 * Starts a site with the widget, and a browser.
 *
 * @param {Parameters<typeof serve>[0]} [options]
 */
export async function stage(options) {
  const browser = await launch(); // first: without one nothing is left running
  const site = await serve(options);
  site.routes['/'] = html();
  site.routes['/api/read-finder-index.json'] = index(ARTICLES);
  /** A page of a reader who was never here, empty yet. @param {import('playwright-core').BrowserContextOptions} [context] */
  const newPage = async (context) => {
    const reader = await browser.newContext(context);
    reader.setDefaultTimeout(PATIENCE);
    return reader.newPage();
  };
  return {
    site,
    newPage,
    async close() {
      await browser.close();
      await site.close();
    },
    /**
     * A page of a reader who was never here, at path. What the page complains of is an error of the test: `complaints`.
     * What it asks for is in `requests` before the site knows. Nothing moves, as what is measured while the dialog rises is
     * anywhere near its place; a test of motion asks for it.
     *
     * @param {string} [path]
     * @param {import('playwright-core').BrowserContextOptions} [context]
     */
    async visit(path = '/', context = {}) {
      const page = await newPage({ reducedMotion: 'reduce', ...context });
      const complaints = /** @type {string[]} */ ([]);
      const requests = /** @type {import('playwright-core').Request[]} */ ([]);
      page.on('request', (request) => requests.push(request));
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && !/Failed to load resource/.test(message.text()) && complaints.push(message.text()));
      await page.goto(site.url + path);
      const widget = page.locator('read-finder-search').first();
      const input = widget.getByRole('combobox');
      return {
        page, complaints, requests, widget, input,
        trigger: widget.locator('.trigger'),
        dialog: widget.locator('dialog'),
        list: widget.locator('[role=listbox]'),
        options: widget.getByRole('option'),
        active: widget.locator('[role=option][aria-selected=true]'),
        status: widget.getByRole('status'),
        note: widget.locator('.note'),
        /** The labels of the groups, in order. */
        groups: () => widget.locator('.head').allTextContents(),
        /** The titles of the options, in order. */
        titles: () => widget.locator('.option .title').allTextContents(),
        /** Opens the dialog by its button and types. @param {string} [query] */
        async search(query = '') {
          await widget.locator('.trigger').click();
          await input.fill(query);
        },
        /**
         * Lets time pass by the page's own clock: its timers that were due before then have fired, however slow the machine.
         *
         * @param {number} ms
         */
        pass: (ms) => page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), ms),
        leave: () => page.context().close(),
      };
    },
  };
}
