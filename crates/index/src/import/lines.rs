//! What an index stores of the variations, comments and NAGs of a game.
//!
//! The walk that records the main line records the variations, too. Once the main line has been played, they are played from the positions
//! in which they begin, and packed.

use std::ops::ControlFlow;

use super::pack_sink::{PackSink, PackTables, PackedLine};
use super::token_places::{LinePlaces, TokenPlaces};
use crate::format::annotations::{AnnotationBits, LinesWriter, NotesWriter};
use crate::pack::PackedOp;
use crate::row::game_facts::FactCounter;
use crate::row::row_batch::AnnotationBuffer;
use pdn::internal::replay::{LineTokens, Note, RecordedVariation, VariationPlayer, Variations, sort_notes};
use pdn::position::{Move, Position};
use pdn::replay::{ReplaySummary, Replayer};
use pdn_rules::internal::board::{Bits, Geometry, WithBoard};
use pdn_rules::internal::position::State;

/// Maximum length in bytes of a record whose variations are read: playing them takes some dozen times as much memory.
const MAX_RECORD_BYTES: usize = 256 << 10;

/// The variations and notes of a record, as its walk finds them.
#[derive(Debug, Default)]
pub(super) struct RecordedLines {
    pub(super) variations: Variations,
    notes: Vec<RecordedNote>,
    /// `false` for a record that is too long.
    pub(super) reads_variations: bool,
}

/// A note whose place among the plies is not known yet.
#[derive(Clone, Copy, Debug)]
struct RecordedNote {
    /// The number of its line.
    line: u32,
    /// The number of tokens that the line has before it.
    tokens: u32,
    note: Note,
}

impl RecordedLines {
    /// Begins a record of this length: removes everything and keeps the memory.
    #[inline]
    pub(super) fn begin(&mut self, record_len: usize) {
        self.variations.clear();
        self.notes.clear();
        self.reads_variations = record_len <= MAX_RECORD_BYTES;
    }

    /// Appends a note to the innermost line that has not ended; the main line has `main_tokens` tokens so far.
    pub(super) fn push_note(&mut self, note: Note, main_tokens: usize) {
        let (line, tokens) = self.variations.place(main_tokens);
        self.notes.push(RecordedNote { line, tokens, note });
    }

    /// Returns `true` if the record has neither notes nor variations.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.variations.is_empty()
    }
}

/// The position in which a variation begins, and the move that it replaces there.
#[derive(Clone, Copy, Debug)]
struct BranchPoint {
    before: State<u128>,
    /// `None` for a move that cannot be played.
    replaced: Option<Move>,
    /// `true` if a setup replaces the position after that move.
    setup_follows: bool,
}

/// A line whose place in the game is known.
#[derive(Clone, Debug, Default)]
struct PlacedLine {
    /// The number of plies before its first position, null moves included.
    first_ply: u32,
    /// `None` for the main line, and for a variation that cannot be played.
    branch: Option<BranchPoint>,
    /// Its plies and tokens once it has been played.
    places: LinePlaces,
}

/// The memory of storing variations and notes, reused from game to game.
#[derive(Debug, Default)]
pub(super) struct LineMemory {
    pub(super) recorded: RecordedLines,
    /// The places of the main line once that has been played, then those of the variations.
    pub(super) places: TokenPlaces,
    /// The lines by number.
    lines: Vec<PlacedLine>,
    tokens: LineTokens,
    moves: Vec<u8>,
    notes: Vec<(u32, Note)>,
}

/// A record whose main line was replayed, and what it takes to store its variations and notes.
pub(super) struct LineImport<'a> {
    pub(super) replayer: &'a mut Replayer,
    pub(super) tables: &'a mut PackTables,
    pub(super) memory: &'a mut LineMemory,
    pub(super) record: &'a [u8],
    pub(super) summary: &'a ReplaySummary,
    /// The packed moves of the main line.
    pub(super) main_moves: &'a [u8],
}

