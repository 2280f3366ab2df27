// The openings: the moves that were played in a position, with their results.

import { Latest, get, hasServer } from './api.js';
import { Board } from './board.js';
import { announce, failure, h, iconButton, number, redraw } from './dom.js';
import { chips, form, problem } from './filters.js';
import { gameList } from './game.js';
import { t } from './i18n.js';
import { line, split } from './moves.js';
import { copyText, savePng, svgText } from './picture.js';
import { change, filters, state } from './state.js';
import { download } from './dom.js';

const FEW = 5;

// A bar of White's wins, draws and Black's wins with its numbers in words.
export function bar({ white, draws, black, score, low, high }) {
  const total = white + draws + black;
  if (!total) return h('span', { class: 'muted' }, '–');
  const parts = [['white', white], ['draws', draws], ['black', black]];
  const percent = (count) => Math.round((100 * count) / total);
  const words = parts.map(([name, count]) => `${t('bar_' + name)} ${percent(count)} %`).join(', ') +
    (typeof low === 'number' ? `; ${t('scoreOf', { score: score.toFixed(0), low: low.toFixed(0), high: high.toFixed(0) })}` : '');
  const element = h('span', { class: 'bar', role: 'img', 'aria-label': words, title: words });
  for (const [name, count] of parts) {
    if (!count) continue;
    const part = h('span', { class: name }, percent(count) >= 12 ? percent(count) + '%' : '');
    part.style.flexGrow = count;
    element.append(part);
  }
  return element;
}

