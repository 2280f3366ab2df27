// The archive at a glance: numbers, years, variants, players and events.

import { Latest, get } from './api.js';
import { bar, heads } from './bar.js';
import { card, failure, h, number, ownName, percent, redraw, s, tableBox, unbroken } from './dom.js';
import { around, t } from './i18n.js';
import { change, go, link, state } from './state.js';

const toSearch = (parameters, text) => h('a', { href: link({ view: 'search', ...parameters, db: state.db }) }, text);

// What a search for the games of a year asks: a player's year has its query.
const searchOf = (year) => (year.query ? { query: year.query } : { date: String(year.year) });

// The least of 1, 2, 5, 10, 20 and so on that is not below a number, at least 1.
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].find((factor) => factor * power >= least) * power;
}

// Columns of games by year, each of which leads to its games. The numbers are in a table for screen readers, with the results of White and Black, or, of a player, with
// those of the player.
export function yearsChart(years, player, all) {
  if (!years.length) return h('p', { class: 'muted' }, t('noYears'));
  const first = years[0].year;
  const last = years.at(-1).year;
  const most = Math.max(...years.map((year) => year.games));
  const span = last - first + 1;
  const chart = s('svg', { viewBox: `0 0 ${span * 10} 100`, preserveAspectRatio: 'none' });
  // A few years alone would be broad blocks.
  const box = h('div', { class: 'chart', 'aria-hidden': 'true', style: { maxWidth: `${Math.max(30, Math.min(100, span * 5))}%` } }, chart);
  const label = (kind, text, side, percent) => box.append(h('span', { class: kind, style: { [side]: `${percent}%` } }, text));
  const up = (games) => (96 * games) / most;
  const step = roundStep(most / 4);
  for (let games = step; games <= most; games += step) {
    chart.append(s('line', { x2: span * 10, y1: 100 - up(games), y2: 100 - up(games) }));
    label('count-at', number(games), 'top', 100 - up(games));
  }
  for (const year of years) {
    const height = Math.max(1, up(year.games));
    const x = (year.year - first) * 10;
    chart.append(s('g', { onclick: () => go({ view: 'search', ...searchOf(year), db: state.db }) }, s('title', {}, `${year.year}: ${number(year.games)}`),
      s('rect', { x, width: 10, height: 100, class: 'all' }), s('rect', { x: x + 1, y: 100 - height, width: 8, height })));
  }
  const apart = roundStep(span / 8);
  for (let year = Math.ceil(first / apart) * apart; year <= last; year += apart) label('year-at', String(year), 'left', (100 * (year - first + 0.5)) / span);
  const figure = h('figure', {}, box,
    h('details', {}, h('summary', {}, t('asTable')), player ? scoreTable(t('byYear'), 'year', years, (year) => toSearch(searchOf(year), String(year.year)))
      : h('table', { class: 'plain' }, heads(['year', 'games', 'results']),
        h('tbody', {}, years.map((year) => h('tr', {}, h('th', { scope: 'row' }, toSearch(searchOf(year), String(year.year))), h('td', { class: 'number' }, number(year.games)), h('td', {}, bar(year))))))));
  const known = years.reduce((sum, year) => sum + year.games, 0);
  if (known < all) figure.append(h('figcaption', { class: 'muted' }, t('gamesWithYear', { games: number(known), all: number(all) })));
  return figure;
}

// The head of a column by which rows are sorted. `descends` says that its greatest values are first unless the order is reversed, and
// `sorted` what they are sorted by.
export function sortHead(name, key, descends, isReversedFirst, sorted = state.sort) {
  const isSorted = sorted === key;
  const isDown = descends !== Boolean(state.reverse);
  return h('th', { scope: 'col', class: name, 'aria-sort': isSorted ? (isDown ? 'descending' : 'ascending') : undefined },
    h('button', { type: 'button', id: 'sort-' + key, class: 'sort', onclick: () => change(isSorted ? { reverse: state.reverse ? '' : 'true' } : { sort: key, reverse: isReversedFirst ? 'true' : '' }) },
      t('column_' + name), isSorted ? (isDown ? ' ▾' : ' ▴') : ''));
}

// Won, drawn and lost games by row; `title` makes the head of a row. `more` are columns with texts, and `heads` make those heads that are
// more than a text.
export function scoreTable(label, key, rows, title, more = {}, heads = {}) {
  const head = [key, 'games', 'won', 'drawn', 'lost', 'score', ...Object.keys(more)];
  return tableBox(label, h('table', { class: 'plain players' }, h('thead', {}, h('tr', {}, head.map((name) => heads[name]?.(name) ?? h('th', { scope: 'col', class: name }, t('column_' + name))))),
    h('tbody', {}, rows.map((row) => h('tr', {}, h('th', { scope: 'row' }, title(row)),
      h('td', { class: 'number' }, number(row.games)), h('td', { class: 'number won' }, number(row.won)), h('td', { class: 'number drawn' }, number(row.drawn)), h('td', { class: 'number lost' }, number(row.lost)),
      h('td', { class: 'number' }, row.score === null || row.score === undefined ? '–' : percent(row.score / 100)),
      Object.entries(more).map(([name, text]) => h('td', { class: ['rating', 'portion'].includes(name) ? 'number ' + name : name }, text(row))))))));
}

