// A game: its moves with variations and comments, and the board at any of them. Also lists of games.

import { Latest, gameText, get, hasServer } from './api.js';
import { bar, heads, proven, unplayedProven } from './bar.js';
import { Board } from './board.js';
import { annotation, nagText } from './annotation.js';
import { loadModule } from './connection.js';
import { announce, download, failure, h, iconButton, notify, number, redraw, unbroken } from './dom.js';
import { EvaluationGraph, evaluationText } from './evaluation.js';
import { t } from './i18n.js';
import { boardLook } from './look.js';
import { causeText, loadMessages } from './messages.js';
import { copyText, savePng } from './picture.js';
import { parseFen } from './position.js';
import { change, correct, go, link, state } from './state.js';

export function resultText(game) {
  return { white: '1–0', black: '0–1', draw: '½–½' }[game.winner] ?? '*';
}

// The name of a player with the rating; with `links` it leads to the page of the player.
function player(game, colour, links) {
  const name = game[colour];
  return h('span', { class: 'player' }, h('span', { class: `dot ${colour}` }), links && name && name !== '?' ? h('a', { href: link({ view: 'players', p: name, db: state.db }) }, name) : name || '?',
    game[colour + '_rating'] ? h('span', { class: 'muted nowrap' }, ` ${game[colour + '_rating']}`) : null);
}

export const players = (game, links = false) => [player(game, 'white', links), h('span', { class: 'versus' }, ' – '), player(game, 'black', links)];

// Returns what stands at one ply in the moves of a game. The number of the move stands before White's, and before the first that follows something else.
export function plyItem(ply, isFirst, ...parts) {
  const white = ply % 2;
  const full = Math.ceil(ply / 2);
  const label = white ? `${full}. ` : isFirst ? `${full}... ` : '';
  return h('span', { class: white ? 'ply' : 'ply second' }, label && h('span', { class: 'move-number' }, label), parts);
}

// Marks the move that is shown, or none, and scrolls the moves to it. The page around them stays where it is.
export function markMove(list, button) {
  list.querySelector('.move[aria-current]')?.removeAttribute('aria-current');
  if (!button) return list.scrollTo(0, 0);
  button.setAttribute('aria-current', 'true');
  const box = list.getBoundingClientRect();
  const at = button.getBoundingClientRect();
  if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - (box.height - at.height) / 2;
}

// A list of games that lead to the view of a game, at the given ply.
export function gameList(games, ply) {
  return h('ul', { class: 'games-list' }, games.map((game) => h('li', { key: game.game },
    h('a', { href: link({ view: 'game', g: game.game, ply: ply || undefined, db: state.db }) },
      h('span', { class: 'names' }, players(game)), h('span', { class: 'score' }, resultText(game)),
      h('span', { class: 'muted when' }, [game.event, game.date_text || game.year].filter((text) => text && text !== '?').join(', '))))));
}

// An address leads there, any other site to its games.
function siteLink(site) {
  if (/^https?:[/][/]/.test(site)) return h('a', { href: site, target: '_blank', rel: 'noopener noreferrer' }, site);
  return h('a', { href: link({ view: 'search', query: `site = ${JSON.stringify(site)}`, db: state.db }) }, site);
}

// Lays out the moves as nodes with their neighbours, so that the keys can walk through main line and variations.
/** @returns {GameNode[] & { main?: GameNode[] }} */
function nodesOf(game) {
  /** @type {GameNode[] & { main?: GameNode[] }} */
  const nodes = [{ fen: game.start, squares: [], ply: 0, text: '' }];
  const add = (moves, parent, lineNumber) => {
    let before = parent;
    const line = [];
    for (const move of moves) {
      const { texts, clocks } = annotation(move.comments, move.turn, move.eval_cp);
      const node = { ...move, ply: move.ply + 1, parent: before, squares: [move.from, move.to], id: nodes.length, line: lineNumber, texts, clock: clocks[move.turn], clocks: { ...before.clocks, ...clocks } };
      nodes.push(node);
      if (!before.next) before.next = node;
      line.push(node);
      node.lines = (Array.isArray(move.variations) ? move.variations : []).map((variation) => ({ variation, nodes: add(variation.moves, { ...before, next: null, id: before.id ?? 0 }, variation.line) }));
      // The moves that were played or shown in place of each other.
      const ways = [node, ...node.lines.map(({ nodes: [first] }) => first).filter(Boolean)];
      if (ways.length > 1) ways.forEach((way) => (way.ways = ways));
      before = node;
    }
    return line;
  };
  nodes[0].id = 0;
  nodes.main = add(game.moves, nodes[0], 0);
  return nodes;
}

