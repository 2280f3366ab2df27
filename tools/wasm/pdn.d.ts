/** A draughts game text: a string, or bytes in any encoding that is read. */
export type Text = string | ArrayBuffer | Uint8Array;

/** A text, or the games of one that is open, which is not copied again. */
export type Source = Text | Games;

export type Colour = 'white' | 'black';
export type Winner = Colour | 'draw' | null;
export type Severity = 'error' | 'warning' | 'style';
export type Status = 'legal' | 'illegal' | 'ambiguous' | 'damaged' | 'empty' | 'unsupported' | 'problem';
export type Applicability = 'safe' | 'unsafe' | 'display';

/** How a text is read. */
export interface ReadOptions {
  /** Name or GameType value of the variant of games that no tag names; without it, it is inferred. */
  variant?: string | null;
  /** Label of the encoding, such as `windows-1251`; without it, it is detected. */
  encoding?: string | null;
  /** The side that the first number of a score belongs to; without it, games that end on the board show it. */
  scores?: 'first' | 'white' | null;
}

/** Options of work on a whole text. */
export interface WorkOptions extends ReadOptions {
  /** Is told the number of bytes that are done, every half a megabyte. An error that it throws ends the work. */
  progress?: (bytes: number) => void;
}

/** What is wrong with a question. */
export class PdnError extends Error {
  /** A stable word, such as `invalid_value`, `no_match`, `too_much` or `internal`. */
  readonly code: string;
  /** The option that is wrong. */
  readonly field?: string;
  /** The wrong part of its value: offset and length in bytes. */
  readonly at?: number;
  readonly span?: number;
  /** The name of the sentence without its values, for programs that say it in another language; what has none is told by `code` alone. */
  readonly reason?: string;
  /** The values in the sentence by their names. */
  readonly arguments?: Record<string, string | number | string[]>;
  readonly details?: string[];
  /** What to do. */
  readonly help?: string;
}

export interface CheckOptions extends WorkOptions {
  // begin options of check
  /** Also report style: text that is understood but deviates from PDN 3.0. */
  strict?: boolean;
  /** Report only these codes: a code such as T005 or its beginning such as T or R0, separated by commas. */
  code?: string | string[];
  /** Report only diagnostics that are at least as severe [default: warning, or style with `strict`]. */
  severity?: 'style' | 'warning' | 'error';
  /** Print at most this many diagnostics per code and file, 0 for no limit; the summary counts all [default: 5 if they are printed for people, else 0]. */
  max_per_code?: number;
  // end options of check
}

/** A part of the text that is wrong. Offsets are bytes: of a string, those of its UTF-8. */
export interface Diagnostic {
  record: number;
  offset: number;
  length: number;
  line: number;
  column: number;
  at: number;
  span: number;
  code: string;
  severity: Severity;
  message: string;
  /** Of a move that cannot be played: the plies before it, and the position with its legal moves. */
  ply?: number;
  move?: string;
  variant?: string | null;
  fen?: string;
  legal?: string[];
  /** The legal moves that may be meant. */
  meant?: string[];
  /** The values of the message, from which it can be told in another language. */
  arguments: { cause?: string; quoted: string[]; detail?: string };
  /** The line that it is about. */
  excerpt: { before: string; marked: string; after: string };
}

/** The numbers of a check. */
export interface CheckSummary {
  files: number;
  bytes: number;
  games: number;
  plies: number;
  legal: number;
  illegal: number;
  ambiguous: number;
  damaged: number;
  empty: number;
  unsupported: number;
  problems: number;
  errors: number;
  warnings: number;
  styles: number;
  written: number;
  replayed: boolean;
  variants: Record<string, number>;
  inferred: Record<string, number>;
  codes: Record<string, number>;
  not_listed?: number;
}

export interface CheckResult {
  diagnostics: Diagnostic[];
  summary: CheckSummary;
}

export interface FixOptions extends WorkOptions {
  // begin options of fix
  /** Also apply repairs that change the meaning of a damaged game. */
  unsafe?: boolean;
  /** Apply only repairs of these codes: a code such as T025, its beginning such as T or R0, or `damage` for all of more than style, separated by commas. */
  select?: string | string[];
  /** Leave out repairs of these codes, in the same words. */
  ignore?: string | string[];
  // end options of fix
}

export interface Edit {
  at: number;
  old: string;
  new: string;
}

export interface Proof {
  moves: 'same' | 'replayed';
  text: string;
  plies_before?: number;
  plies_after?: number;
  complete?: boolean;
  tried?: number;
}

export interface Repair {
  record: number;
  offset: number;
  length: number;
  line: number;
  column: number;
  code: string;
  kind: string;
  applicability: Applicability;
  applied: boolean;
  edits: Edit[];
  proof: Proof;
  candidates: { kind: string; edits: Edit[]; proof: Proof }[];
}

