// How the views behave: names, results and the way back, clocks, a lost connection, and the first visit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ARCHIVE } from './archive.js';
import { label, line, settled, square, start, waitCount } from './setup.js';

const game = (tags, moves, result = '1-1') => `${Object.entries({ ...tags, Result: result }).map(([name, value]) => `[${name} "${value}"]`).join('\n')}\n\n${moves} ${result}\n`;
const SHORT = '1. 32-28 19-23 2. 28x19 14x23';
const MORE = [
  // A player of another variant than most games, and his opponent.
  game({ Event: 'Letters open', Site: 'Minsk', Date: '2001.02.03', Round: '1', White: 'Borghetti, Michele', Black: 'Alpha, A.', GameType: '25' }, '1. c3-d4 d6-c5 2. b2-c3 f6-g5', '2-0'),
  game({ Event: 'Letters open', Site: 'Minsk', Date: '2001.02.04', Round: '2', White: 'Beta, B.', Black: 'Borghetti, Michele', GameType: '25' }, '1. c3-b4 b6-a5', '2-0'),
  // Clocks of both sides after each move, a clock of the mover, marks of squares, and annotations.
  game({ Event: 'Clocks', Site: 'https://example.org/game', White: 'Clock, A.', Black: 'Clock, B.', GameType: '20' }, '1. 32-28 $14 {[%clock W1:16:53 b1:20:30]} 19-23 {[%clk 0:59:58] [%csl Gd4] a plan} 2. 28x19 {[%cal Ra1b2]} 14x23'),
  // An event of more players than a cross table has, in two rounds.
  ...Array.from({ length: 44 }, (_, n) => game({ Event: 'Great open', Site: 'Utrecht', Date: `2004.07.${n < 22 ? '01' : '09'}`, Round: n < 22 ? '1' : '2', White: `Open ${n % 22}, P.`, Black: `Guest ${n % 22}, P.`, GameType: '20' }, SHORT, n % 3 ? '1-1' : '2-0')),
  ...Array.from({ length: 40 }, (_, n) => game({ Event: `Match ${n}`, White: 'Schothuis, W.', Black: 'Eik, Sam', GameType: '20' }, SHORT, '0-2')),
  // Nobody is known, and more games that begin elsewhere.
  ...Array.from({ length: 20 }, () => game({ White: '?', Black: '?', GameType: '20' }, '1. 33-29 17-22')),
  // A man that takes four.
  game({ White: 'Four, A.', Black: 'Four, B.', GameType: '20', SetUp: '1', FEN: 'W:W43:B39,29,19,10' }, '1. 43x5', '2-0'),
  // A match with half points.
  ...['1/2-1/2', '1-0', '1/2-1/2'].map((result, n) => game({ Event: 'Halves', Date: `1950.01.0${n + 1}`, White: 'Half, A.', Black: 'Half, B.', GameType: '21' }, '1. 11-15 23-19', result)),
  // One player, whose family name stands first or last.
  ...['Litov, Elena', 'Litov, Elena', 'Elena Litov'].map((White) => game({ White, Black: 'Famous, F.', GameType: '20' }, '1. 33-29 17-22')),
  game({ White: 'Known, K.', Black: 'Famous, F.', WhiteRating: '2400', BlackRating: '2390', GameType: '20' }, '1. 33-29 17-22'),
].join('\n');

let site;
before(async () => {
  site = await start({ club: ARCHIVE + '\n' + MORE, other: ARCHIVE });
});
after(() => site.stop());

const story = (name, path, steps, options) => test(name, () => site.visit(path, steps, options));
const api = async (page, path) => (await page.request.get(`${site.origin}/api/v1/club/${path}`)).json();
const toast = (page, text) => page.locator('#toast:not([hidden])', { hasText: text }).waitFor();
const slowly = (page, pattern, time) => page.route(pattern, async (route) => {
  await new Promise((resolve) => setTimeout(resolve, time));
  await route.continue().catch(() => {});
});

story('opponents are counted from the side of the player', '/?view=players&p=Schothuis,+W.', async (page) => {
  const region = page.getByRole('region', { name: 'Score against opponents' });
  const row = region.locator('tbody tr', { hasText: 'Eik, Sam' });
  assert.deepEqual([await row.locator('.won').textContent(), await row.locator('.lost').textContent()], ['0', '40']);
});

story('the openings of a player are those of the variant that was played', '/?view=players&p=Borghetti,+Michele', async (page) => {
  await page.getByRole('link', { name: 'Openings with White' }).click();
  await waitCount(page, '1 game');
  assert.equal(await page.locator('#variant').inputValue(), 'russian');
  assert.equal(await page.locator('[data-square]').count(), 32);
});

story('a player has results by the name of the opening, each of which leads to its games', '/?view=players&p=Borghetti,+Michele', async (page) => {
  const named = (colour) => page.getByRole('region', { name: `Openings with ${colour} · Openings by name` }).locator('tbody tr');
  await named('White').first().waitFor();
  assert.deepEqual(await named('Black').locator('th').allTextContents(), []);
  assert.deepEqual(await named('White').locator('th').allTextContents(), ['Городская партия']);
  assert.equal(await page.locator('td, th', { hasText: 'Городская партия' }).count(), 2, 'its moves have the name as well');
  await named('White').getByRole('link').click();
  await page.locator('table.results tbody tr').first().waitFor();
  assert.equal(await page.locator('table.results tbody tr').count(), 1);
});

story('a filter alone shows the variant of its games, and others are named', '/?player=borghetti', async (page) => {
  await waitCount(page, '2 games');
  assert.equal(await page.locator('#variant').inputValue(), 'russian');
  await page.goto(site.origin + '/?variant=international&player=borghetti');
  await page.getByText('In other variants:').getByRole('link', { name: 'Russian' }).click();
  await waitCount(page, '2 games');
});

story('names take the room that they need, and events the rest; dates that no game has take none', '/?view=search', async (page) => {
  const shown = () => page.evaluate(() => [...document.querySelectorAll('table.results th')].filter((head) => head.checkVisibility()).map((head) => head.className));
  const cut = () => page.evaluate(() => [...document.querySelectorAll('table.results td:is(.white, .black, .event)')].filter((cell) => cell.scrollWidth > cell.clientWidth).length);
  await page.setViewportSize({ width: 1920, height: 1080 });
  assert.deepEqual(await shown(), ['white', 'black', 'result', 'rating', 'event', 'date', 'length']);
  assert.equal(await cut(), 0);
  const undated = async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, games: answer.games.map((game) => ({ ...game, date: null, date_text: '' })) } });
  };
  await page.route(/\/find\?/, undated);
  await page.reload();
  await settled(page);
  assert.deepEqual(await shown(), ['white', 'black', 'result', 'rating', 'event', 'length']);
  // The order of dates is seen even so.
  await page.goto(page.url() + '&sort=date');
  await settled(page);
  assert.ok((await shown()).includes('date'));
});

