// What people do with the page, by mouse and again by the keyboard alone.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { copiedBy, label, line, settled, square, start, waitCount } from './setup.js';

let site;
before(async () => {
  site = await start();
});
after(async () => {
  assert.equal(await site.stop(), 0, 'the server stops gracefully');
});

const story = (name, path, steps, options) => test(name, () => site.visit(path, steps, options));
const TREE = '/?variant=international';

// Goes on with the Tab key until the control of this name has the focus.
async function tabTo(page, name, key = 'Tab') {
  await settled(page);
  const passed = [];
  for (let n = 0; n < 150; n++) {
    await page.keyboard.press(key);
    const now = await page.evaluate(() => {
      const { activeElement: at } = document;
      return (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent).trim();
    });
    if (now === name) return;
    passed.push(now);
  }
  assert.fail(`${name} is not reached: ${passed.slice(0, 40).join(' | ')}`);
}

// Waits for a file that some work saves, and returns its name and text.
async function savedBy(page, work) {
  const [saved] = await Promise.all([page.waitForEvent('download'), work()]);
  return [saved.suggestedFilename(), readFileSync(await saved.path(), 'latin1')];
}

const focused = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);

async function dragTo(page, from, to) {
  const [a, b] = [await square(page, from).boundingBox(), await square(page, to).boundingBox()];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle(a));
  await page.mouse.down();
  await page.mouse.move(...middle(b), { steps: 6 });
  await page.mouse.up();
}

story('a move is played by clicking two squares', TREE, async (page) => {
  await square(page, '32').click();
  await square(page, '28').click();
  await waitCount(page, '122 games');
  assert.deepEqual(await line(page), ['32-28']);
});

story('a move is played by dragging a man', TREE, async (page) => {
  await dragTo(page, '34', '29');
  await waitCount(page, '40 games');
  assert.deepEqual(await line(page), ['34-29']);
});

story('a man that is dropped elsewhere goes back', TREE, async (page) => {
  await dragTo(page, '34', '19');
  assert.deepEqual(await line(page), []);
  assert.equal(await label(page, '34'), '34, white man');
});

story('a move is played by the keyboard on the board', TREE, async (page) => {
  await square(page, '1').focus();
  for (const key of ['End', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  const name = await page.evaluate(() => document.activeElement.dataset.square);
  assert.equal(name, '32');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('[data-square="28"]').getAttribute('aria-label').includes('possible'));
  await page.keyboard.press('ArrowUp');
  const to = await page.evaluate(() => document.activeElement.dataset.square);
  await page.keyboard.press('Enter');
  await page.locator('.line .move').first().waitFor();
  assert.deepEqual(await line(page), [`32-${to}`]);
});

story('a move is typed', TREE, async (page) => {
  await page.getByLabel('Move', { exact: true }).fill('33-28');
  await page.keyboard.press('Enter');
  await waitCount(page, '40 games');
  await page.getByLabel('Move', { exact: true }).fill('1-50');
  await page.keyboard.press('Enter');
  await page.locator('#live', { hasText: '1-50 is not possible here' }).waitFor({ state: 'attached' });
});

story('a move of the table is played by mouse', TREE, async (page) => {
  await page.locator('table.moves button', { hasText: '32-28' }).click();
  await waitCount(page, '122 games');
  await page.locator('table.moves button', { hasText: '19-23' }).click();
  await page.waitForURL(/19-23/);
  await settled(page);
  assert.deepEqual(await line(page), ['32-28', '19-23']);
});

story('the name of the opening stands above its moves', '/?variant=international&moves=32-28', async (page) => {
  await waitCount(page, '122 games');
  assert.equal(await page.locator('#opening').count(), 0, 'one move has no name here');
  await page.locator('table.moves button', { hasText: '19-23' }).click();
  await page.locator('#opening', { hasText: 'Opening: Symmetrical Variation' }).waitFor();
});

story('a double click on a move plays it once', TREE, async (page) => {
  await page.locator('table.moves button', { hasText: '32-28' }).dblclick();
  assert.deepEqual(await line(page), ['32-28']);
  await page.locator('table.moves tbody tr').first().locator('td.games').dblclick();
  assert.equal((await line(page)).length, 2);
});

story('a double click on a move plays it once when the answer comes between the clicks', TREE, async (page) => {
  for (const [place, moves] of [['th button', 1], ['td.games', 2]]) {
    await page.locator('table.moves tbody tr').first().locator(place).click();
    await settled(page);
    assert.equal((await line(page)).length, moves);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await settled(page);
    assert.equal((await line(page)).length, moves, place);
  }
});

story('moves typed faster than the answers come are all played', TREE, async (page) => {
  await page.route('**/position?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await route.continue();
  });
  await page.getByLabel('Move', { exact: true }).fill('32-28');
  await page.keyboard.press('Enter');
  await page.waitForURL(/32-28/);
  await page.getByLabel('Move', { exact: true }).fill('19-23');
  await page.keyboard.press('Enter');
  await page.waitForURL(/19-23/);
  assert.deepEqual(await line(page), ['32-28', '19-23']);
});

