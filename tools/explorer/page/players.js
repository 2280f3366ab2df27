// The players: a list, and one player with years, opponents and events.

import { Latest, get, hasServer } from './api.js';
import { failure, h, number } from './dom.js';
import { t } from './i18n.js';
import { eventList, playerTable, yearsChart } from './overview.js';
import { change, link, state } from './state.js';

export class PlayersView {
  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.box = h('div', {});
    this.input = h('input', { id: 'player-name', value: state.name ?? '', autocomplete: 'off', spellcheck: 'false', placeholder: t('namePlaceholder'), oninput: () => {
      clearTimeout(this.wait);
      this.wait = setTimeout(() => change({ name: this.input.value.trim(), p: '' }, { replace: true }), 200);
    } });
    this.element = h('div', { class: 'page-wide' }, h('h1', {}, t('nav_players')),
      hasServer ? h('div', { class: 'field' }, h('label', { for: 'player-name' }, t('findPlayer')), this.input) : '', this.box);
  }

  async update() {
    try {
      if (state.p) await this.showPlayer(state.p);
      else await this.showList();
    } catch (error) {
      this.box.replaceChildren(failure(error));
    }
  }

  async showList() {
    const answer = await this.latest.run((signal) => get(`${this.index.name}/players`, { name: state.name, limit: 100 }, signal));
    if (!answer) return;
    const more = h('button', { type: 'button', onclick: async () => {
      const next = await get(`${this.index.name}/players`, { name: state.name, offset: answer.players.length, limit: 100 });
      answer.players.push(...next.players);
      draw();
    } }, t('more'));
    const draw = () => this.box.replaceChildren(h('p', { class: 'count' }, t('manyPlayers', { players: number(answer.total) })), playerTable(answer.players),
      answer.listed < answer.total ? h('p', { class: 'muted' }, t('sitePlayers', { players: number(answer.listed) })) : '',
      answer.players.length < (answer.listed ?? answer.total) ? more : '');
    draw();
  }

  async showPlayer(name) {
    const stats = await this.latest.run((signal) => get(`${this.index.name}/stats`, { player: '=' + name }, signal));
    if (!stats) return;
    const self = stats.players.find((player) => player.spellings.some((spelling) => spelling.name === name)) ?? stats.players[0];
    const filter = { player: '=' + name, db: state.db };
    this.box.replaceChildren(h('section', { class: 'card' }, h('h2', {}, name),
      self ? h('p', {}, t('playerSummary', { games: number(self.games), won: number(self.won), drawn: number(self.drawn), lost: number(self.lost), score: self.score === null ? '–' : self.score.toFixed(1) })) : null,
      self?.spellings.length > 1 ? h('p', { class: 'muted' }, t('spellings', { names: self.spellings.map((spelling) => spelling.name).join(' · ') })) : null,
      h('p', { class: 'actions' }, hasServer ? [h('a', { class: 'button', href: link({ view: 'search', ...filter }) }, t('gamesOfPlayer')),
        h('a', { class: 'button', href: link({ view: 'tree', white: '=' + name, db: state.db }) }, t('openingsWhite')),
        h('a', { class: 'button', href: link({ view: 'tree', black: '=' + name, db: state.db }) }, t('openingsBlack'))] : [],
        h('a', { class: 'button', href: link({ view: 'players', db: state.db }) }, t('allPlayers')))),
    h('section', { class: 'card' }, h('h2', {}, t('byYear')), yearsChart(stats.years)),
    h('section', { class: 'card' }, h('h2', {}, t('opponents')), playerTable(stats.players.filter((player) => player !== self), name)),
    h('section', { class: 'card' }, h('h2', {}, t('events')), eventList(stats.events)));
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
