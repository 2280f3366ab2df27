// The search: squares that are painted, and queries that are typed. The results are a table that goes on while it is scrolled.

import { Latest, get, hasServer, query, resultFile, rows } from './api.js';
import { Board, miniature } from './board.js';
import { announce, download, failure, fillField, h, icon, iconButton, notify, number, ownName, percent, redraw, tableBox, unbroken } from './dom.js';
import { chips, filterForm, partsOf, problem, suggestNames, takeBeginnings } from './filters.js';
import { resultText } from './game.js';
import { t } from './i18n.js';
import { movesIn } from './moves.js';
import { meantNames, scoreTable, sortHead } from './overview.js';
import { parseFen, toFen } from './position.js';
import { isQuery } from './seek.js';
import { back, change, filters, go, lastVariant, link, state, useVariant } from './state.js';

// What a square may be painted with: the letter of the pattern language, and how it looks.
const PAINTS = {
  w: { kind: 'white', piece: { colour: 'white', king: false } },
  W: { kind: 'white', piece: { colour: 'white', king: true } },
  b: { kind: 'black', piece: { colour: 'black', king: false } },
  B: { kind: 'black', piece: { colour: 'black', king: true } },
  o: { kind: 'white', text: 'o' },
  x: { kind: 'black', text: 'x' },
  p: { kind: 'any', text: '?' },
  '.': { kind: 'empty', text: '·' },
  '!o': { kind: 'not', text: '!o' },
  '!x': { kind: 'not', text: '!x' },
};
const SETUP = ['move', 'w', 'W', 'b', 'B'];
// Rows that are asked for at once, and that are drawn with a result: as many as most windows have. The rest follow when their place is nearly in view.
const PAGE = 50;
const FIRST_ROWS = 20;
const FIRST_GROUPS = 100;
// The server lists no more groups.
const MOST_GROUPS = 1000;
// What games are grouped by: the head of the column, and whose results count.
const GROUPS = {
  year: ['year', 'White'], player: ['player', 'Player'], event: ['event', 'White'], opening_played: ['opening', 'White'],
  winner: ['result', 'White'], variant: ['variant', 'White'], move: ['move', 'Mover'],
};
// Columns of which the greatest values are wanted first.
const GREATEST_FIRST = ['date', 'rating', 'plies'];
const WINNERS = { white: '1-0', draw: '1/2-1/2', black: '0-1' };
// The server writes no file of more games.
const MOST_SAVED = 100_000;
// Results by what was asked, so that after Back the rows are there as they were left.
const kept = new Map();
const MOST_KEPT = 6;

// Reads a pattern as this page writes it: words such as w:32,28.
export function readPattern(text) {
  const squares = new Map();
  for (const word of (text ?? '').split(' ').filter(Boolean)) {
    const [paint, list] = word.split(':');
    if (paint in PAINTS && list) list.split(',').forEach((square) => squares.set(square, paint));
  }
  return squares;
}

export function writePattern(squares) {
  const words = {};
  for (const [square, paint] of squares) (words[paint] ??= []).push(square);
  return Object.entries(words).map(([paint, list]) => `${paint}:${list.join(',')}`).join(' ');
}

