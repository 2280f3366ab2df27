// Uses every function of the package with its types. It is compiled, not run: `types.test.js`.

import { type Diagnostic, type Games, type Move, type Pdn, type Position, PdnError, load } from '@pdn/pdn';

export async function useAll(file: File): Promise<string> {
  const pdn: Pdn = await load(await fetch('pdn.wasm'), { search: new URL('https://example.org/pdn-search.wasm') });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const found: Diagnostic[] = pdn.check(bytes, { strict: true, code: ['R', 'T'], progress: (done: number) => void done }).diagnostics;
  const { repairs, data } = pdn.fix('1. 32-28 *', { unsafe: true, select: 'damage' });
  const applied: boolean[] = repairs.map((repair) => repair.applied);
  const { offered, fixed } = pdn.review(bytes, { repairs: [] });
  const { text, rejected_by } = pdn.convert(data, { program: 'plain', strip: ['comments'], captures: '3.1' });
  const games: Games = pdn.games(bytes, { variant: 'russian', encoding: 'cp866' });
  const names: (string | null)[] = [];
  for (const game of games) names.push(game.white, game.replay().winner);
  games.close();
  const position: Position = new pdn.Position('english').play('11-15');
  const [move]: Move[] = position.legal_moves();
  const { hits } = await pdn.find(bytes, 'wk >= 1', { limit: 10 });
  const { stop } = pdn.replay(text, { record: 2 });
  try {
    pdn.board(position.fen, { variant: position.variant, flip: true, move });
  } catch (error) {
    if (error instanceof PdnError) return error.code;
  }
  // @ts-expect-error: there is no such option.
  pdn.check('', { varient: 'russian' });
  // @ts-expect-error: a position never changes.
  position.fen = '';
  return [found.length, applied.length, offered.length, fixed, Object.keys(rejected_by), hits[0]?.ply, stop?.at, pdn.variants()[0]].join();
}
