// The answers of the module on whole files are those of the command for this machine: on the fixtures of the repository, and on real archives
// below the folder that PDN_CORPORA names.

import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import test from 'node:test';
import { ROOT, archives, command, hasSearch, load, read } from './setup.js';

const pdn = await load();
const folders = [join(ROOT, 'corpora')];
if (process.env.PDN_CORPORA) folders.push(process.env.PDN_CORPORA);
else console.log('SKIPPED: PDN_CORPORA names no folder; only the fixtures are compared');

// An index is no archive, and a text in an encoding of Chinese, Japanese or Korean is not read by the module.
const files = folders.flatMap(archives);
const lines = (out) => out.toString().split('\n').filter(Boolean).map((line) => JSON.parse(line));
const without = (name, { [name]: _, ...rest }) => rest;

// The answers of the module, or the message of its error.
const answer = (ask) => {
  try {
    return ask();
  } catch (error) {
    return { error: error.message };
  }
};

// Compares one question on every file, and says how many answers are equal.
async function compare(context, native, own) {
  let equal = 0;
  const failed = [];
  for (const file of files) {
    try {
      assert.deepEqual(own(file), native(file));
      equal += 1;
    } catch (error) {
      failed.push(`${relative(ROOT, file)}: ${error.message.slice(0, 600)}`);
    }
  }
  context.diagnostic(`${equal} of ${files.length} answers are equal`);
  assert.deepEqual(failed, []);
}

test('diagnostics and summaries are those of `pdn check --json`', (context) => compare(context, (file) => {
  const all = lines(command('check', '--json', file).out);
  const { summary } = all.pop() ?? {};
  return { diagnostics: all.map((line) => without('file', line)), summary };
}, (file) => {
  const found = answer(() => pdn.check(read(file)));
  if (found.error) return { diagnostics: [], summary: JSON.parse(command('check', '--json', file).out).summary };
  return { ...found, diagnostics: found.diagnostics.map((line) => without('arguments', without('excerpt', line))) };
}));

test('converted texts are those of `pdn convert`', (context) => compare(context, (file) => command('convert', '--quiet', file).out.toString(),
  (file) => answer(() => pdn.convert(read(file)).text) ?? ''));

test('repairs are those of `pdn fix`', (context) => compare(context, (file) => {
  const all = lines(command('fix', '--json', '--unsafe', file).out);
  const { summary } = all.pop() ?? {};
  return { repairs: all.map((line) => without('file', line)), summary };
}, (file) => {
  const found = answer(() => pdn.fix(read(file), { unsafe: true }));
  return { repairs: found.repairs, summary: found.summary };
}));

test('replays of first games are those of `pdn show --json`', (context) => compare(context, (file) => {
  const { code, out } = command('show', file, '1', '--json');
  return code === 0 ? without('file', JSON.parse(out)) : 'none';
}, (file) => {
  const found = answer(() => pdn.replay(read(file)));
  return found.error ? 'none' : found;
}));

const QUERIES = ['plies 20..', 'white : a and plies 1..', 'wk >= 1', 'pattern "w28" and turn black', 'man takes >= 2', 'result 2-0 or result 1-0', 'wm = 12 then wm = 10 within 3'];

test('hits are those of `pdn find`', { skip: !hasSearch && 'the module that searches is not built' }, async (context) => {
  let [equal, hitsFound, failed] = [0, 0, []];
  for (const file of files) {
    for (const query of QUERIES) {
      const { code, out } = command('find', file, '--query', query, '--json', '--quiet');
      const expected = code === 0 ? lines(out).filter((line) => line.record).map(({ record, ply, line }) => ({ record, ply, line: line ?? 0 })) : [];
      hitsFound += expected.length;
      const found = await pdn.find(read(file), query).then(({ hits }) => hits.map(({ record, ply, line }) => ({ record, ply, line })), () => []);
      try {
        assert.deepEqual(found, expected);
        equal += 1;
      } catch (error) {
        failed.push(`${relative(ROOT, file)}: ${query}: ${error.message.slice(0, 300)}`);
      }
    }
  }
  context.diagnostic(`${equal} of ${equal + failed.length} answers are equal, with ${hitsFound} hits`);
  assert.ok(hitsFound > 0);
  assert.deepEqual(failed, []);
});

test('trees are those of `pdn tree`', { skip: !hasSearch && 'the module that searches is not built' }, async (context) => {
  let [equal, failed] = [0, []];
  for (const file of files) {
    for (const [args, options] of [[[], {}], [['--moves', '32-28', '--sort', 'move', '--limit', '2', '--transpositions'], { moves: '32-28', sort: 'move', limit: 2, transpositions: true }]]) {
      const { code, out } = command('tree', file, ...args, '--json', '--quiet');
      const found = await pdn.tree(read(file), options).catch(() => null);
      // The command does not print a tree where the text cannot be read.
      if (code !== 0) continue;
      try {
        assert.deepEqual(found, JSON.parse(out));
        equal += 1;
      } catch (error) {
        failed.push(`${relative(ROOT, file)}: ${error.message.slice(0, 300)}`);
      }
    }
  }
  context.diagnostic(`${equal} of ${equal + failed.length} trees are equal`);
  assert.ok(equal > 0);
  assert.deepEqual(failed, []);
});

test('every variant has the leaf counts of `pdn perft`', () => {
  for (const variant of pdn.variants()) {
    const leaves = (position, depth) => (depth === 0 ? 1 : position.legal_moves().reduce((sum, move) => sum + leaves(position.play(move), depth - 1), 0));
    const expected = JSON.parse(command('perft', '--depth', '3', '--variant', variant, '--json').out.toString().split('\n')[0]);
    assert.equal(leaves(new pdn.Position(variant), 3), expected.leaves ?? expected.nodes, variant);
  }
});
