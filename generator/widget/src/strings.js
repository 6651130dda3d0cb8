/**
 * What the widget says.
 * @typedef {Record<typeof KEYS[number], string> & {count: Partial<Record<Intl.LDMLPluralRule, string>>}} Strings
 */

const KEYS = /** @type {const} */ ([
  'search', 'placeholder', 'close', 'articles', 'closeMatches', 'fullText', 'companies', 'latest', 'recent',
  'clearRecent', 'loading', 'none', 'noneHint', 'broken', 'elsewhere', 'home', 'toMove', 'toOpen', 'toClose',
]);

/** In the order of KEYS; then the count, by CLDR plural category. */
/** @type {Record<string, [...string[], Strings['count']]>} */
const LANGUAGES = {
  en: ['Search', 'Search articles', 'Close', 'Articles', 'Close matches', 'In the full text', 'Companies',
    'Latest articles', 'Recent searches', 'Clear recent searches', 'Loading…', 'No articles match “{query}”',
    'Check the spelling, or try fewer words.', 'Search is not available at the moment.', 'Search another way',
    'Go to the home page', 'to move', 'to open', 'to close', { one: '{n} result', other: '{n} results' }],
  de: ['Suche', 'Artikel suchen', 'Schließen', 'Artikel', 'Ähnliche Treffer', 'Im Volltext', 'Unternehmen',
    'Neueste Artikel', 'Letzte Suchen', 'Letzte Suchen löschen', 'Wird geladen …', 'Kein Artikel passt zu „{query}“',
    'Prüfen Sie die Schreibweise oder versuchen Sie es mit weniger Wörtern.', 'Die Suche ist zurzeit nicht verfügbar.',
    'Anders suchen', 'Zur Startseite', 'wählen', 'öffnen', 'schließen', { one: '{n} Treffer', other: '{n} Treffer' }],
  fr: ['Rechercher', 'Rechercher un article', 'Fermer', 'Articles', 'Résultats proches', 'Dans le texte intégral',
    'Entreprises', 'Derniers articles', 'Recherches récentes', 'Effacer les recherches récentes', 'Chargement…',
    'Aucun article ne correspond à « {query} »', 'Vérifiez l’orthographe ou essayez moins de mots.',
    'La recherche est indisponible pour le moment.', 'Rechercher autrement', 'Aller à l’accueil', 'parcourir', 'ouvrir',
    'fermer', { one: '{n} résultat', other: '{n} résultats' }],
  es: ['Buscar', 'Buscar artículos', 'Cerrar', 'Artículos', 'Resultados parecidos', 'En el texto completo', 'Empresas',
    'Últimos artículos', 'Búsquedas recientes', 'Borrar búsquedas recientes', 'Cargando…',
    'Ningún artículo coincide con «{query}»', 'Revise la ortografía o pruebe con menos palabras.',
    'La búsqueda no está disponible en este momento.', 'Buscar de otra manera', 'Ir a la página de inicio', 'mover',
    'abrir', 'cerrar', { one: '{n} resultado', other: '{n} resultados' }],
  ar: ['بحث', 'ابحث في المقالات', 'إغلاق', 'المقالات', 'نتائج قريبة', 'في النص الكامل', 'الشركات', 'أحدث المقالات',
    'عمليات البحث الأخيرة', 'مسح عمليات البحث الأخيرة', 'جارٍ التحميل…', 'لا توجد مقالات تطابق «{query}»',
    'تحقق من الإملاء أو جرّب كلمات أقل.', 'البحث غير متاح حاليًا.', 'ابحث بطريقة أخرى', 'الصفحة الرئيسية', 'للتنقل',
    'للفتح', 'للإغلاق', { one: 'نتيجة واحدة', two: 'نتيجتان', few: '{n} نتائج', other: '{n} نتيجة' }],
};

/**
 * The strings for a language, English where it is not known.
 *
 * @param {string} lang BCP 47 tag, "pt-BR"
 * @param {string | null} overrides JSON object: any of the strings
 * @returns {Strings}
 */
export function stringsFor(lang, overrides) {
  const known = LANGUAGES[lang.split('-')[0].toLowerCase()] ?? LANGUAGES.en;
  let own = {};
  try {
    own = JSON.parse(overrides ?? '{}');
  } catch (error) {
    console.warn('read-finder: the attribute "strings" is not JSON:', error);
  }
  return /** @type {any} */ ({ ...Object.fromEntries(KEYS.map((key, k) => [key, known[k]])), count: known.at(-1), ...own });
}

/**
 * @param {Strings} strings
 * @param {string} lang
 * @param {number} n
 */
export function count(strings, lang, n) {
  const form = strings.count[new Intl.PluralRules(lang).select(n)] ?? strings.count.other ?? '{n}';
  return form.replace('{n}', new Intl.NumberFormat(lang).format(n));
}
