// One field for everything that people look for: beginnings of names, moves, positions and queries.

import { Latest, get } from './api.js';
import { failure, h, icon, ownName } from './dom.js';
import { t } from './i18n.js';
import { movesIn } from './moves.js';
import { lastVariant, link, state } from './state.js';

// Number of names of each kind.
const MOST_NAMES = 6;
// Signs that only queries have, and the words with which they begin.
export const isQuery = (text) => /[<>=:"()@]|^(ever|never|first|not|last|aside) /.test(text);

export class Seek {
  // `indexOf` returns the archive that is shown.
  // The named openings of an archive, which are on their way.
  known = null;
  openingsOf = null;

  constructor(indexOf) {
    this.indexOf = indexOf;
    this.latest = new Latest();
    this.input = h('input', { id: 'seek', type: 'search', autocomplete: 'off', spellcheck: 'false', placeholder: t('seekHint'), 'aria-label': t('seek'), oninput: () => {
      clearTimeout(this.wait);
      this.wait = setTimeout(() => this.suggest(), 150);
    } });
    this.list = h('div', { class: 'seek-list', 'aria-live': 'polite' });
    const form = h('form', { role: 'search', class: 'query', onsubmit: (event) => this.submit(event) }, this.input, h('button', { class: 'primary' }, t('find')));
    this.dialog = h('dialog', { class: 'seek', 'aria-label': t('seek'), onkeydown: (event) => this.key(event), onclick: (event) => {
      // A click on a link or outside the dialog closes it.
      if (event.target.closest('a') || event.target === this.dialog) this.close();
    } }, h('div', {}, form, this.list));
    document.body.append(this.dialog);
  }

  // Draws the button that opens the field.
  get button() {
    return h('button', { type: 'button', class: 'seek-button', title: t('seek'), 'aria-label': t('seek'), onclick: () => this.open() }, icon('search'), h('span', {}, t('seek')));
  }

  open() {
    if (this.dialog.open || !this.indexOf()) return;
    this.dialog.showModal();
    this.input.select();
  }

  // Closes the dialog. The field would keep the focus, and take the next key, until the next frame.
  close() {
    this.dialog.close();
    /** @type {HTMLElement} */
    const focused = this.dialog.querySelector(':focus');
    focused?.blur();
  }

  // Follows the first suggestion to what is typed.
  async submit(event) {
    event.preventDefault();
    clearTimeout(this.wait);
    await this.suggest();
    this.list.querySelector('a')?.click();
  }

  async suggest() {
    const text = this.input.value.trim();
    try {
      const kinds = await this.latest.run((signal) => (text ? this.kinds(text, signal) : []));
      this.list.replaceChildren(...(kinds ?? []).filter(({ links }) => links.length).flatMap(({ kind, links }) => [h('h3', {}, t(kind)),
        h('ul', {}, links.map(([title, address, more]) => h('li', {}, h('a', { href: link({ db: state.db, ...address }) }, title), more ? h('span', { class: 'muted' }, ' ', more) : null)))]));
    } catch (error) {
      this.list.replaceChildren(failure(error));
    }
  }

  // Returns what a text may mean, the likeliest kind first, each with links.
  async kinds(text, signal) {
    const index = this.indexOf();
    const variant = state.variant ?? lastVariant(index) ?? index.variants[0]?.variant;
    if (/^[WB]:[WB]/i.test(text)) return [{ kind: 'filter_fen', links: [[text, { variant, fen: text }]] }];
    const moves = movesIn(text);
    if (moves) return [{ kind: 'filter_moves', links: [[moves, { variant, moves }]] }];
    const query = { kind: 'filter_query', links: [[text, { view: 'search', query: text }]] };
    if (isQuery(text)) return [query];
    const [{ players }, { events }, { openings }] = await Promise.all([
      get(`${index.name}/players`, { name: text, limit: MOST_NAMES }, signal), get(`${index.name}/events`, { name: text, limit: MOST_NAMES }, signal), this.openings(index)]);
    const lower = text.toLowerCase();
    const begins = (name) => name.toLowerCase().startsWith(lower) || name.toLowerCase().split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(lower));
    return [
      { kind: 'nav_players', links: players.map(({ name, games }) => [name, { view: 'players', p: name }, `(${games})`]) },
      { kind: 'events', links: events.map(({ event, games }) => [event, { view: 'event', e: event }, `(${games})`]) },
      { kind: 'namedOpenings', links: openings.filter(({ name }) => begins(name)).slice(0, MOST_NAMES).map(({ name, query, variant }) => [ownName(name), { view: 'search', variant, query }, t('variant_' + variant)]) },
      { kind: 'nav_search', links: [[t('searchName', { name: text }), { view: 'search', player: text }]] },
    ];
  }

  // Returns the named openings of an archive, which do not depend on what is typed.
  openings(index) {
    if (this.openingsOf !== index) [this.openingsOf, this.known] = [index, get(`${index.name}/openings`)];
    this.known.catch(() => (this.openingsOf = null));
    return this.known;
  }

  // The arrows go from the field through the links.
  key(event) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops = [this.input, ...this.list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
    stops[Math.max(0, Math.min(stops.length - 1, at))].focus();
    event.preventDefault();
  }
}
