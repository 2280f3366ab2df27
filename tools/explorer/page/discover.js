// Ways into an archive for visitors who do not know yet what to look for. Each is an address of a search whose games open at the
// move that was found.

import { get, hasServer } from './api.js';
import { failure, h, number, ownName } from './dom.js';
import { t } from './i18n.js';
import { go, link, state } from './state.js';

const SEARCHES = {
  shots: { query: 'sacrifice 2 within 10 regained' },
  sacrifices: { query: 'sacrifice 3 within 10' },
  longCaptures: { query: 'move takes >= 4', sort: 'man_takes', reverse: 'true' },
  breakthroughs: { query: '@breakthrough' },
  threeKings: { query: '@three-against-one' },
  // The newest first, and none of the first moves.
  novelties: { query: 'first earlier = 0 and ply 13..', sort: 'date', reverse: 'true' },
};
// Number of openings that are listed, those with the most games.
const MOST_NAMED = 100;
// Names that people know.
const MOTIFS = {
  international: ['philips', 'mazette', 'royal', 'napoleon', 'bomb', 'weiss', 'raphael', 'bonnard', 'ricochet', 'turkish'],
  english: ['bridge', 'dog-hole', 'double-corner', 'paynes-draw', 'double-two'],
  russian: ['main-road', 'petrov', 'petrov-triangle', 'turkish', 'exchange'],
};

// Numbers of games by what was asked, so that they are counted once.
const counted = new Map();

function count(index, parameters) {
  const key = JSON.stringify([index.name, parameters]);
  if (!counted.has(key)) {
    counted.set(key, get(`${index.name}/find`, { ...parameters, limit: 1 }).then(({ total }) => total));
    counted.get(key).catch(() => counted.delete(key));
  }
  return counted.get(key);
}

// Returns the searches that stand above the moves of a start position, and the box with motifs and openings below.
export function discoveries(index, variant) {
  const to = (text, parameters, games) => h('a', { class: 'button', href: link({ view: 'search', variant, ...parameters, db: state.db }) }, text, games ? h('span', { class: 'muted' }, '\u00a0', number(games)) : null);
  const searches = h('p', { key: false, class: 'actions searches', 'aria-label': t('discover'), role: 'group' }, h('button', { type: 'button', onclick: async () => {
    try {
      const asked = { variant, limit: 1 };
      const { total } = await get(`${index.name}/find`, asked);
      const { games: [game] } = await get(`${index.name}/find`, { ...asked, offset: Math.floor(Math.random() * total) });
      if (game) go({ view: 'game', g: game.game, ply: 0, db: state.db });
    } catch (error) {
      box.append(failure(error));
    }
  } }, t('randomGame')));
  const [motifs, openings] = ['motifs', 'namedOpenings'].map((title) => h('div', { hidden: true }, h('h3', {}, t(title)), h('p', { class: 'actions' })));
  const box = h('section', { key: false, class: 'discover' }, h('h2', {}, t('discover')), motifs, openings);
  const add = (part, ...buttons) => {
    part.hidden = !buttons.length && part.hidden;
    part.lastChild.append(...buttons);
  };
  // Only what has games is offered, with their number. They are counted one after the other, as the moves of all games may have to be read, and no
  // longer than they are shown; the browser of a site of files reads none for it.
  const show = async () => {
    const [{ groups }, named] = await Promise.all([get(`${index.name}/groups`, { by: 'opening_played', variant, limit: MOST_NAMED }), get(`${index.name}/openings`, { variant })]);
    // The query of an opening finds its games at the move that makes it.
    const queries = new Map(named.openings.map(({ name, query }) => [name, query]));
    add(openings, ...groups.filter(({ value }) => queries.has(value)).map(({ value, games }) => to(ownName(value), { query: queries.get(value) }, games)));
    const asked = [...Object.entries(SEARCHES).map(([name, parameters]) => [searches, t(name), parameters]), ...(MOTIFS[variant] ?? []).map((name) => [motifs, ownName(name), { query: '@' + name }])];
    for (const [part, text, parameters] of asked) {
      if (!box.isConnected) return;
      const games = hasServer && await count(index, { variant, query: parameters.query });
      if (games === 0) continue;
      if (part === searches) searches.lastChild.before(to(text, parameters, games));
      else add(part, to(text, parameters, games));
    }
    box.dataset.complete = 'true';
  };
  show().catch(() => null);
  return { searches, box };
}
