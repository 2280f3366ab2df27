// The host's side of the WebAssembly module: checks and converts draughts games in a text held in memory.
//
//   import { load } from "./pdn.js";
//   const pdn = await load(await fetch("pdn_wasm.wasm"));     // or the bytes of the module
//   pdn.check("[GameType \"20\"] 1. 32-28 28-23 *")           // { diagnostics: [{ code: "R001", line: 1, ... }], games: 1, plies: 1, legal: 0 }
//   pdn.convert(bytes)                                        // canonical PDN, as a string
//
// A text is a string, or bytes in any encoding that `pdn` reads. In Node it is also a command:
//
//   node pdn.js check|convert FILE

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Loads the module from its bytes or from the response of a server. */
export async function load(source) {
    const bytes = source instanceof Response ? await source.arrayBuffer() : source;
    const { instance } = await WebAssembly.instantiate(bytes);
    const { memory, input, output, check, convert } = instance.exports;
    const ask = (question, text) => {
        const bytes = typeof text === "string" ? encoder.encode(text) : text;
        // Each call may enlarge the memory, which makes earlier views of it useless. So a view is made after the call, and used at once.
        const at = input(bytes.length);
        new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
        const length = question();
        return decoder.decode(new Uint8Array(memory.buffer, output(), length));
    };
    return {
        /** Returns the diagnostics of a text, as `pdn check --json` does, and the numbers of games, plies and legal games. */
        check(text) {
            const lines = ask(check, text).trimEnd().split("\n").map(line => JSON.parse(line));
            return { diagnostics: lines.slice(0, -1), ...lines.at(-1) };
        },
        /** Returns the games of a text in canonical form. Games that cannot be written are left out. */
        convert: text => ask(convert, text),
    };
}

// Run as a command of Node: reads the module from the folder of this file.
if (globalThis.process?.argv?.[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
    const { readFileSync } = await import("node:fs");
    const [question, file] = process.argv.slice(2);
    const pdn = await load(readFileSync(new URL("pdn_wasm.wasm", import.meta.url)));
    const text = readFileSync(file);
    if (question === "check") {
        const { diagnostics, ...totals } = pdn.check(text);
        for (const line of [...diagnostics, totals]) {
            console.log(JSON.stringify(line));
        }
    } else {
        process.stdout.write(pdn.convert(text));
    }
}