impl LineImport<'_> {
    /// Appends the variations and notes of the record. Takes time linear in the length of the record, apart from sorting notes by line.
    // Twin: the tree of `annotate`; test: `stored_lines_are_those_of_the_tree`.
    #[cold]
    pub(super) fn add(self, out: &mut AnnotationBuffer) {
        let Self { replayer, tables, memory, record, summary, main_moves } = self;
        let main = PlacedLine { places: memory.places.end_line(), ..PlacedLine::default() };
        memory.lines.clear();
        memory.lines.push(main);
        if !memory.recorded.variations.is_empty() {
            let player = replayer.variation_player(record, summary);
            add_variations(player, tables, memory, summary, main_moves, out);
        }
        add_notes(memory, out);
    }
}

/// Plays the variations and appends them.
fn add_variations(
    mut player: VariationPlayer<'_>,
    tables: &mut PackTables,
    memory: &mut LineMemory,
    summary: &ReplaySummary,
    main_moves: &[u8],
    out: &mut AnnotationBuffer,
) {
    let LineMemory { recorded, places, lines, tokens, moves, .. } = memory;
    let variations = &recorded.variations;
    let game = summary.game();
    lines.resize(variations.as_slice().len() + 1, PlacedLine::default());
    let all = variations.as_slice();
    let board = game.rules.board;
    let counts_streaks = game.rules.movement.king_streak != 0;
    let (start, bytes) = (&summary.start, main_moves);
    board.with(PlaceVariations { parent: 0, start, bytes, all, tables, places, lines, counts_streaks });
    let mut writer = LinesWriter::default();
    for (number, variation) in (1..).zip(all) {
        moves.clear();
        let mut start = summary.start;
        if let Some(branch) = lines[number].branch {
            variations.load(variation, tokens);
            let mut play = |start: &State<u128>, line| {
                let facts = FactCounter::default();
                let (tables, moves, places) = (&mut *tables, &mut *moves, &mut *places);
                let mut sink = PackSink {
                    tables,
                    moves,
                    from: 0,
                    has_started: false,
                    set_up: false,
                    facts,
                    places,
                    line,
                };
                player.play(tokens, start, &mut sink)
            };
            start = branch.before;
            let replacing = play(&start, PackedLine::Variation);
            // A variation replaces the move before it. In some files it continues after that move instead; it is played there if its
            // first move is legal only there.
            if let Some(replaced) =
                branch.replaced.filter(|_| replacing.plies == 0 && replacing.stop.is_some())
            {
                let after = *Position::from_state(game, start).after_unchecked(&replaced).state();
                let line =
                    if branch.setup_follows { PackedLine::SetUpVariation } else { PackedLine::Variation };
                if play(&after, line).plies > 0 {
                    start = after;
                    lines[number].first_ply += 1;
                } else {
                    play(&start, PackedLine::Variation);
                }
            }
        }
        lines[number].places = places.end_line();
        writer.line(variation.parent as usize, lines[number].first_ply, moves, &mut out.variations);
        out.bits |= AnnotationBits::VARIATIONS;
        if variation.end as usize > number + 1 {
            let (parent, start, bytes) = (number, &start, &**moves);
            board.with(PlaceVariations { parent, start, bytes, all, tables, places, lines, counts_streaks });
        }
    }
}

/// Finds where the variations of a line begin that has been played.
struct PlaceVariations<'a> {
    /// The number of the line.
    parent: usize,
    /// Its first position.
    start: &'a State<u128>,
    /// Its packed moves.
    bytes: &'a [u8],
    /// All variations of the game.
    all: &'a [RecordedVariation],
    tables: &'a PackTables,
    places: &'a TokenPlaces,
    lines: &'a mut [PlacedLine],
    /// Kings may make only so many moves in a row, so that positions have counters of them.
    counts_streaks: bool,
}