export class GameView {
  /** @type {string} The ply of the address that is shown. */
  ply;
  /** @type {string} The variation of the address that is shown. */
  line;

  constructor(index) {
    this.index = index;
    this.latest = new Latest();
    this.others = new Latest();
    this.board = new Board({ onmove: (move) => this.try(move), quiet: true });
    this.board.element.addEventListener('wheel', (event) => this.turn(event), { passive: false });
    this.strips = [h('div', { class: 'strip' }), h('div', { class: 'strip' })];
    this.controls = h('div', { class: 'controls' });
    const extras = h('div', { class: 'controls extras' }, iconButton('copy', t('copyFen'), () => copyText(this.node.fen)),
      iconButton('picture', t('savePng'), () => savePng(this.shape, this.node.fen, { flipped: state.flip === '1', last: this.node.squares })));
    this.graph = h('div', { class: 'graph' });
    this.walk = h('nav', { class: 'walk', 'aria-label': t('results') });
    this.around = h('section', { class: 'around', 'aria-label': t('othersHead') });
    this.panel = h('div', { class: 'panel game' });
    this.side = h('section', { class: 'board-side', 'aria-label': t('board'), inert: true }, this.strips[0], this.board.element, this.strips[1], this.controls, extras, this.graph);
    this.element = h('div', { class: 'two with-game' }, this.side, h('div', { class: 'beside' }, this.walk, this.panel));
  }

  get title() {
    const { tags } = this.game ?? {};
    return tags && this.loaded === state.g ? `${tags.White || '?'} – ${tags.Black || '?'}` : '';
  }

  async update() {
    this.showWalk();
    if (!state.g) {
      this.loaded = null;
      return this.panel.replaceChildren(h('h1', {}, t('nav_game')), h('p', { class: 'notice' }, t('noNumber'), ' ', h('a', { href: link({ view: 'search', db: state.db }) }, t('exampleGames'))));
    }
    // A change of anything but the move, such as the side of the board, keeps it.
    if (this.loaded === state.g) return this.show(this.ply === state.ply && this.line === state.line ? this.node : this.asked());
    try {
      const answer = await this.latest.run(async (signal) => {
        const [number, digest] = state.g.split('.');
        const game = await get(`${this.index.name}/games/${encodeURIComponent(number)}`, { digest }, signal);
        if (game.stop) await loadMessages();
        return { game, position: await get(`${this.index.name}/position`, { variant: game.variant, fen: game.start }, signal) };
      });
      if (!answer) return;
      this.game = answer.game;
      this.shape = answer.position.board;
      this.nodes = nodesOf(this.game);
      // With the digest, the address leads to the game in an index that is made anew, too.
      const g = `${this.game.game}.${this.game.digest}`;
      if (Number.parseInt(state.g, 10) !== this.game.game) notify(t('moved'));
      this.loaded = g;
      correct({ g });
      this.draw();
      this.show(this.asked());
    } catch (error) {
      this.loaded = null;
      this.panel.replaceChildren(h('h1', {}, t('nav_game')), failure(error));
    }
  }

  asked() {
    [this.ply, this.line] = [state.ply, state.line];
    return this.nodeAt(Number(state.ply ?? 0), Number(state.line ?? 0));
  }

  // Leads to the games before and after this one in the result from which it was opened.
  async showWalk() {
    const at = Number(state.at);
    const key = at ? `${state.list ?? ''} ${at}` : '';
    if (key === this.walked) return;
    this.walked = key;
    this.walk.replaceChildren();
    if (!at) return;
    const { offset, limit, ...list } = Object.fromEntries(new URLSearchParams(state.list));
    const first = Math.max(0, at - 2);
    const answer = await get(`${this.index.name}/find`, { ...list, offset: first, limit: 3 }).catch(() => null);
    if (!answer || key !== this.walked) return;
    const to = (place, sign, label) => {
      const game = answer.games[place - 1 - first];
      return game && place > 0 ? h('a', { class: 'button', 'aria-label': t(label), title: t(label), href: link({ view: 'game', g: game.game, ply: game.ply || undefined, line: game.line || undefined, db: state.db, flip: state.flip, list: state.list, at: place }) }, sign) : h('span', {});
    };
    redraw(this.walk, to(at - 1, '‹', 'previousGame'), h('a', { href: link({ view: 'search', ...list, db: state.db }) }, t('gameOf', { at: number(at), games: number(answer.total) })), to(at + 1, '›', 'nextGame'));
  }

