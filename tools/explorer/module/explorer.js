// The host's side of the module that answers the questions of the page from an index on any web space.
//
//   import { load, openFiles } from './explorer.js';                         // in a worker
//   const files = await openFiles(base, lengths);                            // lengths: { manifest: 1234, 'segment-00000001.pdns': ... }
//   const explorer = await load(await fetch('pdn_explorer_module.wasm'), files, 'games');
//   await explorer.ask('games/tree?moves=32-28')                             // { status: 200, type: 'application/json', body: Uint8Array }
//
// The addresses are those of the server below /api/v1/. What was read stays in memory, so that later questions read less.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * What the files of an index cannot be read for, in words for people. The code is `lost` without a connection, and `much` if a question
 * would read more than it may.
 */
export class FilesProblem extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * Loads the module, from its bytes or the response of a server, and opens an index. `files` has `length(name)`, which returns the length of a
 * file in bytes or -1, and `read(name, offset, length)`, which returns that many bytes at once, or throws. Files that can fetch many parts
 * together have `expect(name, offset, length)` as well, which returns 1 if a part is at hand and otherwise takes it down, `wanted()`, which
 * returns what was taken down, and `fetch(parts)`. `ask(address, most)` fails before it has read more than `most` bytes.
 */
export async function load(source, files, name) {
  const bytes = source instanceof Response ? await source.arrayBuffer() : source;
  let memory;
  // An error must not pass through the module, whose state would be left half changed.
  let failure;
  // Bytes that the question may still read.
  let left = Infinity;
  const text = (at, length) => decoder.decode(new Uint8Array(memory.buffer, at, length));
  const host = {
    // Files that can be fetched together do so when the question has ended, and then it is asked again.
    expect: (at, length, offset, count) => files.expect?.(text(at, length), offset, count) ?? 1,
    file_len: (at, length) => files.length(text(at, length)),
    read(at, length, offset, to, count) {
      try {
        if (count > left) throw tooMuch();
        left -= count;
        const found = files.read(text(at, length), offset, count);
        new Uint8Array(memory.buffer, to, count).set(found.subarray(0, count));
        return found.length;
      } catch (error) {
        failure ??= error;
        return 0;
      }
    },
  };
  const { instance } = await WebAssembly.instantiate(bytes, { host });
  const { input, output, open, answer } = instance.exports;
  memory = instance.exports.memory;
  const ask = (question, words) => {
    failure = undefined;
    const given = encoder.encode(words);
    const at = input(given.length);
    new Uint8Array(memory.buffer, at, given.length).set(given);
    const length = question();
    if (failure) throw failure;
    return new Uint8Array(memory.buffer, output(), length).slice();
  };
  // Asks until all parts are there that the question waits for.
  const answered = async (question, words, most = Infinity) => {
    left = most;
    for (;;) {
      let packed;
      let wanted;
      try {
        packed = ask(question, words);
      } finally {
        wanted = distinct(files.wanted?.() ?? []);
      }
      if (!wanted.length) return unpacked(packed);
      if (wanted.reduce((sum, { length }) => sum + length, 0) > left) throw tooMuch();
      await files.fetch(wanted);
    }
  };
  const unpacked = (packed) => {
    const end = packed.indexOf(10);
    return { ...JSON.parse(decoder.decode(packed.subarray(0, end))), body: packed.subarray(end + 1) };
  };
  const refused = ask(open, name);
  if (refused.length) throw new FilesProblem(JSON.parse(decoder.decode(unpacked(refused).body)).detail);
  return { ask: (address, most) => answered(answer, address, most) };
}

// A question may wait for a part at several places.
const distinct = (parts) => [...new Map(parts.map((part) => [JSON.stringify([part.name, part.offset, part.length]), part])).values()];

const tooMuch = () => new FilesProblem('the answer needs more of the index than may be read for a question', 'much');

/** The bytes of the largest index that is read whole, from a host that does not answer range requests. */
const MOST_WHOLE = 20e6;

const lost = (name) => (error) => {
  throw new FilesProblem(`${name} cannot be read: ${error.message}`, 'lost');
};
const changed = (name, status) => new FilesProblem(`${name} cannot be read, or has changed: HTTP ${status}`);

