/** Makes the groups of options that the list shows of what was found. */
import { tokens } from './fold.js';
import { markRanges, markWords, snippet } from './highlight.js';

/**
 * What the options depend on beside what was found.
 * @typedef {{
 *   strings: import('./strings.js').Strings, lang: string, dropDiacritics: boolean,
 *   base: URL, companyUrl: string | null,
 * }} Context
 * @typedef {import('./view.js').Group} Group
 * @typedef {{path: string, title: string, excerpt?: string, section?: string, author?: string, date?: string}} Article
 */

/** How many of the newest articles, full-text hits and companies are shown at most. */
const MAX_LATEST = 5;
export const MAX_FULL_TEXT = 10;
export const MAX_COMPANIES = 3;

/**
 * The address of a page as Hugo publishes it, so that no redirect is needed: pretty addresses end in a slash, ugly ones
 * in .html. Whatever the path is, the address is one of the site's own.
 *
 * @param {URL} base the site's root
 * @param {string} path site-relative, "/section/slug" or "/section/slug.html"
 */
export function pageUrl(base, path) {
  const end = /(\.html?|\/)$/.test(path) ? '' : '/';
  return `${base.origin}${base.pathname.replace(/\/$/, '')}/${path.replace(/^[/\\]+/, '')}${end}`;
}

/**
 * @param {Context} context
 * @param {string[]} words to mark
 * @returns {(article: Article) => import('./view.js').Option}
 */
function articleOption({ base, lang, dropDiacritics }, words) {
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' });
  return ({ path, title, excerpt = '', section, author, date }) => {
    const day = Date.parse(date ?? '');
    return {
      href: pageUrl(base, path),
      title: markWords(title, words, dropDiacritics),
      excerpt: snippet(markWords(excerpt, words, dropDiacritics)),
      meta: [section, isNaN(day) ? '' : format.format(day), author],
    };
  };
}

/** @param {Group[]} groups */
const filled = (groups) => groups.filter((group) => group.options.length);

/**
 * What the index gave. To an empty query: the recent searches and the newest articles.
 *
 * @param {Context} context
 * @param {string} query
 * @param {import('./search.js').Found} found
 * @param {string[]} recent
 */
export function foundGroups(context, query, found, recent) {
  const s = context.strings;
  const exact = found.exact.map(({ entry }) => entry);
  const option = articleOption(context, tokens(query, context.dropDiacritics));
  const closeOption = articleOption(context, []);
  if (!query) {
    return filled([
      { label: s.recent, options: recent.map((q) => ({ query: q, icon: 'recent', title: [{ text: q, marked: false }] })) },
      { label: s.latest, options: exact.slice(0, MAX_LATEST).map(option) },
    ]);
  }
  return filled([
    {
      label: s.articles,
      detail: found.total > exact.length ? new Intl.NumberFormat(context.lang).format(found.total) : '',
      options: exact.map(option),
    },
    { label: s.closeMatches, options: found.close.map(({ entry, ranges = [] }) => ({ ...closeOption(entry), title: markRanges(entry.title, ranges) })) },
  ]);
}

/**
 * What the server gave and the list does not show yet, in the server's order: the few companies, then the articles.
 *
 * @param {Context} context
 * @param {string} query
 * @param {import('./remote.js').Answer} answer
 * @param {Set<string | undefined>} shown addresses
 */
export function answerGroups(context, query, answer, shown) {
  const { strings: s, lang, dropDiacritics, base, companyUrl } = context;
  const words = tokens(query, dropDiacritics);
  const articles = answer.articles.map(articleOption(context, words)).filter((option) => !shown.has(option.href));
  return filled([
    {
      label: s.companies,
      options: answer.companies.map((company) => ({
        company,
        href: companyUrl ? pageUrl(base, companyUrl.replaceAll('{slug}', () => encodeURIComponent(company.slug))) : undefined,
        icon: 'company',
        title: markWords(company.name, words, dropDiacritics),
        meta: [s.articles, new Intl.NumberFormat(lang).format(company.articleCount)],
      })),
    },
    { label: s.fullText, options: articles.slice(0, MAX_FULL_TEXT) },
  ]);
}

/**
 * The articles of one company.
 *
 * @param {Context} context
 * @param {import('./remote.js').Company} company
 * @returns {Group[]}
 */
export const companyGroups = (context, company) => [{ label: company.name, options: company.articles.map(articleOption(context, [])) }];