export interface FixResult {
  repairs: Repair[];
  summary: {
    games: number;
    repaired: number;
    applied: number;
    safe: number;
    unsafe: number;
    display: number;
    by_code: Record<string, { safe: number; unsafe: number; display: number }>;
  };
  /** The changes as a unified diff; empty if there are none. */
  diff: string;
  /** The repaired text, in its own encoding. */
  data: Uint8Array;
}

/** A repair that changes the meaning of a game, which can be chosen. */
export interface OfferedRepair {
  id: string;
  record: number;
  line: number;
  code: string;
  kind: string;
  changes: { old: string; new: string }[];
  chosen: boolean;
}

/** What `pdn serve` answers to a text that is checked. */
export interface Review extends CheckResult {
  encoding: string;
  /** The number of repairs that are made. */
  repairs: number;
  /** The text after them, in UTF-8. */
  fixed: string | null;
  diff: string | null;
  diff_is_cut: boolean;
  offered: OfferedRepair[];
}

export interface ConvertOptions extends WorkOptions {
  // begin options of convert
  /** Repair games before they are written, where the repair keeps their meaning; as `pdn fix`. */
  fix?: boolean;
  /** With `fix`: also apply repairs that change the meaning of a damaged game. */
  unsafe?: boolean;
  /** Parts to leave out: comments, nags, variations, clocks; `setups` refuses games with setups in the movetext. */
  strip?: string | string[];
  /** Names of squares [default: those of the game type]. */
  notation?: 'numeric' | 'algebraic' | 'hub';
  /** How captures are written [default: short]. */
  captures?: 'short' | 'full' | '3.1';
  /** How positions are written. */
  fen_style?: 'pdn' | 'hub';
  /** Program that the games are for: pdn3, lidraughts, turbo-dambase, checkerboard, dam or plain. */
  program?: string | null;
  /** Maximum length of a line of moves in bytes, 0 for one line per game [default: that of the program, else 79]. */
  width?: number;
  /** Tags to add, GameType also if it is only assumed; Novelty is a comment at the new move. */
  add?: string | string[];
  /** Write each line as a game of its own: the main line, and each variation with the moves before it; the tag Line has its number, 0 for the main line. */
  variations_as_games?: boolean;
  /** Add no GameType tag to games without one. */
  keep_untagged?: boolean;
  // end options of convert
}

export interface ConvertResult {
  read: number;
  /** Variations that are games of their own. */
  variations: number;
  written: number;
  rejected: number;
  /** Games that cannot be written without a loss, by reason. */
  rejected_by: Record<string, number>;
  repaired: number;
  repaired_unsafely: number;
  /** The written games. */
  text: string;
}

/** A game of a text. What its moves mean is in the answer of `replay`. */
export interface Game {
  /** Number of the record, from 1; its place in the text in bytes, and its line. */
  readonly record: number;
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly white: string | null;
  readonly black: string | null;
  readonly event: string | null;
  readonly site: string | null;
  readonly round: string | null;
  /** The date as 1999-12-31, if year, month and day are known. */
  readonly date: string | null;
  readonly date_text: string | null;
  readonly year: number | null;
  readonly month: number | null;
  readonly white_rating: number | null;
  readonly black_rating: number | null;
  /** The result that counts, as written. */
  readonly result: string | null;
  /** All tags; of several with one name the first. */
  readonly tags: Record<string, string>;
  /** The written moves of the main line, legal or not. */
  readonly moves: string[];
  /** The text of the record. */
  readonly text: string;
  replay(): Replay;
}

/** The games of a text, read as they are asked for. */
export interface Games extends Iterable<Game> {
  /** Returns a game by the number of its record, from 1. */
  game(record: number): Game;
  /** Frees the memory of the text. Without it, that happens when the object is collected. */
  close(): void;
}

/** A move of a game, with the position after it. */
export interface Ply {
  /** The number of half-moves before it. */
  ply: number;
  turn: Colour;
  text: string | null;
  written: string;
  from: string;
  to: string;
  /** The squares of a capture of several pieces. */
  path?: string[];
  captured: string[];
  promotes: boolean;
  /** The position after the move. */
  fen: string;
  strength?: string;
  nags?: number[];
  comments?: string[];
  variations?: number | { line: number; comments: string[]; moves: Ply[]; rest: string[] }[];
  eval_cp?: number;
}

/** A game with its positions, variations and comments. */
export interface Replay {
  record: number;
  offset: number;
  length: number;
  tags: Record<string, string>;
  variant: string;
  variant_from: 'tag' | 'option' | 'inferred';
  status: Status;
  /** Legal and written half-moves of the main line. */
  plies: number;
  written: number;
  result: string | null;
  result_tag: string | null;
  result_end: string | null;
  winner: Winner;
  /** The start position, and the last one. */
  start: string;
  fen: string;
  comments: string[];
  moves: Ply[];
  /** The moves that cannot be played, as written. */
  rest: string[];
  /** Where and why the replay stopped. */
  stop: { ply: number; move: string; at: number; span: number; code: string; reason: string; cause: string } | null;
}

