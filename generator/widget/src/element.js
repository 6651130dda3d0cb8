import { tokens } from './fold.js';
import { markRanges, markWords, snippet } from './highlight.js';
import { openIndex } from './index.js';
import { forget, recentSearches, remember } from './recent.js';
import { Remote } from './remote.js';
import { count, stringsFor } from './strings.js';
import { el, groupNodes, skeleton } from './view.js';

/** How many full-text hits and companies are shown at most. */
const MAX_FULL_TEXT = 10;
const MAX_COMPANIES = 3;

/** How long the results must stand before they are announced, in milliseconds: nobody wants to hear each keystroke. */
const ANNOUNCE_AFTER = 400;

/** @param {string} text @returns {import('./view.js').Pieces} */
const plain = (text) => [{ text, marked: false }];

/** @param {EventTarget | undefined} target */
const isField = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

// A worker runs this module too, and has no HTMLElement.
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? Object);

/**
 * `<read-finder-search>`: a button that opens a dialog to search in. The attributes are described in the README.
 */
export class ReadFinderSearch extends Base {
  static version = VERSION;

  #view = skeleton();
  #strings = stringsFor('en', null);
  #lang = 'en';
  /** @type {Promise<import('./index.js').Searcher> | undefined} */
  #index;
  /** @type {Remote | undefined} */
  #remote;
  /** @type {import('./view.js').Option[]} */
  #options = [];
  /** The number of the option that Enter chooses; -1 for none. */
  #active = -1;
  /** Whether the reader walks through the options: then Home and End are about them, not about the text. */
  #walking = false;
  /** Counts the searches, so that an answer that comes late is known. */
  #turn = 0;
  #announcing = 0;
  /** Holds the page still behind the dialog. */
  #lock = new CSSStyleSheet();
  #onKey = (/** @type {KeyboardEvent} */ event) => this.#shortcut(event);

  connectedCallback() {
    if (!this.shadowRoot) this.#build();
    document.addEventListener('keydown', this.#onKey);
    const query = this.#urlParam && new URLSearchParams(location.search).get(this.#urlParam);
    if (query) this.open(query);
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#onKey);
    this.close();
  }

  /**
   * Opens the dialog.
   *
   * @param {string} [query] to search for at once; else the one that stood there last
   */
  open(query) {
    const { dialog, input } = this.#view;
    if (query !== undefined) input.value = query;
    if (dialog.open || !this.isConnected) return;
    this.#speak();
    this.#load();
    dialog.showModal();
    document.adoptedStyleSheets.push(this.#lock);
    input.focus();
    input.select();
    this.#search();
  }

  /** Closes the dialog; the focus goes back to where it was. */
  close() {
    this.#view.dialog.close();
  }

  #build() {
    const { trigger, dialog, input, close, list, forget: clear } = this.#view;
    const css = new URL(`read-finder.css${new URL(import.meta.url).search}`, import.meta.url);
    const style = el('link', { rel: 'stylesheet', href: css.href });
    const form = el('slot');
    const opener = el('slot', { name: 'trigger', hidden: true }, trigger);
    // Until the styles are there, the form stands in: nothing is ever seen without them.
    style.onload = style.onerror = () => {
      form.remove();
      opener.hidden = false;
    };
    this.#lock.replaceSync('html{overflow:hidden;scrollbar-gutter:stable}');
    this.#speak();
    opener.addEventListener('click', () => {
      trigger.focus(); // Safari gives a clicked button no focus, and the focus is to return here
      this.open();
    });
    for (const type of ['focusin', 'pointerenter']) opener.addEventListener(type, () => this.#load(), { once: true });
    input.addEventListener('input', (event) => !(/** @type {InputEvent} */ (event).isComposing) && this.#typed());
    input.addEventListener('compositionend', () => this.#typed());
    input.addEventListener('keydown', (event) => this.#keydown(event));
    close.addEventListener('click', () => this.close());
    clear.addEventListener('click', () => {
      forget();
      input.focus();
      this.#search();
    });
    list.addEventListener('click', (event) => this.#clicked(event));
    list.addEventListener('pointermove', (event) => this.#activate(this.#optionAt(event), false));
    dialog.addEventListener('pointerdown', (event) => event.target === dialog && this.close());
    dialog.addEventListener('close', () => this.#closed());
    this.attachShadow({ mode: 'open' }).append(style, form, opener, dialog);
  }

  get #urlParam() {
    return this.getAttribute('url-param');
  }

  get #dropDiacritics() {
    return this.hasAttribute('fold-diacritics');
  }

  get #query() {
    return this.#view.input.value.trim();
  }

  /** The site's root: the folder that holds this module's folder, unless `base` says otherwise. */
  get #base() {
    return new URL(this.getAttribute('base') ?? new URL('..', import.meta.url), location.href);
  }

  /**
   * The address of an article, as Hugo publishes it: pretty addresses end in a slash, ugly ones in .html.
   *
   * @param {string} path site-relative, "/section/slug" or "/section/slug.html"
   */
  #href(path) {
    const url = this.#base;
    const slash = /(\.html?|\/)$/.test(path) ? '' : '/';
    return `${url.origin}${url.pathname.replace(/\/$/, '')}/${path.replace(/^[/\\]+/, '')}${slash}`;
  }

  #load() {
    const src = this.getAttribute('src') ?? new URL('../api/read-finder-index.json', import.meta.url);
    const api = this.getAttribute('api');
    if (api && !this.#remote) this.#remote = new Remote(new URL(api, location.href).href, this.#limit + MAX_FULL_TEXT, MAX_COMPANIES);
    this.#index ??= openIndex(new URL(src, location.href).href, this.#dropDiacritics);
    this.#index.catch((error) => {
      console.warn('read-finder:', error);
      this.#index = undefined; // opening it again tries again
    });
    return this.#index;
  }

  get #limit() {
    return Number(this.getAttribute('limit')) || 20;
  }

