// What the modules of the page give each other: answers of the server as far as they are read, the address, and the shapes of pictures.
// The answers are those of `/api/v1/openapi.json`.

/** The address: each parameter with its text. */
type Address = Record<string, string>;

interface Piece {
  colour?: 'white' | 'black';
  king?: boolean;
  /** What a painted square shows in place of a piece, and its kind, which is a class of the style sheet. */
  text?: string;
  kind?: string;
  /** What screen readers say, if it is not the piece. */
  name?: string;
}

/** A legal move of a position, or a move of a game. */
interface Move {
  text: string;
  from: string;
  to: string;
  path?: string[];
  captured?: string[];
  /** The FEN of the position after it. */
  after?: string;
}

/** The squares of a board: rows of names, with null for what is no square of the game. */
interface BoardShape {
  rows: (string | null)[][];
  full?: boolean;
  files?: string[] | null;
  ranks?: number[] | null;
}

interface PositionAnswer {
  variant: string;
  fen: string;
  turn: 'white' | 'black';
  winner: 'white' | 'black' | null;
  moves: Move[];
  board: BoardShape;
}

/** A square as it is drawn. `slot` is its place among the squares of its row. */
interface DrawnSquare {
  name: string;
  column: number;
  row: number;
  button: HTMLButtonElement;
  slot: number;
  label?: string;
  movable?: boolean;
}

/** What a board shows. */
interface Shown {
  fen?: string;
  pieces?: Map<string, Piece>;
  moves?: Move[];
  last?: string[];
  played?: Move | null;
  awaited?: boolean;
}

/** A place in a game: after a move, or at its beginning. */
interface GameNode extends Partial<Move> {
  fen: string;
  ply: number;
  squares: string[];
  id?: number;
  line?: number;
  parent?: GameNode;
  next?: GameNode;
  button?: HTMLButtonElement;
  written?: string;
  strength?: string;
  nags?: number[];
  eval_cp?: number;
  texts?: string[];
  clock?: string;
  clocks?: Record<string, string>;
  lines?: { variation: any; nodes: GameNode[] }[];
  ways?: GameNode[];
}

/** An element of a picture: its name, its attributes, and its text or the shapes within it. */
type Shape = [tag: string, attributes: Record<string, any>, within?: string | Shape[]];

/** What an archive has, as `/api/v1/indexes` says. */
interface IndexAnswer {
  name: string;
  games: number;
  plies: number;
  variants: { variant: string; games: number }[];
  positions: boolean;
  digest: string;
}

/** What the worker of a site of files answers. */
interface WorkerAnswer {
  problem?: string;
  code?: string;
  status?: number;
  type?: string;
  body?: BodyInit;
}
