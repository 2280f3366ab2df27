// A site of files in a browser: on a plain web space it is the whole page. Needs the module (MODULE), the command (PDN) and Chromium
// with the packages of ../tests/page.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ARCHIVE } from '../tests/page/archive.js';
import { serve } from './range-server.js';

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, '../tests/page/'))('playwright-core');
const browserPath = ['chromium-headless-shell', 'chromium'].map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()).find(Boolean);
const { PDN, MODULE } = process.env;
const LINE = { latency: 0.035, bytesPerSecond: 10e6 / 8 };

let folder;
let browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pdn-module-'));
  const pdn = (...words) => {
    const run = spawnSync(PDN, words, { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
  };
  // In the large one, the parts of a question lie far from each other, and are fetched together.
  for (const [name, text] of Object.entries({ club: ARCHIVE, large: ARCHIVE.repeat(40), empty: '' })) {
    writeFileSync(join(folder, name + '.pdn'), text);
    pdn('index', join(folder, name + '.pdn'), '-o', join(folder, name + '.idx'), '--positions', '--embed');
    pdn('export-site', join(folder, name + '.idx'), '--module', MODULE, '-o', join(folder, name));
  }
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const settled = (page) => page.waitForSelector('html[data-ready]:not([data-busy])');

// Copies the site of the club, and returns the folder of its data.
const copyTo = (name) => {
  cpSync(join(folder, 'club'), join(folder, name), { recursive: true });
  const data = join(folder, name, 'data');
  return join(data, readdirSync(data)[0]);
};

// Opens an address of a site on a web space and calls `story` with the page; fails on any error of the page that is not `expected`.
const visit = (path, options, story, { of = 'club', expected = /^$/ } = {}) => async () => {
  const space = await serve({ site: join(folder, of) }, options);
  const context = await browser.newContext({ locale: 'en-GB', acceptDownloads: true });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !expected.test(message.text()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.stack));
  try {
    await page.goto(`${space.address}/site/index.html${path}`);
    await settled(page);
    await story(page, space);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
    space.end();
  }
};
const count = (page, text) => page.locator('.count', { hasText: text }).first().waitFor();

test('openings, a game, its players and a search over a line with 35 ms and 10 Mbit/s', visit('', LINE, async (page) => {
  await count(page, '242 games');
  await page.locator('table.moves button', { hasText: '32-28' }).click();
  await count(page, '122 games');
  await page.locator('.games-list a').first().click();
  await page.locator('.movetext').waitFor();
  await settled(page);
  assert.match(await page.locator('.movetext').innerText(), /32-28/);
  await page.locator('.players-line a').first().click();
  await page.getByRole('heading', { name: 'Opponents' }).waitFor();
  assert.match(page.url(), /view=players/);
  await page.getByRole('navigation').getByRole('link', { name: 'Search' }).click();
  await page.locator('#q').fill('w-b >= 1');
  await page.keyboard.press('Enter');
  await page.locator('table tbody tr').first().waitFor();
  await count(page, /^[\d,]+ games?$/);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PDN', exact: true }).click()]);
  assert.equal(saved.suggestedFilename(), 'games.pdn');
  assert.match(readFileSync(await saved.path(), 'utf8'), /\[White /);
}));

test('rows of a large archive', visit('', LINE, async (page) => {
  await count(page, '9,680 games');
  await page.locator('.games-list a').first().waitFor();
  await page.goto(page.url() + '?view=search&query=w-b+>%3D+1');
  await page.locator('table tbody tr').nth(20).waitFor();
}, { of: 'large' }));

test('filters, events and the archive at a glance', visit('?player=anker', {}, async (page) => {
  await page.locator('.chip', { hasText: 'anker' }).waitFor();
  await count(page, /games/);
  await page.getByRole('navigation').getByRole('link', { name: 'Archive' }).click();
  await page.locator('dl.tiles').waitFor();
  await page.getByRole('link', { name: 'Club evening 1' }).first().click();
  await page.locator('table').first().waitFor();
}));

test('comments of a game are there, and nothing offers a check', visit('?view=game&g=241', {}, async (page) => {
  await page.getByText('the main move').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Check' }).count(), 0);
  assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Check' }).count(), 0);
  await page.goto(page.url().replace(/[?].*/, '?view=check'));
  await page.getByText('Checks need a server').waitFor();
}));

test('a host that sends whole files is read whole', visit('?view=search&query=w-b+>%3D+1', { ranges: false }, async (page, space) => {
  await page.locator('table tbody tr').first().waitFor();
  const { bytes } = space.reads;
  await page.getByRole('navigation').getByRole('link', { name: 'Openings' }).click();
  await page.locator('table.moves tbody tr').first().waitFor();
  assert.equal(space.reads.bytes, bytes, 'nothing is left to read');
}));

test('a large index on a host that sends whole files is refused before it is sent', async () => {
  const script = join(copyTo('limit'), 'explorer.js');
  writeFileSync(script, readFileSync(script, 'utf8').replace('MOST_WHOLE = 20e6', 'MOST_WHOLE = 1e3'));
  await visit('', { ranges: false }, async (page) => {
    await page.getByRole('alert').filter({ hasText: 'needs a host that answers range requests' }).waitFor();
  }, { of: 'limit' })();
});

test('an archive without games', visit('', {}, async (page) => {
  await page.locator('.notice', { hasText: 'No game matches' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Archive' }).click();
  await page.locator('main', { hasText: 'No year is known' }).waitFor();
}, { of: 'empty' }));

test('a file that was cut is named', async () => {
  truncateSync(join(copyTo('cut'), 'segment-00000001.pdns'), 4000);
  await visit('', {}, async (page) => {
    await page.getByRole('alert').filter({ hasText: /segment-00000001.pdns cannot be read, or has changed/ }).waitFor();
  }, { of: 'cut' })();
});

test('a worker that is missing is named', async () => {
  rmSync(join(copyTo('missing'), 'worker.js'));
  await visit('', {}, async (page) => {
    await page.getByRole('alert').filter({ hasText: /worker.js is missing, damaged, or from another export/ }).first().waitFor();
  }, { of: 'missing', expected: /404/ })();
});

test('the reader is asked before a question reads much', async () => {
  copyTo('careful');
  const page = readdirSync(join(folder, 'careful')).find((name) => name.startsWith('page-'));
  const script = join(folder, 'careful', page, 'remote.js');
  writeFileSync(script, readFileSync(script, 'utf8').replace('20e6', '1e3'));
  for (const answer of ['accept', 'dismiss']) {
    await visit('', {}, async (page) => {
      const asked = page.waitForEvent('dialog');
      page.on('dialog', (dialog) => dialog[answer]());
      await page.goto(page.url() + '?moves=34-29');
      assert.match((await asked).message(), /more than 0.001 MB/);
      if (answer === 'accept') await count(page, '40 games');
      else await page.getByRole('alert').filter({ hasText: 'more of the index' }).waitFor();
    }, { of: 'careful' })();
  }
});
