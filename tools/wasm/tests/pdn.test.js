// What the functions of the package answer, and what they say about wrong questions and hostile texts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { PACKAGE, PdnError, load } from './setup.js';

const pdn = await load();
const GAME = '[White "Ames"]\n[Black "Bell"]\n[Date "1996.12.28"]\n[Result "2-0"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n';

// Returns the error of a call.
const failing = (call) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('it does not fail');
};

test('a diagnostic has its place, its message and the position before the move', () => {
  const { diagnostics, summary } = pdn.check('[GameType "20"]\n1. 32-28 28-23 *\n');
  assert.equal(diagnostics.length, 1);
  const [{ code, line, column, at, span, move, fen, excerpt }] = diagnostics;
  assert.deepEqual({ code, line, column, at, span, move }, { code: 'R001', line: 2, column: 10, at: 25, span: 5, move: '28-23' });
  assert.match(fen, /^B:W28,31,33-50:B1-20$|^B:W/);
  assert.deepEqual([excerpt.before, excerpt.marked, excerpt.after], ['1. 32-28 ', '28-23', ' *']);
  assert.deepEqual([summary.games, summary.plies, summary.illegal], [1, 1, 1]);
});

test('a text is given as a string, as bytes, or as open games', () => {
  const bytes = new TextEncoder().encode(GAME);
  const games = pdn.games(GAME);
  const [first, ...others] = [GAME, bytes, bytes.buffer, games].map((text) => pdn.check(text));
  for (const other of others) assert.deepEqual(other, first);
  games.close();
  assert.equal(failing(() => pdn.check(7)).field, 'text');
});

test('names in another encoding are read', () => {
  const koi8 = Uint8Array.from([...'[White "'].map((c) => c.charCodeAt()).concat([0xe9, 0xd7, 0xc1, 0xce, 0xcf, 0xd7], [...'"]\n1. 32-28 *'].map((c) => c.charCodeAt())));
  const [game] = pdn.games(koi8, { encoding: 'koi8-r' });
  assert.equal(game.white, 'Иванов');
  assert.equal(failing(() => pdn.games(koi8, { encoding: 'shift_jis' })).field, 'encoding');
});

test('repairs are reported, with the diff and the repaired bytes', () => {
  const { repairs, summary, diff, data } = pdn.fix('[Date "2003-5-1"]\n\n1. 32-28 19-23 *\n');
  assert.deepEqual(repairs.map(({ code, applicability, applied, edits }) => ({ code, applicability, applied, edits })), [
    { code: 'T025', applicability: 'safe', applied: true, edits: [{ at: 7, old: '2003-5-1', new: '2003.05.01' }] }]);
  assert.equal(summary.applied, 1);
  assert.match(diff, /^-\[Date "2003-5-1"\]$/m);
  assert.match(diff, /^\+\[Date "2003.05.01"\]$/m);
  assert.equal(new TextDecoder().decode(data), '[Date "2003.05.01"]\n\n1. 32-28 19-23 *\n');
});

test('a sound text is left as it is', () => {
  const { repairs, diff, data } = pdn.fix(GAME);
  assert.deepEqual([repairs, diff, new TextDecoder().decode(data)], [[], '', GAME]);
});

test('an unsafe repair is made when it is asked for', () => {
  const text = '[GameType "20"]\n1.32-28 19-23 2.28x19 14x23 3.37-32 20-24 4.41-73 23-29 *\n';
  assert.deepEqual(pdn.fix(text).repairs.map(({ code, applicability, applied }) => [code, applicability, applied]), [['R001', 'unsafe', false]]);
  const { summary, data } = pdn.fix(text, { unsafe: true });
  assert.equal(summary.applied, 1);
  assert.match(new TextDecoder().decode(data), /4\.41-37 /);
  const { offered } = pdn.review(text);
  const chosen = pdn.review(text, { repairs: [offered[0].id] });
  assert.match(chosen.fixed, /4\.41-37 /);
});

test('games are written for a program', () => {
  const { text, ...summary } = pdn.convert('[GameType "21"] 1. 9-13 {quiet} 22-18 1/2-1/2\n\n1.99-98 *\n', { program: 'checkerboard', strip: ['comments'] });
  assert.match(text, /\[GameType "21"\][^]*1\. 9-13 22-18 1\/2-1\/2\r\n$/);
  assert.deepEqual([summary.read, summary.written, summary.rejected], [2, 1, 1]);
  const lines = pdn.convert('[GameType "20"] 1. 32-28 (1. 31-27) 19-23 2. 28x19 *', { variations_as_games: true, notation: 'hub' });
  assert.deepEqual([lines.read, lines.variations, lines.written], [1, 1, 2]);
  assert.match(lines.text, /\[Line "0"\]\n\n1\. 32-28 19-23 2\. 28x19x23 \*\n\n[^]*\[Line "1"\]\n\n1\. 31-27 \*\n$/);
  assert.equal(failing(() => pdn.convert(GAME, { unsafe: true })).field, 'unsafe');
  assert.match(failing(() => pdn.convert(GAME, { captures: 'long' })).message, /expected one of short, full, 3\.1/);
});

