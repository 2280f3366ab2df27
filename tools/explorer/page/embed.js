// A game with its board for the pages of other sites. Nothing is stored, and every link leads to the page itself.

import { get } from './api.js';
import { Board } from './board.js';
import { announce, failure, h, iconButton, redraw } from './dom.js';
import { markMove, players, plyItem, resultText } from './game.js';
import { loadLanguage, t } from './i18n.js';
import { showLook } from './look.js';

const state = Object.fromEntries(new URLSearchParams(location.search));
const main = document.getElementById('main');
showLook(state);

// Draws a game whose plies are `moves`, and returns a function that shows the position after some plies.
function draw({ tags, start, moves, ...game }, shape, index) {
  const board = new Board();
  const controls = h('div', { class: 'controls' });
  const list = h('div', { class: 'movetext' });
  const link = h('a', { target: '_blank', rel: 'noopener' }, t('openInPage'));
  const buttons = moves.map((move, at) => {
    const button = h('button', { type: 'button', class: 'move', onclick: () => show(at + 1) }, move.text ?? move.written);
    list.append(plyItem(move.ply + 1, at === 0, button), ' ');
    return button;
  });
  let flipped = state.flip === '1';
  let shown;
  function show(ply) {
    shown = Math.max(0, Math.min(moves.length, ply));
    const move = moves[shown - 1];
    board.layout(shape, flipped);
    board.show({ fen: move?.fen ?? start, last: move ? [move.from, move.to] : [] });
    markMove(list, buttons[shown - 1]);
    link.href = './?' + new URLSearchParams({ view: 'game', db: index.name, g: `${game.game}.${game.digest}`, ply: shown });
    const step = (name, key, to) => iconButton(name, t(key), () => show(to), { disabled: to < 0 || to > moves.length || to === shown });
    redraw(controls, step('first', 'toStart', 0), step('back', 'back', shown - 1), step('forward', 'forward', shown + 1), step('last', 'toEnd', moves.length),
      iconButton('flip', t('flip'), () => {
        flipped = !flipped;
        show(shown);
      }));
    if (move) announce(move.text ?? move.written);
  }
  const row = { white: tags.White, black: tags.Black };
  main.replaceChildren(h('h1', { class: 'players-line' }, players(row), ' ', h('span', { class: 'score' }, resultText(game))), board.element, controls, list,
    h('p', { class: 'muted' }, [tags.Event, tags.Date].filter((fact) => fact && fact !== '?').join(' · '), ' ', link));
  document.title = `${tags.White || '?'} – ${tags.Black || '?'}`;
  /** @param {KeyboardEvent & { target: HTMLElement }} event */
  const pressed = (event) => {
    const to = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: moves.length }[event.key];
    if (to === undefined || event.target.closest?.('[role=grid]')) return;
    show(to);
    event.preventDefault();
  };
  addEventListener('keydown', pressed);
  show(Number(state.ply ?? 0));
}

await loadLanguage();
try {
  const { indexes } = await get('indexes');
  const index = state.db ? indexes.find(({ name }) => name === state.db) : indexes[0];
  if (!index) throw new Error(t('noArchive', { name: state.db }));
  const [number, digest] = (state.g ?? '').split('.');
  const game = await get(`${index.name}/games/${encodeURIComponent(number)}`, { digest });
  const { board } = await get(`${index.name}/position`, { variant: game.variant, fen: game.start });
  draw(game, board, index);
} catch (error) {
  main.replaceChildren(failure(error));
}
document.documentElement.dataset.ready = 'true';