story('games of known players with high ratings come first in a search', '/?view=search', async (page) => {
  await page.locator('table.results tbody tr').first().waitFor();
  const rows = await page.locator('table.results tbody tr').evaluateAll((rows) => rows.slice(0, 60).map((row) => [row.cells[0].textContent, row.cells[1].textContent, row.querySelector('.rating').textContent]));
  const sums = rows.map(([, , ratings]) => ratings.split(' / ').reduce((sum, rating) => sum + (Number(rating) || 0), 0));
  assert.ok(sums[0] > 4000, `${rows[0]}`);
  assert.deepEqual(sums, [...sums].sort((a, b) => b - a));
  assert.ok(rows.every(([white, black]) => white !== '?' && black !== '?'));
  await page.setViewportSize({ width: 1700, height: 900 });
  assert.equal(await page.locator('th.rating').isVisible(), true);
  // Where games are played through, those that are found first are shown first.
  await page.getByLabel('Query', { exact: true }).first().fill('move takes >= 1');
  const [request] = await Promise.all([page.waitForRequest((request) => request.url().includes('/find') && request.url().includes('takes')), page.getByRole('button', { name: 'Find', exact: true }).click()]);
  assert.ok(!request.url().includes('sort='), request.url());
});

story('spellings of a player are one row, with their number', '/?view=players&name=Litov', async (page) => {
  const row = page.getByRole('row', { name: /Litov/ });
  assert.match(await row.textContent(), /Litov, Elena \(2 spellings\)/);
  await row.getByRole('link').click();
  await page.getByRole('link', { name: 'Openings with White' }).click();
  await waitCount(page, '3 games');
});

story('beginnings of words find players', '/?view=players', async (page) => {
  await page.getByLabel('Name').fill('Schot');
  await waitCount(page, '1 player');
  assert.equal((await api(page, 'players?name=mich%20bor')).total, 1);
});

story('names are suggested while one types in a filter', '/?view=search', async (page) => {
  await page.locator('summary', { hasText: 'Filters' }).click();
  for (const [field, typed, name] of [['Player', 'borgh', 'Borghetti, Michele'], ['White', 'schot', 'Schothuis, W.'], ['Black', 'lot', 'Berg, Lotte'], ['Event', 'great', 'Great open']]) {
    await page.getByLabel(field, { exact: true }).pressSequentially(typed);
    await page.locator(`#filter-${field.toLowerCase()}-names option[value="${name}"]`).waitFor({ state: 'attached' });
    await page.getByLabel(field, { exact: true }).fill('');
  }
});

story('a name that finds nothing offers the names whose words begin so', '/?view=search&player=w+scho', async (page) => {
  await page.locator('.notice').getByRole('link', { name: 'Schothuis, W.' }).click();
  await waitCount(page, '40 games');
  assert.equal(await page.locator('.chip b').textContent(), 'Schothuis, W.', 'no sign of the notation');
});

story('a query that is no condition is offered as a name', '/?view=search', async (page) => {
  await page.getByLabel('Query', { exact: true }).first().fill('schothuis');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Search for the name “schothuis”' }).click();
  await waitCount(page, '40 games');
  assert.equal(new URL(page.url()).searchParams.get('player'), 'schothuis');
}, { allow: ['400'] });

const CLOCKS = '/?view=game&g=248&ply=2';
story('clocks stand beside the moves, commands of programs are hidden, and annotations are signs', CLOCKS, async (page) => {
  await page.locator('h1', { hasText: 'Clock, A.' }).waitFor();
  assert.deepEqual(await page.locator('.movetext .clock').allTextContents(), ['1:16:53', '59:58']);
  assert.deepEqual(await page.locator('.comment').allTextContents(), ['a plan ']);
  assert.equal(await page.locator('.movetext .move').first().textContent(), '32-28 ⩲');
  assert.deepEqual(await page.locator('.strip .clock').allTextContents(), ['Clock 59:58', 'Clock 1:16:53']);
});

story('all games of a position are one click away', '/?variant=international&moves=32-28', async (page) => {
  const count = await page.locator('#count').textContent();
  await page.locator('#all-games').click();
  await waitCount(page, count);
  await page.waitForURL(/view=search/);
  assert.match(await label(page, '28'), /white man/);
});

story('games are searched by the position that is set up, also from a FEN', '/?view=search&mode=setup&setup=W:W:B&variant=international', async (page) => {
  await waitCount(page, /games/);
  const fen = (await api(page, 'position?variant=international&moves=32-28+19-23')).fen;
  const { total } = await api(page, `find?variant=international&fen=${fen}&limit=1`);
  assert.ok(total > 1 && total < 200, `${total}`);
  await page.getByLabel('Position (FEN)').fill(fen);
  await page.keyboard.press('Enter');
  await waitCount(page, `${total} games`);
  assert.match(await label(page, '23'), /black man/);
});

story('after Back a result is as it was left', '/?view=search', async (page) => {
  const rows = page.locator('table.results tbody tr');
  while ((await rows.count()) < 250) {
    await page.mouse.wheel(0, 4000);
    await page.waitForTimeout(50);
  }
  await rows.nth(230).scrollIntoViewIfNeeded();
  const [count, y] = [await rows.count(), await page.evaluate(() => scrollY)];
  assert.ok(y > 3000, `${y}`);
  await rows.nth(230).locator('a').click();
  await page.locator('.players-line').waitFor();
  await page.goBack();
  await settled(page);
  assert.ok((await rows.count()) >= count);
  assert.ok(Math.abs((await page.evaluate(() => scrollY)) - y) < 50);
});

story('from a game of a result one goes on to the next and back', '/?view=search&player=schothuis', async (page) => {
  await waitCount(page, '40 games');
  await page.locator('table.results tbody a').nth(1).click();
  await page.locator('.walk', { hasText: '2 of 40' }).waitFor();
  const number = () => new URL(page.url()).searchParams.get('g').split('.')[0];
  const second = number();
  await page.getByRole('link', { name: 'Next game of the result' }).click();
  await page.locator('.walk', { hasText: '3 of 40' }).waitFor();
  assert.notEqual(number(), second);
  await page.getByRole('link', { name: 'Previous game of the result' }).click();
  await page.locator('.walk', { hasText: '2 of 40' }).waitFor();
  assert.equal(number(), second);
});

