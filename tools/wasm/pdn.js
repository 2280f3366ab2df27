// Checks, repairs, writes, replays and searches draughts games in a text held in memory. Nothing leaves the machine.
//
//   import { load } from '@pdn/pdn';
//   const pdn = await load();
//   pdn.check('[GameType "20"] 1. 32-28 28-23 *').diagnostics[0].code        // 'R001'
//
// A text is a string, or bytes in any encoding that is read: a Uint8Array or an ArrayBuffer. `pdn.d.ts` describes every function.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
// Bytes of memory from which on an instance is given up after a question: memory of WebAssembly grows and never shrinks.
const MEMORY_KEPT = 64 << 20;

/** What is wrong with a question: `code` is a word for programs, `message` a sentence for people. */
export class PdnError extends Error {
  constructor({ message, ...parts }) {
    super(parts.field ? `${parts.field}: ${message}` : message);
    this.name = 'PdnError';
    Object.assign(this, parts);
  }
}

const isNode = () => globalThis.process?.versions?.node !== undefined;

// Compiles a module from its address, its bytes, the response of a server, or takes it as it is.
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) {
    const url = new URL(source, import.meta.url);
    if (url.protocol === 'file:' && isNode()) {
      const { readFile } = await import('node:fs/promises');
      return WebAssembly.compile(await readFile(url));
    }
    source = await fetch(url);
  }
  if (typeof Response === 'undefined' || !(source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new PdnError({ code: 'not_found', message: `${source.url} answers ${source.status}` });
  // Compiling a stream needs the right type of content, which not every server sends.
  const streams = source.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

const bytesOf = (text) => {
  if (typeof text === 'string') return encoder.encode(text);
  if (text instanceof ArrayBuffer) return new Uint8Array(text);
  if (ArrayBuffer.isView(text)) return new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
  throw new PdnError({ code: 'invalid_value', field: 'text', message: 'expected a string, an ArrayBuffer or a Uint8Array' });
};

// A module and the instance that answers. An instance that failed is given up, and the next question gets a new one.
class Engine {
  constructor(module) {
    this.module = module;
    this.open = 0;
    this.imports = { pdn: { progress: (bytes) => this.progress?.(bytes) } };
  }

  // In the browser, the first instance has to be made without holding up the page.
  async start() {
    this.instance = await WebAssembly.instantiate(this.module, this.imports);
    return this;
  }

  give(up) {
    if (this.instance !== up) return;
    this.instance = null;
    this.open = 0;
  }

  // Returns the answer to a question: its object of JSON, and the bytes that belong to it.
  ask(question, options, text = '') {
    const { progress, ...fields } = options ?? {};
    // A text that is open is there already.
    if (text instanceof Games) {
      fields.text = text.number(this);
      text = '';
    }
    const bytes = bytesOf(text);
    const request = encoder.encode(JSON.stringify({ ...fields, question }));
    this.instance ??= new WebAssembly.Instance(this.module, this.imports);
    const { instance } = this;
    const { memory, input, ask, output, data, data_bytes, release } = instance.exports;
    // Each call may enlarge the memory, which makes earlier views of it useless. So a view is made after the call, and used at once.
    const view = (at, length) => new Uint8Array(memory.buffer, at >>> 0, length);
    this.progress = progress;
    try {
      const at = input(bytes.length + request.length);
      if (at === 0) throw new PdnError({ code: 'too_much', message: `there is no memory for a text of ${bytes.length} bytes` });
      view(at, bytes.length).set(bytes);
      view(at + bytes.length, request.length).set(request);
      const length = ask(bytes.length);
      const json = JSON.parse(decoder.decode(view(output(), Math.abs(length))));
      if (length < 0) throw new PdnError(json);
      const belongs = view(data(), data_bytes()).slice();
      release();
      return { json, data: belongs };
    } catch (error) {
      if (error instanceof PdnError) throw error;
      // A panic, or no memory or stack left: what the instance holds cannot be trusted. An error of `progress` ends the question, too.
      this.give(instance);
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      throw new PdnError({ code: 'internal', message: failure(instance, error) });
    } finally {
      this.progress = undefined;
      if (this.open === 0 && memory.buffer.byteLength > MEMORY_KEPT) this.give(instance);
    }
  }
}

// Says why an instance failed.
function failure({ exports }, error) {
  let message = '';
  try {
    const length = exports.panic_message();
    message = decoder.decode(new Uint8Array(exports.memory.buffer, exports.output() >>> 0, length));
  } catch {
    // Without memory or stack there is no message.
  }
  return `the module failed: ${message || error.message}`;
}

/** A game of a text. Its fields are read; `text` and `replay` ask the module. */
class Game {
  #games;

  constructor(games, fields) {
    this.#games = games;
    Object.assign(this, fields);
  }

  get text() {
    return this.#games.text(this.record);
  }

  replay() {
    return this.#games.replay(this.record);
  }
}

const forgotten = new FinalizationRegistry(({ engine, instance, text }) => {
  if (engine.instance === instance) closeText(engine, text);
});

function closeText(engine, text) {
  engine.open -= 1;
  engine.ask('close', { text });
}

/** The games of a text, one after the other, or by their number. */
class Games {
  #engine;
  #instance;
  #text;

  constructor(engine, text, options) {
    this.#engine = engine;
    // Counted before, so that the instance is not given up when it has answered.
    engine.open += 1;
    try {
      this.#text = engine.ask('open', options, text).json.text;
    } catch (error) {
      engine.open = Math.max(0, engine.open - 1);
      throw error;
    }
    this.#instance = engine.instance;
    forgotten.register(this, { engine, instance: this.#instance, text: this.#text }, this);
  }

  // The number of the text for a module that has it.
  number(engine) {
    if (this.#text === undefined || this.#engine !== engine || engine.instance !== this.#instance) {
      throw new PdnError({ code: 'not_found', message: 'the text is closed' });
    }
    return this.#text;
  }

  #ask(question, options) {
    return this.#engine.ask(question, options, this);
  }

  *[Symbol.iterator]() {
    for (let record = 1; ;) {
      const { games } = this.#ask('games', { record }).json;
      if (games.length === 0) return;
      for (const fields of games) yield new Game(this, fields);
      record += games.length;
    }
  }

  game(record) {
    const [fields] = this.#ask('games', { record, count: 1 }).json.games;
    if (!fields) throw new PdnError({ code: 'no_match', field: 'record', message: `the text has no record ${record}` });
    return new Game(this, fields);
  }

  text(record) {
    return decoder.decode(this.#ask('text', { record }).data);
  }

  replay(record) {
    return this.#ask('replay', { record }).json;
  }

  close() {
    if (this.#text !== undefined && this.#engine.instance === this.#instance) closeText(this.#engine, this.#text);
    this.#text = undefined;
    forgotten.unregister(this);
  }
}
if (Symbol.dispose) Games.prototype[Symbol.dispose] = Games.prototype.close;

// Returns the class of positions that ask this engine.
const positionsOf = (engine) =>
  class Position {
    #from;
    #moves;

    // `moves`, from the FEN on, are those of `play`.
    constructor(variant = 'international', fen = null, moves = null) {
      this.#from = { variant, fen, moves };
      const { moves: legal, ...fields } = engine.ask('position', this.#from).json;
      this.#moves = legal;
      Object.assign(this, fields);
    }

    legal_moves() {
      return this.#moves.map((move) => ({ ...move }));
    }

    play(move) {
      const { variant, fen, moves } = this.#from;
      return new Position(variant, fen, [moves, move.text ?? move].filter(Boolean).join(' '));
    }

    svg({ move, ...options } = {}) {
      return decoder.decode(engine.ask('board', { ...this.#from, ...options, move: move?.text ?? move }).data);
    }

    toString() {
      return this.fen;
    }
  };

/** Loads the module; see `pdn.d.ts`. */
export async function load(source = new URL('pdn.wasm', import.meta.url), { search = new URL('pdn-search.wasm', import.meta.url) } = {}) {
  const engine = await new Engine(await compile(source)).start();
  let searching;
  const searchEngine = () => {
    // A module that could not be loaded is asked for again.
    searching ??= compile(search).then((module) => new Engine(module).start()).catch((error) => {
      searching = undefined;
      throw error;
    });
    return searching;
  };
  const Position = positionsOf(engine);
  return {
    check: (text, options) => engine.ask('check', options, text).json,
    fix(text, options) {
      const { json, data } = engine.ask('fix', options, text);
      return { ...json, data };
    },
    review: (text, options) => engine.ask('review', options, text).json,
    convert(text, options) {
      const { json, data } = engine.ask('convert', options, text);
      return { ...json, text: decoder.decode(data) };
    },
    games: (text, options) => new Games(engine, text, options),
    replay(text, { record = 1, ...options } = {}) {
      const games = new Games(engine, text, options);
      try {
        return games.replay(record);
      } finally {
        games.close();
      }
    },
    Position,
    board: (fen, { variant, ...options } = {}) => new Position(variant, fen).svg(options),
    variants: () => engine.ask('variants').json.variants,
    async find(text, query, options) {
      return (await searchEngine()).ask('find', { ...options, query }, text).json;
    },
    async tree(text, options) {
      return (await searchEngine()).ask('tree', options, text).json;
    },
  };
}
