import { openIndex } from './index.js';
import { Listbox } from './listbox.js';
import { forget, recentSearches, remember } from './recent.js';
import { Remote } from './remote.js';
import { MAX_COMPANIES, MAX_FULL_TEXT, answerGroups, companyGroups, foundGroups } from './results.js';
import { count, stringsFor } from './strings.js';
import { el, skeleton } from './view.js';

/**
 * How long the results must stand before they are announced and the query goes into the address, in milliseconds: nobody
 * wants to hear each keystroke, and Safari allows 100 changes of the address in 30 seconds.
 */
const ANNOUNCE_AFTER = 400;

/** How long the index may take before the dialog says that it loads, in milliseconds. */
const LOADING_AFTER = 200;

const MAC = /Mac|iP(hone|ad)/;

/** @param {EventTarget | undefined} target */
const isField = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** @param {MouseEvent | KeyboardEvent} event */
const isModified = (event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

// A worker runs this module too, and has no HTMLElement.
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? Object);

/**
 * `<read-finder-search>`: a button that opens a dialog to search in. The README describes its attributes.
 */
export class ReadFinderSearch extends Base {
  static version = VERSION;

  #view = skeleton();
  #lang = 'en';
  #strings = stringsFor('en', null);
  /** @type {Promise<import('./index.js').Searcher> | undefined} */
  #index;
  /** @type {Remote | undefined} */
  #remote;
  #listbox = new Listbox(this.#view.list, this.#view.input);
  /** Counts the searches, so that an answer that comes late is known. */
  #turn = 0;
  #announcing = 0;
  /** Whether the dialog was opened, and what that takes has not been undone yet. */
  #shown = false;
  /** Holds the page still behind the dialog. */
  #lock = new CSSStyleSheet();
  #onKey = (/** @type {KeyboardEvent} */ event) => this.#shortcut(event);

