// What the server says, in the languages of the page; the check of files; the board for other sites.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync, readdirSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ARCHIVE } from './archive.js';
import { SHOTS, allRules, copiedBy, settled, start } from './setup.js';

const LANGUAGES = ['en', 'nl', 'fr', 'ru', 'pl'];
const DAMAGED = '[Event "A"]\n[Date "2003-5-1"]\n[GameType "20"]\n\n1. 32-28 19-24 2. 44-11 *\n';
// One slip in the fourth move; with 41-37 the game goes on.
const SLIP = '[Event "A"]\n[Date "2003.05.01"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 *\n\n';

let [site, folder] = [];
before(async () => {
  site = await start();
  folder = mkdtempSync(join(tmpdir(), 'pdn-messages-'));
});
after(async () => {
  await site.stop();
  rmSync(folder, { recursive: true });
});

const read = (path) => readFileSync(new URL('../../page/' + path, import.meta.url), 'utf8');
const load = async (path) => (await import('data:text/javascript,' + encodeURIComponent(read(path)))).default;
const speak = (page, language) => page.evaluate((language) => localStorage.setItem('language', language), language);

// Checks a file with these bytes, and returns what is saved.
async function check(page, name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  await page.locator('#file').setInputFiles(path);
  await page.locator('h2', { hasText: name }).waitFor();
}

async function saved(page) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('.notice.good button').click()]);
  return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
}

test('numbers have the forms of their language', async () => {
  for (const [language, expected] of Object.entries({
    en: ['1 game', '2 games', '5 games', '21 games', '1,234 games'], nl: ['1 partij', '2 partijen', '5 partijen', '21 partijen', '1.234 partijen'],
    fr: ['1 partie', '2 parties', '5 parties', '21 parties', '1 234 parties'], ru: ['1 партия', '2 партии', '5 партий', '21 партия', '1 234 партии'],
    pl: ['1 partia', '2 partie', '5 partii', '21 partii', '1234 partie'],
  })) {
    await site.visit('/', async (page) => {
      await speak(page, language);
      await page.reload();
      await settled(page);
      const texts = await page.evaluate(async () => {
        const { t } = await import(document.querySelector('script[src*=i18n]').src);
        return [1, 2, 5, 21, 1234].map((games) => t('manyGames', { games }).replace(/[\u00a0\u202f]/g, ' '));
      });
      assert.deepEqual(texts, expected);
    });
  }
});

test('every choice has as many forms as its language', async () => {
  for (const language of LANGUAGES) {
    const forms = { ru: 3, pl: 3 }[language] ?? 2;
    for (const [key, text] of Object.entries(await load(`lang/${language}.js`))) {
      for (const [choice, name, all] of text.matchAll(/\{(\w+):([^}]*)\}/g)) {
        assert.equal(all.split('|').length, forms, `${language} ${key}: ${choice}`);
        assert.ok(name, key);
      }
    }
  }
});

test('a damaged game says in each language why it stops', async () => {
  const reasons = { en: 'the piece cannot go there', nl: 'het stuk kan daar niet komen', fr: 'la pièce ne peut pas y aller', ru: 'шашка не может туда пойти', pl: 'bierka nie może tam stanąć' };
  for (const [language, reason] of Object.entries(reasons)) {
    await site.visit('/', async (page) => {
      await speak(page, language);
      await page.goto(site.origin + '/?view=game&g=242');
      await settled(page);
      assert.match(await page.locator('.notice.bad').first().textContent(), new RegExp(`44-11.*${reason} \\(R001\\)`));
    });
  }
});

test('findings and refused queries are told in the language of the page alone', async () => {
  await site.visit('/?view=check', async (page) => {
    await speak(page, 'nl');
    await page.reload();
    await settled(page);
    await check(page, 'damaged.pdn', DAMAGED);
    const finding = page.locator('.finding', { hasText: 'R001' });
    assert.match(await finding.locator('h3').textContent(), /onreglementaire zet: het stuk kan daar niet komen/);
    assert.equal(await page.locator('.findings > p').first().textContent(), '1 bevinding in 1 partij');
    const notice = page.locator('.notice.bad');
    for (const [query, text] of [['white wiersma', /Verwacht: `:`, `=`, `~` of `to move`\. Gevonden: `wiersma`\./], ['wk=1 and', /Hier hoort een voorwaarde, .*Gevonden: het einde\./]]) {
      await page.goto(site.origin + '/?' + new URLSearchParams({ view: 'search', query }));
      await settled(page);
      assert.match(await notice.textContent(), text);
      assert.equal(await notice.locator('[lang=en]').count(), 0);
    }
    await page.goto(site.origin + '/?view=search&query=date+soon');
    await settled(page);
    assert.match(await notice.textContent(), /Verwacht, bijvoorbeeld: `1999`, .* of `1999\.12\.31`\. Gevonden: `soon`\./);
    assert.equal(await notice.locator('[lang=en]').count(), 0);
    assert.equal(await notice.locator('mark').textContent(), 'soon');
  }, { allow: ['400'] });
});