/**
 * Returns the files below an address for `load`, in a worker: only there may a request wait. `files` has the lengths by the names. A host
 * that answers range requests is asked for the parts that a question needs. From another one, all files are read at once, if they have at
 * most 20 MB in all.
 */
export async function openFiles(base, files) {
  const largest = Object.keys(files).reduce((one, other) => (files[other] > files[one] ? other : one));
  // A host that answers with the whole file is stopped before it sends one of some hundred megabytes.
  const stop = new AbortController();
  const asked = fetch(new URL(largest, base), { headers: { Range: 'bytes=0-0' }, signal: stop.signal });
  const { status } = await asked.catch((error) => {
    throw new FilesProblem(`${base} cannot be reached: ${error.message}`, 'lost');
  });
  stop.abort();
  if (status === 206) return rangedFiles(base, files);
  if (status !== 200) throw new FilesProblem(`${largest} cannot be read: HTTP ${status}`);
  const bytes = Object.values(files).reduce((sum, length) => sum + length, 0);
  if (bytes <= MOST_WHOLE) return wholeFiles(base, files);
  const [all, most] = [bytes, MOST_WHOLE].map((count) => Math.ceil(count / 1e6));
  throw new FilesProblem(`the host of ${base} sends whole files only, and this index has ${all} MB; an index of more than ${most} MB needs a host that answers range requests`);
}

/** Reads all files, whose parts are then at hand. */
async function wholeFiles(base, files) {
  const contents = new Map(await Promise.all(Object.entries(files).map(async ([name, length]) => {
    const response = await fetch(new URL(name, base)).catch(lost(name));
    const bytes = new Uint8Array(await response.arrayBuffer().catch(lost(name)));
    if (response.status !== 200 || bytes.length !== length) throw changed(name, response.status);
    return [name, bytes];
  })));
  return {
    length: (name) => files[name] ?? -1,
    read: (name, offset, length) => contents.get(name).subarray(offset, offset + length),
  };
}

/** Reads the parts that a question needs. */
function rangedFiles(base, files) {
  // What a question waits for, and what was fetched for it.
  let taken = [];
  const fetched = new Map();
  const keyOf = ({ name, offset, length }) => `${name} ${offset} ${length}`;
  const head = ({ offset, length }) => `bytes=${offset}-${offset + length - 1}`;
  // Returns the bytes of an answer, which has to be the part that was asked for.
  const checked = ({ name, offset, length }, status, content, range) => {
    const bytes = new Uint8Array(status === 206 ? content : 0);
    // A host that hides the header has to be believed.
    const [, first, total] = /^bytes (\d+)-\d+[/](\d+)$/.exec(range) ?? [null, offset, files[name]];
    if (bytes.length === length && Number(first) === offset && Number(total) === files[name]) return bytes;
    throw changed(name, status);
  };
  return {
    length: (name) => files[name] ?? -1,
    expect(name, offset, length) {
      const part = { name, offset, length };
      if (fetched.has(keyOf(part))) return 1;
      taken.push(part);
      return 0;
    },
    wanted() {
      const parts = taken;
      taken = [];
      if (!parts.length) fetched.clear();
      return parts;
    },
    async fetch(parts) {
      await Promise.all(parts.map(async (part) => {
        // Requests for one file would wait for each other in the cache of a browser.
        const response = await fetch(new URL(part.name, base), { headers: { Range: head(part) }, cache: 'no-store' }).catch(lost(part.name));
        const content = response.status === 206 ? await response.arrayBuffer().catch(lost(part.name)) : await response.body?.cancel();
        fetched.set(keyOf(part), checked(part, response.status, content, response.headers.get('Content-Range')));
      }));
    },
    read(name, offset, length) {
      const part = { name, offset, length };
      const known = fetched.get(keyOf(part));
      if (known) {
        fetched.delete(keyOf(part));
        return known;
      }
      const request = new XMLHttpRequest();
      request.open('GET', new URL(name, base), false);
      request.responseType = 'arraybuffer';
      request.setRequestHeader('Range', head(part));
      try {
        request.send();
      } catch (error) {
        lost(name)(error);
      }
      return checked(part, request.status, request.response, request.getResponseHeader('Content-Range'));
    },
  };
}
