// The page in engines other than Chromium, where they are installed: every view is whole, and clicks on the board play moves.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { engines, eventually } from './engines.js';
import { LOOKS, VIEWS, layoutFaults } from './layout.js';
import { SHOTS, start } from './setup.js';

// WebKit's window is never narrower than 447 pixels: its narrow windows are tested at that width.
const WINDOWS = [[320, 568], [390, 844], [568, 320], [844, 390], [1024, 768], [1440, 900]];

for (const { name, start: startEngine } of engines) {
  test(`the page in ${name}`, { skip: startEngine ? false : `SKIPPED: ${name} is not installed` }, async (context) => {
    const site = await start({ club: LOOKS });
    context.after(site.stop);
    const engine = await startEngine();
    context.after(engine.stop);
    mkdirSync(SHOTS, { recursive: true });

    async function open(path) {
      await engine.open(site.origin + path);
      await settled();
    }
    const settled = () => eventually(() => engine.evaluate(() => document.documentElement.matches('[data-ready]:not([data-busy])')), 'the page is ready');
    const texts = (selector) => engine.evaluate((selector) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent), selector);
    async function click(selector) {
      const [x, y] = await engine.evaluate((selector) => {
        const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
        return [Math.round(left + width / 2), Math.round(top + height / 2)];
      }, selector);
      await engine.click(x, y);
      await settled();
    }

    for (const [view, path] of Object.entries(VIEWS)) {
      await context.test(`no number is divided and no column is cut off, ${view}`, async () => {
        await open(path);
        const all = [];
        for (const [width, height] of WINDOWS) {
          await engine.resize(width, height);
          all.push(...(await engine.evaluate(layoutFaults)).map((fault) => `${width}x${height}: ${fault}`));
        }
        writeFileSync(join(SHOTS, `${name}-${view}.png`), await engine.picture());
        assert.deepEqual(all, []);
        assert.deepEqual(engine.errors, []);
      });
    }

    await context.test('moves are played by clicks on the board and taken back', async () => {
      await engine.resize(1280, 800);
      await open('/?variant=international');
      for (const square of [32, 28, 19, 23]) await click(`[data-square="${square}"]`);
      assert.deepEqual(await texts('.line .move'), ['32-28', '19-23']);
      await engine.evaluate(() => history.back());
      await eventually(async () => (await texts('.line .move')).length === 1, 'one move is left');
      assert.deepEqual(engine.errors, []);
    });
  });
}