impl WithBoard for PlaceVariations<'_> {
    type Output = ();

    fn run<G: Geometry>(self) {
        let Self { parent, start, mut bytes, all, tables, places, lines, counts_streaks } = self;
        let end = parent.checked_sub(1).map_or(lines.len(), |variation| all[variation].end as usize);
        let (above, lines) = lines.split_at_mut(parent + 1);
        let (above, number) = (&above[parent], parent + 1);
        let mut branches = Branches { above, all, places, lines, number, end, index: 0, wanted: 0, ply: 0 };
        if branches.next().is_break() {
            return;
        }
        let (codec, mut state) = (tables.codec::<G>(), start.resized());
        if !counts_streaks {
            // These bytes have just been written.
            let mut are_met = false;
            let last = codec.scan(&state, bytes, |ply| {
                let flow = branches.ply(|| ply.before(), || ply.mv());
                are_met = flow.is_break();
                flow
            });
            if let (Ok(last), false) = (last, are_met) {
                branches.end(&last.resized());
            }
            return;
        }
        while let Some(Ok((op, rest))) = codec.decode(&state, bytes) {
            bytes = rest;
            let before = state;
            let mv = match op {
                PackedOp::Setup(setup) => {
                    state = setup;
                    continue;
                }
                PackedOp::Null => {
                    state = state.passed();
                    None
                }
                PackedOp::Move(mv) => {
                    state.count_streak(&mv);
                    state.play_uncounted(&mv);
                    Some(mv)
                }
            };
            if branches.ply(|| before, || mv).is_break() {
                return;
            }
        }
        branches.end(&state.resized());
    }
}

/// The variations of a line, met one after the other while its plies are passed.
struct Branches<'a> {
    /// The line.
    above: &'a PlacedLine,
    /// All variations of the game.
    all: &'a [RecordedVariation],
    places: &'a TokenPlaces,
    /// The lines after it.
    lines: &'a mut [PlacedLine],
    /// The number of the next variation.
    number: usize,
    /// The number of the first line that does not belong to the line.
    end: usize,
    /// The index in `lines` of the variation that is met next.
    index: usize,
    /// The number of plies of the line before the first position of that variation.
    wanted: u32,
    /// The number of plies that were passed.
    ply: u32,
}

impl Branches<'_> {
    /// Goes on to the next variation that can be played. Breaks off if there is none.
    fn next(&mut self) -> ControlFlow<()> {
        let Self { above: PlacedLine { first_ply, places: above, .. }, places, .. } = *self;
        while self.number < self.end {
            let variation = &self.all[self.number - 1];
            let index = self.lines.len() + self.number - self.all.len() - 1;
            self.number = variation.end as usize;
            let replaced = places.replaced_ply(above, variation.parent_tokens);
            // If the line breaks off before the variation, the position is unknown, unless the variation replaces the move that cannot be
            // played.
            let is_beyond = above.tokens < variation.parent_tokens;
            let is_known = above.tokens + 1 >= variation.parent_tokens;
            let plies = replaced.map_or(0, |ply| if is_beyond { above.plies } else { ply });
            self.lines[index].first_ply = first_ply + plies;
            if replaced.is_some() && is_known {
                (self.index, self.wanted) = (index, plies);
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }

    /// Passes a ply. Breaks off if all variations have been met.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply<B: Bits>(
        &mut self,
        before: impl Fn() -> State<B>,
        mv: impl Fn() -> Option<Move<B>>,
    ) -> ControlFlow<()> {
        if self.ply == self.wanted {
            self.meet(&before().resized(), mv().map(Move::resized))?;
        }
        self.ply += 1;
        ControlFlow::Continue(())
    }

    /// Meets the variations that begin before this ply. Breaks off if they are the last ones.
    #[cold]
    #[inline(never)]
    fn meet(&mut self, before: &State<u128>, replaced: Option<Move>) -> ControlFlow<()> {
        let setup_follows = self.places.setup_follows(&self.above.places, self.ply);
        while self.wanted == self.ply {
            self.lines[self.index].branch =
                replaced.map(|_| BranchPoint { before: *before, replaced, setup_follows });
            self.next()?;
        }
        ControlFlow::Continue(())
    }

    /// Meets the variations that begin in the last position, because the move that they replace cannot be played.
    #[cold]
    fn end(&mut self, last: &State<u128>) {
        while self.wanted == self.ply {
            let branch = BranchPoint { before: *last, replaced: None, setup_follows: false };
            self.lines[self.index].branch = Some(branch);
            if self.next().is_break() {
                return;
            }
        }
    }
}