// Requests that are refused: the address, its code or status, its reason, and the values that every language shows.
const REFUSED = [
  ['club/find?query=date+soon', 'invalid_value', 'expected_such', ['`1999`', '`soon`']],
  ['club/find?query=white+wiersma', 'invalid_value', 'expected', ['`to move`', '`wiersma`']],
  ['club/find?query=wk=1+and', 'invalid_value', 'condition', []],
  ['club/find?query=rating+99999', 'invalid_value', 'number_range', [/65\D?535/]],
  ['club/find?query=plies+9..3', 'invalid_value', 'smaller_first', []],
  ['club/find?pattern=w/b', 'invalid_value', 'rows_of_board', [/\b2\b/]],
  ['club/find?variant=international&pattern=wwwww/wwwww/wwwww/wwwww/...../..../bbbbb/bbbbb/bbbbb/bbbbb', 'invalid_value', 'squares_in_row', ['5', '4']],
  ['club/find?pattern=♛.../..../..../..../..../..../..../....', 'invalid_value', 'no_colours', []],
  ['club/find?pattern=46 47 48 49 50', 'invalid_value', 'expected_examples', ['`w`']],
  ['club/find?query=played+"32"', 'invalid_value', 'expected_examples', ['27-22', '..']],
  ['club/find?query=move+from+32+passed', 'invalid_value', 'not_passed', ['`move from 32`']],
  ['club/find?query=line+"32-28"+shifted', 'invalid_value', 'not_shifted', ['32-28']],
  ['club/find?query=wk=1+shifted', 'invalid_value', 'nothing_to_shift', ['`shifted`']],
  ['club/find?query=tag+Result+:+win+flipped', 'invalid_value', 'not_flipped', ['Result']],
  ['club/find?query=wk=1+and+wk=2', 'invalid_value', 'contradicts', ['`wk=1`']],
  ['club/find?fen=W', 'invalid_value', 'fen', []],
  ['club/find?query=@nothing', 'invalid_value', 'no_definition', ['`nothing`']],
  ['club/find?define=lead', 'invalid_value', 'definition', []],
  ['club/find?define=lead=last%0Alead=last', 'invalid_value', 'defined_already', ['`lead`']],
  ['club/find?define=area+nest', 'invalid_value', 'area_definition', ['`32,37,38`']],
  ['club/find?define=area+left=32', 'invalid_value', 'area_taken', ['`left`']],
  [`club/find?define=area+nest=${'1,'.repeat(144)}1`, 'invalid_value', 'long_area', ['144']],
  ['club/find?date=1/2/1990', 'invalid_value', 'year_first', ['`1/2/1990`', '`1990.02.01`', '`1990.01.02`']],
  ['club/find?min_rating=many', 'invalid_value', 'whole_number_to', [/65\D?535/]],
  ['club/find?sort=colour', 'invalid_value', 'one_of', ['date']],
  ['club/find?white=%3F', 'invalid_value', 'empty_name', []],
  ['club/find?fen=W:WX', 'invalid_value', 'fen', []],
  ['club/find?pattern=w73', 'invalid_value', 'expected_examples', ['`c3`']],
  ['club/find?limit=5000', 'invalid_value', 'whole_number_to', [/1\D?000/]],
  ['club/find?colour=1', 'invalid_value', 'no_parameter', []],
  ['club/tree?variant=international&moves=32-29', 'invalid_value', 'illegal_move', ['`32-29`', '32-28']],
  ['club/tree?variant=international&moves=19-23', 'invalid_value', 'illegal_move', ['`19-23`', '31-26']],
  ['club/event?name=Club&tie_breaks=luck', 'invalid_value', 'one_of', ['sonneborn-berger']],
  ['club/find?query=ply+3&ply=5', 'contradiction', 'contradiction', ['`ply 3`', '`ply 5`']],
  ['club/groups?by=move&query=aside+move', 'contradiction', 'main_lines', ['`move`']],
  ['club/player', 'missing', 'missing', []],
  ['club/find?pattern=w28', 'ambiguous_squares', 'ambiguous_squares', ['w28', 'international', 'russian']],
  ['club/player?name=nobody', 'no_match', 'no_match', []],
  ['club/player?name=Berg+Lote', 'no_match', 'no_match', ['`Berg, Lotte`']],
  ['club/player?name=berg&date=1890', 'no_match', 'no_match_part', ['1890']],
  ['club/games/1?ply=99', 'no_match', 'no_ply', ['10']],
  ['club/games/1?line=9', 'no_match', 'no_variation', []],
  ['club/tree?variant=turkish', 'not_found', 'no_game_of_variant', ['`turkish`']],
  ['club/games/9999', 404, 'no_game', [/9\D?999/, '245']],
  ['club/nothing', 404, 'no_address', []],
  ['none/find', 404, 'no_index', []],
  [`club/find?query=${'a'.repeat(9000)}`, 414, 'long_address', [/8\D?192/]],
  ['gone/games/1', 'archive_changed', 'archive_gone', []],
];

