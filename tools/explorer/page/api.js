// Asks the server, or the index of an exported site.

import { connected } from './connection.js';
import { loadMessages, problemText } from './messages.js';
import site from './site.js';

export const hasServer = !site;
const remote = site && await import('./remote.js');

export class Problem extends Error {
  constructor(body, status) {
    const detail = body?.detail ?? `HTTP ${status}`;
    const { text, english } = problemText({ ...body, status, detail });
    super(text);
    Object.assign(this, { status, code: body?.code, parameter: body?.parameter, at: body?.at, span: body?.span, meant: body?.arguments?.meant ?? [], english });
  }
}

export function query(parameters) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '' && one !== false) search.append(name, one);
    }
  }
  return search.size ? '?' + search : '';
}

async function read(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    await loadMessages();
    throw new Problem(body, response.status);
  }
  return body;
}

// Asks the server until it answers.
const ask = (path, options = {}) => connected(() => (remote ? remote.ask(path, options) : fetch('api/v1/' + path, options)), options.signal);

// Without a signal, an answer to a question that is no longer asked is thrown away by the caller.
export async function get(path, parameters = {}, signal) {
  if (site && path === 'indexes') return { indexes: [site.index], title: site.title ?? undefined };
  return read(await ask(path + query(parameters), { signal }));
}
export const post = async (path, body, signal) => read(await ask(path, { method: 'POST', body, signal }));

// Returns a file of a result.
export async function resultFile(path, parameters) {
  const response = await ask(path + query(parameters));
  return response.ok ? response.blob() : read(response);
}

// Returns the record of a game.
export async function gameText(index, number) {
  const response = await ask(`${encodeURIComponent(index)}/games/${number}.pdn`);
  return response.ok ? response.text() : read(response);
}

// Asks for lines of JSON, passes the rows to `show` as they arrive, some at a time, and returns the last line.
export async function rows(path, parameters, signal, show) {
  const response = await ask(path + query(parameters), { signal });
  if (!response.ok) return read(response);
  let rest = '';
  let last;
  for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    const values = lines.map((line) => JSON.parse(line));
    if (values.length && 'complete' in values.at(-1)) last = values.pop();
    if (values.length) show(values);
  }
  if (!last?.complete) {
    await loadMessages();
    throw new Problem(last?.problem, last?.problem?.status ?? 0);
  }
  return last;
}

// Runs one request at a time: a new one ends the one before.
export class Latest {
  async run(work) {
    this.controller?.abort();
    const controller = (this.controller = new AbortController());
    try {
      const value = await work(controller.signal);
      return controller.signal.aborted ? undefined : value;
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    }
  }
  stop() {
    this.controller?.abort();
  }
}