story('without a connection what was shown stays, and it is tried again', '/?variant=international', async (page) => {
  await page.context().setOffline(true);
  await page.locator('table.moves button', { hasText: '32-28' }).click();
  const alert = page.getByRole('alert');
  await alert.filter({ hasText: 'No connection' }).waitFor();
  assert.ok((await page.locator('table.moves tbody tr').count()) > 1);
  assert.match(await square(page, '28').getAttribute('aria-label'), /white man/, 'the board has moved');
  await page.context().setOffline(false);
  await alert.getByRole('button', { name: 'Try again' }).click({ timeout: 2000 }).catch(() => {});
  await settled(page);
  assert.deepEqual(await line(page), ['32-28']);
  assert.equal(await alert.count(), 0);
}, { allow: ['ERR_INTERNET_DISCONNECTED'] });

story('each view of the menu keeps its place', '/?variant=russian&moves=c3-d4&flip=1', async (page) => {
  const menu = (name) => page.locator('nav').first().getByRole('link', { name, exact: true });
  await menu('Players').click();
  await page.locator('table.players').waitFor();
  await page.keyboard.press('1');
  await page.waitForURL(/moves=c3-d4/);
  assert.deepEqual(await line(page), ['c3-d4']);
  assert.match(page.url(), /flip=1/);
  await menu('Openings').click();
  await page.waitForFunction(() => !location.search.includes('moves'));
});

story('names, event and site of a game lead on', CLOCKS, async (page) => {
  const site = page.getByRole('link', { name: 'https://example.org/game' });
  assert.equal(await site.getAttribute('rel'), 'noopener noreferrer');
  await page.locator('.players-line').getByRole('link', { name: 'Clock, A.' }).click();
  await page.getByRole('heading', { name: 'Clock, A.' }).waitFor();
  await page.goBack();
  await page.locator('.panel').getByRole('link', { name: 'Clocks' }).click();
  await page.getByRole('heading', { name: 'Clocks' }).waitFor();
});

story('a position of a game is shown in the openings with its moves and the side of the board', CLOCKS + '&flip=1', async (page) => {
  await page.getByRole('link', { name: 'Show this position in the openings' }).click();
  await page.locator('table.moves').waitFor();
  assert.deepEqual(await line(page), ['32-28', '19-23', '28x19', '14x23']);
  assert.equal(await page.locator('.line [aria-current]').textContent(), '19-23');
  assert.match(page.url(), /flip=1/);
});

story('all events are listed and found by the beginning of a word', '/?view=overview', async (page) => {
  await page.getByRole('link', { name: /^All \d+ events$/ }).click();
  await page.getByLabel('Name').fill('gre op');
  await page.locator('.count', { hasText: /^1 event$/ }).waitFor();
  await page.getByRole('link', { name: 'Great open' }).click();
  await page.getByRole('heading', { name: 'Great open' }).waitFor();
});

story('a large event has its place, dates, rounds, and the points after each round', '/?view=event&e=Great+open', async (page) => {
  assert.match(await page.locator('.count').first().textContent(), /Utrecht · 2004\.07\.01 – 2004\.07\.09 · International · 44 games/);
  await page.getByText('In each round: the opponent’s number').waitFor();
  assert.deepEqual(await page.locator('h3').allTextContents(), ['Round 1', 'Round 2']);
  const heads = await page.locator('table.cross thead th').allTextContents();
  assert.deepEqual(heads, ['No.', 'Player', 'Points', '1', '2', 'Games']);
  const first = await page.locator('table.cross tbody tr').first().locator('td').allTextContents();
  // The opponent's place, the colour and the points of each round, with the sum after it.
  assert.match(first[2], /^\d+[wb][012] [12]$/);
  assert.equal(Number(first[3].split(' ').at(-1)), Number(first[1]));
  await page.locator('table.cross tbody td a').first().click();
  await page.locator('.players-line').waitFor();
});

story('an event or a player that does not exist is said to be unknown', '/?view=event&e=Nowhere', async (page) => {
  await page.getByText('No event has the name Nowhere.').waitFor();
  await page.goto(site.origin + '/?view=players&p=Nobody');
  await page.getByText('No player has the name Nobody.').waitFor();
  assert.equal(await page.locator('.card').count(), 0);
}, { allow: ['404'] });

story('what was copied and what cannot be done is said where everybody sees it', '/?variant=international', async (page) => {
  await page.getByRole('button', { name: 'Copy the position (FEN)' }).click();
  await toast(page, 'Copied');
  const move = page.getByLabel('Move', { exact: true });
  await move.fill('1-50');
  await page.keyboard.press('Enter');
  await toast(page, '1-50 is not possible here');
  await square(page, '50').click();
  await toast(page, 'the piece on 50 cannot move');
  for (const [typed, played] of [['37 32', null], ['3228', '32-28'], ['19 23', '19-23']]) {
    await move.fill(typed);
    await page.keyboard.press('Enter');
    if (played) await page.waitForURL(new RegExp(played));
    else await toast(page, '37 32 is not possible here');
    await settled(page);
  }
  assert.deepEqual(await line(page), ['32-28', '19-23']);
});

story('too many games for a file are said to be so', '/?view=players', async (page) => {
  await page.route('**/find.ndjson*', (route) => route.fulfill({ contentType: 'application/x-ndjson', body: '{"total":300000,"complete":true}\n' }));
  await page.goto(site.origin + '/?view=search');
  await page.route('**/find?*', (route) => route.fulfill({ json: { total: 300000, offset: 0, games: [] } }));
  await waitCount(page, '300,000 games');
  await page.getByRole('button', { name: 'CSV' }).click();
  await toast(page, 'at most 100,000 games');
});

story('a list goes on while its end stays in view', '/?view=search', async (page) => {
  await page.evaluate(() => {
    window.toEnd = setInterval(() => scrollTo(0, document.documentElement.scrollHeight), 5);
  });
  await page.waitForFunction(() => document.querySelectorAll('table.results tbody tr').length > 340);
});

