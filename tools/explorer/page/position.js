// Positions as text: FEN of draughts, such as W:W31,K32:B1,2.

// Returns the side to move and a map from squares to pieces such as { colour: 'white', king: false }.
export function parseFen(fen) {
  const pieces = new Map();
  const [turn = 'W', ...sides] = (fen ?? '').trim().split(':');
  for (const side of sides) {
    const colour = { W: 'white', B: 'black' }[side[0]];
    if (!colour) continue;
    for (const word of side.slice(1).replace(/\.$/, '').split(',')) {
      const king = /^K/.test(word);
      const square = king ? word.slice(1) : word;
      const range = /^(\d+)-(\d+)$/.exec(square);
      if (range) for (let n = +range[1]; n <= +range[2]; n++) pieces.set(String(n), { colour, king });
      else if (square) pieces.set(square, { colour, king });
    }
  }
  return { turn: turn[0] === 'B' ? 'black' : 'white', pieces };
}

export function toFen(turn, pieces) {
  const list = (colour) =>
    [...pieces].filter(([, piece]) => piece.colour === colour).map(([square, piece]) => (piece.king ? 'K' : '') + square).join(',');
  return `${turn === 'black' ? 'B' : 'W'}:W${list('white')}:B${list('black')}`;
}
