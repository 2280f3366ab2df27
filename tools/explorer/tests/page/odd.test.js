// Archives as they are met: names of any length and in any script, other boards, damaged games, and no games at all.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { label, line, settled, square, start, waitCount } from './setup.js';

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(8);
const NAMES = [LONG, '=Anker', '~Berg', 'a+b & c=d', '100% sure?', '../../etc/passwd', '#hash/slash', '<b>bold</b>', 'שלום עולם', '\u202eturned', '🙂 smile', 'Łukasz Żółć'];
const game = (white, black, event, type, moves) => `[Event "${event}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "2-0"]\n[GameType "${type}"]\n\n${moves} 2-0\n`;
const ODD = NAMES.map((name, n) => game(name, NAMES[(n + 1) % NAMES.length], name, 20, '1. 32-28 19-23 2. 28x19 14x23')).join('\n');
const DAMAGED = game('A', 'B', 'Damaged', 20, '1. 32-28 {never closed') + game('A', 'B', 'No moves', 20, '');
const CANADIAN = game('A', 'B', 'Twelve', 27, '1. 45-39 26-32') + '\n' + game('A', 'B', 'Twelve', 27, '1. 46-40 30-34');

let site;
before(async () => {
  site = await start({ odd: ODD, empty: '', damaged: DAMAGED, canadian: CANADIAN });
});
after(() => site.stop());

for (const width of [1280, 390]) {
  for (const view of ['', '&view=players', '&view=overview', '&view=search&player=anker', '&view=game&g=1', `&view=players&p=${LONG}`, `&view=event&e=${LONG}`]) {
    test(`a long name does not widen the page, ${view.slice(0, 20)}, ${width} wide`, () => site.visit('/?db=odd' + view, async (page) => {
      await page.locator('main', { hasText: LONG.slice(0, 30) }).waitFor();
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(scrolled <= width, `${scrolled}`);
    }, { width, height: 844 }));
  }
}

test('columns after a long name are on the screen', () => site.visit('/?db=odd&view=players', async (page) => {
  const box = await page.locator('table.players tbody tr', { hasText: LONG.slice(0, 30) }).locator('td').last().boundingBox();
  assert.ok(box.x + box.width <= 1280, JSON.stringify(box));
}));

test('a short name is divided between its words only', () => site.visit('/?db=odd&view=players', async (page) => {
  const box = await page.locator('table.players a', { hasText: 'Łukasz Żółć' }).boundingBox();
  assert.ok(box.height < 60, `${box.height}`);
}, { width: 390, height: 844 }));

test('players and events of any name have their page', () => site.visit('/?db=odd', async (page) => {
  for (const name of NAMES) {
    await page.goto(`${site.origin}/?db=odd&view=players&p=${encodeURIComponent(name)}`);
    await settled(page);
    await page.getByText('2 games: 1 won').waitFor();
    assert.equal(await page.locator('main h1').first().textContent(), name);
    await page.goto(`${site.origin}/?db=odd&view=event&e=${encodeURIComponent(name)}`);
    await settled(page);
    assert.equal(await page.locator('main h1').first().textContent(), name);
    await page.locator('table.cross td.points').first().waitFor();
  }
}));

test('an archive that is not served is said to be missing, and the others are offered', () => site.visit('/?db=missing&view=players', async (page) => {
  await page.getByRole('heading', { name: 'There is no archive missing here' }).waitFor();
  await page.getByRole('link', { name: 'odd', exact: true }).click();
  await page.locator('table.players').waitFor();
}));

test('an address that does not exist leads people to the archive', async () => {
  for (const [path, language] of [['/games/of/mine', 'There is nothing at this address'], ['/mine', 'There is nothing at this address']]) {
    await site.visit('/?db=odd', async (page) => {
      await page.goto(site.origin + path);
      await page.getByRole('heading', { name: language }).waitFor();
      await page.getByRole('link', { name: 'To the archive' }).click();
      await page.locator('table.moves').waitFor();
    }, { allow: ['404'] });
  }
});

test('an archive without games has every view', async () => {
  for (const [view, text] of [['', 'No game matches'], ['&view=search', '0 games'], ['&view=players', '0 players'], ['&view=overview', 'No year is known']]) {
    await site.visit('/?db=empty' + view, (page) => page.locator('main', { hasText: text }).waitFor());
  }
});

test('damaged games are shown with what is wrong', () => site.visit('/?db=damaged&view=game&g=1', async (page) => {
  await page.locator('.players-line').waitFor();
  await page.getByRole('button', { name: 'Check this game' }).click();
  // The reason stands there twice: the record that the server gives out has an end of its comment.
  await page.locator('.notice.bad', { hasText: 'never closed' }).nth(1).waitFor();
}));

test('a board of twelve by twelve is played by mouse and keyboard', () => site.visit('/?db=canadian', async (page) => {
  await waitCount(page, '2 games');
  await square(page, '45').click();
  await square(page, '39').click();
  await waitCount(page, '1 game');
  assert.deepEqual(await line(page), ['45-39']);
  assert.match(await label(page, '39'), /white man/);
  await square(page, '26').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowLeft');
  await page.locator('[data-square]:focus').waitFor();
  await page.goBack();
  await waitCount(page, '2 games');
  assert.deepEqual(await line(page), []);
  await page.goForward();
  await waitCount(page, '1 game');
}));