  connectedCallback() {
    if (!this.shadowRoot) this.#build();
    document.addEventListener('keydown', this.#onKey);
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
    if (this.#shown) this.#closed(); // the event that says so is still to come
    this.#shown = true;
    this.#speak();
    dialog.showModal();
    // The room of the scroll bar stays, so that nothing moves.
    const bar = innerWidth - document.documentElement.clientWidth;
    this.#lock.replaceSync(`html{overflow:hidden;padding-right:${bar}px}`);
    document.adoptedStyleSheets.push(this.#lock);
    input.select();
    this.#search();
  }

  /** Closes the dialog; the focus goes back to where it was. */
  close() {
    this.#view.dialog.close();
  }

  #build() {
    const { trigger, dialog } = this.#view;
    const css = new URL(`read-finder.css${new URL(import.meta.url).search}`, import.meta.url);
    const style = el('link', { rel: 'stylesheet', href: css.href });
    const form = el('slot');
    const opener = el('slot', { name: 'trigger', hidden: true }, trigger);
    // Until the styles are there, the form stands in: nothing is ever seen without them.
    style.onload = style.onerror = () => {
      const query = new URLSearchParams(location.search).get(this.getAttribute('url-param') ?? '');
      const field = /** @type {HTMLInputElement | null} */ (this.querySelector('input:focus'));
      form.remove();
      opener.hidden = false;
      if (field || query) this.open(field?.value ?? query ?? ''); // a reader who types into the form goes on here
    };
    opener.addEventListener('click', () => {
      trigger.focus(); // Safari gives a clicked button no focus, and the focus is to return here
      this.open();
    });
    for (const type of ['focusin', 'pointerenter']) opener.addEventListener(type, () => this.#load(), { once: true });
    this.#listen();
    this.#speak();
    this.attachShadow({ mode: 'open' }).append(style, form, opener, dialog);
  }

  #listen() {
    const { dialog, input, close, list, forget: clear } = this.#view;
    input.addEventListener('input', (event) => /** @type {InputEvent} */ (event).isComposing || this.#typed());
    input.addEventListener('compositionend', () => this.#typed());
    input.addEventListener('keydown', (event) => this.#keydown(event));
    list.addEventListener('click', (event) => this.#clicked(event));
    close.addEventListener('click', () => this.close());
    clear.addEventListener('click', () => {
      forget();
      input.focus();
      this.#search();
    });
    // A press that begins in the dialog, to select text, may end outside: that is no click beside it.
    /** @type {EventTarget | null} */
    let pressed;
    dialog.addEventListener('pointerdown', (event) => (pressed = event.target));
    dialog.addEventListener('click', (event) => event.target === dialog && pressed === dialog && this.close());
    dialog.addEventListener('close', () => this.#closed());
  }

  /** The query, as the server trims it. */
  get #query() {
    return this.#view.input.value.trim();
  }

  get #dropDiacritics() {
    return this.hasAttribute('fold-diacritics');
  }

  get #limit() {
    return Number(this.getAttribute('limit')) || 20;
  }

  /** The keys that open the dialog; "k" is meant with Ctrl or Cmd. */
  get #shortcuts() {
    return (this.getAttribute('shortcuts') ?? 'k /').split(/\s+/).filter(Boolean);
  }

  get #keepsRecent() {
    return this.getAttribute('recent') !== 'off';
  }

  /** @returns {import('./results.js').Context} */
  get #context() {
    return {
      strings: this.#strings,
      lang: this.#lang,
      dropDiacritics: this.#dropDiacritics,
      // The site's root is the folder that holds this module's folder, unless the page says otherwise.
      base: new URL(this.getAttribute('base') ?? new URL('..', import.meta.url), location.href),
      companyUrl: this.getAttribute('company-url'),
    };
  }

  /** Fetches the index, once; what failed is tried again when it is next needed. */
  #load() {
    const src = this.getAttribute('src') ?? new URL('../api/read-finder-index.json', import.meta.url);
    if (!this.#index) {
      this.#index = openIndex(new URL(src, location.href).href, this.#dropDiacritics);
      this.#index.catch((error) => {
        console.warn('read-finder:', error);
        this.#index = undefined;
      });
    }
    const api = this.getAttribute('api');
    if (api) this.#remote ??= new Remote(new URL(api, location.href).href, this.#limit + MAX_FULL_TEXT, MAX_COMPANIES);
    return this.#index;
  }

  /** Says everything in the page's language. */
  #speak() {
    const { trigger, triggerLabel, triggerKey, input, close, list, forget: clear, help, dialog } = this.#view;
    const { lang } = /** @type {HTMLElement} */ (this.closest('[lang]') ?? document.documentElement);
    try {
      [this.#lang] = Intl.getCanonicalLocales(lang || 'en');
    } catch {
      this.#lang = 'en';
    }
    const s = (this.#strings = stringsFor(this.#lang, this.getAttribute('strings')));
    const keys = this.#shortcuts;
    triggerLabel.textContent = s.search;
    triggerKey.textContent = keys[0] === 'k' ? (MAC.test(navigator.platform) ? '⌘K' : 'Ctrl K') : keys[0];
    triggerKey.hidden = !keys[0];
    trigger.setAttribute('aria-keyshortcuts', keys.map((key) => (key === 'k' ? 'Control+K Meta+K' : key)).join(' '));
    dialog.setAttribute('aria-label', s.search);
    input.setAttribute('aria-label', (input.placeholder = s.placeholder));
    list.setAttribute('aria-label', s.articles);
    close.setAttribute('aria-label', s.close);
    clear.textContent = s.clearRecent;
    const hints = [['↑↓', s.toMove], ['↵', s.toOpen], ['Esc', s.toClose]];
    help.replaceChildren(...hints.map(([key, what]) => el('span', {}, el('kbd', {}, key), ` ${what}`)));
  }

  /** @param {KeyboardEvent} event */
  #shortcut(event) {
    const key = event.key.toLowerCase();
    if (event.defaultPrevented || event.repeat || event.isComposing || event.altKey || isField(event.composedPath()[0])) return;
    if (!this.#shortcuts.includes(key) || (event.metaKey || event.ctrlKey) !== (key === 'k')) return;
    if (document.querySelector('dialog:modal')) return;
    event.preventDefault();
    this.open();
  }

  #typed() {
    this.#listbox.move();
    this.#search();
  }

  /** Where asked for, keeps the query in the page's address. @param {string} query */
  #writeUrl(query) {
    const param = this.getAttribute('url-param');
    if (!param) return;
    const url = new URL(location.href);
    if (query) url.searchParams.set(param, query);
    else url.searchParams.delete(param);
    history.replaceState(history.state, '', url);
  }

  async #search() {
    const turn = ++this.#turn;
    const query = this.#query;
    const late = () => turn !== this.#turn;
    const slow = setTimeout(() => late() || this.#note(this.#strings.loading), LOADING_AFTER);
    /** @type {import('./search.js').Found | undefined} */
    let found;
    try {
      const index = this.#load();
      this.#remote?.cancel();
      found = await (await index).search(query, this.#limit);
    } catch {
      // The page says so below, and the console why.
    }
    clearTimeout(slow);
    if (late()) return;
    const recent = query || !this.#keepsRecent ? [] : recentSearches();
    this.#view.forget.hidden = !recent.length;
    const groups = found ? foundGroups(this.#context, query, found, recent) : [];
    this.#listbox.show(groups, query && groups.length ? 0 : -1);
    this.#report(query, found);
    const answer = query && (await this.#remote?.search(query));
    if (late() || !answer) return;
    const more = answerGroups(this.#context, query, answer, new Set(this.#listbox.options.map((option) => option.href)));
    if (!more.length) return;
    this.#listbox.show([...groups, ...more], Math.max(this.#listbox.active, 0));
    this.#report(query, found);
  }

  /**
   * Says how many results there are, or why there are none.
   *
   * @param {string} query
   * @param {import('./search.js').Found | undefined} found undefined: the index could not be had
   */
  #report(query, found) {
    const s = this.#strings;
    const shown = this.#listbox.options.length;
    const none = s.none.replace('{query}', () => query);
    if (!found) this.#note(s.broken, '', true);
    else if (shown || !query) this.#note('');
    else this.#note(none, s.noneHint, true);
    const total = found ? Math.max(0, found.total - found.exact.length) + shown : shown;
    this.#announce(!found && !shown ? s.broken : !query ? '' : shown ? count(s, this.#lang, total) : none);
  }

  /** @param {string} message */
  #announce(message) {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => {
      this.#view.status.textContent = message;
      this.#writeUrl(this.#query);
    }, ANNOUNCE_AFTER);
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
    const form = this.querySelector('form');
    view.link.hidden = !way;
    view.link.textContent = form ? this.#strings.elsewhere : this.#strings.home;
    view.link.href = form ? this.#formUrl(form) : this.#context.base.href;
  }

  /** Where the form without JavaScript would lead. @param {HTMLFormElement} form */
  #formUrl(form) {
    const url = new URL(form.action);
    const field = form.querySelector('input:not([type=hidden])');
    const data = new FormData(form);
    if (field) data.set(field.getAttribute('name') ?? 'q', this.#query);
    for (const [name, value] of data) url.searchParams.set(name, String(value));
    return url.href;
  }

  /** @param {KeyboardEvent} event */
  #keydown(event) {
    // 229: a key that an input method has taken, in browsers that end the composition before it.
    if (event.isComposing || event.keyCode === 229) return;
    const { active } = this.#listbox;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (active >= 0) this.#choose(active, event.metaKey || event.ctrlKey);
    } else if (this.#listbox.move(isModified(event) ? undefined : event.key)) {
      event.preventDefault();
    }
  }

  /**
   * @param {number} k
   * @param {boolean} newTab
   */
  #choose(k, newTab) {
    const { href } = this.#listbox.options[k];
    if (href && newTab) {
      this.#remember();
      window.open(href, '_blank', 'noopener');
    } else {
      this.#listbox.node(k)?.click();
    }
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const option = this.#listbox.options[this.#listbox.at(event) ?? -1];
    if (!option) return;
    const { href, query, company } = option;
    if (query !== undefined) {
      this.#view.input.value = query;
      this.#typed();
    } else if (company && !href) {
      this.#listbox.show(companyGroups(this.#context, company), 0);
      this.#announce(`${company.name}, ${count(this.#strings, this.#lang, company.articles.length)}`);
    } else {
      this.#remember();
      // The browser follows the link. A click with a modifier opens it elsewhere, and the search goes on here.
      if (!isModified(event)) this.#leave();
    }
    this.#view.input.focus();
  }

  #remember() {
    if (this.#query && this.#keepsRecent) remember(this.#query);
  }

  /** Closes for the page that opens: the query stays in this one's address, so that the way back finds it. */
  #leave() {
    this.#writeUrl(this.#query);
    this.#view.dialog.close('chosen');
  }

  #closed() {
    const { dialog, status } = this.#view;
    if (dialog.open) return; // again, since
    this.#shown = false;
    this.#turn++;
    this.#remote?.cancel();
    clearTimeout(this.#announcing);
    status.textContent = '';
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#lock);
    if (dialog.returnValue !== 'chosen') this.#writeUrl('');
    dialog.returnValue = '';
  }
}