story('the board moves before the server answers, and table and position are asked for together', '/?variant=international', async (page) => {
  const asked = [];
  page.on('request', (request) => /(tree|position)\?/.test(request.url()) && asked.push(/(tree|position)\?/.exec(request.url())[1]));
  await slowly(page, /(tree|position)\?/, 1500);
  await page.locator('table.moves button', { hasText: '32-28' }).click();
  await page.waitForFunction(() => document.querySelector('[data-square="28"]').getAttribute('aria-label').startsWith('28, white man'), null, { timeout: 1000 });
  assert.deepEqual(asked.sort(), ['position', 'tree']);
  await settled(page);
});

story('on the board of a game its next move goes on, and another one is played in the openings', '/?view=game&g=1&ply=2', async (page) => {
  const choose = async (from, to) => {
    await square(page, from).click();
    await page.waitForFunction((from) => document.querySelector(`[data-square="${from}"]`).ariaLabel.includes('selected'), from);
    assert.match(await label(page, to), /possible/);
    await square(page, to).click();
  };
  await choose('28', '19');
  await page.waitForURL(/view=game.*ply=3/);
  assert.equal(await page.locator('.move[aria-current]').textContent(), '28x19');
  await choose('13', '24');
  await page.waitForURL(/view=tree/);
  assert.deepEqual(await line(page), ['32-28', '19-23', '28x19', '13x24']);
  await page.goBack();
  await page.waitForURL(/view=game.*ply=3/);
});

story('pages that do not exist say so', '/?view=constructor', async (page) => {
  await page.getByRole('heading', { name: 'There is no page constructor' }).waitFor();
  await page.goto(site.origin + '/?view=game');
  await page.getByText('This address names no game.').waitFor();
  await page.goto(site.origin + '/?db=missing');
  await page.getByRole('heading', { name: 'There is no archive missing here' }).waitFor();
  await page.locator('#main').getByRole('link', { name: 'other' }).click();
  await page.locator('table.moves').waitFor();
});

story('the hint of a typed move is one of the side to move', '/?variant=international&moves=32-28', async (page) => {
  const { moves } = await api(page, 'position?variant=international&moves=32-28');
  assert.equal(await page.getByLabel('Move', { exact: true }).getAttribute('placeholder'), moves[0].text);
  await page.locator('table.moves button').first().click();
  await settled(page);
  assert.notEqual(await page.getByLabel('Move', { exact: true }).getAttribute('placeholder'), moves[0].text);
});

story('tabs are named after what they show', CLOCKS, async (page) => {
  assert.equal(await page.title(), 'Clock, A. – Clock, B. – club');
  await page.goto(site.origin + '/?view=players&p=Schothuis,+W.');
  await settled(page);
  assert.equal(await page.title(), 'Schothuis, W. – club');
});

story('a view that is opened by a key gets the focus and is named', '/?variant=international', async (page) => {
  await page.locator('table.moves button').first().focus();
  await page.keyboard.press('3');
  await page.locator('table.players').waitFor();
  await page.locator('#live', { hasText: 'Players' }).waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
});

story('what was painted is heard, and the number of games after it', '/?view=search&variant=international', async (page) => {
  await square(page, '28').focus();
  await page.keyboard.press('Enter');
  await waitCount(page, /games/);
  assert.match(await page.locator('#live').textContent(), /28: white man/);
  await page.locator('#live', { hasText: /\d+ games/ }).waitFor({ state: 'attached' });
});

story('the variant that was chosen last is shown again', '/?variant=international', async (page) => {
  await page.getByLabel('Variant').selectOption('russian');
  await waitCount(page, /games/);
  await page.goto(site.origin + '/');
  await settled(page);
  assert.equal(await page.locator('#variant').inputValue(), 'russian');
});

story('games of known players with ratings are the first examples', '/?variant=international&moves=33-29+17-22', async (page) => {
  assert.match(await page.locator('.games-list li').first().textContent(), /Known, K\./);
  assert.equal(await page.locator('.games-list li').count(), 8);
});

story('a paint says in words what it means', '/?view=search&variant=international', async (page) => {
  await page.getByRole('radio', { name: 'no white piece' }).check({ force: true });
  await page.locator('.hint', { hasText: 'must stand: no white piece' }).waitFor();
});

story('a game plays from its end on, and has one form of its result', '/?view=game&g=247&ply=2', async (page) => {
  assert.deepEqual(await page.locator('.score, .end').allTextContents().then((texts) => texts.map((text) => text.trim())), ['1–0', '1–0']);
  await page.getByRole('button', { name: 'Play the game' }).click();
  // It begins anew, plays to the end, and stops by itself.
  await page.locator('.turn[data-ply="2"]', { hasText: 'move 1 of 1' }).waitFor();
  await page.waitForURL(/ply=2/);
  await page.getByRole('button', { name: 'Play the game' }).waitFor();
});

story('a turned board keeps the move of a variation', '/?view=game&g=241', async (page) => {
  await page.locator('.variation .move', { hasText: '37-32' }).click();
  await page.keyboard.press('f');
  await page.waitForURL(/flip=1/);
  await settled(page);
  assert.match(await label(page, '37'), /empty/);
});

story('the first page leads to shots, openings and motifs that have games, each with their number and at the move that was found', '/?variant=international', async (page) => {
  await page.locator('[data-complete]').waitFor();
  const links = page.locator('.searches a, .discover a');
  const names = [];
  assert.ok(await links.count() >= 3);
  for (let at = 0; at < await links.count(); at++) {
    const [name, games] = (await links.nth(at).textContent()).split('\u00a0');
    names.push(name);
    const query = new URLSearchParams(await links.nth(at).getAttribute('href')).get('query');
    const answer = await api(page, `find?variant=international&query=${encodeURIComponent(query)}`);
    assert.equal(Number(games), answer.total, name);
    assert.ok(answer.total > 0, name);
  }
  for (const name of ['Longest captures', 'Symmetrical Variation']) assert.ok(names.includes(name), `${name} in ${names}`);
  for (const name of ['Three kings against one', 'philips']) assert.ok(!names.includes(name), `${name} has no games`);
  const [searches, table] = [await page.locator('.searches').boundingBox(), await page.locator('table.moves').boundingBox()];
  assert.ok(searches.y < table.y, 'above the moves');
  await page.locator('.discover').getByRole('link', { name: 'Symmetrical Variation' }).click();
  await page.locator('table.results tbody a').first().click();
  await page.waitForURL(/view=game.*ply=2(&|$)/);
  await page.goBack();
  await page.goBack();
  await page.locator('.searches').getByRole('button', { name: 'A random game' }).click();
  await page.locator('.players-line').waitFor();
});

