// Ways into an archive for visitors who do not know yet what to look for. Each is an address of a search whose games open at the
// move that was found.

import { get } from './api.js';
import { failure, h, ownName } from './dom.js';
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
// Names that people know.
const MOTIFS = {
  international: ['philips', 'mazette', 'royal', 'napoleon', 'bomb', 'weiss', 'raphael', 'bonnard', 'ricochet', 'turkish'],
  english: ['bridge', 'dog-hole', 'double-corner', 'paynes-draw', 'double-two'],
  russian: ['main-road', 'petrov', 'petrov-triangle', 'turkish', 'exchange'],
};

export function discoveries(index, variant) {
  const to = (text, parameters) => h('a', { class: 'button', href: link({ view: 'search', variant, ...parameters, db: state.db }) }, text);
  const list = (title, links) => links.length ? [h('h3', {}, t(title)), h('p', { class: 'actions' }, links)] : null;
  const box = h('section', { class: 'discover' }, h('h2', {}, t('discover')),
    h('p', { class: 'actions' }, Object.entries(SEARCHES).map(([name, parameters]) => to(t(name), parameters)),
      h('button', { type: 'button', onclick: async () => {
        try {
          const asked = { variant, limit: 1 };
          const { total } = await get(`${index.name}/find`, asked);
          const { games: [game] } = await get(`${index.name}/find`, { ...asked, offset: Math.floor(Math.random() * total) });
          if (game) go({ view: 'game', g: game.game, ply: 0, db: state.db });
        } catch (error) {
          box.append(failure(error));
        }
      } }, t('randomGame'))),
    list('motifs', (MOTIFS[variant] ?? []).map((name) => to(ownName(name), { query: '@' + name }))));
  get(`${index.name}/openings`, { variant }).then(({ openings }) => box.append(...(list('namedOpenings', openings.map(({ name, query }) => to(ownName(name), { query }))) ?? [])), () => null);
  return box;
}
