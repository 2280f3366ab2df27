// Stands in for the module of the same name of the explorer's page: what the server answers there, a worker answers here.

const worker = new Worker('worker.js', { type: 'module' });
const waiting = new Map();
let asked = 0;

worker.addEventListener('message', ({ data: { id, answer, error, done } }) => {
  const { resolve, reject, progress } = waiting.get(id);
  if (done !== undefined) return progress?.(done);
  waiting.delete(id);
  return error ? reject(Object.assign(new Error(error.message), error)) : resolve(answer);
});
worker.addEventListener('error', (event) => {
  for (const { reject } of waiting.values()) reject(new Error(event.message || 'the worker cannot be loaded'));
  waiting.clear();
});

// Sends a question to the worker, and calls `progress` with the number of bytes that were read so far.
export function ask(question, values = {}, progress) {
  return new Promise((resolve, reject) => {
    asked += 1;
    waiting.set(asked, { resolve, reject, progress });
    worker.postMessage({ id: asked, question, values });
  });
}

export const query = (parameters) => '?' + new URLSearchParams(parameters);

// The check with the repairs that were chosen: `check?repairs=...`. The text is open already.
export const post = (path) => ask('review', { repairs: new URLSearchParams(path.split('?')[1]).get('repairs') });

// The board of a variant: `.../position`.
export const get = (_, { variant }) => ask('position', { variant });
