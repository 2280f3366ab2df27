// A plain web space for tests: files of some folders, with ranges if `ranges` says so, each answer after `latency` seconds and at
// `bytesPerSecond`.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';

const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', wasm: 'application/wasm' };

/** Serves the folders, by the first part of the address; returns the address and how to end it. */
export async function serve(folders, { latency = 0, bytesPerSecond = Infinity, ranges = true } = {}) {
  const reads = { requests: 0, bytes: 0 };
  const server = createServer(async (request, response) => {
    const [, name, ...rest] = normalize(decodeURIComponent(request.url.split('?')[0])).split('/');
    const path = folders[name] && join(folders[name], ...rest);
    let size;
    try {
      size = statSync(path).size;
    } catch {
      response.writeHead(404).end();
      return;
    }
    const asked = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const [start, end] = asked ? [Number(asked[1]), Math.min(Number(asked[2]), size - 1)] : [0, size - 1];
    const length = Math.max(end - start + 1, 0);
    reads.requests += 1;
    reads.bytes += length;
    await new Promise((resolve) => setTimeout(resolve, 1000 * (latency + length / bytesPerSecond)));
    response.writeHead(asked ? 206 : 200, {
      'content-type': TYPES[path.split('.').pop()] ?? 'application/octet-stream',
      'content-length': length,
      ...(asked && { 'content-range': `bytes ${start}-${end}/${size}` }),
    });
    if (length) createReadStream(path, { start, end }).pipe(response);
    else response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, reads, end: () => server.closeAllConnections() || server.close() };
}
