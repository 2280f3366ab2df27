// The package under test, and the command that it is compared with.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const PACKAGE = process.env.PDN_PACKAGE ?? join(ROOT, 'target/npm/package');
export const hasSearch = existsSync(join(PACKAGE, 'pdn-search.wasm'));
export const { load, PdnError } = await import(pathToFileURL(join(PACKAGE, 'pdn.js')));

// Runs the command for this machine and returns its exit code and what it printed.
export function command(...words) {
  const run = spawnSync(process.env.PDN ?? join(ROOT, 'target/debug/pdn'), words, { maxBuffer: 1 << 30 });
  if (run.error) throw run.error;
  return { code: run.status, out: run.stdout };
}

// Returns the PDN files below a folder.
export function archives(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [];
  const files = entries.filter((entry) => entry.isFile() && /\.pdn$/i.test(entry.name)).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return files.sort();
}

export const read = (file) => new Uint8Array(readFileSync(file));
