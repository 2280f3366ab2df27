// Answers the questions of a page from an index on a web space. The first message says where it is: { base, files, name, module }. Each
// further one asks: { id, address, most }, where `most` bytes may be read at most; its answer has the same id, and either status, type,
// file and body, or problem and code.

import { FilesProblem, load, openFiles } from './explorer.js';

let place;
let opening;
let last = Promise.resolve();

async function open({ base, files, name, module }) {
  const fetched = async () => {
    const response = await fetch(module).catch((error) => {
      throw new FilesProblem(`${module} cannot be read: ${error.message}`, 'lost');
    });
    if (!response.ok) throw new FilesProblem(`${module} cannot be read: HTTP ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    // Some hosts declare its compression, and then the browser has removed it already.
    const isPacked = bytes[0] === 31 && bytes[1] === 139;
    return isPacked ? new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))) : bytes;
  };
  const [source, opened] = await Promise.all([fetched(), openFiles(base, files)]);
  return load(source, opened, name);
}

async function answer({ id, address, most }) {
  try {
    opening ??= open(place);
    const answer = await opening.catch((error) => {
      // The next question tries again.
      opening = null;
      throw error;
    }).then((explorer) => explorer.ask(address, most));
    postMessage({ id, ...answer }, [answer.body.buffer]);
  } catch (error) {
    // A module that has failed is not asked again.
    if (error instanceof WebAssembly.RuntimeError) opening = null;
    postMessage({ id, problem: error.message, code: error.code });
  }
}

addEventListener('message', ({ data }) => {
  if (data.base) {
    place = data;
    opening = open(place);
    // Each question gets the reason.
    opening.catch(() => null);
  } else last = last.then(() => answer(data));
});
