/** The reader's recent searches. They stay in this browser. Storage may be forbidden; then there are none. */

const KEY = 'read-finder:recent';
const MAX = 5;

/** @returns {string[]} newest first */
export function recentSearches() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((q) => typeof q === 'string').slice(0, MAX) : [];
  } catch {
    return [];
  }
}

/** @param {string} query */
export function remember(query) {
  try {
    const kept = [query, ...recentSearches().filter((q) => q !== query)].slice(0, MAX);
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {}
}

export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {}
}
