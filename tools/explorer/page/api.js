// Asks the server.

export class Problem extends Error {
  constructor(body, status) {
    super(body?.detail ?? `HTTP ${status}`);
    Object.assign(this, { status, parameter: body?.parameter, at: body?.at, span: body?.span });
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
  if (!response.ok) throw new Problem(body, response.status);
  return body;
}

// Without a signal, an answer to a question that is no longer asked is thrown away by the caller.
export const get = async (path, parameters = {}, signal) => read(await fetch('/api/v1/' + path + query(parameters), { signal }));
export const post = async (path, body, signal) => read(await fetch('/api/v1/' + path, { method: 'POST', body, signal }));

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