export class SearchView {
  /** @type {BoardShape} */
  shape;
  /** @type {string} The FEN of the first position. */
  start;
  /** @type {Map<string, BoardShape>} Boards by variant. */
  shapes;

  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.more = new Latest();
    // An empty board is filled first; men that stand there already are moved.
    this.paint = this.isSetup() && parseFen(state.setup).pieces.size ? 'move' : 'w';
    this.board = new Board({ onsquare: (name, always) => this.paintSquare(name, always) });
    this.palette = h('div', { class: 'palette' });
    this.options = h('div', { class: 'paint-options' });
    this.panel = h('div', { class: 'panel' });
    this.form = filterForm(index, 'query');
    this.query = h('input', { id: 'q', name: 'q', list: 'conditions', spellcheck: 'false', autocomplete: 'off', placeholder: 'player : wiersma and w-b >= 2', oninput: () => conditions.replaceChildren(...completions(this.query.value)) });
    const conditions = h('datalist', { id: 'conditions' }, completions(''));
    this.box = h('form', { class: 'query', role: 'search', onsubmit: (event) => {
      event.preventDefault();
      change({ query: this.query.value.trim() });
    } }, h('label', { for: 'q' }, t('queryLabel')), this.query, conditions, h('button', { type: 'submit', class: 'primary' }, t('find')));
    // On a phone, the board waits behind a button until a position is asked for.
    this.opener = h('button', { type: 'button', class: 'by-position', 'aria-expanded': 'false', onclick: () => this.openBoard(!this.element.classList.contains('with-board')) }, t('byPosition'));
    this.element = h('div', { class: 'two search' }, h('h1', { class: 'hidden' }, t('nav_search')), h('section', { class: 'board-side', 'aria-label': t('board') }, this.opener, this.board.element, this.palette, this.options), this.panel);
  }

  get title() {
    const asked = [state.query, ...['player', 'white', 'black', 'event', 'date'].map((name) => state[name]?.replace(/^=/, ''))].filter(Boolean);
    return asked.join(', ');
  }

  openBoard(isOpen) {
    this.element.classList.toggle('with-board', isOpen);
    this.opener.setAttribute('aria-expanded', String(isOpen));
  }

  isSetup() {
    return state.mode === 'setup';
  }

  // The squares as they are painted, from the address.
  squares() {
    if (!this.isSetup()) return readPattern(state.pattern);
    const { pieces } = parseFen(state.setup);
    return new Map([...pieces].map(([square, { colour, king }]) => [square, colour === 'white' ? (king ? 'W' : 'w') : king ? 'B' : 'b']));
  }

  paintSquare(name, always = false) {
    if (this.paint === 'move') return always || this.chooseMan(name);
    const squares = this.squares();
    if (this.paint === 'erase' || (squares.get(name) === this.paint && !always)) squares.delete(name);
    else squares.set(name, this.paint);
    announce(`${name}: ${squares.has(name) ? t('paint_' + squares.get(name)) : t('paint_erase')}`);
    this.keep(squares);
  }

  // Chooses a man of the position that is set up, and then where it stands.
  chooseMan(name) {
    const [from] = this.board.path;
    this.board.path = [];
    if (from && from !== name) return this.moveMan(from, name);
    if (!from && this.squares().has(name)) {
      this.board.path = [name];
      announce(`${name}: ${t('selected')}`);
    }
    this.board.draw();
  }

  // Moves a man of the position that is set up, or takes it away.
  moveMan(from, to) {
    const squares = this.squares();
    const paint = squares.get(from);
    squares.delete(from);
    if (to) squares.set(to, paint);
    announce(to ? `${to}: ${t('paint_' + paint)}` : `${from}: ${t('paint_erase')}`);
    this.keep(squares);
  }

  keep(squares) {
    if (this.isSetup()) {
      const { turn } = parseFen(state.setup);
      const pieces = new Map([...squares].map(([square, paint]) => [square, PAINTS[paint].piece]));
      change({ setup: toFen(turn, pieces) }, { replace: true });
    } else change({ pattern: writePattern(squares), variant: this.variant }, { replace: true });
  }

  async update() {
    const variant = state.variant ?? lastVariant(this.index) ?? this.index.variants[0]?.variant;
    if (variant !== this.variant || !this.shape) {
      try {
        ({ board: this.shape, fen: this.start } = await get(`${this.index.name}/position`, { variant }));
        this.variant = variant;
      } catch (error) {
        return redraw(this.panel, failure(error));
      }
    }
    this.previewed = null;
    this.palette.inert = false;
    if (state.pattern || this.isSetup()) this.openBoard(true);
    this.showPainted();
    this.drawPalette();
    await this.search();
  }

  showPainted() {
    this.board.layout(this.shape, state.flip === '1');
    this.board.onman = this.isSetup() && this.paint !== 'erase' ? (from, to) => this.moveMan(from, to) : null;
    const pieces = new Map([...this.squares()].map(([square, paint]) => [square, PAINTS[paint].piece
      ? { ...PAINTS[paint].piece, name: t('paint_' + paint) } : { ...PAINTS[paint], name: t('paint_' + paint) }]));
    this.board.show({ pieces });
  }

  drawPalette() {
    const paints = this.isSetup() ? SETUP : Object.keys(PAINTS);
    if (![...paints, 'erase'].includes(this.paint)) this.paint = 'w';
    const tab = (key, isChosen, to) => h('button', { type: 'button', 'aria-pressed': String(isChosen), onclick: () => isChosen || change(to) }, t(key));
    const drawn = `${this.isSetup()} ${this.paint}`;
    if (drawn !== this.paletteDrawn) redraw(this.palette, h('p', { class: 'tabs' }, tab('tabPattern', !this.isSetup(), { mode: '', setup: '' }), tab('filter_fen', this.isSetup(), { mode: 'setup', setup: 'W:W:B', pattern: '', variant: this.variant })), h('fieldset', {}, h('legend', {}, this.isSetup() ? t('setUpLegend') : t('paintLegend')),
      [...paints, 'erase'].map((paint) => h('label', { class: 'paint', title: t('paint_' + paint) },
        h('input', { type: 'radio', name: 'paint', value: paint, checked: paint === this.paint, onchange: () => this.choosePaint(paint) }),
        paint === 'erase' || paint === 'move' ? icon(paint === 'move' ? 'move' : 'close') : miniature({ rows: [['1']] }, PAINTS[paint].piece ? toFen('white', new Map([['1', PAINTS[paint].piece]])) : 'W:W:B'),
        PAINTS[paint]?.text ? h('span', { class: 'symbol ' + PAINTS[paint].kind, 'aria-hidden': 'true' }, PAINTS[paint].text) : null,
        h('span', { class: 'hidden' }, t('paint_' + paint))))), h('p', { class: 'muted hint' }, this.isSetup() ? t('setUpHint') : h('span', {}, t('paintHint'), ' ', h('b', {}, t('paint_' + this.paint)))));
    this.paletteDrawn = drawn;
    const check = (name) => h('label', { class: 'check' }, h('input', { id: name, type: 'checkbox', checked: state[name] === 'true', onchange: (event) => change({ [name]: event.target.checked ? 'true' : '' }) }), ' ' + t(name));
    const controls = [];
    if (this.isSetup()) {
      const { turn, pieces } = parseFen(state.setup);
      const side = (colour) => h('label', { class: 'check' }, h('input', { id: 'turn-' + colour, type: 'radio', name: 'turn', checked: turn === colour, onchange: () => change({ setup: toFen(colour, pieces) }, { replace: true }) }), ' ' + t('toMove_' + colour));
      controls.push(side('white'), side('black'), h('div', { class: 'field fen' }, h('label', { for: 'fen' }, t('fenLabel')),
        h('input', { id: 'fen', value: state.setup ?? '', spellcheck: 'false', autocomplete: 'off', onchange: (event) => change({ setup: event.target.value.trim() }, { replace: true }) })),
        h('button', { type: 'button', class: 'primary', onclick: () => go({ view: 'tree', db: state.db, variant: this.variant, fen: state.setup }) }, t('playFromHere')),
        h('button', { type: 'button', onclick: () => change({ setup: this.start }, { replace: true }) }, t('startPosition')));
    } else controls.push(check('flipped'), this.shape.full ? check('mirrored') : null);
    controls.push(h('button', { type: 'button', onclick: () => this.keep(new Map()) }, t('clearBoard')),
      iconButton('flip', t('flip'), () => change({ flip: state.flip === '1' ? '' : '1' }, { replace: true })));
    redraw(this.options, controls);
  }

  choosePaint(paint) {
    this.paint = paint;
    this.showPainted();
    this.drawPalette();
  }

  parameters() {
    /** @type {Address} */
    const asked = { ...filters(), sort: state.sort, reverse: state.reverse, variant: state.variant, tag: state.tag };
    if (!this.isSetup() && state.pattern) Object.assign(asked, { pattern: state.pattern, flipped: state.flipped, mirrored: state.mirrored });
    if (state.fen) asked.fen = state.fen;
    // A position that is set up is searched for, once it has a piece.
    if (this.isSetup() && parseFen(state.setup).pieces.size) Object.assign(asked, { fen: state.setup, variant: this.variant });
    // Visitors look for games of players whom they know. The order of the index remains where games are played through to find them, and in a
    // large site without a server, where the browser would have to read the names and ratings of all games.
    if (!asked.sort && !asked.reverse && !asked.query && !asked.pattern && (hasServer || this.index.games <= 100_000)) asked.sort = 'known';
    return asked;
  }

  async search() {
    const parameters = this.parameters();
    const key = JSON.stringify([state.by, parameters]);
    if (key === this.asked && this.panel.childElementCount) return;
    this.asked = key;
    this.panel.setAttribute('aria-busy', 'true');
    if (back && kept.has(this.index.name + key)) {
      this.draw(kept.get(this.index.name + key), parameters);
      return this.panel.removeAttribute('aria-busy');
    }
    const found = { games: [] };
    const show = (games) => {
      found.games.push(...games);
      if (found.goOn) found.goOn();
      else this.draw(found, parameters);
    };
    const path = `${this.index.name}/find`;
    try {
      if (state.by) {
        const answer = await this.ask((signal) => this.groups(parameters, FIRST_GROUPS, signal));
        if (!answer) return;
        Object.assign(found, { total: answer.games, groups: answer });
        this.keepFound(key, found);
        this.draw(found, parameters);
        return this.panel.removeAttribute('aria-busy');
      }
      // A sorted table is known only when the search is complete; of others the first rows are shown at once.
      const last = await this.ask((signal) => (parameters.sort || parameters.reverse
        ? get(path, { ...parameters, limit: PAGE }, signal)
        : rows(`${path}.ndjson`, { ...parameters, limit: PAGE }, signal, show)));
      if (!last) return;
      found.total = last.total;
      if (last.games) found.games = last.games;
      this.keepFound(key, found);
      if (found.goOn) this.complete(found, parameters);
      else this.draw(found, parameters);
    } catch (error) {
      if (found.goOn) found.head.replaceChildren(failure(error));
      else this.draw(null, parameters, error);
    }
    this.panel.removeAttribute('aria-busy');
  }

  // Returns an answer with games, or one without: where names may be beginnings, the search is made anew.
  async ask(work) {
    let isAnother = false;
    const answer = await this.latest.run(async (signal) => {
      const given = await work(signal);
      isAnother = !(given.total ?? given.games) && await takeBeginnings(this.index, signal);
      return given;
    });
    return isAnother ? this.search() : answer;
  }

  keepFound(key, found) {
    kept.set(this.index.name + key, found);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  }

  // Asks for the games by group. Groups have an order of their own.
  /** @param {Address} parameters */
  groups({ sort, reverse, ...conditions }, limit, signal) {
    return get(`${this.index.name}/groups`, { ...conditions, by: state.by, limit }, signal);
  }

  // Shows how many games were found: the rows are there already.
  complete(found, parameters) {
    found.head.replaceWith((found.head = this.head(found, parameters)));
    found.goOn();
  }

  head(found, parameters) {
    const name = encodeURIComponent(this.index.name);
    const text = found.total === undefined ? t('searching') : t(found.total === 1 ? 'oneGame' : 'manyGames', { games: number(found.total) });
    announce(text);
    const save = (form, ending) => {
      const [path, asked] = [`${name}/find.${ending}`, { ...parameters, bom: ending === 'csv' }];
      if (found.total > MOST_SAVED) return h('button', { type: 'button', onclick: () => notify(t('tooManyToSave', { most: number(MOST_SAVED) })) }, form);
      if (hasServer) return h('a', { class: 'button', href: `api/v1/${path}${query(asked)}`, download: 'games.' + ending }, form);
      return h('button', { type: 'button', onclick: () => resultFile(path, asked).then((file) => download('games.' + ending, file), (error) => found.head.append(failure(error))) }, form);
    };
    return h('div', { key: false, class: 'panel-head' }, h('p', { class: 'count' }, text),
      found.total ? h('span', { class: 'actions' }, save('PDN', 'pdn'), save('CSV', 'csv')) : null);
  }

  draw(found, parameters, error) {
    const variants = h('select', { id: 'variant', onchange: (event) => {
      if (event.target.value) useVariant(event.target.value);
      change({ variant: event.target.value, pattern: '', setup: this.isSetup() ? 'W:W:B' : undefined });
    } },
      h('option', { value: '' }, t('allVariants')),
      this.index.variants.map(({ variant, games }) => h('option', { value: variant, selected: variant === state.variant }, `${t('variant_' + variant)} (${number(games)})`)));
    const grouping = h('select', { id: 'by', onchange: (event) => change({ by: event.target.value }) },
      h('option', { value: '' }, t('by_none')),
      [...new Set([...Object.keys(GROUPS), state.by])].filter(Boolean).map((by) => h('option', { value: by, selected: by === state.by }, by in GROUPS ? t('by_' + by) : by)));
    fillField(this.query, state.query);
    this.query.setAttribute('aria-invalid', String(error?.parameter === 'query'));
    const parts = [this.box, h('div', { class: 'panel-head' }, h('div', { class: 'field inline' }, h('label', { for: 'variant' }, t('variant')), variants),
      h('div', { class: 'field inline' }, h('label', { for: 'by' }, t('grouping')), grouping)), chips('query'), this.form()];
    if (error) {
      parts.push(error.parameter ? problem(error, parameters[error.parameter]) : failure(error));
      const text = parameters.query;
      if (error.parameter === 'query') {
        // A click puts one of the words that may be meant in place of the wrong one.
        const part = partsOf(text);
        const corrected = (word) => link({ ...state, query: part(0, error.at) + word + part(error.at + error.span) });
        if (error.at !== undefined && error.meant.length) parts.push(h('p', { id: 'meant' }, meantNames(error, corrected)));
        // Moves and names are no conditions, but people type them.
        const moves = movesIn(text);
        if (moves) parts.push(h('p', {}, h('a', { class: 'button', id: 'as-moves', href: link({ db: state.db, variant: this.variant, moves }) }, `${t('filter_moves')}: ${moves}`)));
        else if (!isQuery(text)) parts.push(h('p', {}, h('a', { class: 'button', id: 'as-name', href: link({ ...state, query: '', player: text }) }, t('searchName', { name: text }))));
      }
    } else {
      parts.push((found.head = this.head(found, parameters)));
      if (found.groups?.total) parts.push(...this.groupTable(found, parameters));
      else if (found.games.length) parts.push(this.table(found, parameters));
      else {
        const notice = h('p', { key: false, class: 'notice' }, t('noGame'));
        parts.push(notice);
        suggestNames(this.index, notice);
        if (this.isSetup()) this.suggestMore(notice);
      }
    }
    redraw(this.panel, parts);
    this.more.stop();
    this.observer?.disconnect();
    if (this.panel.querySelector('.end-of-list')) this.follow(found, parameters);
  }

  // The groups, each with a link to the search for its games.
  groupTable(found, parameters) {
    const { groups, total } = found.groups;
    const [column, side] = GROUPS[state.by] ?? ['group', state.by.startsWith('black') ? 'Black' : 'White'];
    const isUnknown = ({ value }) => (value === null && state.by !== 'move') || value === '' || value === '?';
    // What is not known is last, and has no score.
    const ordered = [...groups.filter((group) => !isUnknown(group)), ...groups.filter(isUnknown).map((group) => ({ ...group, score: null }))];
    const name = (group) => {
      const { value } = group;
      if (isUnknown(group)) return t('unknownValue');
      if (value === null) return t('endOfGame');
      if (state.by === 'winner') return t('result_' + WINNERS[value]);
      return state.by === 'variant' ? t('variant_' + value) : String(value);
    };
    const title = (group) => h('a', { href: link({ view: 'search', variant: state.variant, query: group.query, db: state.db }) }, state.by === 'opening_played' && group.value ? ownName(group.value) : unbroken(name(group)));
    const portion = (group) => percent(group.games / found.total, 1);
    const more = groups.length < Math.min(total, MOST_GROUPS) && h('button', { type: 'button', id: 'more-groups', onclick: async ({ target }) => {
      try {
        const answer = await this.more.run((signal) => this.groups(parameters, MOST_GROUPS, signal));
        if (!answer) return;
        found.groups = answer;
        this.draw(found, parameters);
      } catch (error) {
        target.replaceWith(failure(error));
      }
    } }, t('more'));
    const counted = [t('manyGroups', { groups: number(total) }), groups.length < total ? t('shownGroups', { groups: number(groups.length) }) : '', t('scoreIsOf' + side)];
    return [h('p', { class: 'muted group-count' }, counted.filter(Boolean).join(' ')),
      scoreTable(`${t('games')} ${state.by in GROUPS ? t('by_' + state.by) : state.by}`, column, ordered, title, { portion }), more];
  }

  // Where no game has exactly the pieces that are set up, those that have them among others are counted.
  async suggestMore(notice) {
    const squares = this.squares();
    if (!squares.size) return;
    const asked = { variant: this.variant, pattern: writePattern(squares) };
    const { total } = await get(`${this.index.name}/find`, { ...asked, limit: 1 }).catch(() => ({}));
    if (total && notice.isConnected) notice.append(' ', h('a', { id: 'among-others', href: link({ view: 'search', db: state.db, ...asked }) }, t('amongOthers', { games: number(total) })));
  }

  table(found, parameters) {
    const columns = [['white', 'white'], ['black', 'black'], ['result', 'result'], ['rating', 'rating'], ['event', 'event'], ['date', 'date'], ['plies', 'length']];
    const head = columns.map(([key, name]) => sortHead(name, key, false, GREATEST_FIRST.includes(key)));
    return tableBox(t('results'), h('table', { class: 'results' }, h('caption', { class: 'hidden' }, t('results')), h('thead', {}, h('tr', {}, head)), h('tbody', {}, this.rows(found.games.slice(0, back ? found.games.length : FIRST_ROWS), parameters))),
      h('p', { class: 'muted end-of-list' }));
  }

  // Goes on with the table that is shown while its end is in view.
  follow(found, parameters) {
    const table = this.panel.querySelector('table.results');
    const end = this.panel.querySelector('.end-of-list');
    // Names take as much room as the longest one, and events the rest. A column that has nothing to show is left out, unless it gives the order.
    let longest = 0;
    const mark = (games) => {
      for (const { white, black, white_rating, black_rating, date_text } of games) {
        longest = Math.max(longest, white.length, black.length);
        if (white_rating || black_rating) table.classList.add('rated');
        if (date_text || parameters.sort === 'date') table.classList.add('dated');
      }
      table.style.setProperty('--name', longest * 0.6 + 'rem');
    };
    const add = () => {
      const shown = table.tBodies[0].rows.length;
      const games = found.games.slice(shown);
      table.tBodies[0].append(...this.rows(games, parameters, shown));
      mark(games);
    };
    // The table may be that of the result before.
    table.classList.remove('rated', 'dated');
    mark(found.games);
    let busy = false;
    const load = async () => {
      const shown = table.tBodies[0].rows.length;
      const isDrawn = shown === found.games.length;
      if (busy || (isDrawn && (found.total === undefined || shown >= found.total))) return;
      busy = true;
      try {
        if (isDrawn) {
          const next = await this.more.run((signal) => get(`${this.index.name}/find`, { ...parameters, offset: shown, limit: PAGE }, signal));
          // The table is that of another result.
          if (!next) return;
          found.games.push(...next.games);
          if (!next.games.length) found.total = shown;
        }
        add();
        observe();
      } catch (error) {
        end.replaceChildren(failure(error));
      }
      busy = false;
    };
    // An IntersectionObserver reports changes only. Observing the end again also reports an end that is still in view.
    this.observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), { rootMargin: '300px' });
    const observe = () => {
      this.observer.unobserve(end);
      this.observer.observe(end);
    };
    found.goOn = observe;
    observe();
  }

  // The rows of games that follow the first `before` of an answer. `list` is what was asked: from a game one goes on to the next of the answer.
  rows(games, parameters, before = 0) {
    const list = query(parameters).slice(1);
    return games.map((game, place) => this.row(game, list, before + place + 1));
  }

  row(game, list, at) {
    const show = () => this.shape && this.showPreview(game);
    const end = () => this.endPreview();
    const href = link({ view: 'game', g: game.game, ply: game.ply || undefined, line: game.line || undefined, db: state.db, list, at });
    return h('tr', { key: game.game, onpointerenter: show, onpointerleave: end, onclick: (event) => event.target.closest('a') || go(Object.fromEntries(new URLSearchParams(href.slice(1)))) },
      h('td', {}, h('a', { href, onfocus: show, onblur: end }, game.white || '?')), h('td', {}, game.black || '?'), h('td', { class: 'score' }, resultText(game)),
      h('td', { class: 'rating' }, ratings(game)), h('td', { class: 'event', title: game.event }, game.event === '?' ? '' : game.event), h('td', { class: 'date' }, game.date_text), h('td', { class: 'length' }, Math.ceil(game.plies / 2)));
  }

  // Shows the position of a result on the board, in place of what is painted.
  async showPreview(game) {
    this.previewed = game.game;
    this.shapes ??= new Map([[this.variant, this.shape]]);
    if (!this.shapes.has(game.variant)) this.shapes.set(game.variant, (await get(`${this.index.name}/position`, { variant: game.variant })).board);
    if (this.previewed !== game.game) return;
    this.board.layout(this.shapes.get(game.variant), state.flip === '1');
    this.board.show({ fen: game.fen });
    this.palette.inert = true;
  }

  // Shows again what is painted.
  endPreview() {
    if (!this.previewed) return;
    this.previewed = null;
    this.palette.inert = false;
    this.showPainted();
  }

  key(event) {
    if (event.key === '/') this.panel.querySelector('#q').focus();
    else if (event.key === 'f') change({ flip: state.flip === '1' ? '' : '1' }, { replace: true });
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const rows = [...this.panel.querySelectorAll('table a')];
      const at = rows.indexOf(document.activeElement);
      rows[Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
    } else return false;
    return true;
  }

  leave() {
    this.latest.stop();
    this.more.stop();
  }
}

