// The page without a server: a folder of `pdn export-site`, hosted below another folder by a web server that knows nothing of it.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SHOTS, allRules, end, label, launch, line, makeIndex, pdn, settled, square, startProgram, visitor, waitCount } from './setup.js';

let [browser, folder, child, visit, site] = [];
before(async () => {
  browser = await launch();
  folder = makeIndex();
  site = join(folder, 'club-site');
  pdn('export-site', join(folder, 'club.idx'), '-o', site, '--plies', '6', '--min-games', '20', '--players', '3', '--events', '2');
  // Prints its address without waiting for a full buffer.
  const started = await startProgram('sh', ['-c', 'exec python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$0" 2>/dev/null', folder]);
  child = started.child;
  child.stdout.resume();
  const port = /port (\d+)/.exec(started.text)[1];
  visit = visitor(browser, `http://127.0.0.1:${port}/club-site`);
});
after(async () => {
  await browser.close();
  await end(child);
  rmSync(folder, { recursive: true });
});

// Opens an address; `fetched` gets the paths of the files of answers that are asked for.
const story = (name, path, steps, options) => test(name, () => visit(path, async (page) => {
  const fetched = [];
  page.on('response', async (response) => response.url().includes('/data/') && fetched.push(new URL(response.url()).pathname));
  await steps(page, fetched);
}, options));

story('the openings are clicked through, and the back button goes back', '/', async (page, fetched) => {
  await waitCount(page, '242 games');
  await page.locator('table.moves button', { hasText: '32-28' }).click();
  await waitCount(page, '122 games');
  await square(page, '19').click();
  await square(page, '23').click();
  await page.waitForURL(/19-23/);
  assert.deepEqual(await line(page), ['32-28', '19-23']);
  assert.match(await label(page, '23'), /black man/);
  await page.goBack();
  await waitCount(page, '122 games');
  await page.goBack();
  await waitCount(page, '242 games');
  assert.equal(new URL(page.url()).pathname, '/club-site/');
  // One file for each position, and none twice.
  assert.ok(fetched.length <= 2, fetched.join(' '));
});

story('an address of a line needs two files', '/?moves=32-28+19-23+28x19+14x23', async (page) => {
  assert.deepEqual(await line(page), ['32-28', '19-23', '28x19', '14x23']);
  await waitCount(page, /games/);
  const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/data/')));
  assert.ok(names.length <= 2, names.join(' '));
});

story('positions are played and walked by keyboard', '/', async (page) => {
  await waitCount(page, '242 games');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await waitCount(page, '122 games');
  await page.keyboard.press('ArrowLeft');
  await waitCount(page, '242 games');
  await page.keyboard.press('2');
  await page.getByRole('heading', { name: 'Players' }).waitFor();
});

story('a position that is not on the site is shown and explained', '/?moves=31-26+18-23+37-31+12-18+41-37', async (page) => {
  await waitCount(page, '40 games');
  await page.getByLabel('Move', { exact: true }).fill('20-25');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'at least 20 games have, up to 6 plies' }).waitFor();
  assert.match(await label(page, '25'), /black man/);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await waitCount(page, '40 games');
});

