// The views of the page on an archive that has something of everything, and what can be wrong with their layout.

import { ARCHIVE } from './archive.js';

const game = (event, type, moves, more = '') => `\n[Event "${event}"]\n[White "Schildpadje, Anneke van der"]\n[Black "Ndjofang, Jean Marc"]\n[Date "2016.11.26"]\n[WhiteRating "1740"]\n[Result "2-0"]\n[GameType "${type}"]\n${more}\n${moves} 2-0\n`;
export const LOOKS = ARCHIVE + game('Turkish', 30, '1. a3-a4 h6-h5') + game('Shot', 20, '1. 28x8 1-6', '[SetUp "1"]\n[FEN "W:W28:B22,12,1"]\n') +
  game('Advice', 20, '1. 32-28 {Better is 33-29 18-23 29x18 12x23 39-33 7-12 44-39 1-7, with 0-1 or 1-0 after 50-45.} 19-23 (1... 18-23 2. 33-29) 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19') +
  game('Kings', 20, '1-7 50-44 7-1 44-50 '.repeat(10), '[SetUp "1"]\n[FEN "W:WK1:BK50"]\n');

// The numbers of games and the names of the archive above.
export const [TURKISH, SHOT, ADVICE, KINGS] = [246, 247, 248, 249];
export const VIEWS = {
  openings: '/?variant=international&moves=32-28+19-23',
  search: '/?view=search&variant=international',
  groups: '/?view=search&variant=international&by=player',
  setup: '/?view=search&mode=setup&setup=W:W32,K28:B19,K1&variant=international',
  game: `/?view=game&g=${ADVICE}&ply=3`,
  evaluated: '/?view=game&g=241&ply=3',
  players: '/?view=players',
  player: '/?view=players&p=Berg,+Lotte',
  archive: '/?view=overview',
  events: '/?view=event',
  event: '/?view=event&e=Club+evening+2',
  check: '/?view=check',
};

// Returns what is divided, cut off or outside of the window. Runs in the page.
export function layoutFaults() {
  const found = [];
  const name = (element) => `${element.localName}.${element.className.baseVal ?? element.className} "${element.textContent.slice(0, 30)}"`;
  const shown = (element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.closest('.hidden, dialog, svg');
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!shown(node.parentElement)) continue;
    // Numbers, moves and results. A part of a long name is none.
    for (const { 0: token, index } of node.data.matchAll(/(?<!\S)[\d½][\d½.,:/%x–-]*(?!\S)/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + token.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(`divided: ${token} in ${name(node.parentElement)}`);
    }
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide`);
  for (const element of document.querySelectorAll('nav a, button, select, input, .bar, .score, td.last, td.rating, td.number, td.points')) {
    const { left, right, width } = element.getBoundingClientRect();
    if (!width || !shown(element) || element.closest('.drop, .paint, table.cross')) continue;
    if (left < 0 || right > innerWidth + 0.5) found.push(`outside: ${name(element)}`);
    if (element.matches('nav a, td') && element.scrollWidth > element.clientWidth + 1) found.push(`cut off: ${name(element)}`);
  }
  for (const part of document.querySelectorAll('.bar span')) {
    const { left, right, bottom } = part.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(part);
    const text = range.getBoundingClientRect();
    // What goes to a second line is not seen.
    if (part.textContent && shown(part) && text.top < bottom - 2 && (text.left < left - 0.5 || text.right > right + 0.5)) found.push(`cut off: ${name(part)}`);
  }
  for (const table of document.querySelectorAll('table')) {
    if (!shown(table)) continue;
    const box = table.parentElement.getBoundingClientRect();
    if (!table.matches('.cross') && table.getBoundingClientRect().right > box.right + 1) found.push(`wider than its place: ${name(table)}`);
    for (const cell of table.querySelectorAll('thead th')) {
      if (shown(cell) && cell.scrollWidth > cell.clientWidth + 1) found.push(`cut off: ${name(cell)}`);
    }
  }
  return [...new Set(found)];
}
