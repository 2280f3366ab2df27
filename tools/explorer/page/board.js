// A board: an SVG picture under a grid of buttons. The picture is for the eye, the buttons are for everybody.

import { h, s, announce, notify } from './dom.js';
import { t } from './i18n.js';
import { DARK, FRAME_COLOUR, LIGHT, MARKED, NUMBER, gradients, pieceShapes } from './picture.js';
import { parseFen } from './position.js';

// Milliseconds that a man slides to the next square, and that each further jump of a capture takes.
const SLIDE = 150;
const JUMP = 75;

// Makes an element of a shape of the design.
/** @type {(shape: Shape) => Element} */
const drawn = ([tag, attributes, within = []]) => s(tag, attributes, typeof within === 'string' ? within : within.map(drawn));

// All boards fill their pieces with these gradients.
document.body.append(s('svg', { class: 'hidden', 'aria-hidden': 'true' }, drawn(gradients())));

export function pieceName(piece) {
  return piece ? t(piece.colour + (piece.king ? 'King' : 'Man')) : t('empty');
}

export function drawPiece(piece) {
  return s('g', { class: `piece ${piece.colour}` }, s('g', { transform: 'scale(.016667)' }, s('circle', { r: 24.4, cy: 1.4, class: 'shade' }), pieceShapes(piece).map(drawn)));
}

// The squares of a move from the first to the last.
const squaresOf = (move) => (move.path?.length ? move.path : [move.from, move.to]);

// Returns whether a move makes one position of another.
function leads({ from, to, captured = [] }, before, after) {
  const same = (name) => before.get(name)?.colour === after.get(name)?.colour;
  return before.has(from) && before.get(from).colour === after.get(to)?.colour && (from === to || (!before.has(to) && !after.has(from))) &&
    captured.every((name) => before.has(name) && !after.has(name)) && after.size === before.size - captured.length &&
    [...after.keys()].every((name) => name === to || same(name));
}

// Draws the squares of a board from rows of names, and its pieces.
function layers(rows, flipped) {
  const [height, width] = [rows.length, rows[0].length];
  const place = (x, y) => (flipped ? [width - 1 - x, height - 1 - y] : [x, y]);
  return { width, height, place };
}

const ground = (width, height) => s('rect', { width, height, fill: LIGHT, class: 'light' });
const cell = (board, x, y) => s('rect', { x, y, width: 1, height: 1, class: 'dark', ...(board.full ? { fill: LIGHT, stroke: FRAME_COLOUR, 'stroke-width': 0.03 } : { fill: DARK }) });

// A small picture of a position without buttons.
// Without `label` it is for the eye alone.
export function miniature(board, fen, label = null) {
  const { width, height } = layers(board.rows, false);
  const { pieces } = parseFen(fen);
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, class: 'board-picture', ...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' }) });
  svg.append(ground(width, height));
  board.rows.forEach((row, y) => row.forEach((name, x) => {
    if (!name) return;
    svg.append(cell(board, x, y));
    const piece = pieces.get(name);
    if (piece) {
      const man = drawPiece(piece);
      man.setAttribute('transform', `translate(${x + 0.5} ${y + 0.5})`);
      svg.append(man);
    }
  }));
  return svg;
}

export class Board {
  /** @type {BoardShape} */
  board;
  /** @type {Map<string, DrawnSquare>} */
  squares = new Map();
  /** @type {Map<string, Piece>} */
  pieces = new Map();
  /** @type {Map<string, SVGElement>} The elements of the pieces, by square. */
  drawn = new Map();
  /** @type {Move[]} */
  moves = [];
  /** @type {string[]} */
  path = [];
  /** @type {string[]} */
  queue = [];
  /** @type {string[]} */
  last;
  /** @type {Move | null} */
  played;
  /** @type {((move: Move) => void) | undefined} */
  onmove;
  /** @type {((name: string, always?: boolean) => void) | undefined} */
  onsquare;
  /** @type {((from: string, to: string | null) => void) | null} */
  onman = null;
  /** @type {Animation[]} */
  slides = [];
  quiet = false;
  flipped = false;
  awaited = false;
  dropped = false;
  swallow = false;
  width = 0;
  height = 0;
  /** @type {string | undefined} */
  fen;
  /** @type {string | null} */
  focus = null;
  layoutKey = '';

