// Conditions on games: a form, and a chip for each condition that is set.

import { Latest, get } from './api.js';
import { english, fillField, h, icon, number, unbroken } from './dom.js';
import { store, stored, t } from './i18n.js';
import { FILTERS, change, correct, filters, link, state } from './state.js';

// Returns a chip for each condition but those named in `without`, which the view shows elsewhere.
export function chips(...without) {
  const set = FILTERS.filter((name) => state[name] && !without.includes(name));
  if (!set.length) return null;
  return h('ul', { class: 'chips', 'aria-label': t('filters') },
    set.map((name) => h('li', { class: 'chip' }, h('span', {}, `${t('filter_' + name)}: `, h('b', {}, valueName(name, state[name]))),
      h('button', { type: 'button', 'aria-label': t('removeFilter', { name: t('filter_' + name) }), onclick: () => change({ [name]: '' }) }, icon('close')))));
}

function valueName(name, value) {
  if (name === 'define') return [...value.matchAll(/^(?:area\s+)?([\w-]+)\s*=/gm)].map(([, defined]) => defined).join(', ') || value;
  return name === 'result' ? t('result_' + value) : value.replace(/^=/, '');
}

// Where the names that a field may have are listed.
const LISTED = { player: 'players', white: 'players', black: 'players', event: 'events' };

// Returns the names of a list that may be meant by what is typed: words that begin so.
export async function namesLike(index, filter, typed, signal) {
  const answer = await get(`${index.name}/${LISTED[filter]}`, { name: typed, limit: 8 }, signal);
  return (answer.players ?? answer.events).map((row) => ({ name: row.name ?? row.event, games: row.games }));
}

// Takes names that no game has for beginnings of names, in the address too. Returns whether there are any.
export async function takeBeginnings(index, signal) {
  const begins = {};
  for (const [name, value] of Object.entries(filters())) {
    if (!LISTED[name] || /^[=~]|^(is|begins|like):|\*$/.test(value)) continue;
    const { total } = await get(`${index.name}/find`, { [name]: value, limit: 1 }, signal);
    if (!total) begins[name] = value + '*';
  }
  if (Object.keys(begins).length) correct(begins);
  return Object.keys(begins).length > 0;
}

// Offers the names that begin so where a name in a filter or in the query finds nothing.
export async function suggestNames(index, notice) {
  /** @type {[string, string, (name: string) => Address][]} */
  const asked = ['player', 'white', 'black', 'event'].map((filter) => [filter, state[filter], (name) => ({ [filter]: '=' + name })]);
  const named = /^(player|white|black|event)\s*[:=~]\s*("[^"]*"|[^\s"]+)(.*)$/.exec(state.query ?? '');
  if (named) asked.push([named[1], named[2].replace(/"/g, ''), (name) => ({ query: `${named[1]} = ${JSON.stringify(name)}${named[3]}` })]);
  for (const [filter, typed, changed] of asked) {
    if (!typed) continue;
    const names = await namesLike(index, filter, typed.replace(/^[=~]|\*$/g, '')).catch(() => []);
    if (names.length) {
      notice.append(h('span', {}, ' ', t('namesLike'), names.map(({ name, games }, place) => [place ? ', ' : ' ',
        h('a', { href: link({ ...state, ...changed(name) }) }, name), ` (${number(games)})`])));
    }
  }
}

// Offers names while one types in a field.
function suggest(index, filter, input) {
  const list = h('datalist', { id: input.id + '-names' });
  const latest = new Latest();
  let wait;
  input.setAttribute('list', list.id);
  input.addEventListener('input', () => {
    clearTimeout(wait);
    const typed = input.value.trim();
    if (typed.length < 2) return list.replaceChildren();
    wait = setTimeout(async () => {
      const names = await latest.run((signal) => namesLike(index, filter, typed, signal)).catch(() => null);
      if (names) list.replaceChildren(...names.map(({ name }) => h('option', { value: name })));
    }, 150);
  });
  return list;
}

// Makes the form once for a view. Returns a function that shows the conditions of the address in it, and gives its element. A field takes effect when
// it is left or by Enter.
export function filterForm(index, ...without) {
  const names = FILTERS.filter((name) => !without.includes(name));
  const labelled = (name, input, more) => h('div', { class: 'field' }, h('label', { for: 'filter-' + name }, t('filter_' + name)), input, more);
  const attributes = (name) => ({ id: 'filter-' + name, name, onchange: (event) => change({ [name]: event.target.value.trim() }) });
  const field = (name, more = {}) => {
    const input = h('input', { ...attributes(name), autocomplete: 'off', spellcheck: 'false', ...more });
    return labelled(name, input, LISTED[name] ? suggest(index, name, input) : null);
  };
  const form = h('form', { class: 'fields', onsubmit: (event) => {
    event.preventDefault();
    const data = new FormData(form);
    change(Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '').trim()])));
  } },
  field('player', { placeholder: t('namePlaceholder') }), field('white'), field('black'), field('event'),
  field('date', { placeholder: '1980..1999' }), field('min_rating', { inputmode: 'numeric', placeholder: '2000' }),
  labelled('result', h('select', attributes('result'), ['', '1-0', '1/2-1/2', '0-1'].map((value) => h('option', { value }, value ? t('result_' + value) : t('any'))))),
  without.includes('query') ? null : field('query', { placeholder: 'ever w-b >= 2' }),
  labelled('define', h('textarea', { ...attributes('define'), rows: 1, spellcheck: 'false', placeholder: 'lead = w-b >= 2' })),
  h('button', { type: 'submit', class: 'primary' }, t('apply')));
  const count = h('span', { class: 'badge' });
  const box = h('details', { class: 'filters', open: stored('filters', 'sessionStorage') === 'open',
    ontoggle: () => store('filters', box.open ? 'open' : '', 'sessionStorage') }, h('summary', {}, t('filters'), count), form);
  return () => {
    names.forEach((name) => fillField(form.elements[name], state[name]));
    count.textContent = String(names.filter((name) => state[name]).length || '');
    return box;
  };
}

// Returns a function that gives the part of a text between two places, which the server counts in bytes.
export function partsOf(text) {
  const bytes = new TextEncoder().encode(text);
  return (from, to) => new TextDecoder().decode(bytes.slice(from, to));
}

// Shows the part of a value that the server could not read.
export function problem(error, value) {
  const box = h('div', { class: 'notice bad', role: 'alert' }, h('p', {}, error.parameter ? h('b', {}, (t('filter_' + error.parameter).startsWith('filter_') ? error.parameter : t('filter_' + error.parameter)) + ': ') : null, unbroken(error.message), english(error.english)));
  if (error.at !== undefined && value) {
    const part = partsOf(value);
    // Of several lines, that of the wrong part.
    box.append(h('code', { class: 'at' }, part(0, error.at).split('\n').at(-1), h('mark', {}, part(error.at, error.at + error.span) || ' '), part(error.at + error.span).split('\n')[0]));
  }
  return box;
}