test('games are iterated with tags, moves and place', () => {
  const text = GAME + '\n[Wit "Cole"]\n1. 33-29 *\n';
  const games = [...pdn.games(text)];
  assert.deepEqual(games.map(({ record, offset, line, white, moves }) => ({ record, offset, line, white, moves })), [
    { record: 1, offset: 0, line: 1, white: 'Ames', moves: ['32-28', '19-23', '28x19', '14x23'] },
    { record: 2, offset: GAME.length + 1, line: 9, white: 'Cole', moves: ['33-29'] }]);
  assert.equal(games[0].date, '1996-12-28');
  assert.equal(games[0].text, GAME + '\n');
  assert.deepEqual(games[0].tags, { White: 'Ames', Black: 'Bell', Date: '1996.12.28', Result: '2-0', GameType: '20' });
});

test('games of a long text are read in portions, and any of them by its number', () => {
  const games = pdn.games(GAME.repeat(20_000));
  let count = 0;
  for (const game of games) {
    count += 1;
    assert.equal(game.record, count);
    if (count === 12_000) break;
  }
  assert.equal(games.game(15_000).offset, 14_999 * GAME.length);
  assert.equal(games.game(15_000).line, 14_999 * 7 + 1);
  assert.equal(games.game(20_000).replay().plies, 4);
  assert.equal(failing(() => games.game(20_001)).code, 'no_match');
  assert.equal(failing(() => games.game(0.5)).code, 'invalid_value');
  games.close();
  assert.equal(failing(() => games.game(1)).message, 'the text is closed');
});

test('a replay has the position after each move, and says where it stops', () => {
  const { moves, stop, rest, status, winner, variant_from } = pdn.replay('[GameType "20"] 1. 32-28 19-23 2. 28x19 33-29 3. 34-30 2-0');
  assert.deepEqual(moves.map(({ text, captured }) => [text, captured]), [['32-28', []], ['19-23', []], ['28x19', ['23']]]);
  assert.match(moves[0].fen, /^B:W/);
  assert.deepEqual([stop.ply, stop.move, stop.code, rest, status, winner, variant_from], [3, '33-29', 'R001', ['33-29', '34-30'], 'illegal', 'white', 'tag']);
  assert.equal(pdn.replay(GAME + GAME, { record: 2 }).offset, GAME.length);
  assert.equal(failing(() => pdn.replay(GAME, { record: 2 })).code, 'no_match');
});

test('positions of every variant know their legal moves', () => {
  for (const variant of pdn.variants()) {
    const position = new pdn.Position(variant);
    assert.equal(position.variant, variant);
    const moves = position.legal_moves();
    assert.ok(moves.length > 0, variant);
    for (const move of moves) assert.equal(position.play(move).fen, move.after, `${variant} ${move.text}`);
  }
});

test('a position is played on, and an illegal move is an error with its place', () => {
  const position = new pdn.Position('russian').play('c3-d4 f6-g5');
  assert.deepEqual([position.turn, position.men], ['white', { white: 12, black: 12 }]);
  const error = failing(() => position.play('a1-a3'));
  assert.ok(error instanceof PdnError);
  assert.deepEqual([error.code, error.field], ['invalid_value', 'moves']);
  assert.deepEqual([error.reason, error.arguments.written], ['illegal_move', 'a1-a3']);
  assert.equal(new pdn.Position('international', 'W:WK1:B').winner, null);
  assert.equal(new pdn.Position('international', 'B:WK1:B').winner, 'white');
  assert.equal(failing(() => new pdn.Position('klingon')).field, 'variant');
  assert.equal(failing(() => new pdn.Position('international', 'W:W99:B1')).field, 'fen');
});

test('a board is a picture with its position as the title', () => {
  const svg = pdn.board('W:W32:BK1', { move: '32-28' });
  assert.match(svg, /^<svg xmlns=/);
  assert.equal(svg, new pdn.Position('international', 'W:W32:BK1').svg({ move: '32-28' }));
  assert.notEqual(svg, pdn.board('W:W32:BK1', { move: '32-28', flip: true }));
});

test('an unknown option is an error that names it', () => {
  for (const call of [() => pdn.check(GAME, { varient: 'russian' }), () => pdn.fix(GAME, { sellect: 'T' }), () => pdn.games(GAME, { x: 1 })]) {
    assert.match(failing(call).message, /there is no option `(varient|sellect|x)`/);
  }
  assert.equal(failing(() => pdn.check(GAME, { max_per_code: -1 })).field, 'max_per_code');
});

