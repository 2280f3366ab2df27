// The types of the package describe its functions: a program that uses all of them is compiled.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { PACKAGE, load } from './setup.js';

const TYPESCRIPT = 'typescript@7.0.2';

test('a program in TypeScript is compiled, and its mistakes are found', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'pdn-types-'));
  try {
    cpSync(fileURLToPath(new URL('types.ts', import.meta.url)), join(folder, 'types.ts'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    const options = { compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'], types: [] }, files: ['types.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const run = (...words) => spawnSync(words[0], words.slice(1), { cwd: folder, encoding: 'utf8' });
    const installed = process.env.TSC ? { status: 0 } : run('npm', 'install', '--no-audit', '--no-fund', '--no-save', TYPESCRIPT);
    if (installed.status !== 0) {
      console.log('SKIPPED: the types are not checked: TypeScript cannot be installed');
      return context.skip();
    }
    // After the installation, which removes what it does not know.
    mkdirSync(join(folder, 'node_modules/@pdn'), { recursive: true });
    cpSync(PACKAGE, join(folder, 'node_modules/@pdn/pdn'), { recursive: true });
    const { status, stdout } = run(process.env.TSC ?? 'node_modules/.bin/tsc', '--project', '.');
    return assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every function is described, and none that is not there', async () => {
  const pdn = await load();
  const described = ['Position', 'board', 'check', 'convert', 'find', 'fix', 'games', 'replay', 'review', 'tree', 'variants'];
  assert.deepEqual(Object.keys(pdn).sort(), described.sort());
});
