import { Engine } from './search.js';

/**
 * Something that can be searched: the engine in this page, or the one in a worker.
 * @typedef {{search(query: string, limit: number): Promise<import('./search.js').Found>}} Searcher
 */

/** Above this many entries the engine lives in a worker, so that typing never waits for it. */
const MAX_IN_PAGE = 10_000;

/** The largest index that is read, in bytes. A page on a telephone does not survive more. */
const MAX_BYTES = 64 << 20;

/** For how long an index that was revalidated serves the following pages of a session, in milliseconds. */
const FRESH = 5 * 60_000;

/** When each index was last revalidated, for the session. Storage may be forbidden; then every page revalidates. */
const checked = {
  /** @param {string} url */
  get(url) {
    try {
      return Number(sessionStorage.getItem(`read-finder:${url}`));
    } catch {
      return 0;
    }
  },
  /** @param {string} url */
  set(url) {
    try {
      sessionStorage.setItem(`read-finder:${url}`, String(Date.now()));
    } catch {}
  },
};

/**
 * Fetches the index. The browser's cache keeps it; without a network the cached copy serves.
 *
 * @param {string} url
 * @param {boolean} fresh whether the cached copy serves as it is; else it is revalidated by its ETag
 */
async function fetchText(url, fresh) {
  const cached = () => fetch(url, { cache: 'force-cache' });
  const response = await (fresh ? cached() : fetch(url, { cache: 'no-cache' }).catch(cached));
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return readText(response);
}

/** @param {Response} response */
async function readText(response) {
  const decoder = new TextDecoder();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      reader.cancel();
      throw new Error(`${response.url}: over ${MAX_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** @param {unknown} v */
const string = (v) => (typeof v === 'string' ? v : '');

/**
 * Parses the index, trusting nothing: what is no string becomes an empty one, an entry without a path goes.
 *
 * @param {string} text
 * @returns {import('./search.js').Entry[]}
 */
function parse(text) {
  const index = JSON.parse(text);
  if (index?.version !== 1 || !Array.isArray(index.articles)) throw new Error('not an article index of version 1');
  return index.articles
    .filter((/** @type {any} */ a) => string(a?.path))
    .map((/** @type {any} */ a) => ({
      path: a.path,
      title: string(a.title) || a.path,
      excerpt: string(a.excerpt),
      tags: Array.isArray(a.tags) ? a.tags.map(string) : [],
      section: string(a.section),
      author: string(a.author),
      date: string(a.date),
    }));
}

/**
 * @param {string} text
 * @param {boolean} dropDiacritics
 * @returns {Searcher}
 */
function inPage(text, dropDiacritics) {
  const engine = new Engine(parse(text), dropDiacritics);
  return { search: async (query, limit) => engine.search(query, limit) };
}

/**
 * Starts this module again as a worker and hands it the index.
 *
 * @param {string} text
 * @param {boolean} dropDiacritics
 * @returns {Promise<Searcher>}
 */
async function inWorker(text, dropDiacritics) {
  const worker = new Worker(import.meta.url, { type: 'module' });
  /** @type {Map<number, PromiseWithResolvers<any>>} */
  const calls = new Map();
  let last = 0;
  const call = (/** @type {any[]} */ ...message) => {
    /** @type {any} */
    const settle = {};
    const answer = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
    calls.set(++last, settle);
    worker.postMessage([last, ...message]);
    return answer;
  };
  worker.onmessage = ({ data: [id, result, error] }) => {
    const settle = calls.get(id);
    calls.delete(id);
    if (error) settle?.reject(new Error(error));
    else settle?.resolve(result);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    for (const { reject } of calls.values()) reject(new Error('the worker did not start'));
    calls.clear();
  };
  await call('open', text, dropDiacritics);
  return { search: (query, limit) => call('search', query, limit) };
}

/** The worker's side: one engine, which answers in the order it is asked. */
export function serveWorker() {
  /** @type {Searcher} */
  let searcher;
  addEventListener('message', async ({ data: [id, method, ...args] }) => {
    try {
      let result;
      if (method === 'open') searcher = inPage(args[0], args[1]);
      else result = await searcher.search(args[0], args[1]);
      postMessage([id, result]);
    } catch (error) {
      postMessage([id, undefined, String(error)]);
    }
  });
}

/**
 * @param {string} text
 * @param {boolean} dropDiacritics
 */
async function searcher(text, dropDiacritics) {
  // Inside a JSON string the closing quote would be escaped: this counts the entries.
  const entries = text.split('"path":').length - 1;
  if (entries > MAX_IN_PAGE) {
    try {
      return await inWorker(text, dropDiacritics);
    } catch (error) {
      console.warn('read-finder: searching in the page:', error); // the module is of another origin, say
    }
  }
  return inPage(text, dropDiacritics);
}

/**
 * Fetches the index and makes it searchable.
 *
 * @param {string} url
 * @param {boolean} dropDiacritics
 */
export async function openIndex(url, dropDiacritics) {
  const fresh = Date.now() - checked.get(url) < FRESH;
  const index = await searcher(await fetchText(url, fresh), dropDiacritics);
  if (!fresh) checked.set(url);
  return index;
}