/// Appends the notes.
fn add_notes(memory: &mut LineMemory, out: &mut AnnotationBuffer) {
    let LineMemory {
        recorded: RecordedLines { variations, notes: recorded, .. }, places, lines, notes, ..
    } = memory;
    if !variations.is_empty() {
        recorded.sort_by_key(|note| note.line);
    }
    let mut writer = NotesWriter::default();
    for of_line in recorded.chunk_by(|one, other| one.line == other.line) {
        let number = of_line[0].line as usize;
        let PlacedLine { first_ply, places: line, .. } = &lines[number];
        notes.clear();
        notes.extend(of_line.iter().filter_map(|&RecordedNote { tokens, note, .. }| {
            let plies = places.plies_before(line, tokens);
            // Comments after a move that is not played belong to the last position; NAGs and strengths of such a move say nothing
            // about another one.
            let is_about_ply = plies > 0 && tokens <= line.tokens;
            (is_about_ply || note == Note::Comment).then_some((first_ply + plies, note))
        }));
        sort_notes(notes);
        writer.line(number, notes, &mut out.notes);
    }
    out.bits |= writer.bits();
}

#[cfg(test)]
mod tests {
    use super::super::collector::RecordCollector;
    use super::*;
    use crate::format::annotations::{StoredLine, StoredNote, read_lines, read_notes};
    use crate::pack::{Codecs, unpack};
    use crate::segment::annotations::line_starts;
    use pdn::board::Board;
    use pdn::internal::view::TagValues;
    use pdn::movegen::MoveList;
    use pdn::notation::MoveStyle;
    use pdn::parse::walk_with;
    use pdn::replay::{AnnotatedLine, ReplayOptions, annotate};
    use pdn::rules::Variant;
    use pdn::value::MoveStrength;

    /// What an import stores of a record: the summary, the moves of the main line, the variations and notes, and the flags.
    fn stored(record: &str) -> (ReplaySummary, Vec<u8>, AnnotationBuffer) {
        let (mut replayer, mut memory) = (Replayer::default(), LineMemory::default());
        let (mut tables, mut moves, mut out) = (PackTables::new(), Vec::new(), AnnotationBuffer::default());
        let (limits, line) = replayer.begin(record.as_bytes());
        memory.recorded.begin(record.len());
        let (tags, lines) = (TagValues::default(), &mut memory.recorded);
        let _ = walk_with(record.as_bytes(), &limits, &mut RecordCollector { line, tags, lines });
        let mut sink = PackSink {
            tables: &mut tables,
            moves: &mut moves,
            from: 0,
            has_started: false,
            set_up: false,
            facts: FactCounter::default(),
            places: &mut memory.places,
            line: PackedLine::Main,
        };
        let summary = replayer.finish_into(record.as_bytes(), &mut sink);
        sink.finish(&summary);
        let import = LineImport {
            replayer: &mut replayer,
            tables: &mut tables,
            memory: &mut memory,
            record: record.as_bytes(),
            summary: &summary,
            main_moves: &moves,
        };
        import.add(&mut out);
        (summary, moves, out)
    }

    /// The positions of a line as text, and its moves, each with the position before it.
    #[derive(Debug)]
    struct PlayedLine {
        first_ply: u32,
        positions: Vec<String>,
        plies: Vec<(String, Move)>,
    }