story('a move of the table is played by keyboard, and taken back', TREE, async (page) => {
  await waitCount(page, '242 games');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), '32-28');
  await page.keyboard.press('Enter');
  await waitCount(page, '122 games');
  await page.keyboard.press('ArrowLeft');
  await waitCount(page, '242 games');
  await page.keyboard.press('ArrowRight');
  await waitCount(page, '122 games');
  await page.keyboard.press('Home');
  await waitCount(page, '242 games');
});

story('the back button goes back in the line', TREE, async (page) => {
  await page.locator('table.moves button', { hasText: '32-28' }).click();
  await waitCount(page, '122 games');
  await page.goBack();
  await waitCount(page, '242 games');
  assert.deepEqual(await line(page), []);
});

story('an address shows the same again', '/?variant=international&moves=32-28+19-23&player=anker', async (page) => {
  assert.deepEqual(await line(page), ['32-28', '19-23']);
  await page.locator('.chip', { hasText: 'anker' }).waitFor();
});

story('a capture is forced and shown', '/?variant=international&moves=32-28+19-23', async (page) => {
  await square(page, '28').click();
  assert.match(await label(page, '19'), /possible/);
  await square(page, '34').click();
  await page.locator('#live', { hasText: 'the piece on 34 cannot move' }).waitFor({ state: 'attached' });
});

story('a capture with several ways is played step by step', '/?variant=international&fen=W:WK48:B42,43,32,22,33,24,13', async (page) => {
  const moves = (await (await page.request.get(site.origin + '/api/v1/club/position?variant=international&fen=W:WK48:B42,43,32,22,33,24,13')).json()).moves;
  const long = moves.find((move) => move.path.length > 2);
  assert.ok(long, 'there is a capture of several pieces');
  for (const name of long.path) await square(page, name).click();
  await page.locator('.line .move').first().waitFor();
  assert.equal((await line(page)).length, 1);
});

story('filters are set by mouse, shown as chips, and removed', TREE, async (page) => {
  await page.locator('summary', { hasText: 'Filters' }).click();
  await page.getByLabel('White', { exact: true }).fill('anker');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('.chip', { hasText: 'anker' }).waitFor();
  await waitCount(page, '40 games');
  await page.getByRole('button', { name: 'Remove filter: White' }).click();
  await waitCount(page, '242 games');
});

story('filters are set by keyboard', TREE, async (page) => {
  await waitCount(page, '242 games');
  await page.keyboard.press('/');
  await page.keyboard.type('berg');
  await page.keyboard.press('Enter');
  await page.locator('.chip', { hasText: 'berg' }).waitFor();
});

story('a wrong filter is explained at its place', '/?variant=international&date=abc', async (page) => {
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').textContent(), /Date.*expected a date/s);
}, { allow: ['400'] });

story('the board is turned by mouse and by keyboard', TREE, async (page) => {
  const top = async (name) => (await square(page, name).boundingBox()).y;
  assert.ok((await top('1')) < (await top('50')));
  await page.getByRole('button', { name: 'Turn the board' }).click();
  await page.waitForFunction(() => document.querySelector('[data-square="1"]').getBoundingClientRect().y > document.querySelector('[data-square="50"]').getBoundingClientRect().y);
  await page.locator('h2').first().click();
  await page.keyboard.press('f');
  await page.waitForFunction(() => document.querySelector('[data-square="1"]').getBoundingClientRect().y < document.querySelector('[data-square="50"]').getBoundingClientRect().y);
});

story('another variant has its own board', TREE, async (page) => {
  await page.getByLabel('Variant').selectOption('russian');
  await waitCount(page, '2 games');
  assert.equal(await page.locator('[data-square]').count(), 32);
  await square(page, 'c3').click();
  await square(page, 'd4').click();
  await waitCount(page, '1 game');
});

story('the position is copied', TREE, async (page) => {
  assert.match(await copiedBy(page, () => page.getByRole('button', { name: 'Copy the position (FEN)' }).click()), /^W:W31,32/);
  await page.locator('#live', { hasText: 'Copied' }).waitFor({ state: 'attached' });
});

story('pictures are saved', TREE, async (page) => {
  for (const [name, file] of [['Save a picture (PNG)', 'position.png'], ['Save a drawing (SVG)', 'position.svg']]) {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    assert.equal(saved.suggestedFilename(), file);
    assert.ok(readFileSync(await saved.path()).length > 500);
  }
});

story('transpositions are counted on request', '/?variant=international&moves=32-28', async (page) => {
  await page.getByLabel('Count games that get there by other moves').check();
  await page.waitForURL(/transpositions=true/);
  await settled(page);
  await page.locator('table.moves tbody tr').first().waitFor();
});

story('moves that nobody played can be played', '/?variant=international&moves=32-28', async (page) => {
  await page.route('**/tree?*', async (route) => {
    const response = await route.fetch();
    const tree = { ...await response.json(), unplayed: [{ move: '16-21', after: '', reached: 1234 }] };
    await route.fulfill({ response, json: tree });
  });
  await page.getByLabel('Count games that get there by other moves').check();
  await page.locator('.unplayed', { hasText: '16-21 (1,234)' }).getByRole('button', { name: '16-21' }).click();
  await page.waitForURL(/moves=32-28(%20|\+)16-21/);
});

