// Every view in every language, colour scheme and width: accessibility, and pictures to look at.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { SHOTS, allRules, copiedBy, settled, start } from './setup.js';

let site;
before(async () => {
  site = await start();
});
after(() => site.stop());

const VIEWS = {
  openings: '/?variant=international&moves=32-28+19-23',
  search: '/?view=search&variant=international&pattern=w:28+b:23+!x:14&player=anker',
  groups: '/?view=search&player=anker&by=player',
  error: '/?view=search&query=w-b+%3E+and',
  setup: '/?view=search&mode=setup&setup=W:W32,K28:B19,K1&variant=international',
  letters: '/?variant=russian&moves=c3-d4',
  king: '/?variant=international&fen=W:WK48:B42,43,32,22,33,24,13&flip=1',
  game: '/?view=game&g=241&ply=3',
  damaged: '/?view=game&g=242',
  players: '/?view=players',
  player: '/?view=players&p=Berg,+Lotte',
  archive: '/?view=overview',
  event: '/?view=event&e=Club+evening+2',
  check: '/?view=check',
};
// Axe cannot see through the buttons over the picture of the board, whose colours `colours of the board` compares.
const UNDECIDED = new Set(['color-contrast']);

for (const [width, height] of [[1280, 800], [390, 844]]) {
  for (const [name, path] of Object.entries(VIEWS)) {
    test(`${name} is accessible, ${width} wide`, () => site.visit(path, async (page) => {
      if (path.includes('view=game')) await page.locator('.around p').first().waitFor();
      for (const scheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.screenshot({ path: `${SHOTS}/${name}-${scheme}-${width}.png` });
        // The schemes differ in colours alone.
        const rules = scheme === 'light' ? allRules(page) : new AxeBuilder({ page }).withRules('color-contrast');
        const { violations, incomplete } = await rules.analyze();
        assert.deepEqual(violations.map(({ id, nodes }) => `${scheme}, ${id}: ${nodes.map((node) => node.html).slice(0, 2)}`), []);
        assert.deepEqual(incomplete.filter(({ id }) => !UNDECIDED.has(id)).map(({ id, nodes }) => `${scheme}, ${id}: ${nodes[0].html}`), []);
      }
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'no sideways scrolling');
    }, { width, height, allow: ['400'] }));
  }
}

test('every field of the filters and the list of keys are accessible', () => site.visit('/?variant=international', async (page) => {
  await page.locator('summary', { hasText: 'Filters' }).click();
  await page.keyboard.press('Escape');
  for (const dialog of [null, 'Keyboard shortcuts', 'Look of the page']) {
    if (dialog) await page.getByRole('button', { name: dialog }).click();
    const { violations } = await allRules(page).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 2)}`), []);
    if (dialog) await page.getByRole('button', { name: 'Close' }).click();
  }
}));

test('a game on paper', () => site.visit('/?view=game&g=241&ply=3', async (page) => {
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: `${SHOTS}/print.png`, fullPage: true });
}, { width: 794, height: 1123 }));

for (const board of ['wood', 'green', 'blue', 'print', 'contrast']) for (const men of ['shaded', 'flat', 'rimmed']) test(`colours of the board have enough contrast, ${board}, ${men}`, () => site.visit('/?variant=international&moves=32-28', async (page) => {
  const ratios = await page.evaluate((look) => {
    Object.assign(document.documentElement.dataset, look);
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
    const style = (selector, name = 'fill') => getComputedStyle(document.querySelector(selector))[name];
    const fill = (colour) => style(`.piece.${colour} circle:not(.shade)`);
    const [white, black] = ['white', 'black'].map((colour) => (fill(colour).startsWith('url') ? ['first', 'last'].map((side) => style(`#${colour} stop:${side}-child`, 'stopColor')) : [fill(colour), fill(colour)]));
    return {
      number: ratio(style('.square-number'), style('.dark')),
      lastMove: ratio(style('.square-number'), style('.overlay .last')),
      white: ratio(white[0], style('.dark')),
      rims: ['white', 'black'].map((colour) => ratio(style(`.piece.${colour} circle:not(.shade)`, 'stroke'), style('.dark'))),
      coordinate: ratio(style('.square-number'), style('.light')),
      middles: ratio(white[0], black[0]),
      edges: ratio(white[1], black[1]),
    };
  }, { board, men });
  assert.ok(ratios.number >= 4.5 && ratios.lastMove >= 4.5 && ratios.coordinate >= 4.5, JSON.stringify(ratios));
  // On the light grey of a diagram on paper the rim alone tells a white man from its square.
  assert.ok((ratios.white >= 3 || ratios.rims[0] >= 7) && Math.min(...ratios.rims) >= 3 && ratios.middles >= 7 && ratios.edges >= 7, JSON.stringify(ratios));
}));