  /** Says everything in the page's language. */
  #speak() {
    const { trigger, triggerLabel, triggerKey, input, close, list, forget: clear, help, dialog } = this.#view;
    const scope = /** @type {HTMLElement | null} */ (this.closest('[lang]'));
    try {
      [this.#lang] = Intl.getCanonicalLocales(scope?.lang || 'en');
    } catch {
      this.#lang = 'en';
    }
    const s = (this.#strings = stringsFor(this.#lang, this.getAttribute('strings')));
    const mod = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl';
    const shortcuts = this.#shortcuts;
    triggerLabel.textContent = s.search;
    triggerKey.textContent = shortcuts.includes('k') ? (mod === '⌘' ? '⌘K' : 'Ctrl K') : (shortcuts[0] ?? '');
    triggerKey.hidden = !shortcuts.length;
    trigger.setAttribute('aria-keyshortcuts', shortcuts.map((key) => (key === 'k' ? 'Control+K Meta+K' : key)).join(' '));
    dialog.setAttribute('aria-label', s.search);
    input.placeholder = s.placeholder;
    input.setAttribute('aria-label', s.placeholder);
    list.setAttribute('aria-label', s.articles);
    close.setAttribute('aria-label', s.close);
    clear.textContent = s.clearRecent;
    const keys = [['↑↓', s.toMove], ['↵', s.toOpen], ['Esc', s.toClose]];
    help.replaceChildren(...keys.map(([key, what]) => el('span', {}, el('kbd', {}, key), ` ${what}`)));
  }

  get #shortcuts() {
    return (this.getAttribute('shortcuts') ?? 'k /').split(/\s+/).filter(Boolean);
  }

  /** @param {KeyboardEvent} event */
  #shortcut(event) {
    if (event.defaultPrevented || event.repeat || event.isComposing || event.altKey || isField(event.composedPath()[0])) return;
    const mod = event.metaKey || event.ctrlKey;
    const key = event.key.toLowerCase();
    if (!this.#shortcuts.includes(key) || mod !== (key === 'k')) return;
    if (document.querySelector('dialog:modal')) return;
    event.preventDefault();
    this.open();
  }