story('results are sorted by who won', '/?view=search&variant=international', async (page) => {
  const scores = () => page.locator('td.score').allTextContents();
  await page.getByRole('button', { name: 'Result', exact: true }).click();
  await page.locator('th.result[aria-sort=ascending]').waitFor();
  await settled(page);
  assert.deepEqual(await scores(), (await scores()).sort((a, b) => '1½0'.indexOf(a[0]) - '1½0'.indexOf(b[0])));
  assert.equal((await scores())[0], '1–0');
  await page.getByRole('button', { name: 'Result ▴' }).click();
  await page.locator('th.result[aria-sort=descending]').waitFor();
  await settled(page);
  assert.equal((await scores())[0], '0–1');
});

story('a browser that stores nothing shows the page, its colours and its filters', '/?variant=international', async (page) => {
  await page.addInitScript(() => {
    for (const area of ['localStorage', 'sessionStorage']) Object.defineProperty(window, area, { get() { throw new DOMException('denied', 'SecurityError'); } });
  });
  await page.reload();
  await page.locator('table.moves tbody tr').first().waitFor();
  await settled(page);
  await page.getByRole('button', { name: 'Look of the page' }).click();
  await page.getByLabel('dark', { exact: true }).check();
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('summary', { hasText: 'Filters' }).click();
  await page.locator('table.moves button', { hasText: '32-28' }).click();
  assert.deepEqual(await line(page), ['32-28']);
  await page.locator('details.filters[open]').waitFor();
});

story('a view whose module did not arrive is tried again like data', '/?variant=international', async (page) => {
  await page.context().setOffline(true);
  await page.locator('nav').first().getByRole('link', { name: 'Check', exact: true }).click();
  const alert = page.getByRole('alert');
  await alert.filter({ hasText: 'No connection' }).waitFor();
  await page.context().setOffline(false);
  await alert.getByRole('button', { name: 'Try again' }).click({ timeout: 2000 }).catch(() => {});
  await page.locator('.drop').waitFor({ timeout: 8000 });
  await settled(page);
  assert.equal(await alert.count(), 0);
}, { allow: ['ERR_INTERNET_DISCONNECTED'] });

story('a game opens at its first move, also in the page of another site', '/?view=game&g=1', async (page) => {
  assert.match(await label(page, '32'), /white man/);
  assert.equal(await page.locator('.turn').getAttribute('data-ply'), '0');
  await page.getByRole('button', { name: 'Forward', exact: true }).click();
  await page.locator('.turn[data-ply="1"]').waitFor();
  await page.goto(site.origin + '/embed.html?g=1');
  await settled(page);
  assert.equal(await page.locator('.move[aria-current]').count(), 0);
});

const pieces = (page) => page.evaluate(() => [...document.querySelectorAll('[data-square]')].filter((square) => /man|king/.test(square.ariaLabel)).length);
const boardHas = (page, count) => page.waitForFunction((count) => [...document.querySelectorAll('[data-square]')].filter((square) => /man|king/.test(square.ariaLabel)).length === count, count);
const drag = async (page, from, to) => {
  const [a, b] = [await square(page, from).boundingBox(), await square(page, to).boundingBox()];
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 5 });
  await page.mouse.up();
};

story('the position of a result is on the board while its row has the pointer or the focus, and then what was painted', '/?view=search&variant=international&pattern=w:28', async (page) => {
  await boardHas(page, 1);
  await page.locator('table.results tbody tr').first().hover();
  await page.waitForFunction(() => document.querySelectorAll('[data-square][aria-label*=man]').length > 30);
  await page.locator('#q').hover();
  await boardHas(page, 1);
  await page.locator('table.results tbody a').first().focus();
  await page.waitForFunction(() => document.querySelectorAll('[data-square][aria-label*=man]').length > 30);
  await page.locator('#q').focus();
  await boardHas(page, 1);
});

story('what others played stands beside the moves of a game, with bars, and leads to the openings', '/?view=game&g=1&ply=1', async (page) => {
  const rows = page.locator('.around table.moves tbody tr');
  await rows.first().waitFor();
  const [list, others] = [await page.locator('.movetext').boundingBox(), await rows.first().boundingBox()];
  assert.ok(others.x > list.x + 150 && others.y < list.y + list.height, 'beside the moves');
  assert.ok(await rows.count() > 1 && await rows.locator('.bar').count() === await rows.count());
  const own = rows.and(page.locator('.own'));
  assert.equal(await own.locator('a').textContent(), await page.locator('.movetext .second .move').first().textContent());
  await rows.and(page.locator(':not(.own)')).first().locator('a').click();
  await page.locator('.line .move').nth(1).waitFor();
  assert.equal((await line(page)).length, 2);
});

story('a man of a game is dragged, and the wheel turns its moves', '/?view=game&g=1', async (page) => {
  await page.locator('.around p').first().waitFor();
  const first = (await page.locator('.movetext .move').first().textContent()).split('-');
  await drag(page, first[0], first[1]);
  await page.locator('.turn[data-ply="1"]').waitFor();
  await page.locator('.board').hover();
  await page.mouse.wheel(0, 120);
  await page.locator('.turn[data-ply="2"]').waitFor();
  await page.mouse.wheel(0, -120);
  await page.locator('.turn[data-ply="1"]').waitFor();
});

story('arrows go into the variations of a move and back', '/?view=game&g=241&ply=2', async (page) => {
  const current = () => page.locator('.movetext .move[aria-current]').textContent();
  await page.locator('.movetext .move[aria-current]').waitFor();
  const main = await current();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('.variation .move[aria-current]'));
  assert.match(await current(), /18-22/);
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => !document.querySelector('.variation .move[aria-current]'));
  assert.equal(await current(), main);
});

story('n and p lead to the next game of the result and back', '/?view=search&player=duin', async (page) => {
  await page.locator('table.results tbody a').first().click();
  await page.locator('.walk a.button').waitFor();
  // The digest behind the number comes with the game.
  const first = new URL(page.url()).searchParams.get('g').split('.')[0];
  await page.keyboard.press('n');
  await page.waitForFunction((first) => new URLSearchParams(location.search).get('g').split('.')[0] !== first, first);
  await page.locator('.walk a.button').nth(1).waitFor();
  await page.keyboard.press('p');
  await page.waitForFunction((first) => new URLSearchParams(location.search).get('g').split('.')[0] === first, first);
});