test('board and men are chosen, kept, and taken into pictures and the pages of other sites', () => site.visit('/?variant=international', async (page) => {
  const darkOf = () => page.locator('.board .dark').first().evaluate((cell) => getComputedStyle(cell).fill);
  const wood = await darkOf();
  await page.getByRole('button', { name: 'Look of the page' }).click();
  const dialog = page.getByRole('dialog');
  // Each choice shows its own colours.
  const samples = await dialog.locator('[data-board] .dark').evaluateAll((cells) => new Set(cells.map((cell) => getComputedStyle(cell).fill)).size);
  assert.equal(samples, 5);
  await dialog.getByLabel('green').check();
  await dialog.getByLabel('flat').check();
  await dialog.getByLabel('hidden').check();
  await page.keyboard.press('Escape');
  const green = await darkOf();
  assert.notEqual(green, wood);
  await page.reload();
  await settled(page);
  assert.equal(await darkOf(), green);
  assert.ok(!(await page.locator('.square-number').first().isVisible()));
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a drawing' }).click()]);
  const svg = readFileSync(await saved.path(), 'utf8');
  const hex = '#' + green.match(/\d+/g).map((part) => Number(part).toString(16).padStart(2, '0')).join('');
  assert.ok(svg.includes(`fill="${hex}"`) && !svg.includes('var(') && !svg.includes('url(#white)" stroke="#2b2725" stroke-width="1.6"'), svg.slice(0, 900));
  assert.ok(!/>50<\/text>/.test(svg), 'numbers are hidden in pictures, too');
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a picture' }).click()]);
  const pixel = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(1.5 * (28 + 30), 1.5 * (28 + 5 * 60 + 30), 1, 1).data].slice(0, 3);
  }, [...readFileSync(await picture.path())]);
  assert.equal(`rgb(${pixel.join(', ')})`, green);
  await page.goto(`${site.origin}/?view=game&g=1&ply=1`);
  await settled(page);
  const code = await copiedBy(page, () => page.getByRole('button', { name: 'Copy code for a website' }).click());
  assert.match(code, /&board=green&men=flat&numbers=off/);
  await page.evaluate(() => localStorage.clear());
  await page.goto(/src="([^"]+)"/.exec(code)[1]);
  await settled(page);
  assert.equal(await darkOf(), green);
  // A word that names no board is left out.
  await page.goto(`${site.origin}/embed.html?g=1&board=%22%5D`);
  await settled(page);
  assert.equal(await darkOf(), wood);
}));

for (const [width, height, least] of [[320, 568, 10], [1440, 900, 10], [2560, 1440, 11]]) {
  test(`numbers of squares are read, and are no headings, ${width} wide`, () => site.visit('/?variant=international', async (page) => {
    for (const variant of ['international', 'russian']) {
      await page.goto(`${site.origin}/?variant=${variant}`);
      await settled(page);
      const pixels = await page.locator('.board').evaluate((board) => {
        const text = [...board.querySelectorAll('.square-number, .edge')].find((text) => text.checkVisibility());
        const unit = board.querySelector('.dark').getBoundingClientRect().width;
        return parseFloat(getComputedStyle(text).fontSize) * unit;
      });
      assert.ok(pixels >= least - 1 && pixels <= 14.01, `${variant}: ${pixels}`);
    }
  }, { width, height }));
}

