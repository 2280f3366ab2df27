// Starts the page: header, views, keys, language and colours.

import { get, hasServer } from './api.js';
import { loadModule } from './connection.js';
import { miniature } from './board.js';
import { announce, failure, h, icon, number, redraw } from './dom.js';
import { GameView } from './game.js';
import { LANGUAGES, language, loadLanguage, store, t } from './i18n.js';
import { LOOKS, chooseLook, look } from './look.js';
import { OverviewView } from './overview.js';
import { SearchView } from './search.js';
import { Seek } from './seek.js';
import { change, go, link, scrollBack, state, subscribe } from './state.js';
import { TreeView } from './tree.js';

const VIEWS = { tree: TreeView, search: SearchView, players: null, overview: OverviewView, check: null, game: GameView, event: null };
// The views that a site of files does not have, with the reason.
const ABSENT = hasServer ? {} : { check: 'checksNeedServer' };
const NAVIGATION = ['tree', 'search', 'players', 'overview', 'check'].filter((name) => !ABSENT[name]);

// In place of what cannot be shown, such as views that a site of files cannot have.
class NoticeView {
  constructor(title, ...text) {
    this.element = h('div', { class: 'page-wide' }, h('h1', {}, title), h('p', { class: 'notice' }, text));
  }
  update() {}
  leave() {}
  key = () => false;
}

let indexes = [];
let seek;
let title;
let view;
let shown;
// The address at which each view of the menu was left.
const left = {};
const main = document.getElementById('main');
const header = document.getElementById('header');
/** @type {HTMLDialogElement} */
const dialog = document.querySelector('#help');

// Returns where the menu leads: to the address at which a view was left, and from the view itself to its beginning.
function place(name, index) {
  const current = state.view ?? 'tree';
  return (name !== current && left[`${name} ${index?.name}`]) || link({ view: name === 'tree' ? undefined : name, db: state.db });
}

const pageTitle = (index) => title ?? index?.name ?? 'pdn';

function drawHeader(index) {
  const current = state.view ?? 'tree';
  const names = indexes.length > 1 ? h('select', { 'aria-label': t('archive'), onchange: (event) => go({ db: event.target.value }) },
    indexes.map(({ name }) => h('option', { value: name, selected: name === index?.name }, name))) : null;
  redraw(header,
    h('a', { class: 'brand', href: link({ db: state.db }) }, h('span', { class: 'mark', 'aria-hidden': 'true' }), h('span', {}, pageTitle(index)), index ? h('span', { class: 'muted brand-count' }, t(index.games === 1 ? 'oneGame' : 'manyGames', { games: number(index.games) })) : null), names,
    h('nav', { 'aria-label': t('views') }, NAVIGATION.map((name) => h('a', { href: place(name, index), 'aria-current': current === name ? 'page' : undefined }, t('nav_' + name)))),
    h('div', { class: 'tools' }, seek?.button ?? null,
      h('select', { 'aria-label': t('language'), id: 'language', onchange: async (event) => {
        store('language', event.target.value);
        location.reload();
      } }, Object.entries(LANGUAGES).map(([code, name]) => h('option', { value: code, selected: code === language, lang: code }, name))),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('look'), title: t('look'), onclick: showLooks }, icon('looks')),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('shortcuts'), title: t('shortcuts'), onclick: showHelp }, '?')));
}

function showDialog(title, ...content) {
  dialog.replaceChildren(h('h2', { id: 'help-title' }, title), ...content, h('form', { method: 'dialog' }, h('button', { class: 'primary' }, t('close'))));
  dialog.showModal();
}

// A choice applies at once. Beside each choice of a board or of men is a small board that looks so.
function showLooks() {
  const sample = () => miniature({ rows: [['', '1'], ['2', '']] }, 'W:W2:B1');
  const choice = (name, value) => h('label', { class: 'check', [`data-${name}`]: value },
    h('input', { type: 'radio', name, checked: look(name) === value, onchange: () => chooseLook(name, value) }), ['board', 'men'].includes(name) ? sample() : null, t(`${name}_${value}`));
  showDialog(t('look'), ...Object.entries(LOOKS).map(([name, values]) => h('fieldset', { class: 'looks' }, h('legend', {}, t('look_' + name)), values.map((value) => choice(name, value)))));
}