story('squares are painted by mouse', '/?view=search&variant=international', async (page) => {
  await page.getByRole('radio', { name: 'black man', exact: true }).check({ force: true });
  await square(page, '23').click();
  await page.waitForURL(/pattern=b/);
  await settled(page);
  await page.getByRole('radio', { name: 'white man', exact: true }).check({ force: true });
  await square(page, '28').click();
  await page.waitForURL(/28/);
  await settled(page);
  await waitCount(page, /games/);
  const expected = await (await page.request.get(site.origin + '/api/v1/club/find?variant=international&pattern=b:23+w:28&limit=0')).json();
  await waitCount(page, `${expected.total} games`);
});

story('squares are painted by keyboard', '/?view=search&variant=international', async (page) => {
  await page.getByRole('radio', { name: 'white man', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await square(page, '28').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/pattern=w/);
  await settled(page);
  assert.match(await label(page, '28'), /white man/);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !location.search.includes('pattern=w'));
});

story('a query is typed and answered', '/?view=search', async (page) => {
  await page.getByLabel('Query', { exact: true }).first().fill('player : cornel and result draw');
  await page.keyboard.press('Enter');
  await page.waitForURL(/query=player/);
  await waitCount(page, /games/);
  assert.ok((await page.locator('table.results tbody tr').count()) > 0);
});

story('an error of a query is marked at its place', '/?view=search&query=w-b+%3E+and', async (page) => {
  assert.equal(await page.locator('.at mark').textContent(), 'and');
}, { allow: ['400'] });

story('names of conditions are defined and used', '/?view=search&query=@lead', async (page) => {
  await page.getByRole('alert').filter({ hasText: 'no definition has the name' }).waitFor();
  await page.locator('summary', { hasText: 'Filters' }).click();
  await page.getByLabel('Definitions', { exact: true }).fill('ahead = w-b >= 1\nlead = @ahead or\n  b-w >= 1');
  await page.getByLabel('Definitions', { exact: true }).blur();
  await waitCount(page, /games/);
  assert.equal(await page.locator('.chip', { hasText: 'Definitions' }).locator('b').textContent(), 'ahead, lead');
  const found = await page.locator('.count').first().textContent();
  await page.goto(new URL('/?view=search&query=w-b+%3E%3D+1+or+b-w+%3E%3D+1', page.url()).href);
  await waitCount(page, found.trim());
  // Of several lines, the wrong one is shown.
  await page.goto(new URL('/?view=search&query=@lead&define=' + encodeURIComponent('ahead = w-b >= 1\nlead = @ahed'), page.url()).href);
  await page.getByRole('alert').waitFor();
  assert.equal(await page.locator('.at').textContent(), 'lead = @ahed');
  assert.equal(await page.locator('.at mark').textContent(), '@ahed');
}, { allow: ['400'] });

story('a table of results goes on while it is scrolled', '/?view=search', async (page) => {
  await waitCount(page, '245 games');
  const rows = page.locator('table.results tbody tr');
  assert.equal(await rows.count(), 50);
  const patience = Date.now() + 30_000;
  while ((await rows.count()) < 245 && Date.now() < patience) {
    await page.mouse.wheel(0, 4000);
    await page.waitForTimeout(50);
  }
  assert.equal(await rows.count(), 245);
});

story('results are sorted', '/?view=search', async (page) => {
  await page.getByRole('button', { name: 'Date' }).click();
  await page.waitForURL(/sort=date/);
  await settled(page);
  await page.locator('th[aria-sort=descending]').waitFor();
  await page.locator('td.date', { hasText: '2009' }).first().waitFor();
  await page.getByRole('button', { name: 'Date' }).click();
  await page.locator('th[aria-sort=ascending]').waitFor();
});

story('players are sorted by each column, all of them, and the address keeps it', '/?view=players', async (page) => {
  const rows = () => page.locator('table.players tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  const sortedBy = () => page.locator('th[aria-sort]').evaluateAll((heads) => heads.flatMap((head) => [head.className, head.getAttribute('aria-sort')]));
  assert.deepEqual(await sortedBy(), ['games', 'descending']);
  for (const [head, name, column, descends] of [['Player', 'player', 0, false], ['Score', 'score', 5, true], ['Rating', 'rating', 7, true], ['Games', 'games', 1, true]]) {
    for (const isReversed of [false, true]) {
      await page.locator('thead').getByRole('button', { name: head }).click();
      await page.waitForURL((url) => url.searchParams.get('sort') === (name === 'player' ? 'name' : name) && Boolean(url.searchParams.get('reverse')) === isReversed);
      await settled(page);
      assert.deepEqual(await sortedBy(), [name, descends !== isReversed ? 'descending' : 'ascending']);
      // The button keeps the focus.
      assert.ok((await page.evaluate(() => document.activeElement.textContent)).startsWith(head));
      const values = (await rows()).map((cells) => cells[column]);
      const known = values.filter(Boolean).map((text) => (name === 'player' ? text : parseFloat(text)));
      const order = (a, b) => (a < b ? -1 : Number(a > b)) * (descends !== isReversed ? -1 : 1);
      if (name !== 'player') assert.deepEqual(known, known.toSorted(order), head);
      else assert.ok(/anker/i.test(isReversed ? known.at(-1) + known.at(-2) + known.at(-3) : known.slice(0, 3).join()), String(known));
      assert.deepEqual(values.findIndex((text) => !text), known.length < values.length ? known.length : -1, 'unknown values are last');
    }
  }
  await page.reload();
  await settled(page);
  assert.deepEqual(await sortedBy(), ['games', 'ascending']);
});

// Returns the rows of groups: name, games and address of each.
const groupRows = (page) => page.locator('table.plain tbody tr').evaluateAll((rows) => rows.map((row) => [row.querySelector('a').textContent, Number(row.querySelector('td').textContent), row.querySelector('a').getAttribute('href')]));

story('games are counted by group, and each group leads to its games', '/?view=search&player=anker', async (page) => {
  for (const [by, first] of [['year', /^(19|20)\d\d$/], ['player', /^Anker, Joris$/], ['event', /^Club evening/], ['opening_played', /./], ['winner', /^(White wins|Black wins|Draw)$/], ['variant', /^International$/]]) {
    await page.locator('#by').selectOption(by);
    await page.waitForURL(new RegExp(`by=${by}`));
    await settled(page);
    const rows = await groupRows(page);
    assert.match(rows[0][0], first, by);
    const shares = (await page.locator('td.portion').allTextContents()).map(parseFloat);
    // A game has two players, and may have several names of its opening.
    if (!['player', 'opening_played'].includes(by)) assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 1, `${by}: ${shares}`);
    const [name, games, href] = rows.at(-1);
    await page.goto(new URL(href, page.url()).href);
    await settled(page);
    await waitCount(page, games === 1 ? '1 game' : `${games} games`);
    assert.ok((await page.locator('table.results tbody tr').count()) > 0, `${by} ${name}`);
    await page.goBack();
    await settled(page);
  }
});

