// The openings: the moves that were played in a position, with their results.

import { Latest, get } from './api.js';
import { bar, heads, proven, unplayedProven } from './bar.js';
import { Board } from './board.js';
import { discoveries } from './discover.js';
import { announce, download, failure, h, iconButton, notify, number, ownName, percent, quiet, redraw, unbroken } from './dom.js';
import { chips, filterForm, problem, suggestNames, takeBeginnings } from './filters.js';
import { gameList } from './game.js';
import { around, t } from './i18n.js';
import { line, split } from './moves.js';
import { copyText, savePng, svgText } from './picture.js';
import { change, filters, lastVariant, link, state, useVariant } from './state.js';

const FEW = 5;
// Number of games that are listed, of those that are asked for: as many as the book of an index has.
const EXAMPLES = 8;
const ASKED_EXAMPLES = 16;

export class TreeView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    // Positions that were shown, by what was asked.
    this.known = new Map();
    this.board = new Board({ onmove: (move) => this.play(move.text, this.boardOf) });
    this.controls = h('div', { class: 'controls' });
    /** @returns {[BoardShape, string, object]} */
    const picture = () => [this.position.board, this.position.fen, { flipped: state.flip === '1', last: this.board.last }];
    const extras = h('div', { class: 'controls extras' }, iconButton('copy', t('copyFen'), () => copyText(this.position.fen)),
      iconButton('picture', t('savePng'), () => savePng(...picture())),
      iconButton('save', t('saveSvg'), () => download('position.svg', svgText(...picture()), 'image/svg+xml')),
      iconButton('setup', t('setUp'), () => change({ view: 'search', mode: 'setup', setup: this.position.fen, variant: this.position.variant, fen: '' })));
    this.typed = h('input', { id: 'typed', name: 'typed', autocomplete: 'off' });
    const typed = h('form', { class: 'typed', onsubmit: (event) => this.playTyped(event) }, h('label', { for: 'typed' }, t('typeMove')), this.typed, h('button', {}, t('play')));
    this.line = h('div', { class: 'line-box' });
    this.panel = h('div', { class: 'panel' });
    this.form = filterForm(index);
    // Nothing can be used before there is a position.
    this.side = h('section', { class: 'board-side', 'aria-label': t('board'), inert: true }, this.board.element, this.controls, extras, this.line, typed);
    this.element = h('div', { class: 'two' }, h('h1', { class: 'hidden' }, t('nav_tree')), this.side, this.panel);
  }

  get title() {
    return state.moves ? `${t('nav_tree')}: ${split(state.moves).slice(-4).join(' ')}` : '';
  }

  moves() {
    return split(state.moves);
  }

  // Returns the variant to show: that of the address, or else the one that was chosen last. With filters it follows from the games.
  variant() {
    return state.variant ?? (Object.keys(filters()).length ? undefined : lastVariant(this.index));
  }

  // Names the position that the address asks for.
  asked() {
    return JSON.stringify([state.variant, state.fen, state.moves]);
  }

  // Plays the move of a button or a row when it is clicked. The second click of a double click is ignored: if the answer came
  // between the two clicks, it would play a move of the next position, which the user has not seen yet.
  playOnClick(text, shown) {
    return (event) => {
      event.stopPropagation();
      if (event.detail <= 1) this.play(text, shown);
    };
  }

  // Plays a move of the position named `shown`. Until the board and the table show the position that is asked for, a click on
  // them is ignored: it would play a move of the position before. The board moves at once, before the server answers.
  play(text, shown) {
    if (shown !== this.asked()) return;
    quiet();
    announce(t('played', { move: text }));
    const move = this.position.moves.find((move) => move.text === text);
    if (move) this.board.show({ fen: move.after, last: [move.from, move.to], awaited: true });
    // The moves that were taken back stay as long as they are played again.
    const [next, ...later] = split(state.redo);
    change({ variant: this.position.variant, moves: [...this.moves(), text].join(' '), redo: next === text ? later.join(' ') : '' });
  }

  goTo(count) {
    const all = [...this.moves(), ...split(state.redo)];
    change({ moves: all.slice(0, count).join(' '), redo: all.slice(count).join(' ') });
  }

  async playTyped(event) {
    event.preventDefault();
    const input = this.typed;
    const typed = input.value.trim();
    // 37 32 and 3732 are moves, too.
    const text = typed.replace(/^(\d{2})[\s.:]*(\d{2})$/, '$1-$2').replace(/\s+/g, '-');
    // The move belongs to the position that is on its way to the board.
    for (let awaited; awaited !== this.updated;) await (awaited = this.updated);
    const found = this.position?.moves.find((move) => [move.text, move.path.join('-'), move.path.join('x'), `${move.from}-${move.to}`, `${move.from}x${move.to}`].includes(text));
    if (found) {
      input.value = '';
      this.play(found.text, this.boardOf);
    } else notify(t('notLegal', { move: typed }));
    input.setAttribute('aria-invalid', String(!found));
  }

  update() {
    this.updated = this.load();
    return this.updated;
  }

  async load() {
    // On a phone an empty line takes no room; it gets it with the click, not with the answer.
    this.line.classList.toggle('empty', !state.moves && !state.redo);
    const asked = { variant: this.variant(), fen: state.fen, moves: state.moves };
    const tree = { ...asked, ...filters(), games: ASKED_EXAMPLES, rows: ASKED_EXAMPLES, transpositions: state.transpositions };
    this.panel.setAttribute('aria-busy', 'true');
    try {
      const answers = await this.latest.run(async (signal) => {
        const treeAnswer = this.index.games ? get(`${this.index.name}/tree`, tree, signal) : null;
        treeAnswer?.catch(() => null);
        const positionOf = async (variant) => {
          const key = JSON.stringify([variant, asked.fen, asked.moves]);
          if (!this.known.has(key)) this.known.set(key, await get(`${this.index.name}/position`, { ...asked, variant }, signal));
          return this.known.get(key);
        };
        // Tree and position are asked for at the same time. If the address names no variant, the tree tells it; of the start position, it is
        // nearly always the one with the most games, which is asked for already.
        const likely = asked.variant ?? (asked.fen || asked.moves ? undefined : this.index.variants[0]?.variant);
        const awaited = likely && positionOf(likely);
        awaited?.catch(() => null);
        const variant = asked.variant ?? (await treeAnswer?.catch(() => null))?.variant;
        const position = await (variant && variant === likely ? awaited : positionOf(variant));
        if (!signal.aborted) this.showPosition(position);
        const given = await treeAnswer;
        return { position, tree: given, isAnother: given?.games === 0 && await takeBeginnings(this.index, signal) };
      });
      if (answers?.isAnother) await this.load();
      else if (answers?.tree) this.showTree(answers.tree, answers.position);
      else if (answers) this.showNoGames();
    } catch (error) {
      redraw(this.panel, chips(), this.form(), error.parameter ? problem(error, state[error.parameter]) : failure(error));
    }
    this.panel.removeAttribute('aria-busy');
  }

  showNoGames() {
    redraw(this.panel, h('p', { class: 'notice' }, t('noGame')));
  }

  showPosition(position) {
    this.position = position;
    this.side.inert = false;
    this.boardOf = this.asked();
    const flipped = state.flip === '1';
    const moves = this.moves();
    this.board.layout(position.board, flipped);
    const last = (moves.at(-1) ?? '').split(/[-x]/).filter(Boolean);
    const ends = last.length ? [last[0], last.at(-1)] : [];
    this.board.show({ fen: position.fen, moves: position.moves, last: ends });
    const all = moves.length + split(state.redo).length;
    const button = (name, key, to, off) => iconButton(name, t(key), () => this.goTo(to), { disabled: off });
    redraw(this.controls,
      button('first', 'toStart', 0, !moves.length), button('back', 'back', moves.length - 1, !moves.length),
      button('forward', 'forward', moves.length + 1, moves.length === all), button('last', 'toEnd', all, moves.length === all),
      h('span', { class: `turn ${position.turn}` }, h('span', { class: 'dot' }), position.winner ? t('won_' + position.winner) : t('toMove_' + position.turn)),
      iconButton('flip', t('flip'), () => change({ flip: flipped ? '' : '1' }, { replace: true })));
    // Where the line began, the other side is to move after an odd number of moves.
    const other = { white: 'black', black: 'white' };
    const first = moves.length % 2 ? other[position.turn] : position.turn;
    redraw(this.line, all ? line([...moves, ...split(state.redo)], first, moves.length, (count) => this.goTo(count)) : h('p', { class: 'muted hint' }, t('boardHint')));
    this.typed.placeholder = position.moves[0]?.text ?? '';
  }

  showTree(tree, position) {
    const shown = this.asked();
    const path = (text) => position.moves.find((move) => move.text === text)?.path ?? text.split(/[-x]/);
    const isStart = !state.moves && !state.fen;
    const hasFilters = Object.keys(filters()).length > 0;
    const choose = (variant) => {
      useVariant(variant);
      change({ variant, moves: '', redo: '', fen: '' });
    };
    const select = h('select', { id: 'variant', onchange: (event) => choose(event.target.value) },
      this.index.variants.map(({ variant, games }) => h('option', { value: variant, selected: variant === tree.variant }, `${t('variant_' + variant)} (${number(games)})`)));
    const head = h('div', { class: 'panel-head' },
      h('div', { class: 'field inline' }, h('label', { for: 'variant' }, t('variant')), select),
      h('p', { class: 'count', id: 'count' }, t(tree.games === 1 ? 'oneGame' : 'manyGames', { games: number(tree.games) })), proven(tree), tree.games ? bar(tree) : null);
    const opening = tree.opening_played ? h('p', { id: 'opening' }, around('openingPlayed', 'name', ownName(tree.opening_played))) : null;
    const notices = [];
    if (isStart && !hasFilters) {
      const all = tree.variants?.find(({ variant }) => variant === tree.variant)?.games ?? 0;
      notices.push(h('p', { class: 'muted about' }, t('about'), all > tree.games && tree.games ? ' ' + t('elsewhere', { games: number(all - tree.games) }) : ''));
    }
    if (hasFilters) notices.push((this.others = h('p', { key: false, class: 'muted' })));
    const discovered = isStart && !hasFilters ? discoveries(this.index, tree.variant) : null;
    const parts = [head, opening, notices, discovered?.searches, chips(), this.form()];
    if (tree.games) {
      const body = tree.moves.map((entry) => this.row(entry, tree, path, shown));
      parts.push(h('table', { class: 'moves' }, h('caption', { class: 'hidden' }, t('treeCaption')),
        heads(['move', 'games', 'results', 'rating', 'last']),
        h('tbody', {}, body)));
      const unplayed = unplayedProven(tree);
      if (unplayed.length) parts.push(h('p', { class: 'unplayed' }, h('span', { class: 'muted' }, t('unplayedProven')), unplayed.map((entry) => this.unplayed(entry, path, shown))));
      if (tree.unplayed?.length) parts.push(h('p', { class: 'unplayed' }, h('span', { class: 'muted' }, t('unplayed')), tree.unplayed.map((entry) => this.unplayed(entry, path, shown))));
      const notes = [];
      if (tree.moves.some((entry) => entry.other_ways)) notes.push(`+: ${t('otherWays')}.`);
      if (tree.ended) notes.push(t('ended', { games: number(tree.ended) }));
      const arrivals = tree.arrivals.filter((arrival) => arrival.move);
      if (arrivals.length > 1) notes.push(t('reachedBy', { moves: arrivals.slice(0, 6).map((way) => `${way.move} (${number(way.games)})`).join(', ') }));
      if (!tree.exact) notes.push(t('sample', { games: number(tree.left_out) }));
      if (notes.length) parts.push(h('p', { class: 'muted' }, unbroken(notes.join(' '))));
      parts.push(h('label', { class: 'check' }, h('input', { id: 'transpositions', type: 'checkbox', checked: state.transpositions === 'true', onchange: (event) => change({ transpositions: event.target.checked ? 'true' : '' }, { replace: true }) }), ' ' + t('transpositions')));
      // Games of known players with high ratings are the ones to look at first.
      const worth = (game) => [game.white, game.black].filter((name) => name && name !== '?').length * 10_000 + (game.white_rating ?? 0) + (game.black_rating ?? 0);
      const rows = tree.examples.map((game) => tree.rows[game]).filter(Boolean).sort((a, b) => worth(b) - worth(a)).slice(0, EXAMPLES);
      parts.push(h('h2', {}, t('exampleGames')), gameList(rows, this.moves().length),
        tree.games > rows.length ? h('p', {}, h('a', { id: 'all-games', href: link({ ...filters(), view: 'search', mode: 'setup', setup: position.fen, variant: position.variant, db: state.db }) }, t('allGames', { games: number(tree.games) }))) : null);
    } else {
      const notice = h('p', { key: false, class: 'notice' }, tree.exact ? t('noGame') : t('sample', { games: number(tree.left_out) }));
      parts.push(notice);
      suggestNames(this.index, notice);
    }
    if (discovered) parts.push(discovered.box);
    redraw(this.panel, parts);
    announce(t(tree.games === 1 ? 'oneGame' : 'manyGames', { games: number(tree.games) }));
    if (hasFilters) this.showOthers(tree, this.others);
  }

  // Names the other variants of the games that the filters leave.
  async showOthers(tree, box) {
    const all = state.variant ? await get(`${this.index.name}/tree`, { ...filters(), limit: 1 }).catch(() => null) : tree;
    const others = (all?.variants ?? []).filter(({ variant, games }) => games && variant !== tree.variant);
    if (others.length) {
      box.append(t('inOthers'), ...others.flatMap(({ variant, games }, place) => [place ? ', ' : ' ',
        h('a', { href: link({ ...state, variant, moves: '', redo: '', fen: '' }) }, t('variant_' + variant)), ` (${number(games)})`]));
    }
  }

  row(entry, tree, path, shown) {
    const share = percent(entry.games / tree.games, entry.games * 20 < tree.games ? 1 : 0);
    const show = () => this.board.arrow(path(entry.move));
    const hide = () => this.board.arrow(null);
    const play = this.playOnClick(entry.move, shown);
    const more = entry.other_ways ? h('span', { class: 'muted', title: t('otherWays') }, ` +${number(entry.other_ways)}`) : null;
    return h('tr', { key: entry.move, class: entry.games < FEW ? 'few' : undefined, onpointerenter: show, onpointerleave: hide, onclick: play },
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', onfocus: show, onblur: hide, onclick: play }, entry.move), proven(entry)),
      h('td', { class: 'games' }, number(entry.games), more, h('span', { class: 'share' }, ' ' + share)),
      h('td', { class: 'results' }, bar(entry)),
      h('td', { class: 'rating' }, entry.rating ? Math.round(entry.rating) : ''),
      h('td', { class: 'last' }, entry.last_year ?? ''));
  }

  // A move that nobody played here, with the number of games that have the position after it.
  unplayed(entry, path, shown) {
    const show = () => this.board.arrow(path(entry.move));
    const hide = () => this.board.arrow(null);
    return [' ', h('button', { key: entry.move, type: 'button', class: 'move', onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide, onclick: this.playOnClick(entry.move, shown) }, entry.move), proven(entry), 'reached' in entry ? h('span', { class: 'muted' }, ` (${number(entry.reached)})`) : null];
  }

  // Keys of the view: arrows go along the line, up and down choose a move of the table.
  key(event) {
    const moves = this.moves().length;
    if (event.key === 'ArrowLeft') this.goTo(Math.max(0, moves - 1));
    else if (event.key === 'ArrowRight') {
      if (state.redo) this.goTo(moves + 1);
    } else if (event.key === 'Home') this.goTo(0);
    else if (event.key === 'End') this.goTo(moves + split(state.redo).length);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const rows = [...this.panel.querySelectorAll('table.moves button.move')];
      const at = rows.indexOf(document.activeElement);
      rows[Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
    } else if (event.key === 'f') change({ flip: state.flip === '1' ? '' : '1' }, { replace: true });
    else if (event.key === '/') {
      const details = this.panel.querySelector('details.filters');
      details.open = true;
      details.querySelector('input').focus();
    } else return false;
    return true;
  }

  leave() {
    this.latest.stop();
  }
}
