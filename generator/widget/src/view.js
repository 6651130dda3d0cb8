/** The widget's DOM. Text becomes text nodes, never HTML. */

/**
 * An option of the list: a link; or a query to ask again, or a company whose articles to show.
 * @typedef {{
 *   href?: string, query?: string, company?: import('./remote.js').Company,
 *   icon?: keyof typeof ICONS, title: Pieces, excerpt?: Pieces, meta?: (string | undefined)[],
 * }} Option
 * @typedef {import('./highlight.js').Piece[]} Pieces
 * @typedef {{label: string, detail?: string, options: Option[]}} Group
 */

/** SVG paths on a grid of 24. */
const ICONS = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M15.2 15.2L20.5 20.5',
  recent: 'M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16M12 8v4.3l2.8 1.7',
  close: 'M6 6L18 18M18 6L6 18',
  company: 'M5 20V4h9v16M14 10h5v10M3 20h18M8.5 8h2M8.5 12h2M8.5 16h2',
};

/**
 * Makes an element. Attributes that are false, null or undefined are left out.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((c) => c != null));
  return node;
}

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  const make = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const svg = make('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' });
  svg.append(make('path', { d: ICONS[name] }));
  return svg;
}

/**
 * Text in its own direction: an English title on an Arabic page, or the reverse.
 *
 * @param {Pieces} pieces
 */
const text = (pieces) => el('bdi', {}, ...pieces.map((p) => (p.marked ? el('mark', {}, p.text) : p.text)));

/**
 * @param {Option} option
 * @param {number} k its number in the list
 */
function optionNode(option, k) {
  const { href, icon: name, title, excerpt = [], meta = [] } = option;
  const parts = meta.filter(Boolean).flatMap((part, i) => [i ? ' · ' : '', el('bdi', {}, part)]);
  const texts = el(
    'span',
    { class: 'text' },
    el('span', { class: 'title' }, text(title)),
    el('span', { class: 'excerpt' }, text(excerpt)),
    el('span', { class: 'meta' }, ...parts),
  );
  const attributes = { role: 'option', id: `o${k}`, class: 'option', part: 'option', 'aria-selected': 'false' };
  return el(href ? 'a' : 'div', { ...attributes, href, tabindex: href && -1 }, name && icon(name), texts);
}

/**
 * The groups of the list, options numbered throughout.
 *
 * @param {Group[]} groups
 */
export function groupNodes(groups) {
  let k = 0;
  return groups.map((group, g) =>
    el(
      'div',
      { role: 'group', 'aria-labelledby': `g${g}`, class: 'group' },
      el('div', { id: `g${g}`, class: 'head' }, group.label, group.detail ? el('span', { class: 'detail' }, group.detail) : null),
      ...group.options.map((option) => optionNode(option, k++)),
    ),
  );
}

/** The fixed nodes of the widget, to which the element gives words and behaviour. */
export function skeleton() {
  const triggerLabel = el('span', { class: 'label' });
  const triggerKey = el('kbd', { 'aria-hidden': 'true' });
  const trigger = el('button', { type: 'button', class: 'trigger', part: 'trigger', 'aria-haspopup': 'dialog' }, icon('search'), triggerLabel, triggerKey);
  const input = el('input', {
    type: 'text', class: 'input', part: 'input', role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': 'list',
    'aria-expanded': 'false', autocomplete: 'off', autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false',
    enterkeyhint: 'go', inputmode: 'search', maxlength: 256,
  });
  const close = el('button', { type: 'button', class: 'close' }, icon('close'));
  const list = el('div', { id: 'list', role: 'listbox', class: 'list', hidden: true });
  const forget = el('button', { type: 'button', class: 'forget', hidden: true });
  const message = el('p');
  const hint = el('p', { class: 'hint' });
  const link = el('a', { class: 'link' });
  const note = el('div', { class: 'note', hidden: true }, message, hint, link);
  const help = el('div', { class: 'help', 'aria-hidden': 'true' });
  const status = el('div', { role: 'status', class: 'unseen' });
  const dialog = el('dialog', { class: 'dialog', part: 'dialog' },
    el('div', { class: 'panel' }, el('div', { class: 'bar' }, icon('search'), input, close), list, forget, note, help, status));
  return { trigger, triggerLabel, triggerKey, input, close, list, forget, message, hint, link, note, help, status, dialog };
}