    /// Plays all lines of a record as stored.
    fn played(summary: &ReplaySummary, main: &[u8], variations: &[u8]) -> Vec<PlayedLine> {
        struct Starts<'a>(&'a State<u128>, &'a [u8], &'a [StoredLine<'a>]);
        impl WithBoard for Starts<'_> {
            type Output = Vec<State<u128>>;
            fn run<G: Geometry>(self) -> Self::Output {
                let starts = line_starts(Codecs::default().on::<G>(), &self.0.resized(), self.1, self.2);
                starts.expect("as written").iter().map(State::resized).collect()
            }
        }
        let lines = read_lines(variations).expect("as written");
        let board: Board = summary.variant.board();
        let starts = board.with(Starts(&summary.start, main, &lines));
        let all = lines.iter().zip(&starts).map(|(line, start)| (line.first_ply, start, line.moves));
        [(0, &summary.start, main)]
            .into_iter()
            .chain(all)
            .map(|(first_ply, start, moves)| {
                let (plies, last) =
                    unpack(&Position::from_state(summary.game(), *start), moves).expect("as written");
                let mut positions: Vec<String> = plies.iter().map(|ply| ply.before.fen()).collect();
                positions.push(last.fen());
                let plies = plies.iter().filter_map(|ply| Some((ply.before.fen(), ply.mv?)));
                PlayedLine { first_ply, positions, plies: plies.collect() }
            })
            .collect()
    }

    /// Returns the lines of a tree by their numbers. Those that begin before any ply are not in the tree.
    fn lines_of<'t, 'g>(line: &'t AnnotatedLine<'g>, out: &mut Vec<&'t AnnotatedLine<'g>>) {
        out.push(line);
        line.plies.iter().flat_map(|ply| &ply.variations).for_each(|variation| lines_of(variation, out));
    }

    /// Returns the notes of a line of a tree, each with its position.
    fn notes_of(line: &AnnotatedLine<'_>, first: String) -> Vec<(String, Note)> {
        let of_comments = |position: &str, comments: &[pdn::parse::Comment<'_>], out: &mut Vec<_>| {
            let notes = comments.iter().filter_map(|comment| Note::of_comment(comment.text));
            out.extend(notes.map(|note| (position.to_owned(), note)));
        };
        let mut out = Vec::new();
        of_comments(&first, &line.comments, &mut out);
        for ply in &line.plies {
            let after = ply.after().fen();
            out.extend(ply.nags.iter().map(|nag| (after.clone(), Note::Nag(nag.0))));
            out.extend(ply.strength.map(|text| (after.clone(), Note::Strength(MoveStrength::parse(text)))));
            of_comments(&after, &ply.comments, &mut out);
        }
        out
    }

    /// Compares what is stored of a record with its tree. Returns the number of variations that have moves.
    fn check(record: &str) -> usize {
        let (summary, main, out) = stored(record);
        let game = annotate(record.as_bytes(), &ReplayOptions::new());
        assert_eq!(summary, game.summary, "{record}");
        let lines = played(&summary, &main, &out.variations);
        let notes = read_notes(&out.notes).expect("as written");
        let mut tree = Vec::new();
        lines_of(&game.main, &mut tree);
        let mut with_moves = 0;
        for line in tree {
            let (number, stored) = (line.number as usize, &lines[line.number as usize]);
            let plies: Vec<_> = line.plies.iter().map(|ply| (ply.position.fen(), ply.mv)).collect();
            assert_eq!(stored.plies, plies, "line {number} of {record}");
            with_moves += usize::from(number > 0 && !plies.is_empty());
            // Null moves and setups are no plies of the tree, so that notes after them have other places there.
            if record.contains("/FEN") {
                continue;
            }
            let of_line = notes.iter().filter(|note| note.line == number);
            let of_line: Vec<_> = of_line
                .map(|&StoredNote { plies, note, .. }| {
                    (stored.positions[(plies - stored.first_ply) as usize].clone(), note)
                })
                .collect();
            assert_eq!(of_line, notes_of(line, stored.positions[0].clone()), "line {number} of {record}");
        }
        with_moves
    }

