// The files of an index in a folder, read by ranges as from a web space, and counted: for tests and measurements in Node.

import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the lengths of the files of an index by their names. */
export function lengths(folder) {
  const names = readdirSync(folder).filter((name) => name === 'manifest' || /^segment-\d+\.(pdns|keys|book|openings)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size]));
}

/** Returns files for `load`, and what was read since the last call of `taken()`. With `failing(name, offset)`, reads fail. */
export function folderFiles(folder, failing = () => false) {
  const sizes = lengths(folder);
  let reads = { requests: 0, bytes: 0 };
  return {
    length: (name) => sizes[name] ?? -1,
    read(name, offset, length) {
      reads.requests += 1;
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
      reads = { requests: 0, bytes: 0 };
      return before;
    },
  };
}