  // `onmove` receives a legal move that was played; `onsquare` receives a square that was activated, if moves are not played. With `quiet`, captures
  // that are compulsory are not marked. `onman`, which may change, receives the square of a man that is dragged and the square where it is dropped, or
  // null for a place outside of the board.
  /** @param {{ onmove?: Board['onmove'], onsquare?: Board['onsquare'], quiet?: boolean }} options */
  constructor({ onmove, onsquare, quiet } = {}) {
    Object.assign(this, { onmove, onsquare, quiet });
    this.svg = s('svg', { class: 'board-picture', 'aria-hidden': 'true' });
    this.grid = h('div', { role: 'grid', class: 'grid' });
    this.element = h('div', { class: onsquare ? 'board painting' : 'board' }, this.svg, this.grid);
    this.element.addEventListener('pointerdown', (event) => this.pointerDown(event));
    this.grid.addEventListener('click', (event) => this.click(event));
    this.grid.addEventListener('keydown', (event) => this.key(event));
    this.grid.addEventListener('focusin', (event) => event.target.dataset.square && this.setFocus(event.target.dataset.square, false));
  }

  // Lays out the squares. `board` has the rows of names as the server sends them.
  layout(board, flipped = this.flipped) {
    const key = JSON.stringify(board) + flipped + t('white');
    if (key === this.layoutKey) return;
    Object.assign(this, { board, flipped, layoutKey: key, squares: new Map(), drawn: new Map() });
    const { width, height, place } = layers(board.rows, flipped);
    Object.assign(this, { width, height });
    this.element.style.aspectRatio = `${width} / ${height}`;
    document.documentElement.style.setProperty('--ratio', String(width / height));
    this.element.style.setProperty('--squares', String(width));
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.ground = s('g', {}, ground(width, height));
    this.overlay = s('g', { class: 'overlay' });
    this.numbers = s('g', {});
    this.ghosts = s('g', {});
    this.men = s('g', {});
    this.arrows = s('g', { class: 'arrows' });
    this.grid.replaceChildren();
    this.grid.setAttribute('aria-label', t('boardLabel'));
    for (let row = 0; row < height; row++) {
      const line = h('div', { role: 'row' });
      for (let column = 0; column < width; column++) {
        const [x, y] = place(column, row);
        const name = board.rows[y][x];
        if (!name) continue;
        this.ground.append(cell(board, column, row));
        if (!board.files) this.numbers.append(s('text', { x: column + 0.03, y: row + 0.155, class: 'square-number', fill: NUMBER, 'data-number': name }, name));
        const button = h('button', { type: 'button', tabindex: '-1', 'data-square': name });
        const box = h('div', { role: 'gridcell' }, button);
        Object.assign(box.style, { left: `${(100 * column) / width}%`, top: `${(100 * row) / height}%`, width: `${100 / width}%`, height: `${100 / height}%` });
        line.append(box);
        this.squares.set(name, { name, column, row, button, slot: line.childElementCount - 1 });
      }
      this.grid.append(line);
    }
    if (board.files) {
      const files = flipped ? [...board.files].reverse() : board.files;
      const ranks = flipped ? [...board.ranks].reverse() : board.ranks;
      const edge = (x, y, anchor, text) => this.numbers.append(s('text', { x, y, 'text-anchor': anchor, class: 'edge', fill: NUMBER }, String(text)));
      files.forEach((file, x) => edge(x + 0.97, height - 0.05, 'end', file));
      ranks.forEach((rank, y) => edge(0.03, y + 0.155, 'start', rank));
    }
    this.svg.replaceChildren(this.ground, this.overlay, this.numbers, this.ghosts, this.men, this.arrows);
    if (!this.squares.has(this.focus)) this.focus = this.squares.keys().next().value;
    this.squares.get(this.focus).button.tabIndex = 0;
  }

