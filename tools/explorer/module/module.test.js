// The module answers from the files of an index as the server does. Needs the module (MODULE, a folder) and the command (PDN).

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ARCHIVE } from '../tests/page/archive.js';
import { load } from './explorer.js';
import { folderFiles } from './folder.js';

const { PDN, MODULE } = process.env;
const ADDRESSES = [
  'indexes',
  'club/tree',
  'club/tree?moves=32-28&transpositions=true&games=3',
  'club/tree?games=16&rows=2',
  'club/find?sort=known&limit=10',
  'club/tree?moves=32-28%2019-23&player=anker',
  'club/tree?fen=W:W28:B22,23,12,13,10',
  'club/find?limit=10',
  'club/find?player=berg&offset=5&limit=20',
  'club/find?white=~eiks&sort=date&reverse=true',
  'club/find?query=w-b%20%3E=%201&limit=50',
  'club/find?query=comment&limit=5',
  'club/find?query=@lead&define=lead%20=%20w-b%20%3E=%201&limit=50',
  'club/find.ndjson?query=wm%20%3C%2019&limit=5',
  'club/find.csv?player=anker',
  'club/find.pdn?event=annotated',
  'club/stats',
  'club/groups?by=year',
  'club/groups?by=move&query=ply%202',
  'club/players',
  'club/player?name=anker',
  'club/player?name=anker&against=berg',
  'club/events',
  'club/event?name=club%20evening%201',
  'club/position?moves=32-28',
  'club/games/1',
  'club/games/241',
  'club/games/241.pdn',
  'club/games/242',
  'club/games/3.svg?ply=4',
  // Questions that are refused.
  'club/games/99999',
  'club/find?query=w-b%20%3E%3E',
  'club/find?query=@lead&define=lead',
  'club/tree?moves=1-50',
  'club/nothing',
  'club/tree?colour=red',
];

let folder;
const servers = {};
// The folders of the published copies of the indexes.
const published = {};

