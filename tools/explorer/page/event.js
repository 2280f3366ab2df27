// One event: its standings, a cross table of who scored what against whom, and its games.

import { Latest, get, hasServer } from './api.js';
import { failure, h, number } from './dom.js';
import { gameList } from './game.js';
import { t } from './i18n.js';
import { yearsChart } from './overview.js';
import { link, state } from './state.js';

// Events with more games or players have standings without a cross table, which nobody could read.
const MOST_GAMES = 2000;
const MOST_PLAYERS = 40;
const PAGE = 500;
const POINTS = { white: [2, 0], draw: [1, 1], black: [0, 2] };

// Adds up the points of the games with a known result: two for a win, one for a draw. `nameOf` gives each spelling its player.
export function standings(games, nameOf) {
  const players = new Map();
  const player = (spelling) => {
    const name = nameOf(spelling);
    if (!players.has(name)) players.set(name, { name, points: 0, games: 0, against: new Map() });
    return players.get(name);
  };
  for (const game of games) {
    const points = POINTS[game.winner];
    if (!points || !game.white || !game.black || nameOf(game.white) === nameOf(game.black)) continue;
    const sides = [player(game.white), player(game.black)];
    sides.forEach((side, place) => {
      const other = sides[1 - place];
      side.points += points[place];
      side.games += 1;
      if (!side.against.has(other.name)) side.against.set(other.name, []);
      side.against.get(other.name).push({ points: points[place], game: game.game });
    });
  }
  return [...players.values()].sort((a, b) => b.points - a.points || a.games - b.games || a.name.localeCompare(b.name));
}

export class EventView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.box = h('div', {});
    this.element = h('div', { class: 'page-wide' }, this.box);
  }

  async update() {
    const event = '=' + (state.e ?? '');
    try {
      const answer = await this.latest.run(async (signal) => {
        const stats = await get(`${this.index.name}/stats`, { event }, signal);
        const games = [];
        while (stats.games <= MOST_GAMES && games.length < stats.games) {
          const next = await get(`${this.index.name}/find`, { event, sort: 'date', offset: games.length, limit: PAGE }, signal);
          if (!next.games.length) break;
          games.push(...next.games);
        }
        return { stats, games };
      });
      if (answer) this.draw(answer);
    } catch (error) {
      this.box.replaceChildren(h('h1', {}, state.e || '?'), failure(error));
    }
  }

  draw({ stats, games }) {
    const names = new Map(stats.players.flatMap((player) => player.spellings.map(({ name }) => [name, player.name])));
    const players = standings(games, (spelling) => names.get(spelling) ?? spelling);
    const unfinished = games.filter((game) => !POINTS[game.winner]).length;
    this.box.replaceChildren(h('h1', {}, state.e || '?'),
      h('p', { class: 'count' }, t(stats.games === 1 ? 'oneGame' : 'manyGames', { games: number(stats.games) })),
      hasServer ? h('p', { class: 'actions' }, h('a', { class: 'button', href: link({ view: 'search', event: '=' + state.e, db: state.db }) }, t('gamesOfPlayer')),
        h('a', { class: 'button', href: link({ view: 'tree', event: '=' + state.e, db: state.db }) }, t('nav_tree'))) : '',
      players.length ? h('section', { class: 'card' }, h('h2', {}, t('crossTable')), this.table(players),
        unfinished ? h('p', { class: 'muted' }, t('withoutResult', { games: number(unfinished) })) : null) : h('p', { class: 'notice' }, t('noCrossTable', { games: number(MOST_GAMES) })),
      stats.years.length > 1 ? h('section', { class: 'card' }, h('h2', {}, t('byYear')), yearsChart(stats.years)) : '',
      games.length ? h('section', { class: 'card' }, h('h2', {}, t('exampleGames')), gameList(games.slice(0, 100), 0)) : '');
  }

  table(players) {
    const cross = players.length <= MOST_PLAYERS;
    const result = ({ points, game }) => h('a', { href: link({ view: 'game', g: game, db: state.db }), 'aria-label': t('pointsInGame', { points, game }) }, String(points));
    const cell = (row, column) => {
      if (row === column) return h('td', { class: 'self' });
      const results = row.against.get(column.name) ?? [];
      const sum = results.reduce((total, { points }) => total + points - 1, 0);
      return h('td', { class: sum > 0 ? 'won' : sum < 0 ? 'lost' : undefined }, results.map(result));
    };
    return h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': t('crossTable') }, h('table', { class: 'cross' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('rank')), h('th', { scope: 'col' }, t('column_player')),
        cross ? players.map((player, place) => h('th', { scope: 'col', 'aria-label': player.name, title: player.name }, String(place + 1))) : null,
        h('th', { scope: 'col' }, t('points')), h('th', { scope: 'col' }, t('column_games')))),
      h('tbody', {}, players.map((player, place) => h('tr', {}, h('td', { class: 'number' }, String(place + 1)),
        h('th', { scope: 'row' }, h('a', { href: link({ view: 'players', p: player.name, db: state.db }) }, player.name)),
        cross ? players.map((other) => cell(player, other)) : null,
        h('td', { class: 'points' }, number(player.points)), h('td', { class: 'number' }, number(player.games)))))));
  }

  key() {
    return false;
  }

  leave() {
    this.latest.stop();
  }
}