story('a game opens from an example, and is walked through and saved', '/', async (page) => {
  await page.locator('.games-list a').first().click();
  await page.locator('.players-line').waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.locator('.turn[data-ply="1"]').waitFor();
  await page.locator('.around', { hasText: 'games have this position' }).waitFor();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save PDN' }).click()]);
  assert.match(readFileSync(await saved.path(), 'utf8'), /\[White "/);
  await page.getByRole('link', { name: 'Show this position in the openings' }).click();
  await page.locator('table.moves').waitFor();
});

story('a player and an event are shown', '/?view=players', async (page) => {
  await page.getByText('the 3 players with the most games').waitFor();
  assert.equal(await page.locator('table.players tbody tr').count(), 3);
  await page.locator('table.players tbody a').first().click();
  await page.getByRole('heading', { name: 'Opponents' }).waitFor();
  await page.getByRole('link', { name: 'Club evening 1' }).click();
  await page.locator('table.cross td.points').first().waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Opponents' }).waitFor();
});

story('no link of the site is dead', '/', async (page) => {
  const seen = new Set();
  const open = ['', '?view=players', '?view=overview', '?view=event&e=Club+evening+1'];
  for (let at = 0; at < open.length; at++) {
    await page.goto(new URL(open[at], page.url().replace(/[?].*/, '')).href);
    await settled(page);
    assert.equal(await page.locator('.notice.bad').count(), 0, open[at]);
    const links = await page.locator('main a[href^="?"]').evaluateAll((anchors) => anchors.map((a) => a.getAttribute('href')));
    // A game leads to the same positions at every ply, and one of its positions in the openings is enough.
    for (const link of links.filter((link) => !link.includes('fen='))) {
      if (!seen.has(link) && !open.includes(link)) open.push(link);
      seen.add(link);
    }
  }
  assert.ok(open.length > 10 && open.length < 200, `${open.length}`);
  // The games of an event that are not on the site are named without a link.
  await page.goto(new URL('?view=event&e=Club+evening+1', page.url()).href);
  await settled(page);
  assert.ok(await page.locator('.games-list a:not([href])').count() > 10);
});

story('the players of the site are found by the beginnings of their names', '/?view=players', async (page) => {
  const names = await page.locator('table.players tbody th').allTextContents();
  await page.getByLabel('Name').fill(names[2].slice(0, 3).toLowerCase());
  await waitCount(page, '1 players?');
  assert.deepEqual(await page.locator('table.players tbody th').allTextContents(), [names[2]]);
  await page.getByLabel('Name').fill('');
  await page.getByText('the 3 players with the most games').waitFor();
});

story('the archive is shown at a glance, in another language', '/?view=overview', async (page) => {
  await page.locator('.tile', { hasText: '245' }).first().waitFor();
  await page.locator('#language').selectOption('nl');
  await page.locator('nav a', { hasText: 'Openingen' }).waitFor();
});

for (const [name, path, text] of [
  ['a page that was left out', '/?view=players&p=Nobody', 'no page for this player'],
  ['a game that was left out', '/?view=game&g=240', 'Game 240 is not on this site'],
  ['a search', '/?view=search&player=anker', 'no server'],
  ['a filter', '/?player=anker', 'no server'],
  ['a check', '/?view=check', 'no server'],
]) {
  story(`${name} is explained`, path, (page) => page.locator('.notice', { hasText: text }).waitFor());
}

story('nothing is offered that needs a server', '/', async (page) => {
  await waitCount(page, '242 games');
  assert.deepEqual(await page.locator('nav a').allTextContents(), ['Openings', 'Players', 'Archive']);
  assert.equal(await page.locator('details.filters').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Set up a position' }).count(), 0);
});

test('a file that is missing, damaged or of another export is named', async () => {
  const trees = join(site, 'data/tree/international');
  renameSync(trees, trees + '-kept');
  const message = async (page) => {
    const text = await page.getByRole('alert').textContent();
    assert.match(text, /data\/tree\/international\/\d+\.json\.gz is missing, damaged, or from another export/);
  };
  await visit('/', message, { allow: ['404'] });
  renameSync(trees + '-kept', trees);
  const files = readdirSync(trees).map((name) => join(trees, name));
  const text = (bytes) => gunzipSync(bytes).toString();
  const damages = [() => '{"site":', (bytes) => bytes.subarray(0, bytes.length / 2), (bytes) => gzipSync(text(bytes).replace(/"site":"./, '"site":"x'))];
  // A host that declares the compression makes the browser unpack the file.
  const changes = [...damages.map((damage) => [damage, message]), [text, (page) => waitCount(page, '242 games')]];
  for (const [change, expected] of changes) {
    for (const file of files) {
      copyFileSync(file, file + '.kept');
      writeFileSync(file, change(readFileSync(file)));
    }
    await visit('/', expected);
    for (const file of files) renameSync(file + '.kept', file);
  }
  await visit('/', (page) => waitCount(page, '242 games'));
});

for (const [scheme, width, height] of [['light', 1280, 800], ['dark', 390, 844]]) {
  for (const [name, path] of Object.entries({ openings: '/?moves=32-28', absent: '/?view=game&g=240', players: '/?view=players' })) {
    test(`${name} without a server is accessible, ${scheme}, ${width} wide`, () => visit(path, async (page) => {
      await settled(page);
      await page.screenshot({ path: `${SHOTS}/site-${name}-${scheme}-${width}.png` });
      const { violations } = await allRules(page).analyze();
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 2)}`), []);
    }, { width, height, scheme }));
  }
}
