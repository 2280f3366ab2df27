// The page shows the proven value of each move, from tables of endings.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled, start } from './setup.js';

const game = (n, moves, result) => `[Event "Endings"]\n[White "King ${n}"]\n[Black "Man"]\n[Result "${result}"]\n[GameType "21"]\n[SetUp "1"]\n[FEN "W:WK14:B28"]\n\n1. ${moves} ${result}\n`;

let site;
before(async () => {
  site = await start({ endings: [game(1, '14-18 28-32', '1-0'), game(2, '14-10 28-32 2. 10-6', '1/2-1/2')].join('\n') }, { english: 2 });
});
after(() => site.stop());

const FEN = encodeURIComponent('W:WK14:B28');

test('moves of the openings have their proven values, played or not, and the position has its own', () => site.visit(`/?variant=english&fen=${FEN}`, async (page) => {
  const api = await (await page.request.get(`${site.origin}/api/v1/endings/tree?variant=english&fen=${FEN}`)).json();
  assert.ok(api.table && api.proven.length === 4, JSON.stringify(api.proven));
  const sign = ({ table, distance }) => ({ won: `+${distance}`, drawn: '=', lost: `−${distance}` })[table];
  const signs = async (selector) => page.locator(`${selector} .proven [aria-hidden]`).allTextContents();
  assert.deepEqual(await signs('.panel-head'), [sign(api)]);
  assert.deepEqual(await signs('table.moves'), api.moves.map(sign));
  const played = new Set(api.moves.map((move) => move.after));
  assert.deepEqual(await signs('.unplayed'), api.proven.filter((move) => !played.has(move.after)).map(sign));
  assert.match(await page.locator('table.moves .proven').first().getAttribute('title'), /as tables prove$/);
}));

test('the moves of a game have the values beside what others played', () => site.visit('/?view=game&g=1', async (page) => {
  await page.locator('.around table.moves tbody tr').first().waitFor();
  assert.equal(await page.locator('.around table.moves tbody tr').count(), 4, 'all moves, played or not');
  assert.equal(await page.locator('.around tbody .proven').count(), 4);
  await page.locator('.around a', { hasText: '14-9' }).click();
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get('moves'), '14-9');
}));
