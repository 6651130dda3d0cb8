// A small site to test the widget on, served from memory on a free local port.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const types = { js: 'text/javascript', css: 'text/css', json: 'application/json', html: 'text/html; charset=utf-8' };

/**
 * An index as the generator writes it.
 *
 * @param {Partial<import('../src/search.js').Entry>[]} articles
 */
export function index(articles) {
  const full = articles.map((a, i) => ({
    path: `/news/article-${i}`, title: '', excerpt: '', tags: [], tagsJoined: (a.tags ?? []).join(', '), section: 'news', author: '', date: '2026-01-02T00:00:00Z', ...a,
  }));
  return JSON.stringify({ version: 1, generatedAt: '2026-01-02T00:00:00Z', fingerprint: '0123456789abcdef', articles: full });
}

/**
 * Serves the widget under /read-finder, its source under /src, the index under /api, and pages.
 *
 * `routes` maps a path to what answers: a string (the body), or a function of the request's URL that gives {status, body,
 * type}, or a promise of it. Every path in it may be changed while the site runs; a missing one is a page that says its path.
 */
export async function serve({ csp = "default-src 'self'", cors = false } = {}) {
  /** @type {Record<string, any>} */
  const routes = {};
  /** @type {{path: string, query: URLSearchParams, status: number}[]} */
  const log = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const entry = { path: url.pathname, query: url.searchParams, status: 200 };
    log.push(entry);
    const send = (status, body, type = url.pathname.split('.').pop()) => {
      const headers = { 'Content-Type': types[type] ?? types.html, 'Content-Security-Policy': csp, 'Cache-Control': 'no-cache' };
      if (cors) headers['Access-Control-Allow-Origin'] = '*';
      headers.ETag = `"${createHash('md5').update(body).digest('hex')}"`;
      if (request.headers['if-none-match'] === headers.ETag) [status, body] = [304, ''];
      entry.status = status;
      response.writeHead(status, headers).end(body);
    };
    const file = url.pathname.match(/^\/read-finder\/(read-finder\.(?:js|css))$|^\/(src\/\w+\.js)$|^\/(test\/\w+\.js)$/);
    const route = routes[url.pathname];
    if (file) return send(200, await readFile(join(root, file[1] ?? file[2] ?? file[3])));
    if (typeof route === 'string') return send(200, route);
    if (route) {
      const { status = 200, body = '', type } = await route(url);
      return send(status, body, type);
    }
    if (url.pathname.startsWith('/api/')) return send(404, '{}');
    send(200, `<!doctype html><title>${url.pathname}</title><h1>${url.pathname}</h1>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, routes, log, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) };
}

/** A page with the widget. */
export function page({ attributes = '', content = '', lang = 'en', dir = 'ltr', body = '', head = '' } = {}) {
  return `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>The page</title>
<link rel="stylesheet" href="/read-finder/read-finder.css">${head}
<script type="module" src="/read-finder/read-finder.js"></script></head>
<body><main><h1>The page</h1><read-finder-search ${attributes}>${content}</read-finder-search>${body}</main></body>
</html>`;
}
