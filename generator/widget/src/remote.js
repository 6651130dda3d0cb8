/**
 * An answer of the server: articles in its order, and companies.
 * @typedef {{title: string, excerpt: string, path: string}} Article
 * @typedef {{slug: string, name: string, articleCount: number, articles: Article[]}} Company
 * @typedef {{articles: Article[], companies: Company[]}} Answer
 */

/** How long typing must pause before the server is asked, in milliseconds. */
const PAUSE = 200;

/** How long an answer is waited for, in milliseconds. */
const PATIENCE = 8_000;

/** For how long a server that failed is left alone, in milliseconds. */
const REST = 30_000;

/** Full-text search by the sidecar. Everything here may fail: then there is no answer, and the page is whole without it. */
export class Remote {
  #base;
  #articles;
  #companies;
  #abort = new AbortController();
  #asleepUntil = 0;

  /**
   * @param {string} base the address of the API, "/api" or "https://search.example.org/api"
   * @param {number} articles how many articles to ask for
   * @param {number} companies how many companies to ask for
   */
  constructor(base, articles, companies) {
    this.#base = base.replace(/\/$/, '');
    this.#articles = articles;
    this.#companies = companies;
  }

  /** Gives up what is asked now. */
  cancel() {
    this.#abort.abort();
  }

  /**
   * Asks the server once typing pauses. A later call gives this one up.
   *
   * @param {string} query
   * @returns {Promise<Answer | null>} null where there is no answer
   */
  async search(query) {
    this.cancel();
    const { signal } = (this.#abort = new AbortController());
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted || Date.now() < this.#asleepUntil) return null;
    const timer = setTimeout(() => this.cancel(), PATIENCE);
    try {
      const [articles, companies] = await Promise.all([
        this.#get('search', query, this.#articles, signal),
        this.#get('companies/search', query, this.#companies, signal),
      ]);
      return { articles: articles.articles.map(article), companies: companies.companies.map(company) };
    } catch {
      if (!signal.aborted) this.#asleepUntil = Date.now() + REST;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param {string} path
   * @param {string} query
   * @param {number} limit
   * @param {AbortSignal} signal
   */
  async #get(path, query, limit, signal) {
    const response = await fetch(`${this.#base}/${path}?${new URLSearchParams({ q: query, limit: String(limit) })}`, { signal });
    // A query that is too long is the query's fault, not the server's.
    if (response.status === 400) return { articles: [], companies: [] };
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
  }
}

/** @param {any} a */
const article = (a) => ({ title: String(a.title ?? ''), excerpt: String(a.excerpt ?? ''), path: String(a.path) });

/** @param {any} c */
const company = (c) => ({
  slug: String(c.slug),
  name: String(c.name),
  articleCount: Number(c.articleCount) || 0,
  articles: c.articles.map(article),
});
