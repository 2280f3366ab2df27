// The playground in a browser: a file is checked, repaired, replayed, converted and searched, by mouse and by keyboard, and without a network.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { spawnSync } from 'node:child_process';
import { PACKAGE, ROOT, hasSearch } from './setup.js';

// The browser and what drives it are those of the tests of the explorer's page.
const required = createRequire(join(ROOT, 'tools/explorer/tests/page/package.json'));
const browserPath = ['chromium-headless-shell', 'chromium'].map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()).find(Boolean);
const isMissing = !existsSync(join(ROOT, 'tools/explorer/tests/page/node_modules/playwright-core')) || !browserPath;
const skip = isMissing && 'no Chromium, or nothing that drives it: tools/explorer/test.sh installs them';
if (skip) console.log(`SKIPPED: the playground is not tested: ${skip}`);

const FOLDER = join(PACKAGE, '../playground');
const SHOTS = process.env.SHOTS;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.json': 'application/json' };
const TEXT = '[White "Ames"]\n[Black "Bell"]\n[Date "2003-5-1"]\n[Result "2-0"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 2-0\n\n[White "Cole"]\n[Black "Dahl"]\n[Result "*"]\n[GameType "20"]\n\n1. 33-29 33-29 *\n';

let [browser, server, origin] = [];
before(async () => {
  if (skip) return;
  server = createServer(({ url }, response) => {
    const path = join(FOLDER, url.split('?')[0].replace(/\/$/, '/index.html'));
    if (!path.startsWith(FOLDER) || !existsSync(path) || statSync(path).isDirectory()) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain', 'cache-control': 'no-store' }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}/`;
  browser = await required('playwright-core').chromium.launch({ executablePath: browserPath });
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
});
after(async () => {
  await browser?.close();
  server?.close();
});

const idle = (page) => page.waitForSelector('html[data-ready]:not([data-busy])');

// Opens the page and calls `story` with it. Console errors and requests to other servers are faults.
async function visit(story, { width = 1280, height = 800, scheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: 'en-GB', acceptDownloads: true, hasTouch: width < 500 });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('request', (request) => !request.url().startsWith(origin) && !request.url().startsWith('blob:') && faults.push(`foreign request: ${request.url()}`));
  try {
    await page.goto(origin);
    await idle(page);
    await story(page, context);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}

const open = async (page, text = TEXT) => {
  await page.setInputFiles('#file', { name: 'club.pdn', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.waitForSelector('#told');
  await idle(page);
};
const view = async (page, name) => {
  await page.click(`#view-${name}`);
  await idle(page);
};
const label = (page, square) => page.locator(`[data-square="${square}"]`).getAttribute('aria-label');
const shot = (page, name) => SHOTS && page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });

// Nothing is wider than the window, and a program that knows the rules of accessibility finds nothing.
async function inspect(page) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'the page scrolls sideways');
  const axe = required.resolve('axe-core');
  await page.evaluate(readFileSync(axe, 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
}

for (const [name, size] of [['desktop', {}], ['phone', { width: 320, height: 640, scheme: 'dark' }]]) {
  test(`a file is checked, repaired, replayed and converted: ${name}`, { skip }, () => visit(async (page) => {
    await inspect(page);
    await shot(page, `${name}-start`);
    await open(page);
    assert.match(await page.textContent('.findings .count'), /1 finding in 2 games/);
    assert.match(await page.textContent('.finding h3'), /R001/);
    assert.equal(await page.locator('.finding-board svg').count(), 1);
    await page.click('summary');
    assert.deepEqual(await page.locator('.diff ins').allTextContents(), ['+[Date "2003.05.01"]']);
    await inspect(page);
    await shot(page, `${name}-check`);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('text=Save the repaired file')]);
    assert.equal(saved.suggestedFilename(), 'club-repaired.pdn');
    assert.match(readFileSync(await saved.path(), 'utf8'), /2003\.05\.01/);

    await view(page, 'games');
    assert.match(await page.textContent('.panel h1'), /Ames – Bell/);
    await page.click('button[aria-label="Forward"]');
    assert.equal(await label(page, '28'), '28, white man, last move');
    await page.locator('.play-moves .move').nth(2).click();
    assert.equal(await label(page, '19'), '19, white man, last move');
    await page.locator('.games-list button').nth(1).click();
    await idle(page);
    assert.match(await page.textContent('.notice.bad'), /33-29/);
    await page.click('button[aria-label="Last position"]');
    assert.equal(await label(page, '29'), '29, white man, last move');
    await inspect(page);
    await shot(page, `${name}-games`);

    await view(page, 'convert');
    await page.selectOption('#program', 'lidraughts');
    await page.click('.primary');
    await idle(page);
    assert.match(await page.textContent('.count'), /1 of 2 games written/);
    assert.match(await page.textContent('.output'), /\[White "Ames"\]/);
    await inspect(page);
    await shot(page, `${name}-convert`);
  }, size));
}

test('the keyboard alone is enough', { skip }, () => visit(async (page) => {
  await page.focus('#text');
  await page.keyboard.type(TEXT);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#told');
  await idle(page);
  await page.focus('#view-check');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await idle(page);
  await page.focus('.play-moves .move');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await label(page, '23'), '23, black man, last move');
  await page.keyboard.press('Home');
  assert.equal(await label(page, '23'), '23, empty');
  await page.keyboard.press('End');
  assert.equal(await page.textContent('.play-moves .move[aria-current]'), '37-32');
}));

test('games are found by a query', { skip: skip || (!hasSearch && 'the module that searches is not built') }, () => visit(async (page) => {
  await open(page);
  await view(page, 'search');
  await page.fill('#query', 'white : ames and move takes >= 1');
  await page.click('.primary');
  await page.waitForSelector('.games-list button');
  await idle(page);
  assert.match(await page.textContent('.count'), /1 game matches/);
  await inspect(page);
  await shot(page, 'desktop-search');
  await page.click('.games-list button');
  await page.waitForSelector('.play-moves');
  await idle(page);
  assert.match(await page.textContent('.panel h1'), /Ames – Bell/);
}));

test('a text that is no PDN is refused, and the page goes on', { skip }, () => visit(async (page) => {
  await page.fill('#text', 'hello');
  await page.click('.paste .primary');
  await page.waitForSelector('.notice.bad');
  await open(page);
  assert.match(await page.textContent('.findings .count'), /1 finding/);
}));

test('once loaded, the page works without a network', { skip }, () => visit(async (page, context) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Each look is awaited: `waitForFunction` takes any promise for an answer.
  const stored = () => page.evaluate(async () => {
    const names = await caches.keys();
    return names.length === 1 ? (await (await caches.open(names[0])).keys()).length : 0;
  });
  for (const end = Date.now() + 30_000; (await stored()) <= 20; await page.waitForTimeout(20)) assert.ok(Date.now() < end, 'the parts of the page are stored');
  await context.setOffline(true);
  await page.reload();
  await idle(page);
  await open(page);
  assert.match(await page.textContent('.findings .count'), /1 finding in 2 games/);
}));

test('every language has all texts of the playground', { skip }, () => visit(async (page) => {
  const keys = await page.evaluate(async () => {
    const { languages } = await import('./texts.js');
    return Object.entries(languages).map(([name, texts]) => [name, Object.keys(texts).sort().join()]);
  });
  assert.equal(keys.length, 5);
  for (const [name, list] of keys) assert.equal(list, keys[0][1], name);
}));
