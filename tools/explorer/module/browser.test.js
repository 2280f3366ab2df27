// The module in a worker of a browser, with the files of an index on a plain web space. Needs the module (MODULE), the command (PDN)
// and Chromium with the packages of ../tests/page.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ARCHIVE } from '../tests/page/archive.js';
import { lengths } from './folder.js';
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
  writeFileSync(join(folder, 'club.pdn'), ARCHIVE);
  const run = spawnSync(PDN, ['index', join(folder, 'club.pdn'), '-o', join(folder, 'club.idx'), '--positions', '--embed'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  for (const name of ['explorer.js', 'worker.js']) copyFileSync(join(here, name), join(folder, name));
  copyFileSync(MODULE, join(folder, 'module.wasm'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src \'self\'; script-src \'self\' \'wasm-unsafe-eval\'; connect-src *"><title>test</title>');
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// Opens the index in a worker and asks; returns what the worker has sent.
async function ask(options, addresses) {
  const space = await serve({ site: folder }, options);
  const page = await browser.newPage();
  await page.goto(`${space.address}/site/index.html`);
  const sent = await page.evaluate(async ([files, addresses]) => {
    const worker = new Worker('worker.js', { type: 'module' });
    const next = () => new Promise((resolve) => worker.addEventListener('message', ({ data }) => resolve(data), { once: true }));
    worker.postMessage({ base: new URL('club.idx/', location.href).href, files, name: 'club', module: new URL('module.wasm', location.href).href });
    const sent = [await next()];
    for (const [id, address] of (sent[0].open ? addresses : []).entries()) {
      worker.postMessage({ id, address });
      const { body, ...head } = await next();
      sent.push({ ...head, text: body && new TextDecoder().decode(body) });
    }
    return sent;
  }, [lengths(join(folder, 'club.idx')), addresses]);
  await page.close();
  space.end();
  return sent;
}

test('a worker answers over a line with 35 ms and 10 Mbit/s', async () => {
  const sent = await ask(LINE, ['indexes', 'club/tree?moves=32-28', 'club/games/241.pdn', 'club/find?player=berg&limit=3']);
  const [opened, indexes, tree, game, found] = sent;
  assert.deepEqual(opened, { open: true });
  assert.equal(JSON.parse(indexes.text).indexes[0].games, 245);
  assert.equal(JSON.parse(tree.text).moves[0].move, '19-23');
  assert.match(game.text, /the main move/);
  assert.equal(JSON.parse(found.text).games.length, 3);
});

test('a host that sends whole files is refused before it sends one', async () => {
  const sent = await ask({ ranges: false }, []);
  assert.equal(sent[0].open, false);
  assert.match(sent[0].problem, /whole files only/);
});