  // Shows a position. `moves` are the legal moves; `last` are the squares of the last move, which is `played` if more is known of it. The man of a
  // move slides if the position before or after it was shown until now. While the moves are `awaited`, squares that are clicked are kept, and are
  // chosen when the moves of this position are shown.
  /** @param {Shown} shown */
  show({ fen, pieces, moves = [], last = [], played, awaited = false }) {
    const before = this.pieces;
    const after = fen === undefined ? pieces : parseFen(fen).pieces;
    const find = (all, ...positions) => !this.dropped && all.find((move) => move && leads(move, ...positions));
    const move = find([played, ...this.moves], before, after);
    const back = !move && find([this.played, ...moves], after, before);
    // The answer of the server shows a move again that was shown at once: a man that slides goes on.
    const isShown = fen !== undefined && fen === this.fen;
    const queue = isShown && !awaited ? this.queue : [];
    Object.assign(this, { fen, pieces: after, moves, last, played, awaited, queue: [], path: [], dropped: false });
    if (!isShown) {
      this.slides.splice(0).forEach((slide) => slide.cancel());
      this.ghosts.replaceChildren();
    }
    this.draw();
    if (move || back) this.slide(move ? squaresOf(move) : [...squaresOf(back)].reverse(), move ? move.captured.map((name) => [name, before.get(name)]) : []);
    if (moves.length) queue.forEach((name) => this.choose(name));
  }

