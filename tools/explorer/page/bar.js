// The results of games, as a bar, and values of endings.

import { h, percent } from './dom.js';
import { t } from './i18n.js';

// A bar of White's wins, draws and Black's wins with its numbers in words.
export function bar({ white, draws, black, score, low, high }) {
  const total = white + draws + black;
  if (!total) return h('span', { class: 'muted' }, '–');
  const parts = [['white', white], ['draws', draws], ['black', black]];
  const words = parts.map(([name, count]) => `${t('bar_' + name)} ${percent(count / total)}`).join(', ') +
    (typeof low === 'number' ? `; ${t('scoreOf', { score: percent(score / 100), low: percent(low / 100), high: percent(high / 100) })}` : '');
  return h('span', { class: 'bar', role: 'img', 'aria-label': words, title: words },
    parts.filter(([, count]) => count).map(([name, count]) => h('span', { class: name, style: { flexGrow: count } }, count / total >= 0.115 ? percent(count / total) : '')));
}

// The heads of the columns of a table.
export function heads(names) {
  return h('thead', {}, h('tr', {}, names.map((name) => h('th', { scope: 'col', class: name }, t('column_' + name)))));
}

// The moves of a tree that nobody played and whose values tables of endings prove.
export function unplayedProven({ moves, proven }) {
  const played = new Set(moves.map(({ after }) => after));
  return proven.filter(({ after }) => !played.has(after));
}

// What tables of endings prove of a move or a position for the side to move, in few signs, with the words for those who cannot guess them.
export function proven({ table, distance }) {
  if (!table) return null;
  const words = t('proven_' + table, { plies: distance });
  return h('span', { class: `proven ${table}`, title: words }, h('span', { 'aria-hidden': 'true' }, { won: `+${distance}`, drawn: '=', lost: `−${distance}` }[table]), h('span', { class: 'hidden' }, ' ' + words));
}
