// Answers from the files of a site that `pdn export-site` made, in place of those of a server.

import { t } from './i18n.js';
import { split } from './moves.js';
import { parseFen } from './position.js';
import site from './site.js';

const KEY = 13;
const files = new Map();
// Positions after the lines that were followed.
const lines = new Map();

// Returns the value of a compressed file. Some hosts declare its compression, and then the browser has removed it already.
async function parse(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const text = first === 31 && second === 139 ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file;
  return new Response(text).json();
}

// Reads the answers of a file, once. A file of another export is refused: it may lie in a cache.
function read(name) {
  if (!files.has(name)) {
    const path = `data/${name}.json.gz`;
    const loading = fetch(`${path}?${site.id}`).then(async (response) => {
      const body = response.ok ? await parse(await response.blob()) : null;
      if (body?.site !== site.id) throw 0;
      return body.answers;
    }).catch(() => {
      files.delete(name);
      throw new Error(t('siteFile', { file: path }));
    });
    files.set(name, loading);
  }
  return files.get(name);
}

// FNV-1a with 64 bits, as in the exporter.
export function hash(text) {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value;
}

// Answers are ordered by the first 24 bits of the hash of their keys; the site knows where each file begins.
function fileOf(store, key) {
  const starts = site.files[store];
  const at = (hash(key) >> 40n).toString(16).padStart(6, '0');
  let [low, high] = [0, starts.length / 6];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts.slice(6 * middle, 6 * middle + 6) <= at) low = middle;
    else high = middle;
  }
  return low;
}

const entry = async (store, key) => (await read(`${store}/${fileOf(store, key)}`))[key];

// The side to move and the pieces, in an order that does not depend on how the FEN is written.
export function canonical(fen) {
  const { turn, pieces } = parseFen(fen);
  return turn[0] + [...pieces].map(([square, { colour, king }]) => colour[0] + (king ? 'K' : '') + square).sort().join(',');
}

// Letters without their accents, as names are compared.
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

// The players of the site whose names have words that begin with all words of `name`.
async function playersOf(name, offset, limit) {
  const wanted = plain(name).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const pages = await Promise.all(Array.from({ length: Math.ceil(site.players / 100) }, (_, at) => entry('pages', `players?offset=${at * 100}`)));
  const fits = ({ spellings, name }) => [name, ...spellings.map((spelling) => spelling.name)].some((one) => {
    const words = plain(one).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((begin) => words.some((word) => word.startsWith(begin)));
  });
  const players = pages.flatMap((page) => page.players).filter(fits);
  return { total: players.length, players: players.slice(offset, offset + limit) };
}

const keyOf = (text) => (hash(text) >> 12n).toString(16).padStart(KEY, '0');

async function found(variant, fen) {
  const text = canonical(fen);
  const answers = await entry('tree/' + variant, keyOf(text));
  // Another position may have the same key.
  return answers && canonical(answers.position.fen) === text ? answers : undefined;
}

const absent = () => new Error(t('sitePosition', { games: site.min_games, plies: site.plies }));

// Returns the position after some moves. The list of moves finds a common line at once; the others are followed move by move.
async function follow(variant, start, moves) {
  const name = (count) => `${variant} ${start} ${moves.slice(0, count)}`;
  let done = moves.length;
  while (done && !lines.has(name(done))) done -= 1;
  let fen = done ? lines.get(name(done)) : start || site.variants[variant].start;
  if (!start && moves.length - done > 1) {
    const list = await read('moves/' + variant);
    let [node, depth] = [0, 0];
    for (; depth < moves.length; depth++) {
      const words = list.moves[node]?.split(' ') ?? [];
      const at = words.findIndex((word, place) => place % 2 === 0 && word === moves[depth]);
      if (at < 0) break;
      node = Number(words[at + 1]);
    }
    const known = depth > done && await entry('tree/' + variant, list.keys.slice(node * KEY, (node + 1) * KEY));
    if (known) [fen, done] = [known.position.fen, depth];
  }
  while (done < moves.length) {
    const here = await found(variant, fen);
    const next = here?.position.moves.find((move) => move.text === moves[done]) ?? here?.tree.moves.find((entry) => entry.move === moves[done]);
    if (!next) throw absent();
    fen = next.after;
    done += 1;
    lines.set(name(done), fen);
  }
  return fen;
}

async function aboutPosition(question, { variant = site.index.variants[0]?.variant, fen = '', moves, games, rows, limit, ...more }) {
  // A filter would need all games.
  if (Object.keys(more).length) throw new Error(t('needsServer'));
  if (!site.variants[variant]) throw absent();
  const at = await follow(variant, fen, split(moves));
  const here = await found(variant, at);
  if (question === 'position') {
    // A position that is not in the site is shown, but its moves are not known.
    return here?.position ?? { variant, fen: at, turn: parseFen(at).turn, winner: null, moves: [], board: site.variants[variant].board };
  }
  if (!here) throw absent();
  return limit ? { ...here.tree, moves: here.tree.moves.slice(0, limit) } : here.tree;
}

async function page(question, { offset = 0, limit, ...filters }) {
  if (question === 'players' && filters.name) return playersOf(filters.name, offset, limit);
  const [filter, ...others] = Object.entries(filters);
  const hasFilter = { stats: [], player: ['name'], event: ['name'], players: [] }[question];
  if (!hasFilter || others.length || (filter && !hasFilter.includes(filter[0]))) throw new Error(t('needsServer'));
  const parts = [...(filter ? [filter.join('=')] : []), ...(question === 'players' ? ['offset=' + offset] : [])];
  const answer = await entry('pages', question + (parts.length ? '?' + parts.join('&') : ''));
  if (!answer) throw new Error(t('sitePage'));
  // The list of players ends before all of them are on it.
  return question === 'players' ? { ...answer, listed: site.players } : answer;
}

async function game(number) {
  const answer = await entry('games', number);
  if (!answer) throw new Error(t('siteGame', { game: number }));
  return answer;
}

export const gameText = async (number) => (await game(String(number))).pdn;

export async function answer(path, parameters) {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value || value === 0));
  const [, question, number] = path.split('/');
  if (question === 'games') return (await game(number)).game;
  if (question === 'tree' || question === 'position') return aboutPosition(question, given);
  return page(question, given);
}