test('refused requests are told in every language with their values, and nothing in English', async () => {
  const own = await start({ club: ARCHIVE, gone: ARCHIVE });
  rmSync(join(own.folder, 'gone.pdn'));
  const english = {};
  try {
    for (const language of LANGUAGES) {
      await own.visit('/', async (page) => {
        await speak(page, language);
        await page.reload();
        await settled(page);
        const told = await page.evaluate(async (addresses) => {
          const { get } = await import(document.querySelector('link[href*=parts]').href);
          return Promise.all(addresses.map((address) => get(address).then(() => ({}), ({ message, english, code, status }) => ({ message, english, code, status }))));
        }, REFUSED.map(([address]) => address));
        for (const [place, [address, kind, reason, values]] of REFUSED.entries()) {
          const { message, english: rest, code, status } = told[place];
          const what = `${language} ${address.slice(0, 60)}: ${message}`;
          assert.ok([code, status].includes(kind), `${what} ${code} ${status}`);
          assert.equal(rest, undefined, what);
          for (const value of values) assert.ok(value instanceof RegExp ? value.test(message) : message.includes(value), `${what} has ${value}`);
          assert.doesNotMatch(message, /\{|undefined|\[object/, what);
          if (language === 'en') english[reason + place] = message;
          else assert.notEqual(message, english[reason + place], what);
        }
      }, { allow: ['40', '41'] });
    }
    for (const [address, , reason] of REFUSED) {
      const problem = await (await fetch(`${own.origin}/api/v1/${address}`)).json();
      assert.equal(problem.reason, reason, address);
    }
  } finally {
    await own.stop();
  }
});

// The reasons with the names of their values, as the sources give them. Those of imports are for programs alone. A fault of the server without
// a reason of its own has its code.
function reasons() {
  const found = new Map(['unreadable', 'unwritable', 'exists', 'bad_index', 'internal'].map((code) => [code, new Set()]));
  const add = (reason, names) => found.set(reason, new Set([...(found.get(reason) ?? names)].filter((name) => names.includes(name))));
  for (const folder of ['src', 'crates/app/src', 'crates/index/src', 'tools/explorer/src', 'tools/explorer/module/src']) {
    const root = new URL('../../../../' + folder + '/', import.meta.url);
    for (const file of readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.rs') && !name.includes('import'))) {
      const source = readFileSync(new URL(file, root), 'utf8').split('#[cfg(test)]')[0].replace(/^ *\/\/.*$/gm, '');
      for (const { index } of source.matchAll(/message!\(\s*"/g)) {
        // Up to the bracket that closes it, without the texts in it.
        const [, reason] = /"(\w+)"/.exec(source.slice(index));
        const code = source.slice(index).replace(/"(?:[^"\\]|\\[^])*"/g, '');
        let depth = 0;
        const end = [...code].findIndex((sign) => (depth += sign === '(' ? 1 : sign === ')' ? -1 : 0) === 0 && sign === ')');
        add(reason, [...code.slice(0, end).matchAll(/(\w+) = /g)].map(([, name]) => name));
      }
      for (const [, reason] of source.matchAll(/refused\("(\w+)"/g)) add(reason, []);
    }
  }
  return found;
}

test('every reason has a sentence in every language, with values that it has', async () => {
  const known = reasons();
  assert.ok(known.size > 50, `${known.size}`);
  for (const language of LANGUAGES.slice(1)) {
    const texts = (await load(`messages/${language}.js`)).reasons;
    assert.deepEqual(Object.keys(texts).sort(), [...known.keys()].sort(), language);
    for (const [reason, text] of Object.entries(texts)) {
      for (const [, name] of text.matchAll(/\{(\w+)\}/g)) assert.ok(known.get(reason).has(name), `${language} ${reason}: ${name}`);
    }
  }
});

test('a name that does not exist leads to the nearest ones, in every language', () => site.visit('/', async (page) => {
  for (const [language, question] of [['en', 'Is Berg, Lotte meant?'], ['pl', 'Czy chodzi o Berg, Lotte?']]) {
    await speak(page, language);
    await page.goto(site.origin + '/?view=players&p=Berg,+Lote');
    await settled(page);
    assert.ok((await page.locator('.notice').textContent()).includes(question));
    await page.locator('.notice').getByRole('link', { name: 'Berg, Lotte' }).click();
    await page.locator('h1', { hasText: 'Berg, Lotte' }).waitFor();
  }
}, { allow: ['404'] }));

test('names of openings and motifs are marked as English or Russian', () => site.visit('/', async (page) => {
  await speak(page, 'pl');
  await page.goto(site.origin + '/?variant=international&moves=32-28+19-23');
  await settled(page);
  assert.equal(await page.locator('#opening [lang=en]').textContent(), 'Symmetrical Variation');
  await page.goto(site.origin + '/?variant=russian');
  await page.locator('.discover [lang=ru]', { hasText: 'Городская партия' }).first().waitFor();
}));

test('a packed file is shown with its lines and saved unpacked', () => site.visit('/?view=check', async (page) => {
  await check(page, 'games.pdn.gz', gzipSync(DAMAGED));
  assert.equal(await page.locator('.finding mark').first().textContent(), '44-11');
  const [name, text] = await saved(page);
  assert.equal(name, 'games-repaired.pdn');
  assert.match(text, /\[Date "2003\.05\.01"\]/);
}));

test('a Cyrillic file of Windows is shown and saved in its letters', () => site.visit('/?view=check', async (page) => {
  const cyrillic = 'Иванов Пётр и Кузнецов Михаил';
  const bytes = (text) => Buffer.from([...text].map((letter) => {
    const code = letter.codePointAt(0);
    return code < 128 ? code : letter === 'ё' ? 0xb8 : code - 0x410 + 0xc0;
  }));
  await check(page, 'old.pdn', bytes(`[White "${cyrillic}"]\n[Date "2003-5-1"]\n[GameType "25"]\n\n1. c3-d4 {${cyrillic}} f6-f4 *\n`));
  assert.match(await page.locator('.finding', { hasText: 'R001' }).locator('pre').textContent(), new RegExp(cyrillic));
  await page.getByText('The file is in windows-1251').waitFor();
  const [, text] = await saved(page);
  assert.match(text, new RegExp(`White "${cyrillic}"\\]\n\\[Date "2003.05.01"`));
}));

test('a text that is no game, and one without anything, are named', () => site.visit('/?view=check', async (page) => {
  for (const [text, message] of [['hello, this is not a game', 'the text is no PDN'], [' ', 'the text is empty']]) {
    await page.getByLabel('or paste a text').fill(text);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: message }).waitFor();
    assert.equal(await page.locator('.notice.good').count(), 0);
  }
}, { allow: ['400'] }));

test('repairs are shown as a diff, and those that change a game are chosen one by one', () => site.visit('/?view=check', async (page) => {
  await check(page, 'two.pdn', SLIP + SLIP + '[Date "2003-5-1"]\n[GameType "20"]\n\n1. 32-28 *\n');
  await page.locator('summary', { hasText: 'Show the changes' }).click();
  assert.equal(await page.locator('.diff del').textContent(), '-[Date "2003-5-1"]');
  assert.equal(await page.locator('.diff ins').textContent(), '+[Date "2003.05.01"]');
  const offers = page.getByRole('checkbox');
  assert.equal(await offers.count(), 2);
  await page.screenshot({ path: `${SHOTS}/check-offers.png`, fullPage: true });
  const { violations } = await allRules(page).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 2)}`), []);
  await offers.nth(1).focus();
  await page.locator('.findings').evaluate((box) => (box.was = true));
  await page.keyboard.press('Space');
  await page.locator('.diff ins', { hasText: '41-37' }).waitFor();
  await page.getByText('2 repairs, with those that you chose').waitFor();
  assert.ok(await offers.nth(1).isChecked() && !(await offers.nth(0).isChecked()));
  assert.equal(await page.evaluate(() => document.activeElement.value), '2.R001.' + (await offers.nth(1).inputValue()).split('.')[2], 'the choice keeps the focus');
  assert.ok(await page.locator('.findings').evaluate((box) => box.was), 'what stays keeps its nodes');
  const [, text] = await saved(page);
  assert.deepEqual([text.match(/41-73/g)?.length, text.match(/41-37/g)?.length], [1, 1]);
}));

test('a file whose form alone is repaired has no mistake', () => site.visit('/?view=check', async (page) => {
  await check(page, 'form.pdn', '[Event "a"]\n[Date "2003-5-1"]\n[GameType "20"]\n\n1. 32-28 19-23 *\n');
  await page.getByText('No game has a mistake.').waitFor();
  await page.getByText('1 repair changes how the games are written').waitFor();
}));

test('a game stands in the page of another site', async () => {
  const other = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Other</title><iframe src="${site.origin}/embed?g=241&ply=2" width="420" height="700"></iframe><iframe src="${site.origin}/?view=game&g=241"></iframe>`);
  });
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  const page = await site.browser.newPage();
  try {
    await page.goto(`http://localhost:${other.address().port}/`);
    const board = page.frameLocator('iframe').first();
    await board.locator('.move[aria-current]', { hasText: '19-23' }).waitFor();
    await board.getByRole('button', { name: 'Forward', exact: true }).click();
    await board.locator('.move[aria-current]', { hasText: '28x19' }).waitFor();
    assert.equal(await board.getByRole('link', { name: 'Open in the archive' }).getAttribute('target'), '_blank');
    await page.screenshot({ path: `${SHOTS}/embed.png` });
    // The page itself does not: a foreign page could place it under its own buttons.
    assert.equal(await page.frameLocator('iframe').nth(1).locator('header').count(), 0);
  } finally {
    await page.close();
    other.close();
  }
});

