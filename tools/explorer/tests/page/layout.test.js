// The look of the page: nothing is divided, cut off or pushed aside in any window, and the board is one design everywhere.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { ADVICE, KINGS, LOOKS, SHOT, TURKISH, VIEWS, layoutFaults } from './layout.js';
import { settled, square, start, waitCount } from './setup.js';

let site;
before(async () => {
  site = await start({ club: LOOKS });
});
after(() => site.stop());

const WINDOWS = [[320, 568], [360, 740], [390, 844], [568, 320], [640, 400], [768, 1024], [820, 1180], [844, 390], [1024, 768], [1180, 820], [1280, 800], [1440, 900], [1920, 1080], [2560, 1440]];
// Letters and digits as wide as those of Arial and Roboto, of Inter and Verdana, and wider than those of any usual font of pages.
const FONTS = ['DejaVu Sans Condensed', 'DejaVu Sans', 'DejaVu Serif'];

const LARGE = new Set(['games', 'white', 'draws', 'black', 'won', 'drawn', 'lost', 'plies']);
// Multiplies the numbers of games, so that the page looks as it does with a million games.
function enlarged(value) {
  if (Array.isArray(value)) return value.map(enlarged);
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, LARGE.has(key) && typeof own === 'number' ? own * 4567 : enlarged(own)]));
}

async function enlarge(page) {
  await page.route(/\/(tree|groups|stats|players|player|indexes)(\?|$)/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: enlarged(await response.json()) });
  });
}

