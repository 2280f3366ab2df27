// Prints the sizes of the files of the package: `node tools/wasm/sizes.js [FOLDER]`. With `--check`, fails where a module exceeds its bound.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

// The greatest sizes in kB with gzip: what a page loads at once, and what it loads with the first search.
export const BOUNDS = { 'pdn.wasm': 710, 'pdn-search.wasm': 1300 };

// Returns the sizes of a file in bytes: as it is, with gzip and with brotli.
export function sizesOf(path) {
  const bytes = readFileSync(path);
  return { bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2).filter((word) => word !== '--check');
  const folder = words[0] ?? fileURLToPath(new URL('../../target/npm/package', import.meta.url));
  const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
  console.log('| file             |       kB |     gzip |   brotli | bound |');
  console.log('|------------------|---------:|---------:|---------:|------:|');
  for (const name of ['pdn.js', 'pdn.wasm', 'pdn-search.wasm']) {
    const path = `${folder}/${name}`;
    if (!existsSync(path)) continue;
    const { bytes, gzip, brotli } = sizesOf(path);
    const bound = BOUNDS[name];
    console.log(`| ${name.padEnd(16)} | ${kilobytes(bytes)} | ${kilobytes(gzip)} | ${kilobytes(brotli)} | ${String(bound ?? '').padStart(5)} |`);
    if (process.argv.includes('--check') && gzip > (bound ?? Infinity) * 1000) {
      console.error(`${name} has ${gzip} bytes with gzip, more than ${bound} kB`);
      process.exitCode = 1;
    }
  }
}
