// The line that was played on the board of the openings and of a search: moves from a start position.

import { h } from './dom.js';
import { t } from './i18n.js';

// Returns the moves of a text such as `1. 32-28 19-23 2. 28x19`, without numbers and results; an empty text if it is anything else.
export function movesIn(text) {
  const words = text.replace(/\d+\s*\.+/g, ' ').split(/\s+/).filter((word) => word && !/^(\*|\d(\/\d)?-\d(\/\d)?)$/.test(word));
  const areMoves = words.length && words.every((word) => /^(\d{1,2}|[a-p]\d{1,2})([-x:](\d{1,2}|[a-p]\d{1,2}))+[!?]*$/i.test(word));
  return areMoves ? words.map((word) => word.replace(/[!?]+$/, '').toLowerCase()).join(' ') : '';
}

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
