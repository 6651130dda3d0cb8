import { groupNodes } from './view.js';

/** How many options Page Up and Page Down pass. */
const PAGE = 5;

/**
 * The list of options and the input that moves through it, by the WAI-ARIA pattern of the combobox: the focus stays in
 * the input, which names the active option.
 */
export class Listbox {
  /** @type {import('./view.js').Option[]} */
  options = [];
  /** The number of the option that Enter chooses; -1 for none. */
  active = -1;
  /** Whether the reader walks through the options: then Home and End are about them, not about the text. */
  walking = false;
  #list;
  #input;

  /**
   * @param {HTMLElement} list
   * @param {HTMLInputElement} input
   */
  constructor(list, input) {
    this.#list = list;
    this.#input = input;
    list.addEventListener('pointermove', (event) => this.#activate(this.at(event) ?? this.active));
  }

  /**
   * Shows groups of options.
   *
   * @param {import('./view.js').Group[]} groups
   * @param {number} active the number of the option to make active
   */
  show(groups, active) {
    this.options = groups.flatMap((group) => group.options);
    this.#list.replaceChildren(...groupNodes(groups));
    this.#list.hidden = !groups.length;
    this.#input.setAttribute('aria-expanded', String(groups.length > 0));
    this.#activate(active);
    this.#scroll();
  }

  /** The node of an option. @param {number} k */
  node(k) {
    return /** @type {HTMLElement | undefined} */ (this.#list.querySelectorAll('[role=option]')[k]);
  }

  /** The number of the option that an event is about. @param {Event} event */
  at(event) {
    const node = /** @type {Element} */ (event.target).closest('[role=option]');
    return node ? Number(node.id.slice(1)) : undefined;
  }

  /**
   * Moves as a key says; undefined and other keys end the walk.
   *
   * @param {string} [key]
   * @returns {boolean} whether the key was one that moves
   */
  move(key = '') {
    const k = this.active;
    const last = this.options.length - 1;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowDown: k < last ? k + 1 : 0,
      ArrowUp: k > 0 ? k - 1 : last,
      PageDown: Math.min(k + PAGE, last),
      PageUp: Math.max(k - PAGE, 0),
    };
    if (this.walking) Object.assign(moves, { Home: 0, End: last });
    this.walking = last >= 0 && key in moves;
    if (this.walking) {
      this.#activate(moves[key]);
      this.#scroll();
    }
    return this.walking;
  }

  /** @param {number} k */
  #activate(k) {
    this.node(this.active)?.setAttribute('aria-selected', 'false');
    this.active = k;
    const node = this.node(k);
    node?.setAttribute('aria-selected', 'true');
    if (node) this.#input.setAttribute('aria-activedescendant', node.id);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #scroll() {
    if (this.active > 0) this.node(this.active)?.scrollIntoView({ block: 'nearest' });
    else this.#list.scrollTop = 0;
  }
}