// The ratings of both players, if one of them is known.
const ratings = (game) => (game.white_rating || game.black_rating ? `${game.white_rating || '–'} / ${game.black_rating || '–'}` : '');

// Conditions that may follow what is typed: after `and`, `or`, `not` or a parenthesis a new one begins.
const completions = (typed) => CONDITIONS.map((condition) => h('option', { value: (/^.*(\b(and|or|not) |\()\s*/.exec(typed)?.[0] ?? '') + condition }));

const CONDITIONS = ['white : wiersma', 'white = "wiersma, h"', 'white = wiers*', 'white ~ wiersma', 'white = ""', 'black : wiersma', 'player : wiersma', 'winner : wiersma', 'loser : wiersma', 'winner white', 'winner nobody', 'event : wk', 'site : minsk', 'annotator : "baba sy"', 'round 3', 'result 2-0', 'result win', 'tag TimeControl ~ blitz', 'tag ECO = b2', 'tag ECO', 'file "1982/wk.pdn"', 'date 1999..2001.06', 'date > 1990', 'date 1900-2000', 'rating >= 2200', 'rating white 2000..2100', 'rating white - rating black >= 200', 'year - plies > 1900', 'year >= 1990', 'white_rating > 2200', 'black_rating > 2200', 'time_control : blitz', 'opening = alma*', 'opening_played : roozenburg', 'plies < 40', 'status legal', 'status problem', 'variant russian', 'variant 25', 'all', 'nothing', 'white to move', 'fen "W:WK3:B18,24"', 'line "1. 32-28 19-23"', 'pattern "w32,28 b19 .23"', 'w-b >= 2', 'w >= b + 2', 'w on centre - b on centre >= 3', 'moves <= 2', 'tempo white > tempo black + 4', 'fen of 123 at 40', 'meets 123 from 20', 'ply 10..20', 'last', 'earlier = 0', 'earlier >= 100', 'repeats >= 3', 'move 32-28', 'move d6:f4', 'move 32x', 'move x19', 'move from 5,46 by king takes >= 3 over 19', 'played "27-22 18x27 .. 38,40x16"', '@philips', 'sacrifice 2 within 8 regained', 'comment', 'comment : shot', 'comment ~ shott', 'comment = "a fine shot"', 'nag 1', 'nag 10..20', 'mark "!"', 'mark "?!"', '( wk = 1 )', 'wk = 1 flipped', 'ever wk = 1', 'never wk = 1', 'first wk = 1', 'aside wk = 1', 'wk = 1 then bk = 1 within 6', 'wk = 1 then bk = 1 within 3..5', 'wk = 1 after bk = 1 within 6', 'wk = 1 for 4', 'wk = 1 times >= 3', 'not wk = 1', 'wk = 1 and bk = 1', 'wk = 1 or bk = 1'];