/** A legal move. */
export interface Move {
  text: string;
  from: string;
  to: string;
  path: string[];
  captured: string[];
  promotes: boolean;
  /** The position after it. */
  after: string;
}

export interface BoardOptions {
  /** Puts Black at the bottom. */
  flip?: boolean;
  /** Leaves out the numbers of the squares. */
  plain?: boolean;
  /** A move that is played and marked. */
  move?: string | Move;
}

/** A position under the rules of a variant. It never changes: `play` returns a new one. */
export interface Position {
  readonly fen: string;
  readonly variant: string;
  readonly game_type: string;
  readonly turn: Colour;
  readonly men: { white: number; black: number };
  readonly kings: { white: number; black: number };
  readonly winner: Colour | null;
  /** What is unusual about the FEN. */
  readonly warnings: string[];
  /** The names of the squares in rows from the top left, as White sees the board. */
  readonly board: { rows: (string | null)[][]; full: boolean; files: string[] | null; ranks: number[] | null };
  legal_moves(): Move[];
  /** Plays a move, or several of a text such as `32-28 19-23`. */
  play(move: string | Move): Position;
  svg(options?: BoardOptions): string;
}

export interface Hit {
  record: number;
  /** The half-moves before the first position that matches, and its line: 0 for the main line. */
  ply: number;
  line: number;
}

export interface FindOptions extends ReadOptions {
  /** The greatest number of hits. */
  limit?: number;
}

/** Numbers of games of a move or a position. */
export interface Tally {
  games: number;
  white: number;
  draws: number;
  black: number;
  /** Games that were declared lost for both sides. */
  both_lost: number;
  /** The points of the side to move in percent, and their bounds with a probability of 95 %. */
  score: number | null;
  low: number | null;
  high: number | null;
  /** The average rating of the side to move, of White and of Black. */
  rating: number | null;
  white_rating: number | null;
  black_rating: number | null;
  first_year: number | null;
  last_year: number | null;
  /** The numbers of example games, from 1. */
  examples: number[];
}

export interface TreeOptions extends ReadOptions {
  /** The games that count; without it, all. */
  query?: string | null;
  // begin options of tree
  /** Position after these moves, such as '1. 32-28 19-23'; games that transpose into it count [default: start position]. */
  moves?: string | null;
  /** Position as a FEN, such as 'W:W31-50:B1-20' [default: start position]. */
  fen?: string | null;
  /** Also count the games that reach the position after each move by another move order, and name the moves that nobody played and that lead to positions of games; takes as long again for each legal move. */
  transpositions?: boolean;
  /** Order of the moves. */
  sort?: 'games' | 'score' | 'rating' | 'year' | 'move';
  /** Print at most this many moves, 0 for no limit. */
  limit?: number;
  // end options of tree
}

/** The moves played in a position. */
export interface Tree extends Tally {
  variant: string;
  variant_from: 'option' | 'inferred';
  variants: { variant: string; games: number }[];
  fen: string;
  opening_played: string | null;
  turn: Colour;
  /** Games that end in the position. */
  ended: number;
  exact: boolean;
  left_out: number;
  player_score: number | null;
  self_games: number | null;
  moves: (Tally & {
    move: string;
    after: string;
    opening_played: string | null;
    /** Games that reach the position after the move by any order of moves, and by another one. */
    reached: number | null;
    other_ways: number | null;
    player_score: number | null;
    /** What tables of endings prove; this package reads none. */
    table: null;
    distance: null;
  })[];
  unplayed: { move: string; after: string; reached: number }[];
  arrivals: { move: string | null; games: number; before: string | null }[];
}

export interface Pdn {
  check(text: Source, options?: CheckOptions): CheckResult;
  fix(text: Source, options?: FixOptions): FixResult;
  /** Checks a text and repairs it; `repairs` are the ids of offered repairs that are made, too. */
  review(text: Source, options?: { repairs?: string | string[] }): Review;
  convert(text: Source, options?: ConvertOptions): ConvertResult;
  games(text: Text, options?: ReadOptions): Games;
  replay(text: Text, options?: ReadOptions & { record?: number }): Replay;
  readonly Position: new (variant?: string, fen?: string | null) => Position;
  /** Draws a position as SVG. */
  board(fen: string | null, options?: BoardOptions & { variant?: string }): string;
  variants(): string[];
  /** Finds the games of a text that match a query; loads the module that searches. */
  find(text: Text, query: string, options?: FindOptions): Promise<{ games: number; hits: Hit[] }>;
  /** Counts the moves that the games of a text play in a position; loads the module that searches. */
  tree(text: Text, options?: TreeOptions): Promise<Tree>;
}

/**
 * Loads the module: from beside this file, from an address, the response of a server, its bytes, or compiled.
 * `search` is the module that searches, which is loaded when `find` or `tree` is called first.
 */
export function load(
  source?: string | URL | Response | BufferSource | WebAssembly.Module,
  options?: { search?: string | URL | Response | BufferSource | WebAssembly.Module },
): Promise<Pdn>;
