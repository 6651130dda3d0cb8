/**
 * The fold: the one form in which text is compared. It is the fold of Go's site/text, rule for rule, without its tables:
 * testdata/fold.json is run against both, and so is every code point.
 */

const ASCII = /^[\x01-\x7f]*$/;

/** Cherokee is the one script that CaseFolding.txt folds to its capitals. */
const CHEROKEE_SMALL = /[\uab70-\uabbf\u13f8-\u13fd]/g;

/**
 * Full case folding (CaseFolding.txt, status C and F). Lower case of upper case of lower case is that, for every
 * character but three kinds: ı, which is not i; final sigma, which toLowerCase puts back; and Cherokee.
 *
 * @param {string} s in NFC
 */
function foldCase(s) {
  return s
    .replace(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase().toLowerCase())
    .replaceAll('ς', 'σ')
    .replace(CHEROKEE_SMALL, (c) => c.toUpperCase());
}

/**
 * Folds s. White space stays as it is.
 *
 * @param {string} s
 * @param {boolean} [dropDiacritics] drop the combining diacritical marks, so that é is e
 * @returns {string}
 */
export function fold(s, dropDiacritics) {
  if (ASCII.test(s)) return s.toLowerCase();
  s = s.replace(/[\xad\u200b\ufeff]/g, '').replaceAll('\0', '\ufffd');
  s = foldCase(s.normalize()).normalize();
  if (dropDiacritics) s = s.normalize('NFD').replace(/[\u0300-\u036f]/g, '').normalize();
  return s
    .replace(/[‘’‚‛‹›ʼ]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replaceAll('…', '...');
}

/**
 * The folded tokens of a query: what stands between white space (the Unicode property White_Space).
 *
 * @param {string} query
 * @param {boolean} [dropDiacritics]
 */
export function tokens(query, dropDiacritics) {
  return fold(query, dropDiacritics).split(/[\s\x85]+/).filter(Boolean);
}
