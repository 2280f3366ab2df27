// One event: its standings by each scoring system, with a cross table of who scored what against whom, and its games.

import { Latest, get } from './api.js';
import { card, failure, h, number, redraw, tableBox } from './dom.js';
import { gameList } from './game.js';
import { t } from './i18n.js';
import { eventList, meantNames } from './overview.js';
import { change, link, state } from './state.js';

// The server lists the games of events with at most so many, and nobody could read a cross table of more players.
const MOST_GAMES = 2000;
const MOST_PLAYERS = 40;
const MOST_ROUNDS = 25;
const MOST_EXAMPLES = 100;

// A number of points: halves as people write them.
const points = (value) => (value % 1 === 0.5 ? `${Math.floor(value) || ''}½` : number(value));
const plain = (date) => (date ?? '').replace(/[.]?[?]+/g, '');

export class EventView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.box = h('div', {});
    this.input = h('input', { id: 'event-name', autocomplete: 'off', spellcheck: 'false', placeholder: t('namePlaceholder'), oninput: () => {
      clearTimeout(this.wait);
      this.wait = setTimeout(() => change({ name: this.input.value.trim() }, { replace: true }), 200);
    } });
    this.field = h('div', { class: 'field' }, h('label', { for: 'event-name' }, t('findPlayer')), this.input);
    this.element = h('div', { class: 'page-wide' }, this.box);
  }

  get title() {
    return state.e;
  }

  async update() {
    try {
      if (!state.e) return await this.showList();
      const report = await this.latest.run((signal) => get(`${this.index.name}/event`, { name: '=' + state.e }, signal));
      if (report) this.draw(report);
    } catch (error) {
      redraw(this.box, h('h1', {}, state.e ?? t('events')), error.code === 'no_match' ? h('p', { class: 'notice' }, t('noEvent', { name: state.e }), meantNames(error, (e) => link({ view: 'event', db: state.db, e }))) : failure(error), this.toList());
    }
  }

  toList() {
    return h('p', {}, h('a', { href: link({ view: 'event', db: state.db }) }, t('events')));
  }

  // Shows all events, or those whose name is typed.
  async showList() {
    const ask = (offset, signal) => get(`${this.index.name}/events`, { name: state.name, offset, limit: 300 }, signal);
    const answer = await this.latest.run((signal) => ask(0, signal));
    if (!answer) return;
    if (document.activeElement !== this.input) this.input.value = state.name ?? '';
    const more = h('button', { type: 'button', onclick: async () => {
      answer.events.push(...(await ask(answer.events.length)).events);
      draw();
    } }, t('more'));
    const draw = () => redraw(this.box, h('h1', {}, t('events')), this.field, h('p', { class: 'count' }, t('manyEvents', { events: number(answer.total) })), eventList(answer.events), answer.events.length < answer.total ? more : null);
    draw();
  }

  draw(report) {
    const games = report.rounds.flatMap((round) => round.games);
    const played = report.counted > report.unfinished;
    const dates = [...new Set([report.first_date, report.last_date].map(plain))].filter(Boolean).join(' – ');
    const facts = [report.sites[0]?.name, dates, ...report.variants.map(({ variant }) => t('variant_' + variant)), t(report.games === 1 ? 'oneGame' : 'manyGames', { games: number(report.games) })];
    const game = (one) => ({ ...one, event: '', date_text: plain(one.date) });
    let left = MOST_EXAMPLES;
    const rounds = report.rounds.map((round) => {
      const shown = round.games.slice(0, left);
      left -= shown.length;
      return shown.length ? [round.round ? h('h3', {}, `${t('column_round')} ${round.round}`) : null, gameList(shown.map(game), 0)] : null;
    });
    redraw(this.box, h('h1', {}, state.e), h('p', { class: 'count' }, facts.filter(Boolean).join(' · ')),
      h('p', { class: 'actions' }, h('a', { class: 'button', href: link({ view: 'search', query: report.query, db: state.db }) }, t('gamesOfPlayer')),
        h('a', { class: 'button', href: link({ view: 'tree', event: '=' + state.e, variant: report.variants[0]?.variant, db: state.db }) }, t('nav_tree'))),
      played ? report.standings.map((standings) => card(t('crossTable'), this.table(standings, report),
        report.unfinished ? h('p', { class: 'muted' }, t('withoutResult', { games: number(report.unfinished) })) : null)) : null,
      played && report.listed ? null : h('p', { class: 'notice' }, t('noCrossTable', { games: number(MOST_GAMES) })),
      games.length ? card(t('exampleGames'), rounds) : null, this.toList());
  }

  // A cross table, or, of many players, who met whom in each round, with the points after it.
  table({ win, players }, report) {
    const rounds = report.rounds.filter((round) => round.round);
    const canShowRounds = report.listed && rounds.length > 0 && rounds.length <= MOST_ROUNDS;
    // Where most met few of the others, a cross table would be empty squares.
    const met = players.reduce((sum, { results }) => sum + new Set(results.map(({ opponent }) => opponent)).size, 0);
    const isFull = 2 * met >= players.length * (players.length - 1);
    const cross = report.listed && players.length <= MOST_PLAYERS && (isFull || !canShowRounds);
    const byRound = canShowRounds && !cross ? rounds : [];
    const roundOf = new Map(byRound.flatMap((round, place) => round.games.map((game) => [game.game, place])));
    const rankOf = new Map(players.map((player) => [player.player, player.rank]));
    const inRound = (player, place) => h('td', {}, player.results.filter(({ game }) => roundOf.get(game) === place).map((one) => {
      const title = `${one.opponent}, ${t(one.colour)}`;
      return [h('a', { href: link({ view: 'game', g: one.game, db: state.db }), title, 'aria-label': `${title}: ${one.points === null ? '' : points(one.points)}` }, `${rankOf.get(one.opponent) ?? ''}${one.colour[0]}${one.points === null ? '' : points(one.points)}`), ' '];
    }), h('span', { class: 'muted' }, points(player.progress[place])));
    const result = (one) => h('a', { href: link({ view: 'game', g: one.game, db: state.db }), 'aria-label': t('pointsInGame', { ...one, points: points(one.points) }) }, points(one.points));
    const cell = (row, column) => {
      if (row === column) return h('td', { class: 'self' });
      const results = row.results.filter(({ opponent, points }) => opponent === column.player && points !== null);
      const sum = results.reduce((total, { points }) => total + points - win / 2, 0);
      return h('td', { class: sum > 0 ? 'won' : sum < 0 ? 'lost' : undefined }, results.map(result));
    };
    const hint = byRound.length ? h('p', { class: 'muted' }, t('roundsHint')) : null;
    return [hint, tableBox(t('crossTable'), h('table', { class: 'cross' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('rank')), h('th', { scope: 'col' }, t('column_player')), h('th', { scope: 'col' }, t('points')),
        cross ? players.map((player, place) => h('th', { scope: 'col', 'aria-label': player.player, title: player.player }, String(place + 1))) : byRound.map((round) => h('th', { scope: 'col' }, round.round)),
        h('th', { scope: 'col' }, t('column_games')))),
      h('tbody', {}, players.map((player, place) => h('tr', {}, h('td', { class: 'number' }, String(cross ? place + 1 : player.rank)),
        h('th', { scope: 'row' }, h('a', { href: link({ view: 'players', p: player.player, db: state.db }) }, player.player)), h('td', { class: 'points' }, points(player.points)),
        cross ? players.map((other) => cell(player, other)) : byRound.map((_, at) => inRound(player, at)),
        h('td', { class: 'number' }, number(player.games)))))))];
  }

  key() {
    return false;
  }

  leave() {
    this.latest.stop();
    clearTimeout(this.wait);
  }
}
