// Answers the page, one question after the other. Here is the text, and here it stays.

import { load } from './pdn.js';

const loading = load();
let bytes = null;
let games = null;

const answers = {
  async open(pdn, { blob }) {
    games?.close();
    games = null;
    bytes = new Uint8Array(await blob.arrayBuffer());
    games = pdn.games(bytes);
    return {};
  },
  check: (pdn, options) => pdn.check(games, { max_per_code: 200, ...options }),
  review: (pdn, options) => pdn.review(games, options),
  position: (pdn, { variant, fen }) => ({ ...new pdn.Position(variant, fen) }),
  list: (pdn, { from, to }) => {
    const found = [];
    for (let record = from; record <= to; record++) found.push({ ...games.game(record) });
    return found;
  },
  replay: (pdn, { record }) => ({ ...games.game(record), ...games.replay(record) }),
  convert(pdn, options) {
    const { text, ...summary } = pdn.convert(games, options);
    return { ...summary, blob: new Blob([text]), start: text.slice(0, 20_000), is_cut: text.length > 20_000 };
  },
  find: (pdn, { query, ...options }) => pdn.find(bytes, query, options),
};

// Questions wait for each other: a text is opened before it is asked about.
let last = Promise.resolve();
addEventListener('message', ({ data: { id, question, values } }) => {
  last = last.then(async () => {
    try {
      const told = { at: 0 };
      const progress = (done) => {
        if (done < told.at) return;
        told.at = done + (1 << 20);
        postMessage({ id, done });
      };
      const options = question === 'check' || question === 'convert' ? { ...values, progress } : values;
      postMessage({ id, answer: await answers[question](await loading, options) });
    } catch (error) {
      postMessage({ id, error: { message: error.message, code: error.code } });
    }
  });
});