story('the moves that follow a pattern are counted', '/?view=search&query=black+to+move+and+pattern+%22w28+b19%22&by=move&variant=international', async (page) => {
  const rows = await groupRows(page);
  assert.ok(rows.some(([name]) => name === '19-23'), JSON.stringify(rows));
  await page.getByText('Results are those of the side that moves.').waitFor();
});

story('all groups are listed on request', '/?view=search&by=tag:Round', async (page) => {
  const rows = page.locator('table.plain tbody tr');
  assert.equal(await rows.count(), 100);
  await page.getByText('The 100 with the most games are listed.').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.waitForFunction(() => document.querySelectorAll('table.plain tbody tr').length > 200);
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
});

story('a group that does not exist, and one that contradicts the query, are refused', '/?view=search&by=colour', async (page) => {
  await page.locator('.notice.bad').waitFor();
  await page.goto(new URL('/?view=search&by=move&query=aside+move', page.url()).href);
  await page.locator('.notice.bad').waitFor();
}, { allow: ['400'] });

story('results are saved as PDN and CSV', '/?view=search&player=duin', async (page) => {
  for (const [name, part] of [['PDN', '[White "'], ['CSV', 'game,ply,white']]) {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
    assert.ok(readFileSync(await saved.path(), 'utf8').includes(part));
  }
});

story('a row shows its position, and opens its game by mouse', '/?view=search&variant=international&pattern=w:28', async (page) => {
  await page.locator('table.results tbody tr').first().hover();
  await page.waitForFunction(() => document.querySelector('[data-square="1"]').ariaLabel.includes('black man'));
  await page.locator('table.results tbody a').first().click();
  await page.locator('.players-line').waitFor();
});

story('a row opens its game by keyboard', '/?view=search', async (page) => {
  await waitCount(page, '245 games');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelectorAll('[data-square][aria-label*=man]').length > 30);
  await page.keyboard.press('Enter');
  await page.locator('.players-line').waitFor();
});

story('a position is set up and its openings shown', '/?view=search&mode=setup&setup=W:W32:B19&variant=international', async (page) => {
  await page.getByRole('radio', { name: 'black king' }).check({ force: true });
  await square(page, '1').click();
  await page.waitForURL(/K1/);
  await settled(page);
  await page.getByRole('button', { name: 'Show the openings from here' }).click();
  await page.locator('.turn', { hasText: 'White to move' }).waitFor();
  assert.match(await label(page, '1'), /black king/);
});

story('a game is walked through by mouse', '/?view=game&g=241&ply=0', async (page) => {
  await page.getByRole('button', { name: 'Forward' }).click();
  await page.locator('.turn[data-ply="1"]').waitFor();
  await page.locator('.movetext .move', { hasText: '28x19' }).click();
  await page.locator('.turn[data-ply="3"]').waitFor();
  assert.match(await label(page, '19'), /white man/);
});

story('a game is walked through by keyboard', '/?view=game&g=241&ply=0', async (page) => {
  for (const [key, ply] of [['ArrowRight', 1], ['End', 7], ['ArrowLeft', 6], ['Home', 0]]) {
    await page.keyboard.press(key);
    await page.locator(`.turn[data-ply="${ply}"]`).waitFor();
  }
});