story('the start position is asked for together with its games', '/?view=players', async (page) => {
  await slowly(page, '**/tree?*', 3000);
  const requests = [];
  page.on('request', (request) => requests.push(`asked ${new URL(request.url()).pathname.split('/').at(-1)}`));
  page.on('response', (response) => requests.push(`answered ${new URL(response.url()).pathname.split('/').at(-1)}`));
  await page.goto(`${site.origin}/?db=club`);
  await page.locator('table.moves').waitFor();
  const at = (event) => requests.indexOf(event);
  assert.ok(at('answered position') > at('asked position') && at('answered position') < at('answered tree'), requests.join(', '));
  assert.equal(requests.filter((event) => event === 'asked position').length, 1);
});

story('a capture that ends where it began is chosen in any order', '/?variant=international&fen=W:W32:B28,27,18,17', async (page) => {
  await square(page, '32').click();
  await square(page, '23').click();
  assert.equal((await line(page)).length, 1);
  assert.match(await label(page, '32'), /white man/);
  assert.equal(await pieces(page), 1);
});

story('a line that was taken back stays while its moves are played again', '/?variant=international&moves=32-28+19-23+28x19+14x23', async (page) => {
  await page.keyboard.press('Home');
  await settled(page);
  const play = async (move) => {
    await page.locator('table.moves button.move', { hasText: move }).first().click();
    await settled(page);
  };
  await play('32-28');
  assert.deepEqual(await line(page), ['32-28', '19-23', '28x19', '14x23']);
  assert.equal(await page.locator('.line .move[aria-current]').textContent(), '32-28');
  await page.locator('table.moves button.move:not(:text("19-23"))').first().click();
  assert.equal((await line(page)).length, 2, 'another move begins a line of its own');
});

story('squares that are clicked before an answer arrives are chosen when it does', '/?variant=international', async (page) => {
  await slowly(page, '**/position?*', 400);
  for (const name of ['32', '28', '19', '23']) await square(page, name).click();
  await page.locator('.line .move').nth(1).waitFor();
  assert.deepEqual(await line(page), ['32-28', '19-23']);
});

const dropFiles = (page, selector, files) => page.evaluate(([selector, files]) => {
  const data = new DataTransfer();
  files.forEach(([name, text]) => data.items.add(new File([text], name)));
  document.querySelector(selector).dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
}, [selector, files]);

story('several files are checked wherever they are dropped, and the result stays after Back', '/?view=check', async (page) => {
  const bad = '[White "a"]\n\n1. 32-28 19-23 2. 44-11 *\n';
  await dropFiles(page, '#header', [['one.pdn', bad], ['two.pdn', '[White "b"]\n[Result "*"]\n\n1. 32-28 *\n']]);
  await page.locator('section[aria-label="two.pdn"] .findings').waitFor();
  assert.deepEqual(await page.locator('section h2').allTextContents(), ['one.pdn', 'two.pdn']);
  await page.locator('section[aria-label="one.pdn"] .finding', { hasText: 'R001' }).waitFor();
  await page.locator('nav a').first().click();
  await settled(page);
  await page.goBack();
  await page.locator('section[aria-label="one.pdn"] .finding').first().waitFor();
  await dropFiles(page, '.drop', [['three.pdn', bad]]);
  await page.locator('section[aria-label="three.pdn"] .finding').first().waitFor();
  assert.equal(await page.locator('section h2').count(), 1);
});

story('a text that was pasted outlives a change of the language', '/?view=check', async (page) => {
  await page.locator('#text').fill('1. 32-28 *');
  await page.locator('#language').selectOption('nl');
  await page.locator('html[lang=nl][data-ready]').waitFor();
  assert.equal(await page.locator('#text').inputValue(), '1. 32-28 *');
});

story('many findings of one kind are shown behind their number', '/?view=check', async (page) => {
  await page.locator('#text').fill('[White "a"]\n[White "b"]\n[Result "*"]\n\n1. 32-28 *\n\n'.repeat(9));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.locator('.findings').waitFor();
  const folded = page.locator('.more-findings').first();
  assert.match(await folded.locator('summary').textContent(), /^8 more findings of [A-Z]\d{3}$/);
  assert.equal(await folded.locator('.finding').first().isVisible(), false);
  await folded.locator('summary').click();
  assert.equal(await folded.locator('.finding').count(), 8);
});

story('players who are not known are the last group, without a score', '/?view=search&by=player', async (page) => {
  const rows = page.locator('table.players tbody tr');
  await rows.first().waitFor();
  const last = rows.last();
  assert.equal((await last.locator('th').textContent()).trim(), 'unknown');
  assert.equal(await last.locator('td').nth(4).textContent(), '–');
  assert.ok(!(await rows.first().textContent()).includes('unknown'));
});

story('a cross table shows halves as people write them, and its last column', '/?view=event&e=Halves', async (page) => {
  const table = page.locator('table.cross').first();
  await table.waitFor();
  assert.ok((await table.locator('td a').allTextContents()).includes('½'));
  assert.ok(!(await table.textContent()).includes('0.5'));
  const fits = await page.locator('.table-box').first().evaluate((box) => box.scrollWidth <= box.clientWidth);
  assert.ok(fits, 'nothing is cut');
});

story('an event in which most never met is shown by rounds', '/?view=event&e=Great+open', async (page) => {
  await page.locator('table.cross').first().waitFor();
  assert.equal(await page.locator('table.cross').first().locator('thead th').nth(3).textContent(), '1');
  assert.equal(await page.locator('table.cross').first().locator('thead th').count(), 6);
});

test('clocks and counts stay whole on a phone beside long names', () => site.visit('/?view=game&g=1', async (page) => {
  await page.evaluate(() => {
    const strip = document.querySelector('.strip');
    const clock = Object.assign(document.createElement('span'), { className: 'clock', textContent: '1:16:53' });
    strip.querySelector('.player').lastChild.before('A name that is very long, of a player from far away, with three given names');
    strip.append(clock);
  });
  const box = await page.locator('.strip .clock').first().boundingBox();
  const size = await page.locator('.strip').first().evaluate((strip) => parseFloat(getComputedStyle(strip).fontSize));
  assert.ok(box.height < 2 * size, `the clock has ${box.height} px`);
}, { width: 360, height: 740 }));

story('a Dutch visitor begins with international draughts, whatever most games are', '/', async (page) => {
  await page.evaluate(() => localStorage.setItem('language', 'ru'));
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('#variant').inputValue(), 'russian');
  await page.evaluate(() => localStorage.setItem('language', 'nl'));
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('#variant').inputValue(), 'international');
});

