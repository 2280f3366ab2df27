// Games made for the tests: short lines of several variants, with comments, variations and damage.

const players = ['Anker, Joris', 'Berg, Lotte', 'Cornel, Piet', 'Duin, Mara', 'Eik, Sam', 'Fjord, Ida'];
const lines = [
  '1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10',
  '1. 32-28 18-22 2. 37-32 12-18 3. 41-37 7-12 4. 34-29 19-23 5. 28x19 14x34 6. 40x29',
  '1. 32-28 17-22 2. 28x17 11x22 3. 37-32 6-11 4. 41-37 12-17',
  '1. 34-29 19-23 2. 40-34 14-19 3. 45-40 10-14 4. 50-45 5-10',
  '1. 33-28 18-22 2. 39-33 12-18 3. 44-39 7-12 4. 31-27 22x31 5. 36x27',
  '1. 31-26 18-23 2. 37-31 12-18 3. 41-37 7-12',
];
const results = ['2-0', '1-1', '0-2', '1-1'];

const game = (n) => {
  const [white, black] = [players[n % 6], players[(n * 5 + 1 + Math.floor(n / 6)) % 6]];
  const other = white === black ? players[(n + 1) % 6] : black;
  return `[Event "Club evening ${1 + (n % 4)}"]\n[Date "${1990 + (n % 20)}.0${1 + (n % 9)}.12"]\n[Round "${n}"]\n[White "${white}"]\n[Black "${other}"]\n[WhiteRating "${1900 + 7 * (n % 50)}"]\n[BlackRating "${1950 + 5 * (n % 50)}"]\n[Result "${results[(n + 3 * Math.floor(n / 6) + (n % 5)) % 4]}"]\n[GameType "20"]\n\n${lines[n % lines.length]} ${results[(n + 3 * Math.floor(n / 6) + (n % 5)) % 4]}\n`;
};

export const ARCHIVE = [
  ...Array.from({ length: 240 }, (_, n) => game(n)),
  `[Event "Annotated"]\n[White "<script>alert(1)</script>"]\n[Black "O'Neil \\"x\\" & Co"]\n[Date "2001.05.06"]\n[Result "2-0"]\n[GameType "20"]\n\n{Before the game} 1. 32-28 {the main move [%eval 0.35]} 19-23 {[%eval -0.1]} (1... 18-22 {solid} 2. 37-32 (2. 38-32)) 2. 28x19 {[%eval 1.5]} 14x23 3. 33-28! 23x32 {[%eval #5]} 4. 37x28 {[%eval 2]} 2-0\n`,
  `[Event "Damaged"]\n[White "Eik, Sam"]\n[Black "Fjord, Ida"]\n[Result "1-1"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 44-11 10-14 1-1\n`,
  ...['c3-d4 d6-c5 2. b2-c3 f6-g5', 'c3-b4 b6-a5 2. b4-c5 d6xb4 3. a3xc5'].map((moves, n) => `[Event "Letters"]\n[White "Anker, Joris"]\n[Black "Ivanov ${n}"]\n[Date "1999.01.0${n + 1}"]\n[Result "1-1"]\n[GameType "25"]\n\n1. ${moves} 1-1\n`),
  // A king that may capture along several ways.
  `[Event "Ways"]\n[White "Berg, Lotte"]\n[Black "Duin, Mara"]\n[Result "*"]\n[GameType "20"]\n[SetUp "1"]\n[FEN "W:W28:B22,23,12,13,10"]\n\n1. 28x17 *\n`,
].join('\n');
