// What takes a bounded time. No other test runs meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled, square, start } from './setup.js';

let site;
before(async () => {
  site = await start();
});
after(() => site.stop());

const story = (name, path, steps, options) => test(name, () => site.visit(path, steps, options));
const TREE = '/?variant=international';

story('a piece follows the pointer at the pace of the screen', TREE, async (page) => {
  const median = (gaps) => gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  const frames = () => page.evaluate(() => new Promise((resolve) => {
    const all = [];
    const tick = (time) => {
      all.push(time);
      if (all.length < 60) requestAnimationFrame(tick);
      else resolve(all.slice(1).map((time, n) => time - all[n]));
    };
    requestAnimationFrame(tick);
  }));
  const idle = median(await frames());
  const box = await square(page, '32').boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  const dragging = frames();
  for (let n = 0; n < 60; n++) await page.mouse.move(box.x + 20 + n, box.y + 20 - n);
  await page.mouse.up();
  const dragged = median(await dragging);
  // Two frames of a screen at 60 Hz, or twice what the machine manages without a drag.
  assert.ok(dragged <= Math.max(34, 2 * idle), `median ${dragged} ms, ${idle} ms without a drag`);
});

story('over a line of 300 ms and 1.6 Mbit/s a click moves the board within 50 ms, and the table follows within 700 ms', TREE, async (page) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', { offline: false, latency: 300, downloadThroughput: 200_000, uploadThroughput: 200_000 });
  // The best of several moves: the machine may be busy with other things.
  const tries = [];
  for (let row = 0; row < 4; row++) {
    tries.push(await page.evaluate(async (row) => {
      const state = { board: () => [...document.querySelectorAll('[data-square]')].map((square) => square.ariaLabel).join(), table: () => document.querySelector('table.moves tbody')?.textContent ?? '' };
      const before = { board: state.board(), table: state.table() };
      const start = performance.now();
      const time = async (part) => {
        while ([before[part], ''].includes(state[part]())) await new Promise((resolve) => setTimeout(resolve, 2));
        return performance.now() - start;
      };
      document.querySelectorAll('table.moves tbody button')[row].click();
      const [board, table] = await Promise.all([time('board'), time('table')]);
      return { board, table };
    }, row));
    await settled(page);
    await page.keyboard.press('ArrowLeft');
    await settled(page);
  }
  const best = (part) => Math.min(...tries.map((one) => one[part]));
  assert.ok(best('board') < 50 && best('table') < 700, JSON.stringify(tries));
  assert.ok(best('table') >= 300, `the line is slow: ${JSON.stringify(tries)}`);
});

for (const [name, path, clicked, panel, back] of [
  ['a move', TREE, 'table.moves tbody button', 'table.moves tbody', (page) => page.keyboard.press('Home')],
  ['a painted square', '/?view=search&variant=international&pattern=w:28', '[data-square="32"]', '.count', (page) => square(page, '32').click()],
]) {
  story(`on a machine that is six times slower ${name} is on the board and in the panel soon`, path, async (page) => {
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    // The best of several clicks: the machine may be busy with other things, and the server is slow where it is not optimized.
    const tries = [];
    for (let n = 0; n < 6; n++) {
      tries.push(await page.evaluate(async ([clicked, panel]) => {
        const text = () => document.querySelector(panel)?.textContent;
        const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        const before = text();
        performance.clearResourceTimings();
        const start = performance.now();
        document.querySelector(clicked).click();
        await painted();
        const board = performance.now() - start;
        while ([before, undefined].includes(text())) await painted();
        await painted();
        const answer = Math.max(...performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd));
        return { board, panel: performance.now() - answer };
      }, [clicked, panel]));
      await settled(page);
      await back(page);
      await settled(page);
    }
    const best = (part) => Math.min(...tries.map((one) => one[part]));
    // A quiet machine takes less than 100 ms for each.
    assert.ok(best('board') < 200 && best('panel') < 300, JSON.stringify(tries));
    console.log(`at a sixth of the pace, ${name}: board ${Math.round(best('board'))} ms, panel ${Math.round(best('panel'))} ms`);
  });
}

test('over a line of 300 ms the board of a second visit is there within 1.2 s', async () => {
  const context = await site.browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  try {
    const times = [];
    for (let visit = 0; visit < 4; visit++) {
      const page = await context.newPage();
      const client = await page.context().newCDPSession(page);
      await client.send('Network.enable');
      await client.send('Network.emulateNetworkConditions', { offline: false, latency: 300, downloadThroughput: 200_000, uploadThroughput: 200_000 });
      await page.goto(site.origin + TREE, { waitUntil: 'commit' });
      // Counted from the request on, by the clock of the page.
      await page.waitForFunction(() => document.querySelector('[data-square="32"]')?.ariaLabel?.includes('man'), null, { polling: 5 });
      times.push(await page.evaluate(() => performance.now()));
      await page.close();
    }
    const [first, ...later] = times;
    assert.ok(Math.min(...later) < 1200, `first visit ${first} ms, later ${later} ms`);
    assert.ok(Math.min(...later) >= 300, `the line is slow: ${later}`);
    console.log(`first visit ${Math.round(first)} ms, later ${later.map(Math.round)} ms`);
  } finally {
    await context.close();
  }
});