const yearsOf = (row) => row.first_year ? (row.first_year === row.last_year ? row.first_year : `${row.first_year}–${row.last_year}`) : '';

export function playerTable(players, heads) {
  const title = (player) => [h('a', { href: link({ view: 'players', p: player.name, db: state.db }) }, player.name),
    player.spellings.length > 1 ? h('span', { class: 'muted', title: player.spellings.map((spelling) => spelling.name).join(' · ') }, ` (${t('manySpellings', { count: number(player.spellings.length) })})`) : null];
  return scoreTable(t('nav_players'), 'player', players, title, { years: yearsOf, rating: (player) => player.rating ?? '' }, heads);
}

// The opponents of a player with the results of the player; each name leads to the games.
export function opponentTable(opponents) {
  const title = (opponent) => toSearch({ query: opponent.query }, opponent.name);
  return scoreTable(t('opponents'), 'opponent', opponents, title, { years: yearsOf, rating: (opponent) => opponent.rating ?? '' });
}

export function openingTable(label, openings) {
  const title = (opening) => [toSearch({ query: opening.query }, unbroken(opening.moves)), opening.opening_played ? h('span', { class: 'muted' }, ' ', ownName(opening.opening_played)) : null];
  return scoreTable(label, 'move', openings, title);
}

export function namedOpeningTable(label, openings) {
  return scoreTable(label, 'opening', openings, (opening) => toSearch({ query: opening.query }, ownName(opening.opening_played)));
}

export function eventList(events) {
  if (!events.length) return h('p', { class: 'muted' }, t('noEvents'));
  return h('ul', { class: 'columns' }, events.map((event) => h('li', {}, h('a', { href: link({ view: 'event', e: event.event, db: state.db }) }, event.event), h('span', { class: 'muted' }, ` ${number(event.games)}`, event.first_year ? ` · ${event.first_year}` : ''))));
}

export class OverviewView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.box = h('div', {});
    this.element = h('div', { class: 'page-wide' }, h('h1', {}, t('nav_overview')), this.box);
  }

  async update() {
    try {
      const stats = await this.latest.run((signal) => get(`${this.index.name}/stats`, {}, signal));
      if (stats) this.draw(stats);
    } catch (error) {
      redraw(this.box, failure(error));
    }
  }

  draw(stats) {
    const tile = (key, value) => h('div', { class: 'tile' }, h('dt', {}, t(key)), h('dd', {}, value));
    const statuses = Object.entries(stats.statuses).filter(([status]) => status !== 'legal');
    redraw(this.box,
      h('dl', { class: 'tiles' }, tile('games', number(stats.games)), tile('plies', number(stats.plies)), tile('nav_players', number(stats.player_count)), tile('events', number(stats.event_count)), tile('medianLength', stats.lengths.median ? number(Math.ceil(stats.lengths.median / 2)) : '–')),
      card(t('resultsHead'), h('p', { class: 'muted' }, t('column_results')), bar(stats)),
      card(t('byYear'), yearsChart(stats.years, false, stats.games)),
      card(t('variants'), h('ul', { class: 'columns' }, Object.entries(stats.variants).map(([variant, games]) => h('li', {}, h('a', { href: link({ view: 'tree', variant, db: state.db }) }, t('variant_' + variant)), h('span', { class: 'muted' }, ` ${number(games)}`))))),
      statuses.length ? card(t('damaged'), h('ul', { class: 'columns' }, statuses.map(([status, games]) => h('li', {}, toSearch({ query: `status ${status}` }, t('status_' + status)), h('span', { class: 'muted' }, ` ${number(games)}`))))) : null,
      card(t('activePlayers'), playerTable(stats.players)),
      card(t('events'), eventList(stats.events), stats.event_count > stats.events.length ? h('p', {}, h('a', { href: link({ view: 'event', db: state.db }) }, t('allEvents', { events: number(stats.event_count) }))) : null));
  }

  key() {
    return false;
  }

  leave() {
    this.latest.stop();
  }
}

// Returns links to the names that may be meant where one does not exist.
export function meantNames({ meant }, address) {
  if (!meant.length) return null;
  return h('span', {}, ' ', around('meant', 'moves', meant.map((name, place) => [place ? ', ' : '', h('a', { href: address(name) }, name)])));
}
