//! A recursive reader of brackets, the referee of variations and notes: it plays each line by comparing the texts of all legal moves.

use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::split;

use super::game::{Board, Game, NaiveMove, board, games};

/// Returns the games of an archive with their variations and notes.
pub(crate) fn annotated_games(text: &[u8]) -> Vec<Game> {
    let records = split::records(text).map(|game| game.bytes);
    let mut found = games(text);
    for (game, record) in found.iter_mut().zip(records) {
        let record = String::from_utf8_lossy(record);
        let movetext = record.rsplit_once("]\n").map_or(&*record, |(_, movetext)| movetext);
        // The opening is that of the main line, in variations too.
        let _ = game.opening_names();
        let words = words(movetext);
        let mut reader = Reader { words: &words, at: 0, lines: 0, like: game.clone() };
        let main = reader.line(Position::start(game.variant), true, 0, None);
        assert_eq!(main.moves.len(), game.moves.len(), "{movetext}");
        *game = main;
    }
    found
}

/// Cuts a movetext into brackets, comments and words.
fn words(movetext: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = movetext.trim();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            '(' | ')' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || "(){}".contains(c)).unwrap_or(rest.len()),
        };
        words.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
    }
    // The result.
    words.pop();
    words
}

struct Reader<'a> {
    words: &'a [String],
    at: usize,
    /// The number of variations so far.
    lines: usize,
    /// A game with the same tags.
    like: Game,
}

impl Reader<'_> {
    /// Reads a line up to its closing bracket, which begins in `start` after `first` plies. It begins a ply later, in `instead`, if its
    /// first move is possible only there.
    fn line(
        &mut self,
        start: Position,
        mut is_playing: bool,
        first: usize,
        instead: Option<Position>,
    ) -> Game {
        let mut line = Game {
            line: self.lines,
            first,
            boards: Vec::new(),
            moves: Vec::new(),
            variations: Vec::new(),
            comments: Vec::new(),
            nags: Vec::new(),
            marks: Vec::new(),
            ..self.like.clone()
        };
        let mut positions = vec![start];
        if let Some(other) = instead
            && let Some(word) = self.first_move()
            && find(&start, &word).is_none()
            && find(&other, &word).is_some()
        {
            positions[0] = other;
            line.first += 1;
        }
        while let Some(word) = self.words.get(self.at).cloned() {
            self.at += 1;
            let here = line.moves.len();
            if word == ")" {
                break;
            }
            if word == "(" {
                self.lines += 1;
                let (variation, branch) = match here.checked_sub(1) {
                    Some(last) if is_playing => {
                        let inner =
                            self.line(positions[last], true, line.first + last, Some(positions[here]));
                        let branch = inner.first - line.first;
                        (inner, branch)
                    }
                    // Its only position is that at which it begins.
                    _ => (self.line(positions[here], false, line.first + here, None), here),
                };
                line.variations.push((branch, variation));
            } else if let Some(text) = word.strip_prefix('{') {
                let mut text = text.trim_end_matches('}').to_owned();
                if let Some(start) = text.find("[%") {
                    let end = text.find(']').map_or(text.len(), |end| end + 1);
                    text.replace_range(start..end, "");
                }
                if !text.trim().is_empty() {
                    line.comments.push((here, text.trim().to_owned()));
                }
            } else if let Some(nag) = word.strip_prefix('$') {
                if is_playing && here > 0 {
                    line.nags.push((here - 1, nag.parse().expect("a number")));
                }
            } else if !word.ends_with('.') {
                let text = word.trim_end_matches(['!', '?', '*']);
                let found = is_playing.then(|| find(&positions[here], text)).flatten();
                let Some(mv) = found else {
                    is_playing = false;
                    continue;
                };
                let last = positions[here];
                line.moves.push(naive_move(&last, &mv));
                let mut next = last;
                next.play_unchecked(&mv);
                positions.push(next);
                if text.len() < word.len() {
                    line.marks.push((here, word[text.len()..].to_owned()));
                }
            }
        }
        line.boards = positions.iter().map(board).collect::<Vec<Board>>();
        line
    }

    /// Returns the first move of the line that begins at the next word.
    fn first_move(&self) -> Option<String> {
        let mut words = self.words[self.at..].iter();
        let word = words.find(|word| !word.starts_with(['{', '$']) && !word.ends_with('.'))?;
        (!["(", ")"].contains(&word.as_str())).then(|| word.trim_end_matches(['!', '?', '*']).to_owned())
    }
}

/// Returns the legal move with this text.
fn find(position: &Position, text: &str) -> Option<Move> {
    let mut list = MoveList::new();
    position.legal_moves(&mut list).expect("few captures");
    let written = |mv: &&Move| {
        let written = move_text(position, mv, MoveStyle::Shortest).expect("few captures").to_string();
        written == text
    };
    list.as_slice().iter().find(written).copied()
}

fn naive_move(position: &Position, mv: &Move) -> NaiveMove {
    let names = position.names();
    let name = |square| names.name(square).to_string();
    NaiveMove {
        from: name(mv.from),
        to: name(mv.to),
        captured: mv.captured_squares().map(name).collect(),
        promotes: mv.promotes,
    }
}