test('hostile texts give answers or errors, and the next question is answered', () => {
  const random = (seed) => {
    let state = seed;
    return Uint8Array.from({ length: 20_000 }, () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24);
  };
  const texts = ['', '\0', '(' .repeat(50_000), '{'.repeat(50_000), '['.repeat(50_000), '1. 32-28 '.repeat(50_000), '"', '[FEN "' + 'W:W1,'.repeat(9999), '[GameType "255,B,99,99,Z9,9"] 1. 1-2 *',
    new Uint8Array([0xff, 0xfe, 0x5b]), new Uint8Array([0xfe, 0xff, 0, 0x5b, 0xd8]), '&#x'.repeat(9999), '1. 32-28 (1. 33-29 '.repeat(3000), ...[1, 2, 3].map(random)];
  for (const text of texts) {
    for (const ask of ['check', 'fix', 'review', 'convert', 'replay']) {
      try {
        pdn[ask](text);
      } catch (error) {
        assert.ok(error instanceof PdnError, `${ask}: ${error.stack}`);
        assert.notEqual(error.code, 'internal', `${ask}: ${error.message}`);
      }
    }
    [...pdn.games(text)].slice(0, 50).forEach((game) => game.text);
  }
  for (const fen of ['', ':', 'W:WK', 'W:W1-50:B1-50', 'W:W' + '1,'.repeat(5000), '\ud800', 'B:W:B']) {
    try {
      new pdn.Position('international', fen).legal_moves();
    } catch (error) {
      assert.notEqual(error.code, 'internal', error.message);
    }
  }
  assert.equal(pdn.check(GAME).summary.legal, 1);
});

test('questions that are no questions are refused by the module itself', async () => {
  const module = await WebAssembly.compile(readFileSync(join(PACKAGE, 'pdn.wasm')));
  const { exports } = new WebAssembly.Instance(module, { pdn: { progress() {} } });
  const ask = (bytes, textBytes = 0) => {
    const at = exports.input(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    const length = exports.ask(textBytes);
    return { length, json: JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.output(), Math.abs(length)))) };
  };
  for (const request of ['', '7', '{', '{}', '{"question":1}', '{"question":"x"}', '\xff', '{"question":"close","text":99}', '{"question":"replay","text":-1}', '{"question":"games"}', '['.repeat(9999)]) {
    const { length, json } = ask(new TextEncoder().encode(request));
    if (request.includes('close')) assert.ok(length > 0);
    else assert.ok(length < 0 && json.code && json.message, request);
  }
  // The place of the question is beyond the input.
  assert.ok(ask(new TextEncoder().encode('{"question":"variants"}'), 1 << 30).length < 0);
  assert.deepEqual(WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`), ['pdn.progress']);
});

// Returns the module with a greatest number of pages of memory, which is small.
function limited(pages) {
  const bytes = readFileSync(join(PACKAGE, 'pdn.wasm'));
  const number = (at) => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    return [value, at];
  };
  const written = (value) => {
    const out = [];
    do {
      out.push((value & 127) | (value > 127 ? 128 : 0));
      value >>>= 7;
    } while (value);
    return out;
  };
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const [length, start] = number(at + 1);
    if (id === 5) {
      const [least] = number(start + 2);
      const section = [1, 1, ...written(least), ...written(least + pages)];
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([5, ...written(section.length), ...section]), bytes.subarray(start + length)]);
    }
    at = start + length;
  }
  return assert.fail('the module has no memory');
}

test('without memory a question is an error, and the next one is answered', async () => {
  const small = await load(limited(80));
  assert.equal(failing(() => small.check('x'.repeat(50 << 20))).code, 'too_much');
  const error = failing(() => small.convert(GAME.repeat(25_000)));
  assert.ok(error instanceof PdnError);
  assert.equal(error.code, 'internal');
  assert.match(error.message, /^the module failed: /);
  assert.equal(small.check(GAME).summary.legal, 1);
});

test('memory of long texts is given back', async () => {
  // Several such texts at once need more memory than there is.
  const small = await load(limited(80));
  const long = GAME.repeat(8_000);
  for (let n = 0; n < 8; n++) {
    assert.equal(small.check(long).summary.games, 8_000);
    const games = small.games(long);
    assert.equal(games.game(8_000).record, 8_000);
    games.close();
  }
  assert.throws(() => { for (let n = 0; n < 8; n++) small.games(long); });
});

test('progress is reported, and an error of its callback ends the work', () => {
  const long = GAME.repeat(20_000);
  const told = [];
  pdn.check(long, { progress: (bytes) => told.push(bytes) });
  assert.ok(told.length > 2 && told.every((bytes, at) => at === 0 || bytes >= told[at - 1]), String(told));
  assert.equal(told.at(-1), long.length);
  assert.throws(() => pdn.check(long, { progress() { throw new Error('enough'); } }), /enough/);
  assert.equal(pdn.check(GAME).summary.legal, 1);
});

test('the module is loaded from bytes, a response, or compiled', async () => {
  const bytes = readFileSync(join(PACKAGE, 'pdn.wasm'));
  for (const source of [bytes, new Response(bytes), new Response(bytes, { headers: { 'content-type': 'application/wasm' } }), await WebAssembly.compile(bytes)]) {
    assert.equal((await load(source)).check(GAME).summary.legal, 1);
  }
  await assert.rejects(load(new Response('', { status: 404 })), /answers 404/);
});