  nodeAt(ply, line = 0) {
    if (line > 0) {
      const own = this.nodes.filter((node) => node.line === line);
      return own.find((node) => node.ply === ply) ?? (own.length ? this.origin(own[0].parent) : this.nodes[0]);
    }
    return ply > 0 ? this.nodes.main[Math.min(ply, this.nodes.main.length) - 1] ?? this.nodes[0] : this.nodes[0];
  }

  draw() {
    const { tags } = this.game;
    const row = this.row = { white: tags.White, black: tags.Black, white_rating: tags.WhiteRating ?? tags.WhiteElo, black_rating: tags.BlackRating ?? tags.BlackElo };
    const isKnown = (text) => text && text !== '?' && text !== '-';
    const event = isKnown(tags.Event) && h('a', { href: link({ view: 'event', e: tags.Event, db: state.db }) }, tags.Event);
    const facts = [event, isKnown(tags.Round) && `${t('round')} ${tags.Round}`, isKnown(tags.Site) && siteLink(tags.Site), isKnown(tags.Date) && h('span', { class: 'nowrap' }, tags.Date), t('variant_' + this.game.variant)].filter(Boolean);
    const parts = [
      h('h1', { class: 'players-line' }, players(row, true), ' ', h('span', { class: 'score' }, resultText(this.game))),
      h('p', { class: 'muted' }, facts.map((fact, place) => [place ? ' · ' : '', fact])),
    ];
    if (this.game.stop) parts.push(this.stopNotice());
    this.list = h('div', { class: 'movetext', role: 'group', 'aria-label': t('movesOfGame') });
    this.comments(annotation(this.game.comments).texts, this.list);
    this.writeLine(this.nodes.main, this.list);
    if (this.game.rest.length) this.list.append(h('span', { class: 'muted' }, ' ', t('notPlayed'), ' ', this.game.rest.join(' ')));
    this.list.append(h('span', { class: 'end nowrap', title: this.game.result }, ' ', resultText(this.game)));
    this.around.replaceChildren();
    parts.push(h('div', { class: 'reading' }, this.list, this.around));
    parts.push(h('p', { class: 'actions' },
      h('button', { type: 'button', onclick: () => this.takePdn((text) => download(`game-${this.game.game}.pdn`, text)) }, t('savePdn')),
      h('button', { type: 'button', onclick: () => this.takePdn(copyText) }, t('copyPdn')),
      h('button', { type: 'button', onclick: () => copyText(this.embedCode()) }, t('copyEmbed')),
      hasServer ? h('button', { type: 'button', onclick: () => this.showFindings() }, t('checkGame')) : null));
    this.findings = h('div', {});
    const line = [this.nodes[0], ...this.nodes.main];
    this.evaluations = line.some((node) => node.eval_cp !== undefined) ? new EvaluationGraph(line, (ply) => this.choose(line[ply])) : null;
    this.graph.replaceChildren(this.evaluations?.element ?? '');
    parts.push(this.findings);
    this.panel.replaceChildren(...parts);
  }

  stopNotice() {
    const { move, code } = this.game.stop;
    return h('p', { class: 'notice bad' }, t('stops', { move, reason: causeText(this.game.stop), code }));
  }

  comments(texts, box) {
    box.append(...texts.map((text) => h('span', { class: 'comment' }, unbroken(text), ' ')));
    return texts.length > 0;
  }

  writeLine(nodes, box) {
    let numbered = false;
    for (const node of nodes) {
      node.button = h('button', { type: 'button', class: 'move', onclick: () => this.choose(node) }, (node.text ?? node.written) + (node.strength ?? '') + (node.nags ?? []).map(nagText).join(''));
      const evaluation = node.eval_cp === undefined ? null : h('span', { class: 'value', title: t('evaluation') }, evaluationText(node.eval_cp));
      const clock = node.clock ? h('span', { class: 'clock', title: t('clock') }, node.clock) : null;
      box.append(plyItem(node.ply, !numbered, node.button, evaluation, clock), ' ');
      numbered = true;
      if (this.comments(node.texts, box)) numbered = false;
      for (const { variation, nodes: inner } of node.lines) {
        const part = h('div', { class: 'variation' });
        this.comments(annotation(variation.comments).texts, part);
        this.writeLine(inner, part);
        if (variation.rest?.length) part.append(h('span', { class: 'muted' }, variation.rest.join(' ')));
        box.append(part);
        numbered = false;
      }
    }
  }

