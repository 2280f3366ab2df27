// The line that was played on the board of the openings and of a search: moves from a start position.

import { h } from './dom.js';
import { t } from './i18n.js';

export const split = (moves) => (moves ?? '').split(' ').filter(Boolean);

// Writes moves with numbers; every move is a button that goes back to it.
export function line(moves, first, current, goTo) {
  const list = h('ol', { class: 'line', 'aria-label': t('line') });
  let turn = first;
  let number = 1;
  moves.forEach((move, place) => {
    const begins = turn === first;
    const text = begins ? `${number}. ` : place === 0 ? `${number}... ` : '';
    list.append(h('li', {}, text && h('span', { class: 'move-number' }, text),
      h('button', { type: 'button', class: 'move', 'aria-current': place + 1 === current ? 'true' : undefined, onclick: () => goTo(place + 1) }, move)));
    if (!begins) number += 1;
    turn = turn === 'white' ? 'black' : 'white';
  });
  return list;
}