function showHelp() {
  const rows = ['arrows', 'home', 'updown', 'variations', 'games', 'flip', 'seek', 'slash', 'views', 'board', 'lines', 'escape', 'help'].filter((row) => hasServer || row !== 'views');
  showDialog(t('shortcuts'), h('dl', { class: 'keys' }, rows.map((row) => [h('dt', {}, t('key_' + row)), h('dd', {}, t('does_' + row))])));
}

let updates = 0;

// Shows the state. The page is marked as busy from the change of the state until its view is complete.
async function update() {
  updates += 1;
  document.documentElement.dataset.busy = 'true';
  try {
    await show();
  } finally {
    updates -= 1;
    if (!updates) delete document.documentElement.dataset.busy;
  }
}

function nameTab(name, index) {
  const text = `${view?.title || t('nav_' + name)} – ${pageTitle(index)}`;
  if (document.title !== text) document.title = text;
}

// Views that most visits never show are loaded when they are wanted.
const LOADERS = {
  check: async () => (await loadModule('./check.js')).CheckView,
  event: async () => (await loadModule('./event.js')).EventView,
  players: async () => (await loadModule('./players.js')).PlayersView,
};

async function load(name) {
  VIEWS[name] ??= await LOADERS[name]();
}

const indexShown = () => (state.db ? indexes.find(({ name }) => name === state.db) : indexes[0]);

async function show() {
  while (LOADERS[state.view] && !ABSENT[state.view] && !VIEWS[state.view]) await load(state.view);
  const index = indexShown();
  const asked = state.view ?? 'tree';
  const name = Object.hasOwn(VIEWS, asked) ? asked : 'tree';
  const key = `${asked} ${index?.name}`;
  if (index && NAVIGATION.includes(asked)) left[key] = location.search;
  if (key !== shown) {
    drawHeader(index);
    view?.leave();
    if (!index) view = new NoticeView(t('noArchive', { name: state.db ?? '' }), indexes.map((other) => [h('a', { href: link({ view: state.view, db: other.name }) }, other.name), ' ']));
    else if (asked !== name) view = new NoticeView(t('noView', { name: asked }), h('a', { href: link({ db: state.db }) }, t('nav_tree')));
    else if (ABSENT[name]) view = new NoticeView(t('nav_' + name), t(ABSENT[name]));
    else view = new VIEWS[name](index);
    const isFirst = !shown;
    shown = key;
    main.replaceChildren(view.element);
    scrollTo(0, 0);
    // What had the focus is gone: the new view gets it, and is named.
    if (!isFirst && document.activeElement === document.body) main.focus({ preventScroll: true });
    if (!isFirst) announce(t('nav_' + name));
  }
  await view.update();
  nameTab(name, index);
  scrollBack();
}

// Opens a view of the menu.
function enter(at) {
  /** @type {NodeListOf<HTMLElement>} */
  const links = header.querySelectorAll('nav a');
  links[at]?.click();
}

/** @param {KeyboardEvent & { target: HTMLInputElement }} event */
const pressed = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const { target } = event;
  if (target.closest?.('input:not([type=checkbox]):not([type=radio]), textarea, select')) {
    if (event.key === 'Escape') target.blur();
    return;
  }
  if (target.type === 'radio' && event.key.startsWith('Arrow')) return;
  if (event.key === '?') showHelp();
  else if (event.key === 's') seek.open();
  else if (/^[1-5]$/.test(event.key)) enter(Number(event.key) - 1);
  else if (!view?.key(event)) return;
  event.preventDefault();
};
addEventListener('keydown', pressed);

// A file may be dropped anywhere.
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', async (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer?.files ?? []];
  if (!files.length) return;
  if (hasServer) await load('check');
  if (state.view !== 'check') change({ view: 'check' });
  if (hasServer) view.check(files);
});

await loadLanguage();
document.getElementById('skip').textContent = t('skip');
seek = new Seek(indexShown);
subscribe(update);
try {
  // A server puts them into the page, a site of files into a file.
  const known = document.getElementById('indexes');
  ({ indexes, title } = known ? JSON.parse(known.textContent) : await get('indexes'));
  await update();
} catch (error) {
  drawHeader();
  main.replaceChildren(failure(error, h('button', { onclick: () => location.reload() }, t('again'))));
}
document.documentElement.dataset.ready = 'true';