  choose(node) {
    this.pause();
    this.goOn(node);
  }

  // Shows a node, and puts it into the address.
  goOn(node) {
    this.node = node;
    change({ ply: String(node.ply), line: node.line ? String(node.line) : '' }, { replace: true });
  }

  show(node) {
    this.node = node;
    this.side.inert = false;
    const flipped = state.flip === '1';
    this.board.layout(this.shape, flipped);
    this.board.show({ fen: node.fen, last: node.squares, played: node.id ? node : null, awaited: true });
    this.showPlayers(node, flipped);
    markMove(this.list, node.button);
    if (node.button) {
      announce(`${Math.ceil(node.ply / 2)}${node.ply % 2 ? '.' : '...'} ${node.text ?? node.written}`);
    }
    const button = (name, key, target) => iconButton(name, t(key), () => target && this.choose(target), { disabled: !target });
    // In a variation, the move of the game that it leaves.
    let inMain = node;
    while (inMain.line) inMain = inMain.parent;
    this.evaluations?.show(inMain.ply);
    const last = this.nodes.main.at(-1);
    redraw(this.controls,
      button('first', 'toStart', node.id === 0 ? null : this.nodes[0]), button('back', 'back', node.parent && this.origin(node.parent)),
      this.timer ? iconButton('pause', t('pause'), () => this.pause()) : iconButton('play', t('autoplay'), () => this.autoplay(), { disabled: !last }),
      button('forward', 'forward', node.next), button('last', 'toEnd', node === last ? null : last),
      h('span', { class: 'turn', 'data-ply': String(node.ply) }, node.ply ? t('moveOf', { move: Math.ceil(node.ply / 2), moves: Math.ceil(this.nodes.main.length / 2) }) : t('toStart')),
      iconButton('flip', t('flip'), () => change({ flip: flipped ? '' : '1' }, { replace: true })));
    this.showOthers(node);
  }

  // Shows who plays with the pieces at the top and at the bottom of the board, with the clocks, and who is to move.
  showPlayers(node, flipped) {
    const turn = parseFen(node.fen).turn;
    for (const [strip, colour] of [[this.strips[0], flipped ? 'white' : 'black'], [this.strips[1], flipped ? 'black' : 'white']]) {
      strip.classList.toggle('to-move', colour === turn);
      const clock = node.clocks?.[colour];
      redraw(strip, player(this.row, colour), clock ? h('span', { class: 'clock', title: t('clock') }, h('span', { class: 'hidden' }, t('clock') + ' '), clock) : null);
    }
  }

  origin(node) {
    return this.nodes.find((other) => other.id === node.id) ?? node;
  }

  // The code that shows the game in the page of another site.
  embedCode() {
    const { db, g, flip } = state;
    const address = new URL('embed.html?' + new URLSearchParams(Object.entries({ db, g, ply: this.node.ply, flip, ...boardLook() }).filter(([, value]) => value !== undefined)), location.href);
    return `<iframe src="${address}" width="420" height="640" title="${document.title.replace(/[&"<>]/g, ' ')}"></iframe>`;
  }

  // Shows what others played in this position, and lets its moves be played on the board.
  async showOthers(node) {
    const request = { variant: this.game.variant, fen: node.fen };
    this.others.stop();
    clearTimeout(this.wait);
    this.wait = setTimeout(async () => {
      try {
        await this.others.run(async (signal) => {
          const tree = get(`${this.index.name}/tree`, { ...request, limit: 8 }, signal);
          tree.catch(() => null);
          const { moves } = await get(`${this.index.name}/position`, request, signal);
          if (!signal.aborted) this.board.show({ fen: node.fen, moves, last: node.squares, played: node.id ? node : null });
          const others = await tree;
          if (!signal.aborted) this.drawOthers(node, others);
        });
      } catch (error) {
        this.board.show({ fen: node.fen, last: node.squares });
        this.around.replaceChildren(failure(error));
      }
    }, 150);
  }