export class TreeView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.board = new Board({ onmove: (move) => this.play(move.text, this.boardOf) });
    this.controls = h('div', { class: 'controls' });
    this.typed = h('form', { class: 'typed', onsubmit: (event) => this.playTyped(event) });
    this.line = h('div', { class: 'line-box' });
    this.panel = h('div', { class: 'panel' });
    this.element = h('div', { class: 'two' }, h('h1', { class: 'hidden' }, t('nav_tree')),
      h('section', { class: 'board-side', 'aria-label': t('board') }, this.board.element, this.controls, this.line, this.typed),
      this.panel);
  }

  moves() {
    return split(state.moves);
  }

  // Names the position that the address asks for.
  asked() {
    return JSON.stringify([state.variant, state.fen, state.moves]);
  }

  // Plays a move of the position named `shown`. Until the board and the table show the position that is asked for, a click on
  // them is ignored: it would play a move of the position before.
  play(text, shown) {
    if (shown !== this.asked()) return;
    announce(t('played', { move: text }));
    change({ moves: [...this.moves(), text].join(' '), redo: '' });
  }

  goTo(count) {
    const all = [...this.moves(), ...split(state.redo)];
    change({ moves: all.slice(0, count).join(' '), redo: all.slice(count).join(' ') });
  }

  async playTyped(event) {
    event.preventDefault();
    const input = event.target.querySelector('input');
    const text = input.value.trim();
    // The move belongs to the position that is on its way to the board.
    for (let awaited; awaited !== this.updated;) await (awaited = this.updated);
    const found = this.position?.moves.filter((move) => move.text === text || move.path.join('-') === text || `${move.from}-${move.to}` === text || `${move.from}x${move.to}` === text);
    if (found?.length) {
      input.value = '';
      this.play(found[0].text, this.boardOf);
    } else announce(t('notLegal', { move: text }));
    input.setAttribute('aria-invalid', String(!found?.length));
  }

  update() {
    this.updated = this.load();
    return this.updated;
  }

  async load() {
    const asked = { variant: state.variant, fen: state.fen, moves: state.moves };
    const tree = { ...asked, ...filters(), games: 8, transpositions: state.transpositions };
    this.panel.setAttribute('aria-busy', 'true');
    try {
      const answers = await this.latest.run(async (signal) => {
        const position = await get(`${this.index.name}/position`, asked, signal);
        this.showPosition(position);
        if (!this.index.games) return { position };
        return { position, tree: await get(`${this.index.name}/tree`, { ...tree, variant: position.variant }, signal) };
      });
      if (answers?.tree) this.showTree(answers.tree, answers.position);
      else if (answers) this.showNoGames();
    } catch (error) {
      // A site of no games has no positions either.
      if (!hasServer && !this.index.games) this.showNoGames();
      else this.panel.replaceChildren(chips() ?? '', form(), error.parameter ? problem(error, state[error.parameter]) : failure(error));
    }
    this.panel.removeAttribute('aria-busy');
  }

  showNoGames() {
    this.panel.replaceChildren(h('p', { class: 'notice' }, t('noGame')));
  }

  showPosition(position) {
    this.position = position;
    this.boardOf = this.asked();
    const flipped = state.flip === '1';
    const moves = this.moves();
    this.board.layout(position.board, flipped);
    const last = (moves.at(-1) ?? '').split(/[-x]/).filter(Boolean);
    this.board.show({ fen: position.fen, moves: position.moves, last: last.length ? [last[0], last.at(-1)] : [] });
    const all = moves.length + split(state.redo).length;
    const button = (name, key, to, off) => iconButton(name, t(key), () => this.goTo(to), { disabled: off });
    redraw(this.controls,
      button('first', 'toStart', 0, !moves.length), button('back', 'back', moves.length - 1, !moves.length),
      button('forward', 'forward', moves.length + 1, moves.length === all), button('last', 'toEnd', all, moves.length === all),
      h('span', { class: `turn ${position.turn}` }, h('span', { class: 'dot' }), position.winner ? t('won_' + position.winner) : t('toMove_' + position.turn)),
      iconButton('flip', t('flip'), () => change({ flip: flipped ? '' : '1' }, { replace: true })),
      iconButton('copy', t('copyFen'), () => copyText(position.fen)),
      iconButton('picture', t('savePng'), () => savePng(position.board, position.fen, flipped)),
      iconButton('save', t('saveSvg'), () => download('position.svg', svgText(position.board, position.fen, flipped), 'image/svg+xml')),
      hasServer ? iconButton('setup', t('setUp'), () => change({ view: 'search', mode: 'setup', setup: position.fen, variant: position.variant })) : '');
    // Where the line began, the other side is to move after an odd number of moves.
    const other = { white: 'black', black: 'white' };
    const first = moves.length % 2 ? other[position.turn] : position.turn;
    redraw(this.line, all ? line([...moves, ...split(state.redo)], first, moves.length, (count) => this.goTo(count)) : h('p', { class: 'muted hint' }, t('boardHint')));
    if (!this.typed.childElementCount) {
      this.typed.append(h('label', { for: 'typed' }, t('typeMove')), h('input', { id: 'typed', name: 'typed', autocomplete: 'off', placeholder: position.moves[0]?.text }), h('button', {}, t('play')));
    }
  }

  showTree(tree, position) {
    const shown = this.asked();
    const path = (text) => position.moves.find((move) => move.text === text)?.path ?? text.split(/[-x]/);
    const select = h('select', { id: 'variant', onchange: (event) => change({ variant: event.target.value, moves: '', redo: '', fen: '' }) },
      this.index.variants.map(({ variant, games }) => h('option', { value: variant, selected: variant === tree.variant }, `${t('variant_' + variant)} (${number(games)})`)));
    const head = h('div', { class: 'panel-head' },
      h('div', { class: 'field inline' }, h('label', { for: 'variant' }, t('variant')), select),
      h('p', { class: 'count', id: 'count' }, t(tree.games === 1 ? 'oneGame' : 'manyGames', { games: number(tree.games) })), tree.games ? bar(tree) : null);
    const opening = tree.opening_played ? h('p', { id: 'opening' }, t('openingPlayed', { name: tree.opening_played })) : null;
    const parts = [head, opening, chips(), form()];
    if (tree.games) {
      const body = tree.moves.map((entry) => this.row(entry, tree, path, shown));
      parts.push(h('table', { class: 'moves' }, h('caption', { class: 'hidden' }, t('treeCaption')),
        h('thead', {}, h('tr', {}, ['move', 'games', 'results', 'rating', 'last'].map((key) => h('th', { scope: 'col', class: key }, t('column_' + key))))),
        h('tbody', {}, body)));
      if (tree.unplayed?.length) parts.push(h('p', { class: 'unplayed' }, h('span', { class: 'muted' }, t('unplayed')), tree.unplayed.map((entry) => this.unplayed(entry, path, shown))));
      const notes = [];
      if (tree.ended) notes.push(t('ended', { games: number(tree.ended) }));
      const ways = tree.arrivals.filter((arrival) => arrival.move);
      if (ways.length > 1) notes.push(t('reachedBy', { moves: ways.slice(0, 6).map((way) => `${way.move} (${number(way.games)})`).join(', ') }));
      if (!tree.exact) notes.push(t('sample', { games: number(tree.left_out) }));
      if (notes.length) parts.push(h('p', { class: 'muted' }, notes.join(' ')));
      if (hasServer) parts.push(h('label', { class: 'check' }, h('input', { id: 'transpositions', type: 'checkbox', checked: state.transpositions === 'true', onchange: (event) => change({ transpositions: event.target.checked ? 'true' : '' }, { replace: true }) }), ' ' + t('transpositions')));
      parts.push(h('h2', {}, t('exampleGames')), gameList(tree.examples.map((game) => tree.rows[game]).filter(Boolean), this.moves().length));
    } else parts.push(h('p', { class: 'notice' }, tree.exact ? t('noGame') : t('sample', { games: number(tree.left_out) })));
    redraw(this.panel, ...parts);
    announce(t(tree.games === 1 ? 'oneGame' : 'manyGames', { games: number(tree.games) }));
  }

  row(entry, tree, path, shown) {
    const share = ((100 * entry.games) / tree.games).toFixed(entry.games * 20 < tree.games ? 1 : 0);
    const show = () => this.board.arrow(path(entry.move));
    const hide = () => this.board.arrow(null);
    const more = entry.other_ways ? h('span', { class: 'muted', title: t('otherWays') }, ` +${number(entry.other_ways)}`) : null;
    return h('tr', { class: entry.games < FEW ? 'few' : undefined, onpointerenter: show, onpointerleave: hide, onclick: () => this.play(entry.move, shown) },
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', onfocus: show, onblur: hide, onclick: (event) => {
        event.stopPropagation();
        this.play(entry.move, shown);
      } }, entry.move)),
      h('td', { class: 'games' }, number(entry.games), more, h('span', { class: 'share' }, ` ${share} %`)),
      h('td', { class: 'results' }, bar(entry)),
      h('td', { class: 'rating' }, entry.rating ? Math.round(entry.rating) : ''),
      h('td', { class: 'last' }, entry.last_year ?? ''));
  }

  // A move that nobody played here, with the number of games that have the position after it.
  unplayed(entry, path, shown) {
    const show = () => this.board.arrow(path(entry.move));
    const hide = () => this.board.arrow(null);
    return [' ', h('button', { type: 'button', class: 'move', onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide, onclick: () => this.play(entry.move, shown) }, entry.move), h('span', { class: 'muted' }, ` (${number(entry.reached)})`)];
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