  #typed() {
    this.#walking = false;
    const param = this.#urlParam;
    if (param) this.#writeUrl(param, this.#query);
    this.#search();
  }

  /**
   * @param {string} param
   * @param {string} query
   */
  #writeUrl(param, query) {
    const url = new URL(location.href);
    if (query) url.searchParams.set(param, query);
    else url.searchParams.delete(param);
    if (url.href !== location.href) history.replaceState(history.state, '', url);
  }

  async #search() {
    const turn = ++this.#turn;
    const query = this.#query;
    const { list } = this.#view;
    this.#remote?.cancel();
    /** @type {import('./search.js').Found | null} */
    let found = null;
    let failed = false;
    const slow = setTimeout(() => turn === this.#turn && this.#note(this.#strings.loading), 200);
    try {
      found = await (await this.#load()).search(query, this.#limit);
    } catch {
      failed = true;
    }
    clearTimeout(slow);
    if (turn !== this.#turn) return;
    const groups = found ? this.#localGroups(query, found) : [];
    this.#show(groups, query, found?.total ?? 0, failed);
    list.scrollTop = 0;
    if (!query || !this.#remote) return;
    const answer = await this.#remote.search(query);
    if (turn !== this.#turn || !answer) return;
    const more = this.#remoteGroups(query, answer, new Set(this.#options.map((o) => o.href)));
    if (more.length) this.#show([...groups, ...more], query, found?.total ?? 0, failed);
  }

  /**
   * @param {string} query
   * @param {import('./search.js').Found} found
   */
  #localGroups(query, found) {
    const s = this.#strings;
    const words = tokens(query, this.#dropDiacritics);
    const exact = found.exact.map(({ entry }) => this.#article(entry, words));
    const close = found.close.map(({ entry, ranges = [] }) => ({ ...this.#article(entry, []), title: markRanges(entry.title, ranges) }));
    const recent = query || this.getAttribute('recent') === 'off' ? [] : recentSearches();
    this.#view.forget.hidden = !recent.length;
    return [
      { label: s.recent, options: recent.map((q) => ({ title: plain(q), icon: /** @type {const} */ ('recent'), run: () => this.#ask(q) })) },
      {
        label: query ? s.articles : s.latest,
        detail: found.total > exact.length ? new Intl.NumberFormat(this.#lang).format(found.total) : '',
        options: query ? exact : exact.slice(0, 5),
      },
      { label: s.closeMatches, options: close },
    ].filter((group) => group.options.length);
  }

  /**
   * @param {string} query
   * @param {import('./remote.js').Answer} answer
   * @param {Set<string | undefined>} shown addresses that are in the list already
   */
  #remoteGroups(query, answer, shown) {
    const s = this.#strings;
    const words = tokens(query, this.#dropDiacritics);
    const articles = answer.articles.map((a) => this.#article(a, words)).filter((o) => !shown.has(o.href)).slice(0, MAX_FULL_TEXT);
    const url = this.getAttribute('company-url');
    const companies = answer.companies.map((c) => ({
      title: markWords(c.name, words, this.#dropDiacritics),
      icon: /** @type {const} */ ('company'),
      meta: count(s, this.#lang, c.articleCount),
      href: url ? this.#href(url.replaceAll('{slug}', c.slug)) : undefined,
      run: () => this.#show([{ label: c.name, options: c.articles.map((a) => this.#article(a, [])) }], query, c.articleCount, false),
    }));
    return [{ label: s.fullText, options: articles }, { label: s.companies, options: companies }].filter((group) => group.options.length);
  }

  /**
   * @param {{path: string, title: string, excerpt?: string, section?: string, author?: string, date?: string}} article
   * @param {string[]} words to mark
   * @returns {import('./view.js').Option}
   */
  #article({ path, title, excerpt = '', section, author, date }, words) {
    const day = date && new Date(date);
    const format = new Intl.DateTimeFormat(this.#lang, { dateStyle: 'medium', timeZone: 'UTC' });
    return {
      href: this.#href(path),
      title: markWords(title, words, this.#dropDiacritics),
      excerpt: snippet(markWords(excerpt, words, this.#dropDiacritics)),
      meta: [section, day && !isNaN(+day) && format.format(day), author].filter(Boolean).join(' · '),
    };
  }

  /**
   * Shows groups of options, or says why there are none.
   *
   * @param {import('./view.js').Group[]} groups
   * @param {string} query
   * @param {number} total how many articles match, shown or not
   * @param {boolean} failed whether the index could not be had
   */
  #show(groups, query, total, failed) {
    const { list, input } = this.#view;
    const s = this.#strings;
    const more = this.#options.length > 0 && groups.length > list.childElementCount;
    this.#options = groups.flatMap((group) => group.options);
    const any = this.#options.length > 0;
    list.replaceChildren(...groupNodes(groups));
    list.hidden = !any;
    input.setAttribute('aria-expanded', String(any));
    this.#activate(more ? this.#active : query && any ? 0 : -1, true);
    if (failed) this.#note(s.broken, '', true);
    else if (any || !query) this.#note('');
    else this.#note(s.none.replace('{query}', query), s.noneHint, true);
    const shown = Math.max(total, groups.reduce((n, g) => n + g.options.length, 0));
    this.#announce(failed ? s.broken : !query ? '' : any ? count(s, this.#lang, shown) : s.none.replace('{query}', query));
  }

  /**
   * @param {string} message empty: nothing is to be said
   * @param {string} [hint]
   * @param {boolean} [way] whether to offer another way to search
   */
  #note(message, hint = '', way = false) {
    const view = this.#view;
    view.note.hidden = !message;
    view.message.textContent = message;
    view.hint.textContent = hint;
    view.link.hidden = !way;
    const form = this.querySelector('form');
    view.link.textContent = form ? this.#strings.elsewhere : this.#strings.home;
    view.link.href = form ? this.#formUrl(form) : this.#base.href;
  }

  /** @param {HTMLFormElement} form */
  #formUrl(form) {
    const url = new URL(form.action);
    const data = new FormData(form);
    const field = form.querySelector('input:not([type=hidden])')?.getAttribute('name');
    if (field) data.set(field, this.#query);
    for (const [name, value] of data) url.searchParams.set(name, String(value));
    return url.href;
  }

  /** @param {string} message */
  #announce(message) {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => (this.#view.status.textContent = message), ANNOUNCE_AFTER);
  }

  /** @param {Event} event */
  #optionAt(event) {
    const node = /** @type {Element} */ (event.target).closest('[role=option]');
    return node ? Number(node.id.slice(1)) : this.#active;
  }

  /**
   * @param {number} k
   * @param {boolean} scroll
   */
  #activate(k, scroll) {
    const { list, input } = this.#view;
    const nodes = list.querySelectorAll('[role=option]');
    nodes[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = k;
    const node = nodes[k];
    if (!node) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    node.setAttribute('aria-selected', 'true');
    input.setAttribute('aria-activedescendant', node.id);
    if (scroll && k > 0) node.scrollIntoView({ block: 'nearest' });
    else if (scroll) list.scrollTop = 0;
  }

  /** @param {KeyboardEvent} event */
  #keydown(event) {
    // 229: a key that an input method has taken, in browsers that end the composition before it.
    if (event.isComposing || event.keyCode === 229) return;
    const last = this.#options.length - 1;
    const k = this.#active;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (k >= 0) this.#choose(k, event.metaKey || event.ctrlKey);
      return;
    }
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: k < last ? k + 1 : 0, ArrowUp: k > 0 ? k - 1 : last };
    if (this.#walking) Object.assign(moves, { Home: 0, End: last });
    const to = event.altKey || event.metaKey || event.ctrlKey || event.shiftKey ? undefined : moves[event.key];
    this.#walking = to !== undefined;
    if (to === undefined || last < 0) return;
    event.preventDefault();
    this.#activate(to, true);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const k = this.#optionAt(event);
    const option = this.#options[k];
    if (!option || !(/** @type {Element} */ (event.target).closest('[role=option]'))) return;
    if (!option.href) return option.run?.();
    this.#remember();
    // The browser follows the link. A click with a modifier opens it elsewhere, and the search goes on here.
    if (!(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) this.#leave();
  }

  /**
   * @param {number} k
   * @param {boolean} newTab
   */
  #choose(k, newTab) {
    const { href } = this.#options[k];
    if (href && newTab) {
      this.#remember();
      window.open(href, '_blank', 'noopener');
    } else {
      /** @type {HTMLElement} */ (this.#view.list.querySelectorAll('[role=option]')[k]).click();
    }
  }

  #remember() {
    if (this.#query && this.getAttribute('recent') !== 'off') remember(this.#query);
  }

  /** Closes for a page that opens: the query stays in this page's address, so that the way back finds it. */
  #leave() {
    this.#turn++;
    this.#view.dialog.returnValue = 'chosen';
    this.close();
  }

  /** @param {string} query */
  #ask(query) {
    this.#view.input.value = query;
    this.#view.input.focus();
    this.#typed();
  }

  #closed() {
    const { dialog } = this.#view;
    this.#turn++;
    this.#remote?.cancel();
    clearTimeout(this.#announcing);
    this.#view.status.textContent = '';
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#lock);
    if (this.#urlParam && dialog.returnValue !== 'chosen') this.#writeUrl(this.#urlParam, '');
    dialog.returnValue = '';
  }
}