  drawOthers(node, tree) {
    const place = this.inTree(node);
    const to = (text) => link({ ...place, moves: [place.moves, text].filter(Boolean).join(' '), redo: '' });
    const row = (entry) => h('tr', { key: entry.move, class: node.next?.fen === entry.after ? 'own' : undefined },
      h('th', { scope: 'row' }, h('a', { class: 'move', href: to(entry.move) }, entry.move), proven(entry)),
      h('td', { class: 'games' }, entry.games ? number(entry.games) : ''), h('td', { class: 'results' }, entry.games ? bar(entry) : ''));
    const rows = tree.games > 1 || tree.table ? [...tree.moves, ...unplayedProven(tree)].map(row) : [];
    redraw(this.around, h('p', { class: 'muted' }, tree.games > 1 ? t('othersHere', { games: number(tree.games) }) : t('onlyHere'), proven(tree)),
      rows.length ? h('table', { class: 'moves' }, h('caption', { class: 'hidden' }, t('treeCaption')), heads(['move', 'games', 'results']), h('tbody', {}, rows)) : null,
      h('p', {}, h('a', { href: this.toTree(node) }, t('openInTree'))));
  }

  // Turns the wheel above the board into steps.
  turn(event) {
    if (event.ctrlKey || !this.node) return;
    event.preventDefault();
    this.turned = (this.turned ?? 0) + event.deltaY * (event.deltaMode ? 40 : 1);
    if (Math.abs(this.turned) < 40) return;
    const to = this.turned > 0 ? this.node.next : this.node.parent && this.origin(this.node.parent);
    this.turned = 0;
    if (to) this.choose(to);
  }

  // Goes on to the next move of the game if it was played on the board. Any other is played in the openings.
  /** @param {Move} move */
  try({ text, after }) {
    const { node } = this;
    if (node.next?.fen === after) return this.choose(node.next);
    const place = this.inTree(node);
    go({ ...place, moves: [place.moves, text].filter(Boolean).join(' '), redo: '' });
  }

  // Returns the address of a position in the openings: with the moves to it, and those after it, so that one can step back and on.
  toTree(node) {
    return link(this.inTree(node));
  }

  inTree(node) {
    const before = [];
    for (let at = node; at.parent; at = at.parent) before.unshift(at.text);
    const after = [];
    for (let at = node.next; at; at = at.next) after.push(at.text);
    const place = before.includes(null) ? { fen: node.fen } : { fen: this.game.tags.FEN ? this.game.start : '', moves: before.join(' '), redo: after.includes(null) ? '' : after.join(' ') };
    return { view: 'tree', variant: this.game.variant, ...place, flip: state.flip, db: state.db };
  }

  autoplay() {
    this.timer = setInterval(() => {
      if (!this.node.next) return this.pause();
      this.goOn(this.node.next);
    }, 1000);
    this.goOn(this.node.next ?? this.nodes[0]);
  }

  pause() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    this.show(this.node);
  }

  async takePdn(take) {
    try {
      take(await gameText(this.index.name, this.game.game));
    } catch (error) {
      this.findings.replaceChildren(failure(error));
    }
  }

  async showFindings() {
    const { checkText, findingsList, useIndex } = await loadModule('./check.js');
    useIndex(this.index.name);
    try {
      const text = await gameText(this.index.name, this.game.game);
      const answer = await checkText(text);
      // A comment that is never closed gets its end when the record leaves the archive, so that the text has no fault any more.
      this.findings.replaceChildren(this.game.stop && !answer.diagnostics.length ? this.stopNotice() : findingsList(answer));
    } catch (error) {
      this.findings.replaceChildren(failure(error));
    }
  }

  key(event) {
    const { node } = this;
    const game = { n: 'a:last-child.button', p: 'a:first-child.button' }[event.key];
    if (game) return this.walk.querySelector(game)?.click() ?? true;
    if (!node) return false;
    if (event.key === 'ArrowLeft') {
      if (node.parent) this.choose(this.origin(node.parent));
    } else if (event.key === 'ArrowRight') {
      if (node.next) this.choose(node.next);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const at = node.ways?.indexOf(node) + (event.key === 'ArrowDown' ? 1 : -1);
      if (node.ways?.[at]) this.choose(node.ways[at]);
    } else if (event.key === 'Home') this.choose(this.nodes[0]);
    else if (event.key === 'End') this.choose(this.nodes.main.at(-1) ?? this.nodes[0]);
    else if (event.key === 'f') change({ flip: state.flip === '1' ? '' : '1' }, { replace: true });
    else if (event.key === ' ' && event.target === document.body) this.timer ? this.pause() : this.autoplay();
    else return false;
    return true;
  }

  leave() {
    this.pause();
    this.latest.stop();
    this.others.stop();
    clearTimeout(this.wait);
  }
}