story('the first click on a date shows the newest games, the second the oldest', '/?view=search', async (page) => {
  await page.locator('#sort-date').click();
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get('reverse'), 'true');
  await page.locator('#sort-date').click();
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get('reverse'), null);
  await page.locator('#sort-white').click();
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get('reverse'), null);
});

test('shares have the form of their language', () => site.visit('/?variant=international', async (page) => {
  await page.evaluate(() => localStorage.setItem('language', 'nl'));
  await page.reload();
  await settled(page);
  const shares = (await page.locator('table.moves .share').allTextContents()).map((text) => text.trim().replace(/\s/g, ' '));
  assert.ok(shares.length && shares.every((text) => /^\d+(,\d)? ?%$/.test(text)), shares.join());
}));

const seek = async (page, text) => {
  await page.keyboard.press('s');
  await page.locator('#seek').fill(text);
};

story('one field finds players, events and openings by their beginnings', '/', async (page) => {
  await page.getByRole('button', { name: 'Find anything' }).click();
  await page.locator('#seek').fill('let');
  await page.locator('.seek-list a', { hasText: 'Letters open' }).waitFor();
  await page.locator('#seek').fill('fjo');
  await page.locator('.seek-list a', { hasText: 'Fjord, Ida' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/view=players&p=Fjord/);
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await seek(page, 'symmet');
  await page.locator('.seek-list a', { hasText: 'Symmetrical Variation' }).click();
  await page.locator('table.results tbody tr').first().waitFor();
});

story('one field takes moves, positions, queries, and names that nobody has', '/?variant=international', async (page) => {
  await seek(page, '1. 32-28 19-23 2. 28x19');
  await page.keyboard.press('Enter');
  await page.waitForURL(/moves=32-28/);
  assert.deepEqual(await line(page), ['32-28', '19-23', '28x19']);
  await seek(page, 'W:W32:B28,27,18,17');
  await page.keyboard.press('Enter');
  await page.waitForURL(/fen=/);
  await settled(page);
  assert.equal(await pieces(page), 5);
  await seek(page, 'player : duin and result draw');
  await page.keyboard.press('Enter');
  await page.waitForURL(/view=search&query=/);
  await seek(page, 'qqq');
  await page.keyboard.press('Enter');
  await page.waitForURL(/player=qqq/);
  await waitCount(page, '0 games');
});

story('a misspelt condition is corrected by one click, and moves are not taken for a name', '/?view=search&query=playr+:+duin+and+result+draw', async (page) => {
  await page.locator('#meant a', { hasText: 'player' }).click();
  await page.locator('table.results tbody tr').first().waitFor();
  assert.equal(await page.locator('#q').inputValue(), 'player : duin and result draw');
  await page.locator('#q').fill('32-28');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#as-name').count(), 0);
  await page.locator('#as-moves').click();
  assert.deepEqual(await line(page), ['32-28']);
}, { allow: ['400 (Bad Request)'] });

story('the beginning of a name in a query that finds nothing leads to the name', '/?view=search&query=player+=+Fjo', async (page) => {
  await page.locator('.notice a', { hasText: 'Fjord, Ida' }).click();
  await page.waitForFunction(() => /^[1-9]/.test(document.querySelector('.count')?.textContent ?? ''));
});

for (const [name, path] of [['openings', '/?variant=international'], ['search', '/?view=search'], ['search by group', '/?view=search&by=year']]) {
  story(`a filter takes the beginning of a name where no name has it as a word: ${name}`, path, async (page) => {
    const filterBy = async (field, value) => {
      await page.locator('#filter-' + field).fill(value);
      await page.keyboard.press('Enter');
      await settled(page);
    };
    await page.locator('summary', { hasText: 'Filters' }).click();
    const found = await api(page, `${name === 'openings' ? 'tree' : 'find'}?variant=international&player=Fjord,+Ida&event=Club+evening+2`);
    const total = found.total ?? found.games;
    await filterBy('event', 'club evening 2');
    await filterBy('player', 'fjo');
    await waitCount(page, `${total} games`);
    assert.deepEqual(await page.locator('.chip b').allTextContents(), ['fjo*', 'club evening 2']);
    assert.equal(new URL(page.url()).searchParams.get('player'), 'fjo*');
    // Words stand in any order, as before, and a name that nobody has finds nothing.
    await filterBy('player', 'ida fjord');
    await waitCount(page, `${total} games`);
    assert.equal(await page.locator('.chip b').first().textContent(), 'ida fjord');
    await filterBy('player', '');
    await filterBy('event', 'club eve');
    assert.equal(await page.locator('.chip b').textContent(), 'club eve*');
    await filterBy('player', 'qqq');
    await waitCount(page, '0 games');
    assert.equal(await page.locator('.chip b').first().textContent(), 'qqq*');
  });
}

story('the query stands once in the search', '/?view=search&query=player+:+duin', async (page) => {
  await page.locator('table.results tbody tr').first().waitFor();
  assert.equal(await page.locator('.chip').count(), 0);
  assert.equal(await page.locator('#filter-query').count(), 0);
});

story('a position is set up from the start position, and counted among others where no game has it alone', '/?view=search&variant=international', async (page) => {
  await page.getByRole('button', { name: 'Position', exact: true }).click();
  await page.getByRole('button', { name: 'Start position' }).click();
  await boardHas(page, 40);
  await waitCount(page, /^[1-9]\d\d games$/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await square(page, '32').click();
  await page.locator('#among-others').click();
  await waitCount(page, /^[1-9]\d* games$/);
  await page.getByRole('button', { name: 'Pattern', exact: true, pressed: true }).waitFor();
});

story('the link of a game finds it when its number belongs to another game', '/?view=game&g=2&ply=3', async (page) => {
  await page.waitForURL(/g=2\.[a-z2-9]{6}&/);
  const names = await page.locator('.players-line').textContent();
  const address = page.url().replace('g=2.', 'g=7.');
  await page.goto(address);
  await page.waitForURL(/g=2\./);
  await toast(page, 'another number');
  assert.equal(await page.locator('.players-line').textContent(), names);
  await page.locator('.turn[data-ply="3"]').waitFor();
  await page.goto(address.replace('g=7', 'embed?g=7').replace('/?view=game&embed?', '/embed?'));
  await page.locator('.embed .players-line').waitFor();
  assert.equal((await page.locator('.players-line').textContent()).replace(/ \d{4}/g, ''), names.replace(/ \d{4}/g, ''));
});

story('the link of a game that is gone says so, and not another game', '/?view=game&g=7.zzzzzz', async (page) => {
  await page.locator('.panel .notice', { hasText: 'no longer here' }).waitFor();
}, { allow: ['404 (Not Found)'] });

story('a page that is loaded again is scrolled as it was', '/?view=search&player=open', async (page) => {
  await page.locator('table.results tbody tr').nth(30).waitFor();
  await page.evaluate(() => scrollTo(0, 700));
  await page.reload();
  await settled(page);
  await page.waitForFunction(() => Math.abs(scrollY - 700) < 40);
});

for (const [name, path] of [['the archive', '/?view=overview'], ['a game', '/?view=game&g=1&ply=2'], ['the openings', '/?variant=international']]) {
  story(`what the colours of bars mean is written on the page, ${name}`, path, async (page) => {
    await page.locator('.bar').first().waitFor();
    await page.getByText('White / draw / Black').first().waitFor();
  });
}

story('the archive says how many games have a year', '/?view=overview', async (page) => {
  assert.match(await page.locator('figcaption', { hasText: 'have a year' }).textContent(), /^\d+ of \d+ games have a year\.$/);
});

story('a move of a variation keeps the mark of evaluations at its place in the game', '/?view=game&g=241&ply=2&line=1', async (page) => {
  await page.locator('.variation .move[aria-current]').waitFor();
  const at = () => page.locator('.evaluation .marker').evaluate((line) => line.getAttribute('x1') ?? line.getAttribute('x2'));
  const inVariation = await at();
  await page.keyboard.press('Home');
  await page.locator('.turn[data-ply="0"]').waitFor();
  assert.notEqual(await at(), inVariation);
});

story('what was not possible is not said any more after a move', '/?variant=international', async (page) => {
  await page.locator('#typed').fill('99-98');
  await page.keyboard.press('Enter');
  await toast(page, 'not possible');
  await page.locator('table.moves button.move').first().click();
  await settled(page);
  assert.equal(await page.locator('#toast:not([hidden])').count(), 0);
});

story('pieces that do not move are not drawn again', '/?variant=international', async (page) => {
  await page.evaluate(() => document.querySelectorAll('.board .piece').forEach((piece) => (piece.isOld = true)));
  await page.locator('table.moves button.move').first().click();
  await settled(page);
  assert.equal(await page.evaluate(() => [...document.querySelectorAll('.board .piece')].filter((piece) => !piece.isOld).length), 1);
});

test('on a phone a search begins with its fields, and the board opens by a button', () => site.visit('/?view=search', async (page) => {
  await page.locator('table.results tbody tr').first().waitFor();
  const field = await page.locator('#q').boundingBox();
  assert.ok(field.y + field.height < 320, `the field is at ${field.y}`);
  assert.equal(await page.locator('.board').isVisible(), false);
  const opener = page.getByRole('button', { name: 'By position' });
  await opener.click();
  assert.ok(await page.locator('.board').isVisible());
  assert.equal(await opener.getAttribute('aria-expanded'), 'true');
  await page.goto(site.origin + '/?view=search&variant=international&pattern=w:28');
  await page.locator('.board').waitFor();
}, { width: 360, height: 740 }));

story('what stays in the openings keeps its node, its focus and what is typed, and acts on what is shown now', '/?variant=international', async (page) => {
  const mark = () => page.evaluate(() => {
    for (const row of document.querySelectorAll('table.moves tbody tr')) row.was = row.querySelector('.move').textContent;
    document.querySelector('details.filters').was = 'filters';
  });
  const rows = () => page.locator('table.moves tbody tr').evaluateAll((all) => all.map((row) => [row.querySelector('.move').textContent, row.was]));
  await mark();
  const before = await rows();
  await page.locator('details.filters summary').click();
  await page.locator('#filter-player').pressSequentially('half a na');
  // The other way to count changes the numbers of the same moves.
  await page.evaluate(() => document.querySelector('#transpositions').click());
  await page.waitForURL(/transpositions=true/);
  await settled(page);
  assert.deepEqual(await rows(), before);
  assert.deepEqual(await page.evaluate(() => [document.activeElement.id, document.activeElement.value]), ['filter-player', 'half a na']);
  await page.locator('#filter-player').fill('');
  // A row that stayed plays in the state that is shown now.
  const first = page.locator('table.moves tbody .move', { hasText: '32-28' });
  await first.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/moves=32-28/);
  assert.match(page.url(), /transpositions=true/);
  await settled(page);
  const after = await rows();
  assert.ok(after.length > 1 && after.every(([move, was]) => was === undefined && !before.some(([other]) => other === move)), JSON.stringify(after));
  assert.deepEqual(await page.locator('details.filters').evaluate((box) => [box.was, box.open]), ['filters', true]);
  // Fields show the address again once it has another value.
  await page.locator('#filter-player').fill('anker');
  await page.keyboard.press('Enter');
  await page.locator('.chip button').click();
  await settled(page);
  assert.equal(await page.locator('#filter-player').inputValue(), '');
  assert.equal(await page.locator('#transpositions').isChecked(), true);
});

story('rows of results keep their nodes in another order, and lead on from their new place', '/?view=search&player=Anker&variant=international&sort=date', async (page) => {
  const rows = () => page.locator('table.results tbody tr').evaluateAll((all) => all.map((row) => {
    const address = new URL(row.querySelector('a').href).searchParams;
    const was = row.was;
    row.was = address.get('g');
    return { game: address.get('g'), at: Number(address.get('at')), list: address.get('list'), was };
  }));
  const before = await rows();
  await page.getByRole('button', { name: 'Date' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('th.date[aria-sort=descending]').waitFor();
  await settled(page);
  await page.locator('table.results tbody tr').nth(49).waitFor();
  const after = await rows();
  const isBefore = (row) => before.some(({ game }) => game === row.game);
  assert.equal(after.length, 50);
  assert.ok(after.some(isBefore), 'some games are among the first in both orders');
  for (const [place, row] of after.entries()) {
    // The rows after the first 20 are drawn when they are nearly in view.
    assert.equal(row.was, place < 20 && isBefore(row) ? row.game : undefined);
    assert.equal(row.at, place + 1);
    assert.match(row.list, /reverse=true/);
  }
  assert.equal(await page.evaluate(() => document.activeElement.id), 'sort-date');
});
