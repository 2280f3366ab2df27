// Pictures and texts of a position to take away: FEN, SVG and PNG.

import { download, notify } from './dom.js';
import { t } from './i18n.js';
import { parseFen } from './position.js';

const COLOURS = { light: '#f0e2c6', dark: '#8b6240', white: '#fdf9ef', black: '#2b2725', rimWhite: '#5d5140', rimBlack: '#000000', crownWhite: '#a9761d', crownBlack: '#f0bf4c' };
const CROWN = [[-0.2, 0.16], [-0.25, -0.12], [-0.12, 0.01], [0, -0.19], [0.12, 0.01], [0.25, -0.12], [0.2, 0.16]];

// Calls `draw` for every shape of a position: rectangles, circles and crowns, in units of squares.
function shapes(board, fen, flipped, draw) {
  const { pieces } = parseFen(fen);
  const height = board.rows.length;
  const width = board.rows[0].length;
  draw.rect(0, 0, width, height, COLOURS.light);
  board.rows.forEach((row, y) => row.forEach((name, x) => {
    if (!name) return;
    const [cx, cy] = flipped ? [width - 1 - x, height - 1 - y] : [x, y];
    draw.rect(cx, cy, 1, 1, COLOURS.dark);
    const piece = pieces.get(name);
    if (!piece) return;
    const capital = piece.colour === 'white' ? 'White' : 'Black';
    draw.circle(cx + 0.5, cy + 0.5, 0.4, COLOURS[piece.colour], COLOURS['rim' + capital]);
    if (piece.king) draw.crown(cx + 0.5, cy + 0.5, COLOURS['crown' + capital]);
  }));
  return { width, height };
}

export function svgText(board, fen, flipped) {
  const parts = [];
  const { width, height } = shapes(board, fen, flipped, {
    rect: (x, y, w, h, fill) => parts.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"/>`),
    circle: (x, y, r, fill, rim) => parts.push(`<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" stroke="${rim}" stroke-width=".04"/>`),
    crown: (x, y, fill) => parts.push(`<path d="M${CROWN.map(([dx, dy]) => `${(x + dx).toFixed(2)} ${(y + dy).toFixed(2)}`).join('L')}Z" fill="${fill}"/>`),
  });
  return `<svg xmlns="http:${'//'}www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * 60}" height="${height * 60}">${parts.join('')}</svg>\n`;
}

export function savePng(board, fen, flipped) {
  const scale = 80;
  const canvas = document.createElement('canvas');
  canvas.width = board.rows[0].length * scale;
  canvas.height = board.rows.length * scale;
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  shapes(board, fen, flipped, {
    rect: (x, y, w, h, fill) => {
      context.fillStyle = fill;
      context.fillRect(x, y, w, h);
    },
    circle: (x, y, r, fill, rim) => {
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fillStyle = fill;
      context.fill();
      context.strokeStyle = rim;
      context.lineWidth = 0.04;
      context.stroke();
    },
    crown: (x, y, fill) => {
      context.beginPath();
      CROWN.forEach(([dx, dy]) => context.lineTo(x + dx, y + dy));
      context.fillStyle = fill;
      context.fill();
    },
  });
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
