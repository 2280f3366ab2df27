// Formats the notes of a move: its clock, its NAGs as signs, and its comments without embedded commands.

// The signs of NAGs in chess and draughts books.
const SIGNS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 8: '□', 10: '=', 11: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀', 32: '⟳', 33: '⟳', 36: '→', 37: '→', 40: '↑', 41: '↑', 44: '=∞', 45: '=∞', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 146: 'N' };

export const nagText = (nag) => (nag < 7 ? '' : ' ') + (SIGNS[nag] ?? `$${nag}`);

const time = (text) => text.replace(/^0:(?=\d\d:)/, '');

// Returns the clocks of both sides after a move of `turn`, as far as its comments have them, and the comments without commands. An
// evaluation that could not be read stays.
export function annotation(comments = [], turn, evaluation) {
  const clocks = {};
  const command = (all, name, value) => {
    if (name === 'eval') return Math.round(value * 100) === evaluation ? '' : all;
    if (name === 'clk') clocks[turn] = time(value.trim());
    if (name === 'clock') for (const [, side, of] of value.matchAll(/([wb])\s*([\d:.]+)/gi)) clocks[side.toLowerCase() === 'w' ? 'white' : 'black'] = time(of);
    return '';
  };
  const texts = comments.map((text) => text.replace(/\[%(\w+)\s*([^\]]*)\]/g, (all, name, value) => command(all, name.toLowerCase(), value)).trim());
  return { texts: texts.filter(Boolean), clocks };
}
