// The files of an index in a folder, read by ranges as from a web space, and counted: for tests and measurements in Node.

import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the lengths of the files of an index by their names. */
export function lengths(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => ['manifest', 'names'].includes(name) || /^segment-\d+\.(pdns|keys|book|openings|extract)$|\.ending$/.test(name));
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size]));
}

/** The number of requests that a browser sends at a time to a host without HTTP/2. */
const AT_A_TIME = 6;

/**
 * Returns files for `load`, and what was read since the last call of `taken()`; `waits` is how often a request is waited for. With
 * `failing(name, offset)`, reads fail.
 */
export function folderFiles(folder, failing = () => false) {
  const sizes = lengths(folder);
  let reads = { requests: 0, waits: 0, bytes: 0 };
  let expected = [];
  const fetched = new Set();
  const keyOf = ({ name, offset, length }) => `${name} ${offset} ${length}`;
  return {
    length: (name) => sizes[name] ?? -1,
    expect(name, offset, length) {
      const part = { name, offset, length };
      if (fetched.has(keyOf(part))) return 1;
      expected.push(part);
      return 0;
    },
    wanted() {
      const parts = expected;
      expected = [];
      if (!parts.length) fetched.clear();
      return parts;
    },
    async fetch(parts) {
      parts.forEach((part) => fetched.add(keyOf(part)));
      reads.waits += Math.ceil(parts.length / AT_A_TIME);
    },
    read(name, offset, length) {
      reads.requests += 1;
      reads.waits += fetched.delete(keyOf({ name, offset, length })) ? 0 : 1;
      reads.bytes += length;
      if (failing(name, offset)) throw new Error(`no connection for ${name}`);
      const file = openSync(join(folder, name));
      const bytes = new Uint8Array(length);
      const found = readSync(file, bytes, 0, length, offset);
      closeSync(file);
      return bytes.subarray(0, found);
    },
    taken() {
      const before = reads;
      reads = { requests: 0, waits: 0, bytes: 0 };
      return before;
    },
  };
}
