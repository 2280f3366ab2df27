// The players: a list, and one player with years, opponents and events.

import { Latest, get } from './api.js';
import { card, failure, h, number, percent, redraw } from './dom.js';
import { t } from './i18n.js';
import { eventList, meantNames, namedOpeningTable, openingTable, opponentTable, playerTable, sortHead, yearsChart } from './overview.js';
import { change, link, state } from './state.js';

// Number of openings with each colour.
const MOST_OPENINGS = 10;

// The heads of the columns by which the server sorts all players, and whether it has the greatest values first.
const SORTED = { player: ['name', false], games: ['games', true], score: ['score', true], rating: ['rating', true] };
const HEADS = Object.fromEntries(Object.entries(SORTED).map(([name, [key, descends]]) => [name, () => sortHead(name, key, descends, false, state.sort ?? 'games')]));

// Returns the variant of most games of a player with a colour, as far as the openings say, or of all games.
function variantOf(report, colour) {
  const games = {};
  for (const row of report.openings.filter((row) => row.colour === colour)) games[row.variant] = (games[row.variant] ?? 0) + row.games;
  return Object.entries(games).sort((a, b) => b[1] - a[1])[0]?.[0] ?? report.variants[0]?.variant;
}

export class PlayersView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.box = h('div', {});
    this.input = h('input', { id: 'player-name', value: state.name ?? '', autocomplete: 'off', spellcheck: 'false', placeholder: t('namePlaceholder'), oninput: () => {
      clearTimeout(this.wait);
      this.wait = setTimeout(() => change({ name: this.input.value.trim(), p: '' }, { replace: true }), 200);
    } });
    this.name = h('h1', {});
    this.element = h('div', { class: 'page-wide' }, h('div', { class: 'page-head' }, this.name,
      h('div', { class: 'field' }, h('label', { for: 'player-name' }, t('findPlayer')), this.input)), this.box);
  }

  get title() {
    return state.p;
  }

  async update() {
    if (document.activeElement !== this.input) this.input.value = state.name ?? '';
    this.name.textContent = state.p ?? t('nav_players');
    try {
      if (state.p) await this.showPlayer(state.p);
      else await this.showList();
    } catch (error) {
      redraw(this.box, error.code === 'no_match' ? h('p', { class: 'notice' }, t('noPlayer', { name: state.p }), meantNames(error, (p) => link({ view: 'players', db: state.db, p }))) : failure(error));
    }
  }

  async showList() {
    const asked = { name: state.name, sort: state.sort, reverse: state.reverse, limit: 100 };
    const answer = await this.latest.run((signal) => get(`${this.index.name}/players`, asked, signal));
    if (!answer) return;
    const more = h('button', { type: 'button', onclick: async () => {
      const next = await get(`${this.index.name}/players`, { ...asked, offset: answer.players.length });
      answer.players.push(...next.players);
      draw();
    } }, t('more'));
    const draw = () => redraw(this.box, h('p', { class: 'count' }, t('manyPlayers', { players: number(answer.total) })), playerTable(answer.players, HEADS),
      answer.players.length < answer.total ? more : null);
    draw();
  }

  async showPlayer(name) {
    const report = await this.latest.run((signal) => get(`${this.index.name}/player`, { name: '=' + name }, signal));
    if (!report) return;
    const openings = (colour, title) => {
      const [rows, named] = [report.openings, report.named_openings].map((rows) => rows.filter((row) => row.colour === colour).slice(0, MOST_OPENINGS));
      const label = `${t(title)} · ${t('namedOpenings')}`;
      return rows.length || named.length ? card(t(title), named.length ? namedOpeningTable(label, named) : null, rows.length ? openingTable(t(title), rows) : null) : null;
    };
    // The games of one colour may be of another variant than most games of the archive.
    const gamesWith = (colour) => report.spellings.length > 1 ? { query: report.colours.find((row) => row.colour === colour).query } : { [colour]: '=' + name };
    const toOpenings = (colour, title) => h('a', { class: 'button', href: link({ view: 'tree', ...gamesWith(colour), variant: variantOf(report, colour), db: state.db }) }, t(title));
    const summary = ({ games, won, drawn, lost, score }) => t('playerSummary', { games: number(games), won: number(won), drawn: number(drawn), lost: number(lost), score: score === null ? '–' : percent(score / 100, 1) });
    redraw(this.box, h('div', {}, h('p', {}, summary(report), report.rating ? ` · ${t('column_rating')} ${report.rating}` : ''),
      report.colours.map((row) => h('p', { class: 'muted' }, h('span', { class: `dot ${row.colour}` }), ' ', t(row.colour), ': ', summary(row))),
      report.spellings.length > 1 ? h('p', { class: 'muted' }, t('spellings', { names: report.spellings.map((spelling) => spelling.name).join(' · ') })) : null,
      h('p', { class: 'actions' }, h('a', { class: 'button', href: link({ view: 'search', query: report.query, db: state.db }) }, t('gamesOfPlayer')),
        toOpenings('white', 'openingsWhite'), toOpenings('black', 'openingsBlack'),
        h('a', { class: 'button', href: link({ view: 'players', db: state.db }) }, t('allPlayers')))),
    card(t('byYear'), yearsChart(report.years.filter((row) => row.year), true, report.games)),
    card(t('opponents'), opponentTable(report.opponents)),
    openings('white', 'openingsWhite'), openings('black', 'openingsBlack'),
    card(t('events'), eventList(report.events)));
  }

  key(event) {
    if (event.key !== '/') return false;
    this.input.focus();
    return true;
  }

  leave() {
    this.latest.stop();
    clearTimeout(this.wait);
  }
}
