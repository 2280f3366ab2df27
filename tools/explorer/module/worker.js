// Answers the questions of a page from an index on a web space. The first message opens it: { base, files, name, module }. Each further
// one asks: { id, address }; its answer has the same id, and either status, type, file and body, or problem.

import { checkRanges, httpFiles, load } from './explorer.js';

let explorer;

async function open({ base, files, name, module }) {
  await checkRanges(base, files);
  explorer = await load(await fetch(module), httpFiles(base, files), name);
}

addEventListener('message', async ({ data }) => {
  if (!explorer) {
    explorer = null;
    await open(data).then(() => postMessage({ open: true }), (error) => postMessage({ open: false, problem: error.message }));
    return;
  }
  try {
    const answer = explorer.ask(data.address);
    postMessage({ id: data.id, ...answer }, [answer.body.buffer]);
  } catch (error) {
    postMessage({ id: data.id, problem: error.message });
  }
});
