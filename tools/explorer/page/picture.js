// The design of the board, and pictures and texts of a position to take away: FEN, SVG and PNG.
// `pdn show --svg` draws the same picture: crates/app/src/draw/board/svg.rs. Lengths are in units of which a square has 60.

import { download, notify, svgNamespace } from './dom.js';
import { t } from './i18n.js';
import { look } from './look.js';
import { parseFen } from './position.js';

const SIDE = 60;
const FRAME = 28;
const RADIUS = 24;
// The colours are those of `style.css`, as the visitor chose them.
export const DARK = 'var(--board-dark)';
export const LIGHT = 'var(--board-light)';
export const MARKED = 'var(--board-mark)';
export const FRAME_COLOUR = 'var(--board-frame)';
export const NUMBER = 'var(--board-number)';
const CROWN = 'M-12 9.6L-15 -7.2L-7.2 0.6L0 -11.4L7.2 0.6L15 -7.2L12 9.6Z';
const CROWNS = { white: ['#c8932b', '#5b3e08'], black: ['#f2c14e', '#2a1d03'] };
const SHADES = { white: ['#ffffff', '#ddd3bd'], black: ['#565250', '#1b1918'] };

// A shape is an array of the name of its element, its attributes and its text or shapes within it.
/** @type {() => Shape} */
export const gradients = () => ['defs', {}, Object.entries(SHADES).map(([id, shades]) => ['radialGradient', { id, cx: 0.4, cy: 0.35, r: 0.75 },
  shades.map((colour, offset) => ['stop', { offset, 'stop-color': colour }])])];

// Returns the shapes of a piece around the origin.
/** @type {(piece: Piece) => Shape[]} */
export const pieceShapes = ({ colour, king }) => {
  const [crown, crownRim] = CROWNS[colour];
  /** @type {(r: number, width: string) => Shape} */
  const ring = (r, width) => ['circle', { r, fill: 'none', stroke: `var(--${colour}-groove)`, 'stroke-width': `var(--${width})` }];
  return [['circle', { r: RADIUS, fill: `var(--${colour}-man, url(#${colour}))`, stroke: `var(--${colour}-rim)`, 'stroke-width': 'var(--rim)' }], ring((RADIUS * 3) / 4, 'groove'),
    king ? ['path', { d: CROWN, fill: crown, stroke: crownRim, 'stroke-width': 1.6, 'stroke-linejoin': 'round' }] : ring(RADIUS / 2, 'inner-groove')];
};

// Puts the values of custom properties into a text.
function resolved(text) {
  const style = getComputedStyle(document.documentElement);
  return text.replace(/var\((--[a-z-]+)(?:, (.*?\)))?\)/g, (_, name, other) => style.getPropertyValue(name).trim() || other);
}