story('variations and comments are shown, and a name with markup stays text', '/?view=game&g=241', async (page) => {
  assert.match(await page.locator('h1').textContent(), /<script>alert\(1\)<\/script>/);
  await page.locator('.comment', { hasText: 'the main move' }).waitFor();
  assert.equal(await page.locator('.variation .variation').count(), 1);
  await page.locator('.variation .move', { hasText: '37-32' }).click();
  await page.waitForFunction(() => document.querySelector('[data-square="37"]').getAttribute('aria-label').startsWith('37, empty'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.locator('.turn[data-ply="1"]').waitFor();
});

story('a hit in a variation is opened there, and has an address', '/?view=search&query=aside+move+37-32', async (page) => {
  await page.locator('a[href*="line=1"]').first().click();
  await page.locator('.move[aria-current]', { hasText: '18-22' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/ply=3.*line=1|line=1.*ply=3/);
  await page.reload();
  await page.locator('.move[aria-current]', { hasText: '37-32' }).waitFor();
});

story('a game plays by itself', '/?view=game&g=1&ply=0', async (page) => {
  await page.getByRole('button', { name: 'Play the game' }).click();
  await page.locator('.turn[data-ply="2"]').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
});

story('a game shows what others played and leads to the openings', '/?view=game&g=1&ply=2', async (page) => {
  await page.locator('.around', { hasText: 'games have this position' }).waitFor();
  await page.getByRole('link', { name: 'Show this position in the openings' }).click();
  await page.locator('table.moves').waitFor();
  assert.match(await label(page, '23'), /black man/);
});

story('a damaged game says where and why it stops', '/?view=game&g=242', async (page) => {
  assert.match(await page.getByText('The game stops at').textContent(), /44-11/);
  await page.getByRole('button', { name: 'Check this game' }).click();
  await page.locator('.finding', { hasText: 'R001' }).waitFor();
});

story('players are found, by mouse', '/?view=players', async (page) => {
  await page.getByLabel('Name').fill('lotte');
  await waitCount(page, '1 player');
  await page.getByRole('link', { name: 'Berg, Lotte' }).click();
  await page.getByRole('heading', { name: 'Opponents' }).waitFor();
  await page.getByRole('link', { name: 'Openings with White' }).click();
  await page.locator('.chip', { hasText: 'Berg, Lotte' }).waitFor();
});

story('players are found, by keyboard', '/?view=players', async (page) => {
  await page.keyboard.press('/');
  await page.keyboard.type('ivanov 1');
  await waitCount(page, '1 player');
});

story('an event shows its cross table, by mouse', '/?view=overview', async (page) => {
  await page.getByRole('link', { name: 'Club evening 1' }).click();
  await page.getByRole('heading', { name: 'Club evening 1' }).waitFor();
  await settled(page);
  const points = await page.locator('table.cross td.points').allTextContents();
  const report = await (await page.request.get(site.origin + '/api/v1/club/event?name=%3DClub+evening+1')).json();
  // Every game gives the points of a win.
  assert.equal(report.standings.length, 1);
  assert.equal(points.reduce((sum, text) => sum + Number(text), 0), report.standings[0].win * (report.counted - report.unfinished));
  assert.deepEqual(points.map(Number), points.map(Number).sort((a, b) => b - a));
  await page.locator('table.cross td.won a').first().click();
  await page.locator('.players-line').waitFor();
});

story('an event shows its cross table, by keyboard', '/?view=event&e=Letters', async (page) => {
  await page.locator('table.cross td a').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.players-line').waitFor();
});

story('opponents are shown with the results of the player', '/?view=players&p=Berg,+Lotte', async (page) => {
  const report = await (await page.request.get(site.origin + '/api/v1/club/player?name=%3DBerg,+Lotte')).json();
  const table = page.getByRole('region', { name: 'Opponents' });
  await table.waitFor();
  const cells = await table.locator('tbody tr').first().locator('td').allTextContents();
  const [first] = report.opponents;
  assert.deepEqual(cells.slice(0, 4).map(Number), [first.games, first.won, first.drawn, first.lost]);
  await table.getByRole('link', { name: first.name }).click();
  await waitCount(page, first.games === 1 ? '1 game' : `${first.games} games`);
});

story('the archive is shown at a glance', '/?view=overview', async (page) => {
  await page.locator('.tile', { hasText: '245' }).first().waitFor();
  const { total } = await (await page.request.get(site.origin + '/api/v1/club/find?query=status+illegal&limit=0')).json();
  assert.ok(total > 0);
  await page.getByRole('link', { name: 'with an illegal move' }).click();
  await waitCount(page, total === 1 ? '1 game' : `${total} games`);
});

const DAMAGED = '[Event "A"]\n[Date "2003-5-1"]\n[GameType "20"]\n\n1. 32-28 19-24 2. 44-11 *\n';

story('a file is checked and the repaired file saved', '/?view=check', async (page) => {
  const path = `/tmp/pdn-page-${process.pid}.pdn`;
  writeFileSync(path, DAMAGED);
  await page.locator('#file').setInputFiles(path);
  await page.locator('.finding', { hasText: 'R001' }).waitFor();
  assert.equal(await page.locator('.finding mark').first().textContent(), '44-11');
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the repaired file' }).click()]);
  assert.match(readFileSync(await saved.path(), 'utf8'), /\[Date "2003\.05\.01"\]/);
});

story('a file is dropped anywhere', TREE, async (page) => {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.pdn'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, DAMAGED);
  await page.locator('h2', { hasText: 'dropped.pdn' }).waitFor();
});

story('a text is pasted and checked by keyboard', '/?view=check', async (page) => {
  await page.getByLabel('or paste a text').fill('1. 32-28 19-23 *');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.findings').waitFor();
});

story('digits switch views and ? lists the shortcuts', TREE, async (page) => {
  await page.keyboard.press('3');
  await page.getByRole('heading', { name: 'Players' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await page.locator('table.moves').waitFor();
});

story('the language is chosen and kept', TREE, async (page) => {
  for (const [code, text] of [['nl', 'Openingen'], ['fr', 'Ouvertures'], ['ru', 'Дебюты'], ['pl', 'Debiuty'], ['en', 'Openings']]) {
    await page.locator('#language').selectOption(code);
    await page.locator('nav a', { hasText: text }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
  }
});

story('dark colours are chosen and kept', TREE, async (page) => {
  await page.getByRole('button', { name: 'Look of the page' }).click();
  await page.getByLabel('dark', { exact: true }).check();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
});

story('a blind reader hears squares, moves and diagonals', TREE, async (page) => {
  assert.match(await page.locator('[role=grid]').ariaSnapshot(), /gridcell "31, white man"|button "31, white man"/);
  await square(page, '28').focus();
  await page.keyboard.press('x');
  await page.locator('#live', { hasText: '32 white man' }).waitFor({ state: 'attached' });
});

story('a phone shows the board in full width and no sideways scrolling', TREE, async (page) => {
  const board = await page.locator('.board').boundingBox();
  assert.ok(board.width > 340, `${board.width}`);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await square(page, '32').tap();
  await square(page, '28').tap();
  await waitCount(page, '122 games');
}, { width: 390, height: 844 });

story('a capture is played square by square by keyboard', '/?variant=international&fen=W:WK48:B42,43,32,22,33,24,13', async (page) => {
  const { moves } = await (await page.request.get(site.origin + '/api/v1/club/position?variant=international&fen=W:WK48:B42,43,32,22,33,24,13')).json();
  await page.getByLabel('Move', { exact: true }).focus();
  await page.keyboard.type(moves[0].text);
  await page.keyboard.press('Enter');
  await page.locator('.line .move').first().waitFor();
  assert.deepEqual(await line(page), [moves[0].text]);
});

story('the controls of the board keep the focus, so that a key goes on', '/?variant=international&moves=32-28+19-23+28x19', async (page) => {
  await tabTo(page, 'Back');
  for (const moves of [['32-28', '19-23'], ['32-28'], []]) {
    await page.keyboard.press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('.line .move[aria-current]').length === count, moves.length ? 1 : 0);
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get('moves') ?? '', moves.join(' '));
    if (moves.length) assert.equal(await focused(page), 'Back');
  }
  // Nothing is before the start: the nearest control that can be used has the focus.
  assert.equal(await focused(page), 'Forward');
});

story('the position is copied by keyboard', TREE, async (page) => {
  await tabTo(page, 'Copy the position (FEN)');
  assert.match(await copiedBy(page, () => page.keyboard.press('Enter')), /^W:W31,32/);
  await page.locator('#live', { hasText: 'Copied' }).waitFor({ state: 'attached' });
});

story('pictures are saved by keyboard', TREE, async (page) => {
  for (const [name, file, part] of [['Save a picture (PNG)', 'position.png', 'PNG'], ['Save a drawing (SVG)', 'position.svg', '<svg']]) {
    await tabTo(page, name);
    const [saved, text] = await savedBy(page, () => page.keyboard.press('Enter'));
    assert.equal(saved, file);
    assert.ok(text.includes(part));
  }
});

story('transpositions are counted on request, by keyboard', '/?variant=international&moves=32-28', async (page) => {
  await waitCount(page, '122 games');
  await tabTo(page, 'Count games that get there by other moves');
  await page.keyboard.press('Space');
  await page.waitForURL(/transpositions=true/);
  await settled(page);
  assert.equal(await focused(page), '');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'transpositions');
});

story('a filter is removed by keyboard', '/?variant=international&white=anker', async (page) => {
  await waitCount(page, '40 games');
  await tabTo(page, 'Remove filter: White');
  await page.keyboard.press('Enter');
  await waitCount(page, '242 games');
});

story('another variant is chosen by keyboard', TREE, async (page) => {
  await waitCount(page, '242 games');
  await page.getByLabel('Variant').focus();
  await page.keyboard.press('ArrowDown');
  await waitCount(page, '2 games');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'variant');
});

story('a position of the openings is set up anew by mouse', '/?variant=international&moves=32-28', async (page) => {
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.waitForURL(/mode=setup/);
  assert.match(await label(page, '28'), /white man/);
  await page.getByRole('radio', { name: 'erase' }).check({ force: true });
  await square(page, '28').click();
  await page.getByRole('radio', { name: 'White to move' }).check();
  await page.getByRole('button', { name: 'Show the openings from here' }).click();
  await page.locator('.turn', { hasText: 'White to move' }).waitFor();
  assert.match(await label(page, '28'), /empty/);
});

// Waits until a position is set up, as the address has it.
const waitSetUp = async (page, fen) => {
  await page.waitForURL((url) => url.searchParams.get('setup') === fen);
  await settled(page);
};

for (const touch of [false, true]) {
  story(`men of a position that is set up are moved by ${touch ? 'touch' : 'mouse'}, and taken off the board`, '/?view=search&mode=setup&setup=W:W32,K28:B19&variant=international', async (page) => {
    const board = await page.locator('.board').boundingBox();
    const middle = async (name) => {
      const box = await square(page, name).boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const client = await page.context().newCDPSession(page);
    const drag = async (from, to) => {
      const points = [0, 0.4, 0.8, 1].map((part) => ({ x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }));
      if (touch) {
        for (const [place, point] of points.entries()) await client.send('Input.dispatchTouchEvent', { type: place ? 'touchMove' : 'touchStart', touchPoints: [point] });
        await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      } else {
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        for (const point of points) await page.mouse.move(point.x, point.y);
        await page.mouse.up();
      }
    };
    await drag(await middle('32'), await middle('27'));
    await waitSetUp(page, 'W:WK28,27:B19');
    // A light square is no place for a man, so it stays.
    await drag(await middle('28'), { x: (await middle('28')).x + board.width / 10, y: (await middle('28')).y });
    await waitSetUp(page, 'W:WK28,27:B19');
    await drag(await middle('19'), { x: (await middle('19')).x, y: board.y + board.height + 25 });
    await waitSetUp(page, 'W:WK28,27:B');
    // By two clicks; what stood there is gone. A second click of the same man lets it stand.
    for (const name of ['28', '28', '28', '27']) await square(page, name).click();
    await waitSetUp(page, 'W:WK27:B');
    // Whatever is painted, men are moved; the eraser takes all that it passes.
    await page.getByRole('radio', { name: 'black man' }).check({ force: true });
    await square(page, '18').click();
    await waitSetUp(page, 'W:WK27:B18');
    await drag(await middle('18'), await middle('7'));
    await waitSetUp(page, 'W:WK27:B7');
  }, touch ? { width: 390, height: 844 } : {});
}

story('any position is set up by keyboard', '/?view=search&mode=setup&setup=W:W32:B19&variant=international', async (page) => {
  await page.getByRole('radio', { name: 'white man', exact: true }).focus();
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight');
  // The choice between pattern and position stands between.
  for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.waitForURL(/K1/);
  assert.match(await label(page, '1'), /black king/);
  await tabTo(page, 'White to move');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/setup=B/);
  await tabTo(page, 'Show the openings from here');
  await page.keyboard.press('Enter');
  await page.locator('.turn', { hasText: 'Black to move' }).waitFor();
  assert.match(await label(page, '1'), /black king/);
});

story('conditions of a query are completed, also after others', '/?view=search', async (page) => {
  const query = page.getByLabel('Query', { exact: true }).first();
  const offered = () => page.locator('#conditions option').evaluateAll((options) => options.map(({ value }) => value));
  assert.ok((await offered()).includes('player : wiersma'));
  await page.keyboard.press('/');
  await page.keyboard.type('result draw and not (pl');
  assert.ok((await offered()).includes('result draw and not (player : wiersma'), String(await offered()));
  assert.equal(await query.inputValue(), 'result draw and not (pl');
});

story('an error of a typed query is marked at its place, by keyboard', '/?view=search', async (page) => {
  await waitCount(page, '245 games');
  await page.keyboard.press('/');
  await page.keyboard.type('w-b > and');
  await page.keyboard.press('Enter');
  await page.locator('.at mark', { hasText: 'and' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'q');
  assert.equal(await page.locator('#q').getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await waitCount(page, /games?$/);
}, { allow: ['400'] });

story('results are sorted by keyboard, and the column keeps the focus', '/?view=search', async (page) => {
  await waitCount(page, '245 games');
  await tabTo(page, 'Date');
  await page.keyboard.press('Enter');
  await page.locator('th.date[aria-sort=descending]').waitFor();
  await settled(page);
  await page.keyboard.press('Enter');
  await page.locator('th.date[aria-sort=ascending]').waitFor();
});

story('games are counted by group by keyboard', '/?view=search&player=anker', async (page) => {
  await waitCount(page, /games/);
  await tabTo(page, 'Groups');
  await page.keyboard.type('by y');
  await page.waitForURL(/by=year/);
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'by', 'the choice keeps the focus');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowDown');
  const [name] = await groupRows(page);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), name[0]);
  await page.keyboard.press('Enter');
  await page.locator('table.results').waitFor();
});

story('results are saved as PDN and CSV by keyboard', '/?view=search&player=duin', async (page) => {
  for (const [name, part] of [['PDN', '[White "'], ['CSV', 'game,ply,white']]) {
    await tabTo(page, name);
    const [, text] = await savedBy(page, () => page.keyboard.press('Enter'));
    assert.ok(text.includes(part));
  }
});

story('a game plays by itself, by keyboard', '/?view=game&g=1&ply=0', async (page) => {
  await page.locator('.turn[data-ply="0"]').waitFor();
  await page.keyboard.press('Space');
  await page.locator('.turn[data-ply="2"]').waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play the game' }).waitFor();
});

story('the controls of a game keep the focus', '/?view=game&g=241&ply=0', async (page) => {
  await tabTo(page, 'Forward');
  for (const ply of [1, 2, 3]) {
    await page.keyboard.press('Enter');
    await page.locator(`.turn[data-ply="${ply}"]`).waitFor();
    await settled(page);
    assert.equal(await focused(page), 'Forward');
  }
});

story('a game shows what others played and leads to the openings, by keyboard', '/?view=game&g=1&ply=2', async (page) => {
  await page.locator('.around', { hasText: 'games have this position' }).waitFor();
  await tabTo(page, 'Show this position in the openings');
  await page.keyboard.press('Enter');
  await page.locator('table.moves').waitFor();
});

story('a game is turned by mouse and by keyboard', '/?view=game&g=1&ply=2', async (page) => {
  const isTurned = (turned) => page.waitForFunction((turned) => (document.querySelector('[data-square="1"]').getBoundingClientRect().y > document.querySelector('[data-square="50"]').getBoundingClientRect().y) === turned, turned);
  await page.getByRole('button', { name: 'Turn the board' }).click();
  await isTurned(true);
  await page.keyboard.press('f');
  await isTurned(false);
});

story('a game is saved and copied as PDN, by mouse and by keyboard', '/?view=game&g=241', async (page) => {
  const isGame = (text) => assert.match(text, /\[Event "Annotated"\][^]*32-28 \{the main move/);
  const [name, text] = await savedBy(page, () => page.getByRole('button', { name: 'Save PDN' }).click());
  assert.equal(name, 'game-241.pdn');
  isGame(text);
  isGame(await copiedBy(page, () => page.getByRole('button', { name: 'Copy PDN' }).click()));
  await page.locator('#live', { hasText: 'Copied' }).waitFor({ state: 'attached' });
  await tabTo(page, 'Save PDN');
  isGame((await savedBy(page, () => page.keyboard.press('Enter')))[1]);
  await tabTo(page, 'Copy PDN');
  isGame(await copiedBy(page, () => page.keyboard.press('Enter')));
});

story('evaluations are shown next to the moves, and a click on their graph chooses a ply', '/?view=game&g=241&ply=0', async (page) => {
  assert.deepEqual(await page.locator('.movetext .value').allTextContents(), ['+0.35', '−0.10', '+1.50', '+2.00']);
  // An evaluation next to a move is not repeated as a comment. One that cannot be read stays in the comment.
  assert.deepEqual(await page.locator('.comment').allTextContents(), ['Before the game ', 'the main move ', 'solid ', '[%eval #5] ']);
  const graph = page.getByRole('slider', { name: 'Evaluation' });
  const box = await graph.boundingBox();
  await page.mouse.click(box.x + (box.width * 3) / 7, box.y + 10);
  await page.locator('.turn[data-ply="3"]').waitFor();
  assert.equal(await graph.getAttribute('aria-valuetext'), 'ply 3 of 7: +1.50');
  assert.equal(await page.locator('.evaluations output').textContent(), '+1.50');
});

story('the graph of evaluations is walked by keyboard', '/?view=game&g=241&ply=0', async (page) => {
  const graph = page.getByRole('slider', { name: 'Evaluation' });
  await tabTo(page, 'Evaluation');
  for (const [key, text] of [['ArrowRight', 'ply 1 of 7: +0.35'], ['End', 'ply 7 of 7: +2.00'], ['ArrowLeft', 'ply 6 of 7: no evaluation'], ['Home', 'ply 0 of 7: no evaluation']]) {
    await page.keyboard.press(key);
    await page.waitForFunction((text) => document.activeElement.getAttribute('aria-valuetext') === text, text);
  }
  assert.equal(await graph.getAttribute('aria-valuenow'), '0');
});

story('a game without evaluations has no graph', '/?view=game&g=1', async (page) => {
  await page.locator('.players-line').waitFor();
  assert.equal(await page.getByRole('slider').count(), 0);
});

story('a game is printed with its board, moves and comments, without controls', '/?view=game&g=241', async (page) => {
  await page.emulateMedia({ media: 'print' });
  for (const name of ['.board', '.players-line', '.movetext', '.comment']) assert.ok(await page.locator(name).first().isVisible(), name);
  for (const name of ['header', '.controls', '.actions', '.evaluations', '.around']) assert.ok(!(await page.locator(name).first().isVisible()), name);
  assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
  // Paper is white, whatever the screen is.
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), 'rgb(38, 34, 28)');
}, { scheme: 'dark' });

story('the repaired file is saved by keyboard', '/?view=check', async (page) => {
  await tabTo(page, 'or paste a text');
  await page.keyboard.insertText(DAMAGED);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.finding', { hasText: 'R001' }).waitFor();
  await tabTo(page, 'Save the repaired file');
  const [, text] = await savedBy(page, () => page.keyboard.press('Enter'));
  assert.match(text, /\[Date "2003\.05\.01"\]/);
});

story('a damaged game says what is wrong, by keyboard', '/?view=game&g=242', async (page) => {
  await tabTo(page, 'Check this game');
  await page.keyboard.press('Enter');
  await page.locator('.finding', { hasText: 'R001' }).waitFor();
});

story('a player is opened by keyboard', '/?view=players', async (page) => {
  await page.locator('table.players').waitFor();
  await tabTo(page, 'Berg, Lotte');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Opponents' }).waitFor();
});

story('the archive leads on by keyboard', '/?view=overview', async (page) => {
  await page.locator('.tile', { hasText: '245' }).first().waitFor();
  await tabTo(page, 'with an illegal move');
  await page.keyboard.press('Enter');
  await page.locator('table.results').waitFor();
});
