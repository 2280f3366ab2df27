// One event: its standings by each scoring system, with a cross table of who scored what against whom, and its games.

import { Latest, get, hasServer } from './api.js';
import { failure, h, number } from './dom.js';
import { gameList } from './game.js';
import { t } from './i18n.js';
import { link, state } from './state.js';

// The server lists the games of events with at most so many, and nobody could read a cross table of more players.
const MOST_GAMES = 2000;
const MOST_PLAYERS = 40;
const MOST_EXAMPLES = 100;

export class EventView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.box = h('div', {});
    this.element = h('div', { class: 'page-wide' }, this.box);
  }

  async update() {
    try {
      const report = await this.latest.run((signal) => get(`${this.index.name}/event`, { name: '=' + (state.e ?? '') }, signal));
      if (report) this.draw(report);
    } catch (error) {
      this.box.replaceChildren(h('h1', {}, state.e || '?'), failure(error));
    }
  }

  draw(report) {
    const games = report.rounds.flatMap((round) => round.games);
    const years = report.years.filter((row) => row.year);
    const played = report.counted > report.unfinished;
    this.box.replaceChildren(h('h1', {}, state.e || '?'),
      h('p', { class: 'count' }, t(report.games === 1 ? 'oneGame' : 'manyGames', { games: number(report.games) }), years.length ? ` · ${[...new Set([years[0].year, years.at(-1).year])].join('–')}` : ''),
      hasServer ? h('p', { class: 'actions' }, h('a', { class: 'button', href: link({ view: 'search', query: report.query, db: state.db }) }, t('gamesOfPlayer')),
        h('a', { class: 'button', href: link({ view: 'tree', event: '=' + state.e, db: state.db }) }, t('nav_tree'))) : '',
      ...(played ? report.standings.map((standings) => h('section', { class: 'card' }, h('h2', {}, t('crossTable')), this.table(standings, report.listed),
        report.unfinished ? h('p', { class: 'muted' }, t('withoutResult', { games: number(report.unfinished) })) : null)) : []),
      played && report.listed ? '' : h('p', { class: 'notice' }, t('noCrossTable', { games: number(MOST_GAMES) })),
      games.length ? h('section', { class: 'card' }, h('h2', {}, t('exampleGames')), gameList(games.slice(0, MOST_EXAMPLES).map((game) => ({ ...game, date_text: game.date.replace(/[.]?[?]+/g, '') })), 0)) : '');
  }

  table({ win, players }, listed) {
    const cross = listed && players.length <= MOST_PLAYERS;
    const result = ({ points, game }) => h('a', { href: link({ view: 'game', g: game, db: state.db }), 'aria-label': t('pointsInGame', { points, game }) }, String(points));
    const cell = (row, column) => {
      if (row === column) return h('td', { class: 'self' });
      const results = row.results.filter(({ opponent, points }) => opponent === column.player && points !== null);
      const sum = results.reduce((total, { points }) => total + points - win / 2, 0);
      return h('td', { class: sum > 0 ? 'won' : sum < 0 ? 'lost' : undefined }, results.map(result));
    };
    return h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': t('crossTable') }, h('table', { class: 'cross' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('rank')), h('th', { scope: 'col' }, t('column_player')),
        cross ? players.map((player, place) => h('th', { scope: 'col', 'aria-label': player.player, title: player.player }, String(place + 1))) : null,
        h('th', { scope: 'col' }, t('points')), h('th', { scope: 'col' }, t('column_games')))),
      h('tbody', {}, players.map((player, place) => h('tr', {}, h('td', { class: 'number' }, String(cross ? place + 1 : player.rank)),
        h('th', { scope: 'row' }, h('a', { href: link({ view: 'players', p: player.player, db: state.db }) }, player.player)),
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