test('the board for other sites is accessible', () => site.visit('/embed?g=241', async (page) => {
  await page.locator('.movetext').waitFor();
  const { violations } = await allRules(page).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 2)}`), []);
}));

test('the code for a website shows the game', () => site.visit('/?view=game&g=241&ply=3', async (page) => {
  const code = await copiedBy(page, () => page.getByRole('button', { name: 'Copy code for a website' }).click());
  const address = /src="([^"]*)"/.exec(code)[1];
  assert.match(address.slice(site.origin.length), /^\/embed\.html\?g=241\.[a-z2-9]{6}&ply=3/);
  await page.goto(address);
  await page.locator('.move[aria-current]', { hasText: '28x19' }).waitFor();
}));

test('the first load asks for few files, all at once, and for no list of indexes', () => site.visit('/', async (page) => {
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name, startTime, responseStatus }) => [new URL(name).pathname, startTime, responseStatus]));
  assert.ok(!loaded.some(([path]) => path.endsWith('/api/v1/indexes')), 'the page has the indexes');
  const modules = loaded.filter(([path]) => path.endsWith('.js'));
  assert.deepEqual(modules.map(([path]) => path.replace(/^\/page-[0-9a-f]{16}\//, '')).sort(), ['app.js', 'i18n.js', 'lang/en.js', 'parts.js', 'site.js']);
}));

test('files of the page are packed, and kept for ever; the page itself is asked for each time', () => site.visit('/', async (page) => {
  const html = await page.request.get(site.origin);
  assert.equal(html.headers()['cache-control'], 'no-cache');
  const address = await page.evaluate(() => document.querySelector('link[href*=parts]').href);
  const headers = (await page.request.get(address)).headers();
  assert.deepEqual([headers['content-encoding'], headers['cache-control'], headers.vary], ['gzip', 'public, max-age=31536000, immutable', 'accept-encoding']);
  const plain = await page.request.get(address, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers()['content-encoding'], undefined);
  assert.ok((await plain.text()).startsWith('import{'));
  // A page of an earlier program gets what there is now, and keeps nothing.
  const earlier = await page.request.get(address.replace(/page-[0-9a-f]+/, 'page-0'));
  assert.deepEqual([earlier.status(), earlier.headers()['cache-control']], [200, 'no-cache']);
  assert.equal((await page.request.get(`${site.origin}/parts.js`)).status(), 404);
}));

test('a second visit asks for the page and its data alone', () => site.visit('/', async (page) => {
  const asked = [];
  page.on('response', (response) => !response.fromServiceWorker() && asked.push(response));
  await page.goto(site.origin + '/?variant=russian');
  await settled(page);
  const sizes = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/page-')).map(({ transferSize }) => transferSize));
  assert.ok(sizes.length >= 5 && sizes.every((size) => size === 0), `bytes sent: ${sizes}`);
}));
