// Asks the index of a site that `pdn export-site` made: a worker reads the parts of its files that a question needs.

import { t } from './i18n.js';
import site from './site.js';

// Bytes that a question may read before the reader is asked.
const MOST = 20e6;

const address = (file) => new URL(site.data + file, document.baseURI).href;

// Questions that wait: the worker answers one at a time.
const waiting = [];
let asked;
let worker;

function start() {
  worker = new Worker(address('worker.js'), { type: 'module' });
  worker.addEventListener('message', ({ data }) => settle(data));
  // Its script could not be loaded.
  worker.addEventListener('error', () => {
    worker.terminate();
    worker = null;
    if (asked) settle(navigator.onLine ? { problem: t('siteFile', { file: site.data + 'worker.js' }) } : { problem: '', code: 'lost' });
  });
  worker.postMessage({ base: address(''), files: site.lengths, name: site.index.name, module: address('pdn_explorer_module.wasm.gz') });
}

function send(most) {
  if (!worker) start();
  worker.postMessage({ address: asked.address, most });
}

/** @param {WorkerAnswer} answer */
function settle({ problem, code, status, type, body }) {
  if (code === 'much' && !asked.signal?.aborted && confirm(t('readMuch', { megabytes: MOST / 1e6 }))) return send();
  const { resolve, reject } = asked;
  asked = null;
  // As when a server cannot be reached: the question is asked again.
  if (code === 'lost') reject(new TypeError(problem));
  else if (code === 'much') resolve(Response.json({ detail: problem, code: 'too_much' }, { status: 413 }));
  else if (problem !== undefined) resolve(Response.json({ detail: problem }, { status: 502 }));
  else resolve(new Response(body, { status, headers: { 'content-type': type } }));
  next();
}

function next() {
  while (!asked && waiting.length) {
    const question = waiting.shift();
    if (question.signal?.aborted) question.reject(question.signal.reason);
    else asked = question;
  }
  if (asked) send(MOST);
}

// Answers the request of an address below `api/v1/` as `fetch` does.
/** @type {(address: string, options?: { signal?: AbortSignal }) => Promise<Response>} */
export const ask = (address, { signal } = {}) => new Promise((resolve, reject) => {
  waiting.push({ address, signal, resolve, reject });
  if (!asked) next();
});

// The module is loaded while the page still begins.
start();