// Returns the size of a picture, and its shapes. `last` are the squares of the last move.
function pictureShapes(board, fen, { flipped, last = [] }) {
  const { turn, pieces } = parseFen(fen);
  const seen = (list) => (flipped ? [...list].reverse() : list);
  const rows = seen(board.rows.map(seen));
  const [high, wide] = [rows.length * SIDE, rows[0].length * SIDE];
  const size = { width: wide + 2 * FRAME, height: high + 2 * FRAME };
  /** @type {Shape[]} */
  const shapes = [['rect', { ...size, rx: 6, fill: FRAME_COLOUR }], ['rect', { x: FRAME, y: FRAME, width: wide, height: high, fill: LIGHT }]];
  rows.forEach((row, at) => row.forEach((name, column) => {
    if (!name) return;
    const [x, y] = [FRAME + column * SIDE, FRAME + at * SIDE];
    const line = board.full ? { stroke: FRAME_COLOUR, 'stroke-width': 1.5 } : {};
    shapes.push(['rect', { x, y, width: SIDE, height: SIDE, fill: last.includes(name) ? MARKED : board.full ? LIGHT : DARK, ...line }]);
    if (look('numbers') === 'on') shapes.push(['text', { x: x + 2, y: y + 9, 'font-size': 10, 'font-weight': 'bold', fill: NUMBER }, name]);
    if (pieces.has(name)) shapes.push(['g', { transform: `translate(${x + SIDE / 2} ${y + SIDE / 2})` }, pieceShapes(pieces.get(name))]);
  }));
  const label = (x, y, text) => shapes.push(['text', { x, y, 'font-size': 16, 'text-anchor': 'middle', fill: LIGHT }, String(text)]);
  seen(board.files ?? []).forEach((file, x) => label(FRAME + x * SIDE + SIDE / 2, FRAME + high + 20, file));
  seen(board.ranks ?? []).forEach((rank, y) => label(FRAME / 2, FRAME + y * SIDE + SIDE / 2 + 6, rank));
  shapes.push(['circle', { cx: wide + FRAME + FRAME / 2, cy: (turn === 'white') === !flipped ? high + FRAME - SIDE / 2 : FRAME + SIDE / 2, r: 8, fill: `url(#${turn})`, stroke: LIGHT, 'stroke-width': 1.6 }]);
  return { size, shapes };
}

const attributes = (values) => Object.entries(values).map(([name, value]) => ` ${name}="${value}"`).join('');
const inside = (within) => (typeof within === 'string' ? within : within.map(markup).join(''));
const markup = ([tag, values, within]) => `<${tag}${attributes(values)}${within ? `>${inside(within)}</${tag}>` : '/>'}`;

export function svgText(board, fen, options) {
  const { size, shapes } = pictureShapes(board, fen, options);
  const head = { xmlns: svgNamespace, ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'font-family': 'Helvetica, Arial, sans-serif' };
  return resolved(`<svg${attributes(head)}>\n${[['title', {}, fen], gradients(), ...shapes].map(markup).join('\n')}\n</svg>\n`);
}

function paint(context, [tag, of, within]) {
  const path = new Path2D(of.d);
  if (tag === 'rect') path.roundRect(of.x ?? 0, of.y ?? 0, of.width, of.height, of.rx ?? 0);
  else if (tag === 'circle') path.arc(of.cx ?? 0, of.cy ?? 0, of.r, 0, 7);
  const shades = SHADES[of.fill?.slice(5, -1)];
  context.fillStyle = of.fill;
  if (shades) {
    const [x, y] = [(of.cx ?? 0) - 0.2 * of.r, (of.cy ?? 0) - 0.3 * of.r];
    context.fillStyle = context.createRadialGradient(x, y, 0, x, y, 1.5 * of.r);
    shades.forEach((colour, at) => context.fillStyle.addColorStop(at, colour));
  }
  if (tag === 'g') {
    context.save();
    context.translate(...of.transform.match(/\d+/g));
    within.forEach((shape) => paint(context, shape));
    context.restore();
  } else if (tag === 'text') {
    context.font = `${of['font-weight'] ?? ''} ${of['font-size']}px Helvetica, Arial, sans-serif`;
    context.textAlign = of['text-anchor'] ? 'center' : 'start';
    context.fillText(within, of.x, of.y);
  } else if (of.fill !== 'none') context.fill(path);
  if (!of.stroke || of['stroke-width'] === '0') return;
  Object.assign(context, { strokeStyle: of.stroke, lineWidth: of['stroke-width'] });
  context.stroke(path);
}

export function savePng(board, fen, options) {
  const { size, shapes } = pictureShapes(board, fen, options);
  const canvas = document.createElement('canvas');
  const scale = 1.5;
  Object.assign(canvas, { width: size.width * scale, height: size.height * scale });
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  JSON.parse(resolved(JSON.stringify(shapes))).forEach((shape) => paint(context, shape));
  canvas.toBlob((blob) => download('position.png', blob));
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission, or on a page that is not secure.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  notify(t('copied'));
}