  // Slides a man along squares to the last of them, where it stands already. The captured pieces stay until it is there.
  slide(squares, captured) {
    const places = squares.map((name) => this.squares.get(name));
    if (!places.every(Boolean) || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const duration = SLIDE + JUMP * (squares.length - 2);
    const man = this.drawn.get(squares.at(-1));
    this.men.append(man);
    const run = (element, frames, timing) => {
      const slide = element.animate(frames, { duration, ...timing });
      this.slides.push(slide);
      return slide;
    };
    run(man, places.map(({ column, row }) => ({ transform: `translate(${column + 0.5}px, ${row + 0.5}px)` })), { easing: 'ease-out' });
    for (const [name, piece] of captured) {
      const ghost = this.place(drawPiece(piece), this.squares.get(name));
      this.ghosts.append(ghost);
      run(ghost, [{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }]).onfinish = () => ghost.remove();
    }
  }

  place(man, { column, row }) {
    man.setAttribute('transform', `translate(${column + 0.5} ${row + 0.5})`);
    return man;
  }

  // Draws the pieces and the names of the squares. What has not changed stays as it is: of a move, two or three squares change.
  draw() {
    const before = this.drawn;
    this.drawn = new Map();
    for (const [name, piece] of this.pieces) {
      const square = this.squares.get(name);
      if (!square) continue;
      const kind = piece.text ?? piece.colour + piece.king;
      const old = before.get(name);
      const isSame = old?.dataset.kind === kind && old.parentNode === this.men && !old.classList.contains('dragged');
      const man = isSame ? old : this.place(piece.text ? this.painted(piece) : drawPiece(piece), square);
      man.dataset.kind = kind;
      this.drawn.set(name, man);
    }
    const shown = new Set(this.drawn.values());
    for (const man of [...this.men.children]) if (!shown.has(man)) man.remove();
    for (const man of shown) if (man.parentNode !== this.men) this.men.append(man);
    const movable = new Set(this.onman ? this.pieces.keys() : this.onmove && this.moves.map((move) => move.from));
    const targets = this.targets();
    for (const square of this.squares.values()) {
      const { name, button } = square;
      const piece = this.pieces.get(name);
      const marks = [piece?.name ?? pieceName(piece)];
      if (this.path.includes(name)) marks.push(t('selected'));
      else if (targets.includes(name)) marks.push(t('target'));
      if (this.last?.includes(name)) marks.push(t('lastMove'));
      const label = `${name}, ${marks.join(', ')}`;
      if (label !== square.label) button.setAttribute('aria-label', (square.label = label));
      if (movable.has(name) !== square.movable) button.classList.toggle('movable', (square.movable = movable.has(name)));
    }
    for (const text of this.numbers.querySelectorAll('.square-number')) text.classList.toggle('taken', this.pieces.has(text.dataset.number));
    this.drawMarks();
  }

  painted(piece) {
    return s('g', { class: 'painted ' + piece.kind }, s('circle', { r: 0.4 }), s('text', { y: 0.13, 'text-anchor': 'middle' }, piece.text));
  }

  drawMarks() {
    this.overlay.replaceChildren();
    const mark = (name, kind, more) => {
      const square = this.squares.get(name);
      if (square) this.overlay.append(s('rect', { x: square.column, y: square.row, width: 1, height: 1, class: kind, ...more }));
    };
    this.last?.forEach((name) => mark(name, 'last', { fill: MARKED }));
    this.path.forEach((name) => mark(name, 'selected'));
    if (!this.path.length && this.onmove && !this.quiet) {
      new Set(this.moves.filter((move) => move.captured.length).map((move) => move.from)).forEach((name) => mark(name, 'must'));
    }
    for (const name of this.path.length ? this.targets() : []) {
      const square = this.squares.get(name);
      this.overlay.append(s('circle', { cx: square.column + 0.5, cy: square.row + 0.5, r: 0.14, class: 'target' }));
    }
  }

  // Draws an arrow along the squares of a move, or none.
  arrow(squares) {
    this.arrows.replaceChildren();
    const points = (squares ?? []).map((name) => this.squares.get(name)).filter(Boolean);
    if (points.length < 2) return;
    const at = points.map(({ column, row }) => [column + 0.5, row + 0.5]);
    const [[x0, y0], [x1, y1]] = at.slice(-2);
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const tip = [x1 - dx * 0.12, y1 - dy * 0.12];
    const base = [tip[0] - dx * 0.34, tip[1] - dy * 0.34];
    at[at.length - 1] = base;
    this.arrows.append(s('polyline', { points: at.map((p) => p.join(',')).join(' ') }),
      s('polygon', { points: [tip, [base[0] - dy * 0.22, base[1] + dx * 0.22], [base[0] + dy * 0.22, base[1] - dx * 0.22]].map((p) => p.join(',')).join(' ') }));
  }

  // Moves that begin with the squares chosen so far; if there are none, those that pass them in any order.
  candidates(path = this.path) {
    const inOrder = this.moves.filter((move) => path.every((name, place) => (move.path[place] ?? move.to) === name));
    return inOrder.length ? inOrder : this.moves.filter((move) => move.from === path[0] && path.every((name) => move.path.includes(name)));
  }

  // Squares that may be chosen next.
  targets() {
    if (!this.path.length) return [];
    const found = new Set();
    for (const move of this.candidates()) {
      const next = move.path[this.path.length];
      if (next) found.add(next);
      found.add(move.to);
    }
    this.path.forEach((name) => found.delete(name));
    // A capture that ends where it began.
    if (this.path.length > 1 && this.candidates().some((move) => move.to === this.path[0])) found.add(this.path[0]);
    return [...found];
  }

  // Chooses a square: a piece to move, then where it goes, step by step where several captures are possible.
  choose(name) {
    if (!this.onmove) return this.onsquare?.(name);
    if (this.awaited) return this.queue.push(name);
    const longer = [...this.path, name];
    // A square is passed once, but a capture may end where it began.
    const isNew = !this.path.includes(name) || (name === this.path[0] && this.path.length > 1);
    const along = this.path.length && isNew ? this.candidates(longer) : [];
    // A square that only one move passes is enough.
    if (along.length === 1 && !this.targets().includes(name)) return this.play(along[0]);
    if (this.path.length && (along.length || this.targets().includes(name))) {
      const ends = this.candidates().filter((move) => move.to === name);
      const all = along.length ? along : ends;
      if (ends.length === 1 && all.every((move) => move === ends[0])) return this.play(ends[0]);
      const done = along.filter((move) => move.path.length === longer.length && move.to === name);
      if (done.length && along.length === done.length) return this.play(done[0]);
      if (!along.length && ends.length) return this.play(ends[0]);
      this.path = longer;
      announce(t('continueFrom', { square: name }));
      return this.draw();
    }
    const own = this.moves.filter((move) => move.from === name);
    if (own.length && this.path[0] !== name) {
      this.path = [name];
      announce(t('chosen', { square: name, moves: own.map((move) => move.text).join(', ') }));
    } else {
      if (this.pieces.has(name) && !own.length && this.moves.length) notify(t('cannotMove', { square: name }));
      this.path = [];
    }
    this.draw();
  }

  play(move) {
    this.path = [];
    this.arrow(null);
    this.onmove(move);
  }

  squareAt(event) {
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.width);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.height);
    for (const square of this.squares.values()) if (square.column === column && square.row === row) return square.name;
    return null;
  }

  click(event) {
    if (this.swallow) {
      this.swallow = false;
      return;
    }
    // After a pointer was captured the target is not the button, so the place counts; a key has no place.
    const name = event.detail === 0 ? event.target.closest('button')?.dataset.square : this.squareAt(event);
    // The second click of a double click was not meant for the position that follows.
    if (!name || (this.awaited && event.detail > 1)) return;
    this.setFocus(name, false);
    this.choose(name);
  }

  pointerDown(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.swallow = false;
    const from = this.squareAt(event);
    const isMan = this.onman && this.pieces.has(from);
    if (this.onsquare && !isMan) return this.paintDrag(from);
    if (!isMan && (!from || !this.onmove || !this.moves.some((move) => move.from === from))) return;
    const start = [event.clientX, event.clientY];
    let dragged = null;
    let frame = 0;
    let last = event;
    const box = this.svg.getBoundingClientRect();
    const place = () => {
      frame = 0;
      const x = ((last.clientX - box.left) / box.width) * this.width;
      const y = ((last.clientY - box.top) / box.height) * this.height;
      dragged.setAttribute('transform', `translate(${x} ${y}) scale(1.12)`);
    };
    const move = (next) => {
      last = next;
      if (!dragged && Math.hypot(next.clientX - start[0], next.clientY - start[1]) > 5) {
        this.path = [from];
        this.draw();
        dragged = this.drawn.get(from);
        this.men.append(dragged);
        dragged.classList.add('dragged');
        this.element.setPointerCapture(event.pointerId);
      }
      if (dragged && !frame) frame = requestAnimationFrame(place);
    };
    const end = (next) => {
      removeListeners();
      if (!dragged) return;
      cancelAnimationFrame(frame);
      this.swallow = true;
      setTimeout(() => (this.swallow = false), 50);
      const to = next.type === 'pointerup' ? this.squareAt(next) : null;
      const isOutside = next.clientX < box.left || next.clientX > box.right || next.clientY < box.top || next.clientY > box.bottom;
      if (isMan && to !== from && (to || isOutside)) this.onman(from, to);
      else if (to && to !== from && this.targets().includes(to)) {
        this.dropped = true;
        this.choose(to);
      } else {
        this.path = [];
        this.draw();
      }
    };
    const cancel = (key) => {
      if (key.key === 'Escape') end({ type: 'pointercancel' });
    };
    const removeListeners = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      removeEventListener('keydown', cancel);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    addEventListener('keydown', cancel);
  }

  // Paints all squares that the pointer passes.
  paintDrag(first) {
    if (!first) return;
    let last = first;
    const move = (next) => {
      const name = this.squareAt(next);
      if (name && name !== last) {
        if (!this.swallow) this.onsquare(first);
        this.swallow = true;
        last = name;
        this.onsquare(name, true);
      }
    };
    const end = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      setTimeout(() => (this.swallow = false), 50);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  setFocus(name, focus = true) {
    this.squares.get(this.focus).button.tabIndex = -1;
    this.focus = name;
    const { button } = this.squares.get(name);
    button.tabIndex = 0;
    if (focus) button.focus();
  }

  // Arrow keys go from square to square; up and down keep the place in the row.
  key(event) {
    const here = this.squares.get(this.focus);
    const all = [...this.squares.values()];
    const beside = (rows) => all.find((square) => square.row === here.row + rows && square.slot === here.slot);
    const at = all.indexOf(here);
    const next = {
      ArrowLeft: all[at - 1],
      ArrowRight: all[at + 1],
      ArrowUp: beside(-1),
      ArrowDown: beside(1),
      Home: all[0],
      End: all.at(-1),
    };
    if (event.key === 'Escape' && this.path.length) {
      this.path = [];
      this.draw();
    } else if (event.key === 'x') {
      announce(this.diagonals(here.name));
    } else if (event.key in next && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (next[event.key]) this.setFocus(next[event.key].name);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Reads out what stands on the lines through a square.
  diagonals(name) {
    const { column, row } = this.squares.get(name);
    const ways = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    const lines = ways.map(([dx, dy]) => {
      const seen = [];
      for (let n = 1; n < 12; n++) {
        const square = [...this.squares.values()].find((other) => other.column === column + n * dx && other.row === row + n * dy);
        if (!square) break;
        const piece = this.pieces.get(square.name);
        seen.push(square.name + (piece ? ' ' + pieceName(piece) : ''));
      }
      return seen.join(', ');
    });
    return lines.filter(Boolean).join('; ');
  }
}