const served = async (...args) => {
  const server = spawn(PDN, ['serve', join(folder, args[0]), ...args.slice(1), '--addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once('data', (text) => resolve(String(text).match(/http:\/\/[\d.:]+/)[0]));
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { server, address };
};

const publish = (name, site, ...options) => {
  const target = join(folder, `${name}-${site}`);
  const run = spawnSync(PDN, ['export-site', join(folder, name + '.idx'), '--module', MODULE, '-o', target, ...options], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return join(target, 'data', readdirSync(join(target, 'data'))[0]);
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pdn-module-'));
  // In the large one, the parts of a question lie far from each other, and the columns are longer than the extract.
  for (const [name, text] of [['club', ARCHIVE], ['large', ARCHIVE.repeat(300)]]) {
    writeFileSync(join(folder, name + '.pdn'), text);
    const run = spawnSync(PDN, ['index', join(folder, name + '.pdn'), '-o', join(folder, name + '.idx'), '--positions', '--book', '20', '--embed'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    servers[name] = await served(name + '.idx');
    published[name] = publish(name, 'site');
  }
  writeFileSync(join(folder, 'names.toml'), '[[player]]\ncanonical = "Ankerman, Joris"\nspellings = ["Anker, Joris"]\n');
  servers.named = await served('club.idx', '--names', join(folder, 'names.toml'));
  published.named = publish('club', 'named', '--names', join(folder, 'names.toml'));
  const tables = join(folder, 'tables');
  const built = spawnSync(PDN, ['endgame', 'build', '-g', 'international', '--pieces', '3', '-o', tables, '--quiet'], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  servers.proven = await served('club.idx', '--tables', tables);
  published.proven = publish('club', 'proven', '--tables', tables);
});

after(() => {
  for (const { server } of Object.values(servers)) server.removeAllListeners('exit').kill();
  rmSync(folder, { recursive: true });
});

const open = (files, name = 'club') => load(readFileSync(join(MODULE, 'pdn_explorer_module.wasm')), files, name);
const fromServer = async (asked, name = 'club') => {
  const response = await fetch(`${servers[name].address}/api/v1/${asked}`);
  return { status: response.status, body: await response.text() };
};

test('the module answers as the server does, with one index for all questions or one for each', async () => {
  for (const index of [join(folder, 'club.idx'), published.club]) {
    const files = folderFiles(index);
    const shared = await open(files);
    for (const asked of ADDRESSES) {
      const expected = await fromServer(asked);
      for (const explorer of [shared, await open(files)]) {
        const { status, body } = await explorer.ask(asked);
        assert.deepEqual({ status, body: new TextDecoder().decode(body) }, expected, `${index}: ${asked}`);
      }
    }
  }
});

test('the module asks the tables of endings that a site has, and reads each file once', async () => {
  const endings = ['W:WK50,K45:BK5', 'B:WK50:BK5', 'W:W28:B22', 'W:W28,33:B22,17', 'W:WK46,K47:B5'];
  const trees = endings.map((fen) => `club/tree?variant=international&fen=${encodeURIComponent(fen)}`);
  const files = folderFiles(published.proven);
  const names = new Set();
  let bytes = 0;
  const explorer = await open({ ...files, read: (name, offset, length) => {
    if (name.startsWith('endings/')) {
      names.add(name);
      bytes += length;
    }
    return files.read(name, offset, length);
  } });
  for (const asked of [...trees, 'club/find?query=table%20=%20win&limit=5', 'club/tree?moves=32-28']) {
    const { status, body } = await explorer.ask(asked);
    const expected = await fromServer(asked, 'proven');
    assert.deepEqual({ status, body: new TextDecoder().decode(body) }, expected, asked);
  }
  const { proven, table } = JSON.parse((await fromServer(trees[0], 'proven')).body);
  assert.ok(proven.length > 10 && table === 'drawn', `${proven.length} moves, ${table}`);
  const all = [...names].reduce((sum, name) => sum + files.length(name), 0);
  assert.ok(names.size > 5 && bytes === all, `${bytes} of ${all} bytes of ${names.size} files`);
});

test('a part that a question waits for at several places is fetched once', async () => {
  const files = folderFiles(published.large);
  const fetched = [];
  const fetch = (parts) => {
    fetched.push(...parts.map((part) => JSON.stringify(part)));
    return files.fetch(parts);
  };
  const explorer = await open({ ...files, fetch }, 'large');
  await explorer.ask('large/find?sort=known&limit=10');
  assert.notEqual(fetched.length, 0);
  assert.deepEqual(fetched, [...new Set(fetched)]);
});

test('the module obeys the names with which an index was published, as the server does', async () => {
  const explorer = await open(folderFiles(published.named));
  for (const asked of ['club/players', 'club/player?name=ankerman', 'club/groups?by=player', 'club/tree']) {
    const { status, body } = await explorer.ask(asked);
    assert.deepEqual({ status, body: new TextDecoder().decode(body) }, await fromServer(asked, 'named'), asked);
  }
  const { body } = await explorer.ask('club/players');
  assert.match(new TextDecoder().decode(body), /Ankerman, Joris/);
});

test('a published copy of an index is read in fewer bytes', async () => {
  for (const asked of ['large/find?player=anker&limit=20', 'large/find?player=eiks&limit=20', 'large/tree?games=3']) {
    const [plain, copy] = await Promise.all([join(folder, 'large.idx'), published.large].map(async (index) => {
      const files = folderFiles(index);
      const explorer = await open(files, 'large');
      await explorer.ask(asked);
      return files.taken();
    }));
    assert.ok(copy.bytes < plain.bytes, `${asked}: ${copy.bytes} and ${plain.bytes} bytes`);
  }
});

test('the parts that many rows need are fetched together', async () => {
  for (const asked of ['large/tree?games=3', 'large/find?player=berg&limit=20&offset=700']) {
    const files = folderFiles(join(folder, 'large.idx'));
    const explorer = await open(files, 'large');
    files.taken();
    const { status, body } = await explorer.ask(asked);
    assert.deepEqual({ status, body: new TextDecoder().decode(body) }, await fromServer(asked, 'large'), asked);
    const { requests, waits } = files.taken();
    assert.ok(requests > waits, `${asked}: ${requests} requests, ${waits} waits`);
  }
});

test('a connection that is lost is an error, and the next question is answered', async () => {
  let lost = false;
  const files = folderFiles(join(folder, 'club.idx'), () => lost);
  const explorer = await open(files);
  lost = true;
  await assert.rejects(explorer.ask('club/tree'), /no connection/);
  lost = false;
  const { status, body } = await explorer.ask('club/tree');
  assert.deepEqual({ status, body: new TextDecoder().decode(body) }, await fromServer('club/tree'));
});

test('a question that would read more than it may is an error, and is answered without the limit', async () => {
  const files = folderFiles(join(folder, 'club.idx'));
  const explorer = await open(files);
  files.taken();
  await assert.rejects(explorer.ask('club/tree', 1000), { code: 'much' });
  assert.ok(files.taken().bytes <= 1000);
  const { status, body } = await explorer.ask('club/tree');
  assert.deepEqual({ status, body: new TextDecoder().decode(body) }, await fromServer('club/tree'));
});

test('what is no index is refused with a reason', async () => {
  writeFileSync(join(folder, 'manifest'), 'something else');
  await assert.rejects(open(folderFiles(folder)), /index/);
});