const useFont = (page, font) => page.evaluate((font) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { font-family: '${font}' !important }`);
  document.adoptedStyleSheets = [sheet];
}, font);

const faults = (page) => page.evaluate(layoutFaults);

test('the fonts of these tests differ in width', () => site.visit('/', async (page) => {
  const widths = [];
  for (const font of FONTS) {
    await useFont(page, font);
    widths.push(await page.evaluate(() => {
      const text = document.createElement('span');
      text.textContent = '2026 Schildpad';
      document.body.append(text);
      const { width } = text.getBoundingClientRect();
      text.remove();
      return width;
    }));
  }
  assert.ok(widths[0] < widths[1] && widths[1] < widths[2], String(widths));
}));

for (const [name, path] of Object.entries(VIEWS)) {
  test(`no number is divided and no column is cut off, ${name}`, () => site.visit('/', async (page) => {
    await enlarge(page);
    await page.goto(site.origin + path);
    await settled(page);
    if (name === 'check') {
      await page.locator('textarea').fill('[White "A"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 44-11 10-14 1-1\n');
      await page.locator('form.paste button').click();
      await page.locator('.finding').first().waitFor();
    }
    if (path.includes('view=game')) await page.locator('.around p').first().waitFor();
    const all = [];
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height });
      for (const font of FONTS) {
        await useFont(page, font);
        all.push(...(await faults(page)).map((fault) => `${width}x${height}, ${font}: ${fault}`));
      }
    }
    assert.deepEqual(all, []);
  }));
}

for (const language of ['en', 'nl', 'fr', 'ru', 'pl']) {
  test(`the menu is whole and in one line in every window, ${language}`, () => site.visit('/', async (page) => {
    await page.evaluate((language) => localStorage.setItem('language', language), language);
    await page.goto(site.origin + VIEWS.openings);
    await settled(page);
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height });
      for (const font of FONTS) {
        await useFont(page, font);
        const tops = await page.evaluate(() => new Set([...document.querySelectorAll('nav a')].map((link) => Math.round(link.getBoundingClientRect().top))).size);
        assert.equal(tops, 1, `the menu has one line, ${width}x${height}, ${font}`);
        assert.deepEqual(await faults(page), [], `${width}x${height}, ${font}`);
        const lines = await page.evaluate(() => new Set([...document.querySelectorAll('.brand, nav, .tools')].map((part) => Math.round(part.getBoundingClientRect().bottom / 20))).size);
        if (width >= 820 && font !== 'DejaVu Serif') assert.equal(lines, 1, `the header has one line, ${width}x${height}, ${font}`);
      }
    }
  }));
}

test('the moves in a message are not divided', () => site.visit('/', async (page) => {
  await page.evaluate(() => localStorage.setItem('language', 'fr'));
  await page.goto(site.origin + '/?variant=international&moves=19-23');
  await page.locator('.notice', { hasText: '31-26' }).waitFor();
  for (let width = 300; width < 600; width += 15) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await faults(page), [], `${width}`);
  }
}, { allow: ['400'] }));

for (const language of ['nl', 'fr', 'ru', 'pl']) {
  test(`no number is divided and no column is cut off, ${language}`, () => site.visit('/', async (page) => {
    await page.evaluate((language) => localStorage.setItem('language', language), language);
    for (const view of ['search', 'groups', 'players', 'event', 'archive', 'game']) {
      await page.goto(site.origin + VIEWS[view]);
      await settled(page);
      const all = [];
      for (const [width, height] of [[320, 568], [390, 844], [844, 390], [1024, 768], [1440, 900]]) {
        await page.setViewportSize({ width, height });
        for (const font of FONTS.slice(0, 2)) {
          await useFont(page, font);
          all.push(...(await faults(page)).map((fault) => `${view}, ${width}x${height}, ${font}: ${fault}`));
        }
      }
      assert.deepEqual(all, []);
    }
  }));
}

for (const language of ['en', 'nl', 'fr', 'ru', 'pl']) {
  test(`the buttons of the board are in one line, ${language}`, () => site.visit('/', async (page) => {
    await page.evaluate((language) => localStorage.setItem('language', language), language);
    for (const path of [`/?view=game&g=${KINGS}&ply=30`, VIEWS.openings]) {
      await page.goto(site.origin + path);
      await settled(page);
      for (const [width, height] of [[320, 568], [360, 740], [390, 844], [768, 1024]]) {
        await page.setViewportSize({ width, height });
        for (const font of FONTS) {
          await useFont(page, font);
          const lines = await page.evaluate(() => new Set([...document.querySelectorAll('.controls:not(.extras) button')].map((button) => Math.round(button.getBoundingClientRect().top))).size);
          assert.equal(lines, 1, `${path}, ${width}x${height}, ${font}`);
        }
      }
    }
  }));
}

for (const [name, path] of Object.entries({ openings: VIEWS.openings, game: VIEWS.game, search: '/?view=search&variant=international&pattern=w:28' })) {
  test(`the board is as large as the window allows, ${name}`, () => site.visit(path, async (page) => {
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height });
      const box = await page.locator('.board').boundingBox();
      const where = `${width}x${height}: ${box.width}x${box.height}`;
      assert.ok(Math.abs(box.width - box.height) < 1, where);
      assert.ok(box.height <= height, `${where}: all of it is seen at once`);
      // Four lines of moves stand below the board of a game.
      if (width < 600 && width < height) assert.ok(box.width >= Math.min(width - 1, height - (name === 'game' ? 310 : 260)), `${where}: as wide as a phone`);
      // In two columns the board is as high as the window less header and controls, unless the moves need the width.
      else if (width > height) assert.ok(box.width >= Math.min(height - (name === 'openings' ? 215 : 265), 0.37 * width), where);
    }
  }));
}

for (const [width, height] of [[390, 844], [1280, 800]]) {
  for (const [name, path] of Object.entries(VIEWS)) {
    test(`nothing is pushed aside while the page loads, ${name}, ${width} wide`, () => site.visit('/?view=check', async (page) => {
      // Answers come one after the other, so that each is drawn alone.
      await page.route('**/api/v1/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await route.continue();
      });
      await page.addInitScript(() => {
        window.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shifted += entry.value))).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(site.origin + path);
      await settled(page);
      if (path.includes('view=game')) await page.locator('.around p').first().waitFor();
      await page.waitForTimeout(300);
      const shifted = await page.evaluate(() => window.shifted);
      assert.ok(shifted < 0.05, `${shifted}`);
    }, { width, height }));
  }
}

test('on a phone the first moves are on the screen', () => site.visit('/?variant=international', async (page) => {
  for (const row of [0, 1, 2]) {
    const box = await page.locator('table.moves tbody tr').nth(row).boundingBox();
    assert.ok(box.y + box.height <= 844, `row ${row} ends at ${box.y + box.height}`);
  }
}, { width: 390, height: 844 }));

test('on a phone the line of moves takes room once it has moves, and pushes nothing aside when the answer comes', () => site.visit('/?variant=international', async (page) => {
  const places = () => page.evaluate(() => [document.querySelector('.controls').getBoundingClientRect().bottom, document.querySelector('.panel').getBoundingClientRect().top]);
  const [controls, panel] = await places();
  assert.ok(panel - controls < 16, `${panel - controls} between controls and panel`);
  await page.locator('table.moves button').first().evaluate((button) => button.click());
  const [, moved] = await places();
  await settled(page);
  await page.locator('.line .move').first().waitFor();
  assert.deepEqual(await places(), [controls, moved]);
  assert.ok(moved > panel);
}, { width: 390, height: 844 }));

// The transforms that the man of a move passes and the time that it takes, once it slides.
const slide = (page) => page.evaluate(async () => {
  for (let n = 0; n < 200; n++) {
    const [animation] = document.getAnimations().filter(({ effect }) => effect.target?.closest('.board') && effect.getKeyframes()[0].transform);
    if (animation) return { passes: animation.effect.getKeyframes().map(({ transform }) => transform), duration: animation.effect.getTiming().duration };
    await new Promise(requestAnimationFrame);
  }
  return null;
});
// Stops animations and their clock as soon as they begin, so that the test sees them however slow the machine is.
const holdAnimations = (page) => page.evaluate(() => {
  performance.now = () => 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...words) {
    const animation = animate.apply(this, words);
    animation.pause();
    return animation;
  };
});

test('a man slides along its capture, and the captured men stay until it is there', () => site.visit('/?variant=international&fen=W:W28:B22,12,1', async (page) => {
  await holdAnimations(page);
  await page.locator('table, .notice').first().waitFor();
  await square(page, '28').click();
  await square(page, '8').click();
  assert.deepEqual(await slide(page), { passes: ['translate(4.5px, 5.5px)', 'translate(2.5px, 3.5px)', 'translate(4.5px, 1.5px)'], duration: 225 });
  assert.equal(await page.locator('.piece').count(), 4);
  // The answer of the server may begin an animation once more.
  await page.waitForFunction(() => {
    document.getAnimations().forEach((animation) => animation.finish());
    return document.querySelectorAll('.piece').length === 2;
  });
  // And back again.
  await settled(page);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  assert.deepEqual((await slide(page)).passes, ['translate(4.5px, 1.5px)', 'translate(2.5px, 3.5px)', 'translate(4.5px, 5.5px)']);
}));

test('the men of a game slide, along all squares of a capture', () => site.visit(`/?view=game&g=${SHOT}&ply=0`, async (page) => {
  await holdAnimations(page);
  await page.keyboard.press('ArrowRight');
  assert.equal((await slide(page)).passes.length, 3);
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await slide(page), { passes: ['translate(1.5px, 0.5px)', 'translate(0.5px, 1.5px)'], duration: 150 });
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.getAnimations().every(({ effect }) => !effect.target?.closest('.board')));
}));

test('nothing slides where motion is unwanted', () => site.visit('/?variant=international&moves=32-28+19-23', async (page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await holdAnimations(page);
  await page.locator('table.moves button', { hasText: '28x19' }).click();
  await settled(page);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  assert.equal(await page.locator('.board .piece').count(), 39);
}));

test('a man slides in many frames', () => site.visit('/?view=game&g=1&ply=0', async (page) => {
  // The best of several moves: the machine may be busy with other things.
  const tries = [];
  for (let n = 0; n < 5; n++) {
    const frames = page.evaluate(async () => {
      const times = [];
      const places = new Set();
      for (let n = 0; n < 200 && (times.length < 2 || document.querySelector('.board').getAnimations({ subtree: true }).length); n++) {
        const time = await new Promise(requestAnimationFrame);
        const [slide] = document.querySelector('.board').getAnimations({ subtree: true });
        if (!slide) continue;
        times.push(time);
        places.add(getComputedStyle(slide.effect.target).transform);
      }
      const between = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
      return { places: places.size, median: between[between.length >> 1] };
    });
    await page.keyboard.press('ArrowRight');
    tries.push(await frames);
    await settled(page);
  }
  assert.ok(tries.some(({ places, median }) => places >= 4 && median < 34), `places, and milliseconds between frames: ${JSON.stringify(tries)}`);
}));

test('turning the board keeps the place, also in a variation', () => site.visit('/?view=game&g=241&ply=0', async (page) => {
  await page.locator('.variation .move', { hasText: '37-32' }).click();
  for (const turn of [() => page.keyboard.press('f'), () => page.getByRole('button', { name: 'Turn the board' }).click()]) {
    await turn();
    await settled(page);
    assert.equal(await page.locator('.move[aria-current]').textContent(), '37-32');
  }
  // A move of the main line is chosen even if the address names it already.
  await page.locator('.movetext > .ply .move').first().click();
  await page.locator('.variation .move', { hasText: '37-32' }).click();
  await page.locator('.movetext > .ply .move').first().click();
  assert.equal(await page.locator('.move[aria-current]').textContent(), '32-28');
}));

test('a game that plays by itself writes its place to the address', () => site.visit('/?view=game&g=1&ply=0', async (page) => {
  await page.keyboard.press('Space');
  await page.waitForURL(/ply=2/);
  await page.keyboard.press('f');
  await page.waitForURL(/ply=3/);
  await page.keyboard.press('Space');
  await page.reload();
  await settled(page);
  assert.notEqual(await page.locator('.turn').getAttribute('data-ply'), '0');
}));

test('players stand above and below the board and turn with it', () => site.visit(`/?view=game&g=${ADVICE}&ply=0`, async (page) => {
  const names = () => page.locator('.strip .player').allTextContents();
  assert.deepEqual(await names(), ['Ndjofang, Jean Marc', 'Schildpadje, Anneke van der 1740']);
  assert.equal(await page.locator('.strip.to-move').textContent(), 'Schildpadje, Anneke van der 1740');
  await page.keyboard.press('f');
  await settled(page);
  assert.deepEqual(await names(), ['Schildpadje, Anneke van der 1740', 'Ndjofang, Jean Marc']);
}));

test('the moves of a game stand in two columns', () => site.visit('/?view=game&g=1', async (page) => {
  const at = await page.locator('.movetext > .ply').evaluateAll((plies) => plies.slice(0, 4).map((ply) => [ply.getBoundingClientRect().x, ply.getBoundingClientRect().y]));
  assert.ok(at[0][0] === at[2][0] && at[1][0] === at[3][0] && at[0][0] < at[1][0], JSON.stringify(at));
  assert.ok(at[0][1] === at[1][1] && at[2][1] > at[0][1], JSON.stringify(at));
}));

const [DARK, MARKED, FRAME] = [[181, 136, 99], [217, 189, 85], [92, 64, 51]];

test('the board of the page, its drawing and the picture of the server are one design', () => site.visit('/?view=game&g=1&ply=3', async (page) => {
  const lines = (svg) => svg.replace(/<title>.*?<\/title>/, '').replaceAll('\n', '');
  const moves = await page.locator('.movetext .move').allTextContents();
  for (const [flip, numbers] of [[false, true], [true, true], [false, false]]) {
    if (!numbers) await page.evaluate(() => localStorage.setItem('numbers', 'off'));
    await page.goto(`${site.origin}/?variant=international&moves=${moves.slice(0, 3).join('+')}${flip ? '&flip=1' : ''}`);
    await settled(page);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a drawing' }).click()]);
    const own = readFileSync(await saved.path(), 'utf8');
    const served = await (await page.request.get(`${site.origin}/api/v1/club/games/1.svg?ply=3&flip=${flip}&numbers=${numbers}`)).text();
    assert.equal(lines(own), lines(served));
    assert.equal(await page.locator('.square-number').first().isVisible(), numbers);
  }
  // Men stand in the middle of their squares.
  const middles = (name) => page.locator(name).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]));
  const squares = await middles('[data-square]');
  for (const [x, y] of await middles('.board .piece')) assert.ok(squares.some((at) => Math.hypot(x - at[0], y - at[1]) < 1), `${x}, ${y}`);
}));

test('boards with letters and of all squares are drawn as the server draws them', () => site.visit('/', async (page) => {
  for (const [number, variant, moves] of [[243, 'russian', 'c3-d4'], [TURKISH, 'turkish', 'a3-a4']]) {
    await page.goto(`${site.origin}/?variant=${variant}&moves=${moves}`);
    await settled(page);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a drawing' }).click()]);
    const served = await (await page.request.get(`${site.origin}/api/v1/club/games/${number}.svg?ply=1&numbers=true`)).text();
    assert.equal(readFileSync(await saved.path(), 'utf8').split('</defs>')[1].replaceAll('\n', ''), served.split('</defs>')[1].replaceAll('\n', ''));
  }
}));

test('the picture that is saved has the last move, frame and numbers', () => site.visit('/?variant=international&moves=32-28', async (page) => {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a picture' }).click()]);
  const pixels = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const at = (x, y) => [...context.getImageData(1.5 * (28 + x * 60), 1.5 * (28 + y * 60), 1, 1).data].slice(0, 3);
    const corner = context.getImageData(1.5 * 88, 1.5 * 28, 22, 16).data;
    let ink = 0;
    for (let n = 0; n < corner.length; n += 4) ink += corner[n] < 100;
    return { frame: at(5, -0.2), last: at(3.5, 6.5), dark: at(0.5, 5.5), white: at(0.5, 9.5), ink };
  }, [...readFileSync(await saved.path())]);
  assert.deepEqual([pixels.frame, pixels.last, pixels.dark], [FRAME, MARKED, DARK]);
  assert.ok(pixels.white.every((part) => part > 200), JSON.stringify(pixels));
  assert.ok(pixels.ink > 5, 'the number of square 1');
}));

test('coordinates are dark on every square', () => site.visit('/?variant=turkish', async (page) => {
  const contrast = await page.evaluate(() => {
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [edge, ground] = ['.edge', '.dark'].map((name) => luminance(getComputedStyle(document.querySelector(name)).fill));
    return (ground + 0.05) / (edge + 0.05);
  });
  assert.ok(contrast > 7, `${contrast}`);
}));

// Touches the first of some points, goes to the others, and lets go at the last one.
async function touch(client, points) {
  for (const [place, point] of points.entries()) await client.send('Input.dispatchTouchEvent', { type: place ? 'touchMove' : 'touchStart', touchPoints: [point] });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a swipe on the board scrolls the page, and a man is still dragged', async () => {
  // In a game, from a man that cannot move: one that can is dragged as soon as its moves are known.
  const swipes = { game: `/?view=game&g=${ADVICE}&ply=0`, openings: '/?variant=international', sideways: '/?variant=international' };
  for (const [name, path] of Object.entries(swipes)) {
    await site.visit(path, async (page) => {
      const client = await page.context().newCDPSession(page);
      const box = await square(page, name === 'game' ? '43' : '23').boundingBox();
      await touch(client, [0, 20, 40, 60, 80, 100].map((up) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 - up })));
      await page.waitForFunction(() => scrollY > 50);
    }, name === 'sideways' ? { width: 480, height: 320 } : { width: 390, height: 600 });
  }
  await site.visit('/?variant=international', async (page) => {
    const client = await page.context().newCDPSession(page);
    const [a, b] = [await square(page, '32').boundingBox(), await square(page, '28').boundingBox()];
    const at = (part) => ({ x: a.x + a.width / 2 + part * (b.x - a.x), y: a.y + a.height / 2 + part * (b.y - a.y) });
    await touch(client, [0, 0.3, 0.6, 1].map(at));
    await waitCount(page, '123 games');
  }, { width: 390, height: 600 });
});

test('a cross table is printed with all its columns', () => site.visit(VIEWS.event, async (page) => {
  await page.emulateMedia({ media: 'print' });
  const boxes = await page.locator('table.cross tbody tr').first().locator('th, td').evaluateAll((cells) => cells.map((cell) => [cell.className, cell.getBoundingClientRect().right]));
  assert.ok(boxes.every(([, right]) => right <= 718), JSON.stringify(boxes));
  assert.equal(await page.locator('.table-box').first().evaluate((box) => getComputedStyle(box).overflowX), 'visible');
  assert.equal(await page.locator('.dot.black').first().evaluate((dot) => getComputedStyle(dot).printColorAdjust), 'exact');
}, { width: 718, height: 1047 }));

test('the current move is printed like the others', () => site.visit('/?view=game&g=241&ply=3', async (page) => {
  await page.emulateMedia({ media: 'print' });
  const colours = (name) => page.locator(name).first().evaluate((move) => [getComputedStyle(move).color, getComputedStyle(move).backgroundColor]);
  assert.deepEqual(await colours('.move[aria-current]'), await colours('.movetext .move:not([aria-current])'));
}));

test('the points of a cross table stand beside the names, which stay in place', () => site.visit(VIEWS.event, async (page) => {
  const row = page.locator('table.cross tbody tr').first();
  const points = await row.locator('td.points').boundingBox();
  assert.ok(points.x + points.width <= 390, JSON.stringify(points));
  const name = () => row.locator('th').boundingBox();
  await page.locator('.table-box').first().evaluate((box) => (box.scrollLeft = 150));
  assert.ok((await name()).x >= 0 && (await name()).x < 60, JSON.stringify(await name()));
}, { width: 390, height: 844 }));

test('the current view and the chosen paint are marked with forced colours', () => site.visit(VIEWS.search, async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const outline = (name) => page.locator(name).first().evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(await outline('nav a[aria-current]'), 'solid');
  assert.equal(await outline('nav a:not([aria-current])'), 'none');
  assert.equal(await outline('.paint:has(:checked)'), 'solid');
  assert.equal(await outline('.paint:not(:has(:checked))'), 'none');
}));

test('the chart of years has a scale, and a year leads to its games', () => site.visit('/?view=overview', async (page) => {
  assert.ok((await page.locator('.chart .count-at').count()) >= 2);
  const years = await page.locator('.chart .year-at').allTextContents();
  assert.ok(years.length >= 2 && years.every((year) => /^(19|20)\d\d$/.test(year)), String(years));
  await page.locator('.chart g', { hasText: '1995: ' }).click();
  await page.waitForURL(/view=search&date=1995/);
  await waitCount(page, /^\d+ games$/);
}));

test('names of usual length are read in the table of a search, and every row has one line', () => site.visit(VIEWS.search + '&player=ndjofang', async (page) => {
  for (const [width, height] of [[1024, 768], [1280, 800], [1440, 900], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    const cell = page.locator('table.results tbody td', { hasText: 'Ndjofang, Jean Marc' }).first();
    assert.ok(await cell.evaluate((cell) => cell.scrollWidth <= cell.clientWidth), `${width}`);
    const heights = await page.locator('table.results tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(Math.max(...heights) < 32, `${width}: ${heights}`);
  }
}));

test('in the page of another site the moves stand in two columns and follow the board', () => site.visit(`/embed.html?g=${KINGS}&ply=1`, async (page) => {
  const box = (n) => page.locator('.movetext .move').nth(n).boundingBox();
  for (const [at, places] of [[0, [0, 1]], [20, [20, 21]]]) {
    if (at) for (let n = 0; n < 20; n++) await page.keyboard.press('ArrowRight');
    const [white, black] = [await box(places[0]), await box(places[1])];
    assert.ok(Math.abs(white.y - black.y) < 2 && white.x + white.width <= black.x, `${JSON.stringify([white, black])}: White's move stands left of Black's`);
  }
  const list = await page.locator('.movetext').boundingBox();
  const move = await page.locator('.move[aria-current]').boundingBox();
  assert.ok(move.y >= list.y && move.y + move.height <= list.y + list.height + 1 && list.y + list.height <= 640, JSON.stringify([move, list]));
}, { width: 420, height: 640 }));

for (const [width, height] of [[360, 640], [390, 844], [740, 360]]) {
  test(`board, controls and four lines of moves are on the screen, and the moves follow, ${width}x${height}`, () => site.visit(`/?view=game&g=${KINGS}&ply=30`, async (page) => {
    await page.locator('.around p').first().waitFor();
    const box = async (selector) => page.locator(selector).first().boundingBox();
    const list = await box('.movetext');
    const move = await box('.movetext .move[aria-current]');
    const board = await box('.board');
    const forward = await page.getByRole('button', { name: 'Forward', exact: true }).boundingBox();
    for (const part of [board, list, forward]) assert.ok(part.y >= 0 && part.y + part.height <= height, JSON.stringify(part));
    assert.ok(move.y >= list.y && move.y + move.height <= list.y + list.height, JSON.stringify([move, list]));
    const tops = await page.locator('.movetext .ply:not(.second)').evaluateAll((plies) => plies.slice(0, 5).map((ply) => ply.getBoundingClientRect().top));
    assert.ok(list.height >= tops[4] - tops[0], `${list.height}: four lines`);
    assert.ok(forward.height >= 44 && forward.width >= 64, JSON.stringify(forward));
    assert.equal(await page.evaluate(() => scrollY), 0);
  }, { width, height }));
}

test('on a phone a result has the whole names, in two lines', () => site.visit('/?view=search&variant=international&player=ndjofang', async (page) => {
  const row = page.locator('table.results tbody tr').first();
  await row.waitFor();
  const cut = await row.locator('td').evaluateAll((cells) => cells.filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent));
  assert.deepEqual(cut, []);
  const [white, black, score] = await Promise.all([0, 1, 2].map((n) => row.locator('td').nth(n).boundingBox()));
  assert.ok(black.y >= white.y + white.height - 1 && Math.abs(score.y - white.y) < 8 && score.x > white.x, JSON.stringify([white, black, score]));
}, { width: 360, height: 640 }));