test('the rim of a bar and of a man of either side is seen on its card in both colours', async () => {
  for (const scheme of ['light', 'dark']) await site.visit('/?view=game&g=1&ply=1', async (page) => {
    await page.locator('.around .bar').first().waitFor();
    const found = await page.evaluate(() => {
      const luminance = (colour) => {
        const [r, g, b] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const card = luminance(getComputedStyle(document.querySelector('.panel')).backgroundColor);
      return ['.around .bar', '.panel .dot.white', '.panel .dot.black'].map((name) => {
        const style = getComputedStyle(document.querySelector(name));
        const rim = luminance(style.borderTopColor);
        return [name, (Math.max(rim, card) + 0.05) / (Math.min(rim, card) + 0.05), style.backgroundImage];
      });
    });
    for (const [name, contrast, filling] of found) {
      assert.ok(contrast >= 3, `${scheme}, ${name}: ${contrast}`);
      assert.ok(name.includes('bar') || filling.includes('gradient'), `${scheme}, ${name}: ${filling}`);
    }
  }, { scheme });
});

test('the policy of the page forbids inline code and other servers', () => site.visit('/', async (page) => {
  const response = await page.request.get(site.origin + '/');
  const policy = response.headers()['content-security-policy'];
  assert.match(policy, /default-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
}));

test('every language has every text with the same values', async () => {
  const folder = new URL('../../page/lang/', import.meta.url);
  const texts = {};
  for (const file of readdirSync(folder)) {
    const source = readFileSync(new URL(file, folder), 'utf8');
    texts[file] = (await import('data:text/javascript,' + encodeURIComponent(source))).default;
  }
  assert.equal(Object.keys(texts).length, 5);
  const english = texts['en.js'];
  const values = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [file, own] of Object.entries(texts)) {
    assert.deepEqual(Object.keys(own).sort(), Object.keys(english).sort(), file);
    for (const key of Object.keys(english)) assert.deepEqual(values(own[key]), values(english[key]), `${file}: ${key}`);
  }
});

test('the browser stores things through one guard', async () => {
  const folder = new URL('../../page/', import.meta.url);
  const stores = readdirSync(folder).filter((name) => name.endsWith('.js') && /localStorage\W|sessionStorage\./.test(readFileSync(new URL(name, folder), 'utf8')));
  assert.deepEqual(stores, ['i18n.js']);
});

test('every text that the page asks for exists', async () => {
  const folder = new URL('../../page/', import.meta.url);
  const english = (await import('data:text/javascript,' + encodeURIComponent(readFileSync(new URL('lang/en.js', folder), 'utf8')))).default;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    const source = readFileSync(new URL(file, folder), 'utf8');
    for (const [, key] of source.matchAll(/\bt\('(\w+)'[,)]/g)) assert.ok(key in english, `${file}: ${key}`);
  }
});

test('the picture of the guide', () => site.visit('/?variant=international&moves=32-28', async (page) => {
  await page.screenshot({ path: `${SHOTS}/explorer.png` });
}, { width: 1180, height: 760 }));

for (const [name, path] of Object.entries(VIEWS)) {
  test(`text has three sizes, ${name}`, () => site.visit(path, async (page) => {
    const sizes = await page.evaluate(() => {
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = new Map();
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const { parentElement } = node;
        if (node.data.trim() && parentElement.checkVisibility() && !parentElement.closest('svg, .hidden, .grid')) found.set(getComputedStyle(parentElement).fontSize, `${parentElement.outerHTML.slice(0, 80)}`);
      }
      return [...found];
    });
    assert.deepEqual(sizes.filter(([size]) => !['13px', '15px', '20px'].includes(size)), []);
  }, { allow: ['400'] }));
}

test('rows of tables are dense with a mouse, and wide enough for a finger', async () => {
  const heights = async (page, path, row) => {
    await page.goto(site.origin + path);
    await settled(page);
    return page.locator(row).evaluateAll((rows) => rows.slice(0, 8).map((row) => row.getBoundingClientRect().height));
  };
  const tables = [['/?variant=international', 'table.moves tbody tr'], ['/?view=players', 'table.plain tbody tr'], ['/?view=search&variant=international', 'table.results tbody tr']];
  await site.visit('/', async (page) => {
    for (const [path, row] of tables) for (const height of await heights(page, path, row)) assert.ok(height >= 24 && height <= 31, `${path}: ${height}`);
  }, { width: 1440, height: 900 });
  await site.visit('/', async (page) => {
    for (const [path, row] of tables) for (const height of await heights(page, path, row)) assert.ok(height >= 32, `${path}: ${height}`);
    // Back and Forward are for the thumb, in the openings, too.
    for (const path of ['/?variant=international&moves=32-28', '/?view=game&g=1&ply=1', '/embed.html?g=1&ply=1']) {
      await page.goto(site.origin + path);
      await settled(page);
      for (const name of ['Back', 'Forward']) {
        const box = await page.getByRole('button', { name, exact: true }).boundingBox();
        assert.ok(box.width >= 44 && box.height >= 44, `${path}, ${name}: ${JSON.stringify(box)}`);
      }
    }
  }, { width: 360, height: 740 });
});

test('the page of a player has the name as its heading, with the results of both colours', () => site.visit('/?view=players&p=Berg,+Lotte', async (page) => {
  assert.deepEqual(await page.locator('h1').allTextContents(), ['Berg, Lotte']);
  const text = await page.locator('.page-wide').textContent();
  const number = (of) => Number(new RegExp(of + '(\\d+) games').exec(text)[1]);
  assert.equal(number('White: ') + number('Black: '), number(''));
  assert.match(text, /Rating \d{4}/);
  await page.getByRole('link', { name: 'All players' }).click();
  await page.locator('h1', { hasText: 'Players' }).waitFor();
}));
