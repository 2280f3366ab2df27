// Writes the table of requests and bytes that questions about an index on a web space cost:
//
//   node measure.js pdn_explorer_module.wasm FOLDER-OF-AN-INDEX PLAYER OTHER-PLAYER
//
// The players are words of the names of players who have games. FOLDER may be that of an index or of the copy in a site, `data/ID`.
// The time on the line is 35 ms for each request that is waited for and 10 Mbit/s; six requests that are sent together are waited for once.

import { readFileSync } from 'node:fs';
import { load } from './explorer.js';
import { folderFiles, lengths } from './folder.js';

const [module, folder, player, other] = process.argv.slice(2);
const LATENCY = 0.035;
const BYTES_PER_SECOND = 10e6 / 8;
const rare = '32-28 18-23 33-29 23x32 37x28 16-21 31-26';

const questions = [
  ['what there is', 'indexes'],
  ['tree of the start position', 'games/tree'],
  ['tree two plies later', 'games/tree?moves=32-28 18-23'],
  ['tree of a position of 369 games, which the book does not have', 'games/tree?moves=32-28 18-23 33-29 23x32 37x28 16-21'],
  ['tree of a position of 27 games', `games/tree?moves=${rare}`],
  ['tree with the rows of its examples, as the page asks', 'games/tree?moves=32-28 18-23&games=16&rows=16'],
  ['a game with its text', 'games/games/1234'],
  ['the next game', 'games/games/1235'],
  ['another game', 'games/games/7777'],
  ['games of a player by a word of the name, 20 rows', `games/find?player=${player}&limit=20`],
  ['the next 20 rows', `games/find?player=${player}&limit=20&offset=20`],
  ['report of the player', `games/player?name=${player}`],
  ['games of another player', `games/find?player=${other}&limit=20`],
  ['all players, 100 rows', 'games/players?limit=100'],
  ['games of some years between players above 2200', 'games/find?date=1970..1979&rating=2200..&limit=20'],
];

const files = folderFiles(folder);
const rows = [];
const row = (question) => {
  const { requests, waits, bytes } = files.taken();
  console.error(`${question}: ${requests} requests, ${waits} waits, ${bytes} bytes`);
  const line = (waits * LATENCY + bytes / BYTES_PER_SECOND).toFixed(2);
  rows.push(`| ${question} | ${requests} | ${waits} | ${(bytes / 1000).toFixed(0)} kB | ${line} s |`);
};
const counted = async (question, work) => {
  const answer = await work();
  row(question);
  return answer;
};

const explorer = await counted('opening', () => load(readFileSync(module), files, 'games'));
for (const [question, address] of questions) {
  const { status, body } = await counted(question, () => explorer.ask(encodeURI(address)));
  if (status !== 200) throw new Error(`${address}: ${new TextDecoder().decode(body)}`);
}
const all = Object.values(lengths(folder)).reduce((one, other) => one + other);
console.log(`An index of ${(all / 1e6).toFixed(0)} MB:\n`);
console.log('| question | requests | waits | bytes | on the line |\n|---|---|---|---|---|');
console.log(rows.join('\n'));
