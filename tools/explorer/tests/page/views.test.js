// Every view in every language, colour scheme and width: accessibility, and pictures to look at.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { SHOTS, allRules, start } from './setup.js';

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

for (const scheme of ['light', 'dark']) {
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    for (const [name, path] of Object.entries(VIEWS)) {
      test(`${name} is accessible, ${scheme}, ${width} wide`, () => site.visit(path, async (page) => {
        if (path.includes('view=game')) await page.locator('.around p').first().waitFor();
        await page.screenshot({ path: `${SHOTS}/${name}-${scheme}-${width}.png` });
        const { violations, incomplete } = await allRules(page).analyze();
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 2)}`), []);
        assert.deepEqual(incomplete.filter(({ id }) => !UNDECIDED.has(id)).map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'no sideways scrolling');
      }, { width, height, scheme, allow: ['400'] }));
    }
  }
}

test('every field of the filters and the list of keys are accessible', () => site.visit('/?variant=international', async (page) => {
  await page.locator('summary', { hasText: 'Filters' }).click();
  await page.keyboard.press('Escape');
  for (const open of [() => {}, () => page.getByRole('button', { name: 'Keyboard shortcuts' }).click()]) {
    await open();
    const { violations } = await allRules(page).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 2)}`), []);
  }
}));

test('a game on paper', () => site.visit('/?view=game&g=241&ply=3', async (page) => {
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: `${SHOTS}/print.png`, fullPage: true });
}, { width: 794, height: 1123 }));

test('colours of the board have enough contrast', () => site.visit('/?variant=international&moves=32-28', async (page) => {
  const ratios = await page.evaluate(() => {
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
    const style = (selector, name = 'fill') => getComputedStyle(document.querySelector(selector))[name];
    const [white, black] = ['#white', '#black'].map((id) => ['first', 'last'].map((side) => style(`${id} stop:${side}-child`, 'stopColor')));
    return {
      number: ratio(style('.square-number'), style('.dark')),
      lastMove: ratio(style('.square-number'), style('.overlay .last')),
      white: ratio(white[0], style('.dark')),
      rim: ratio(style('.piece.white circle', 'stroke'), style('.dark')),
      middles: ratio(white[0], black[0]),
      edges: ratio(white[1], black[1]),
    };
  });
  assert.ok(ratios.number >= 4.5 && ratios.lastMove >= 4.5, JSON.stringify(ratios));
  assert.ok(ratios.white >= 3 && ratios.rim >= 3 && ratios.middles >= 7 && ratios.edges >= 7, JSON.stringify(ratios));
}));

test('the policy of the page forbids inline code and other servers', () => site.visit('/', async (page) => {
  const response = await page.request.get(site.origin + '/');
  const policy = response.headers()['content-security-policy'];
  assert.match(policy, /default-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
}));

test('every language has every text with the same values', async () => {
  const folder = new URL('../../page/lang/', import.meta.url);
  const texts = {};
  const { readFileSync } = await import('node:fs');
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
  const { readFileSync } = await import('node:fs');
  const folder = new URL('../../page/', import.meta.url);
  const stores = readdirSync(folder).filter((name) => name.endsWith('.js') && /localStorage\W|sessionStorage\./.test(readFileSync(new URL(name, folder), 'utf8')));
  assert.deepEqual(stores, ['i18n.js']);
});

test('every text that the page asks for exists', async () => {
  const { readFileSync } = await import('node:fs');
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