    /// Writes a random line that starts in a position: mostly legal moves, with notes, variations and moves that cannot be played.
    fn write(start: Position, position: Position, depth: u32, random: &mut fastrand::Rng, out: &mut String) {
        let (mut before, mut position) = (position, position);
        for _ in 0..random.u32(0..12) {
            match random.u32(0..60) {
                0 => out.push_str("99-98 "),
                1 => out.push_str("/FEN \"W:::\"/ "),
                2 => {
                    (before, position) = (start, start);
                    out.push_str(&format!("/FEN \"{}\"/ ", start.fen()));
                }
                3 => out.push_str("... "),
                _ => {
                    let mut moves = MoveList::new();
                    position.legal_moves(&mut moves).expect("few moves");
                    let Some(mv) = moves.get(random.usize(0..moves.len().max(1))) else { return };
                    out.push_str(&position.move_text(mv, MoveStyle::Shortest));
                    (before, position) = (position, position.after_unchecked(mv));
                    out.push_str(["", "", "", "!", "?", "!?"][random.usize(0..6)]);
                    out.push(' ');
                }
            }
            for _ in 0..random.u32(0..3) {
                match random.u32(0..8) {
                    0 => out.push_str("{a comment} "),
                    1 => out.push_str("{[%clk 0:01]} "),
                    2 => out.push_str("$12 "),
                    3 if depth < 4 => {
                        out.push('(');
                        // Some continue after the move.
                        let from = if random.u32(0..4) == 0 { position } else { before };
                        write(start, from, depth + 1, random, out);
                        out.push_str(") ");
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn stored_lines_are_those_of_the_tree() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut with_moves = 0;
        let variants = [(20, Variant::International), (40, Variant::Frisian), (25, Variant::Russian)];
        for (game_type, variant) in variants.repeat(100) {
            let mut record = format!("[GameType \"{game_type}\"]\n");
            let start = Position::start(variant);
            write(start, start, 0, &mut random, &mut record);
            record.push('*');
            with_moves += check(&record);
        }
        assert!(with_moves > 200, "{with_moves}");
        for record in [
            "{first} 1. 32-28! {a shot} $3 19-23 {[%clk 0:01]} 2. 28x19 {[%clk 0:02] wins} 14x23 * {last}",
            "[White \"Ames\"] {in the tags} 1. 32-28 19-23 $1 $2 {} *",
            "$1 1. 32-28! (?) $2 {a} $3 *",
            "1. 32-28 19-23 2. 28x19 14x23 (see game 5) *",
            "; a line\n1. 32-28 19-23? ; another\n*",
            "(32-28 {no move before it}) 1. 32-28 * (1-2) {after} 19-23",
            "[GameType \"1\"] 1. e4 e5 (1... c5 {x}) *",
            "32. 38-33 (38-32 {x}) *",
            "1. 32-28 19-23 2. 1-2 (2. 28x19 {so} 14x23 (13x24)) *",
            "1. 32-28 19-23 2. 1-2 {no} (2. 28x19) (2. 1-3 (2. 28x19)) 14x23 (2. 28x19) *",
            "1. 1-2 (1. 32-28) 19-23 *",
            "[GameType \"40\"] 1. 32-28 (1. 32-27 20-24 2. 1-2 (2. 27-22)) 19-23 2. 1-2 (2. 28x19) *",
            "1. 32-28 19-23 28x19 14x23 (13x24 {deep (20-25) x) 2. 37-32",
            "*",
        ] {
            check(record);
        }
    }

    #[test]
    fn variations_have_the_line_and_ply_in_which_they_begin() {
        let record = "[GameType \"20\"] 1. 32-28 (33-28 18-23 (18-22 {deep}) ) 19-23 (2. 28x19 14x23!) (99-98 {no}) 2. 28x19 *";
        let (_, _, found) = stored(record);
        let lines = read_lines(&found.variations).expect("as written");
        let places: Vec<_> =
            lines.iter().map(|line| (line.parent, line.first_ply, line.moves.len())).collect();
        // The third one continues the move before it, and the fourth cannot be played.
        assert_eq!(places, [(0, 0, 2), (1, 1, 1), (0, 2, 2), (0, 1, 0)]);
        let notes: Vec<_> = read_notes(&found.notes).expect("as written");
        let places: Vec<_> = notes.iter().map(|&StoredNote { line, plies, .. }| (line, plies)).collect();
        assert_eq!(places, [(2, 2), (3, 4), (4, 1)]);
    }
}
