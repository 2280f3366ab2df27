//! Rewrites records in canonical form.

use super::canonical::is_canonical;
use super::irregular::write_irregular;
use super::layout::{LineEnd, Lines, NumberTexts, SquareTexts};
use super::movetext::{MoveTexts, write_comment};
use super::options::WriteOptions;
use super::parts::{Mark, MarkKind, RecordParts, is_curable};
use super::plies::PlyTexts;
use super::profile::TerminatorForm;
use super::recheck::{WrittenCounts, recheck};
use super::tag_section::TagSectionWriter;
use super::unwritten::Unwritten;
use super::values::looks_like_move;
use crate::archive::InputRecord;
use crate::board::SquareNaming;
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::notation::MoveStyle;
use crate::replay::{CandidateGame, ReplayOptions, ReplaySummary, Replayer, VariantBasis};
use crate::source::Encoding;
use crate::value::{Colour, GameType, ScoreOrder};

/// Rewrites records in canonical form, one after the other, in reused memory.
///
/// The written text says the same as the record: reading it gives the same tags, moves, comments, variations, NAGs,
/// setups and result. What changes is the form: the order of tags, names of tags in other spellings, dates, FEN and results
/// in the forms of the standard, move numbers, the notation of moves, and line breaks between moves. Comments are copied
/// byte for byte. Writing a written record again gives the same bytes.
///
/// A record that cannot be written without losing or changing something is refused; see [`Unwritten`]. Nothing is
/// allocated per record, except for records with variations, setups or defects, and for captures that are written with
/// their path.
///
/// ```
/// use pdn::write::{RecordWriter, WriteOptions};
///
/// let mut writer = RecordWriter::new(&WriteOptions::new());
/// let mut text = Vec::new();
/// writer.write(b"[White \"Ames\"][Event \"Cup\"] 1.32-28 19-23 2.28:19 14x23;good\n2-0", &mut text)?;
/// assert_eq!(
///     String::from_utf8_lossy(&text),
///     "[Event \"Cup\"]\n[White \"Ames\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2. 28x19 14x23 {good} *\n"
/// );
/// # Ok::<(), pdn::write::Unwritten>(())
/// ```
#[derive(Debug)]
pub struct RecordWriter {
    options: WriteOptions,
    replayer: Replayer,
    parts: RecordParts,
    plies: PlyTexts,
    tags: TagSectionWriter,
    numbers: NumberTexts,
    /// The square names of the last game, and what they belong to.
    squares: Option<(CandidateGame, SquareNaming, SquareTexts)>,
    /// The last GameType value that has a number, which most records share.
    numbered: Vec<u8>,
    /// Number of variations of the last record that were written as text.
    text_variations: u32,
    /// Writes every record by the slow path.
    #[cfg(test)]
    always_irregular: bool,
}

impl RecordWriter {
    /// Creates a writer that infers variants as a [`Replayer`] without options does.
    pub fn new(options: &WriteOptions) -> Self {
        Self::with_replay(options, &ReplayOptions::default())
    }

    /// Creates a writer with options for the replay, such as the variant of games without a GameType tag.
    pub fn with_replay(options: &WriteOptions, replay: &ReplayOptions) -> Self {
        Self {
            options: *options,
            replayer: Replayer::new(replay),
            parts: RecordParts::default(),
            plies: PlyTexts::new(options.captures, Limits::DEFAULT.capture_nodes),
            tags: TagSectionWriter::default(),
            numbers: NumberTexts::new(),
            numbered: Vec::new(),
            squares: None,
            text_variations: 0,
            #[cfg(test)]
            always_irregular: false,
        }
    }

    /// Returns the number of variations of the last record that were written as text, by
    /// [`variations_as_text`](WriteOptions::variations_as_text).
    pub const fn text_variations(&self) -> u32 {
        self.text_variations
    }

    /// Returns `true` if the numbers of the score of the last record changed places.
    pub(crate) const fn has_exchanged_score(&self) -> bool {
        self.tags.has_exchanged_score
    }

    /// Returns the options.
    pub fn options(&self) -> &WriteOptions {
        &self.options
    }

    /// Sets the line ends of the next records.
    pub fn set_line_end(&mut self, line_end: LineEnd) {
        self.options.line_end = line_end;
    }

    /// Sets whether the next records get a PlyCount tag.
    pub(super) fn set_ply_count(&mut self, ply_count: bool) {
        self.options.added.ply_count = ply_count;
    }

    /// Sets the game of the next records without a GameType tag: a variant with its numbering of the squares; `None` to infer it.
    #[doc(hidden)]
    pub fn set_game(&mut self, game: Option<CandidateGame>) {
        self.replayer.set_game(game);
    }

    /// Returns `true` if a record is in canonical form already, with a line end after its last line and no empty line.
    ///
    /// Only the form of the text is looked at, and nothing is replayed: [`write`](Self::write) gives the same bytes or refuses
    /// the record. Only a replay finds two things: that the separator of a long move of a king is wrong, and that another
    /// capture has the same two squares, so that the path has to be written. `false` says nothing for certain: captures with
    /// their path, variations and setups are left to [`write`](Self::write), and so is everything with options that change
    /// more than the width and the line ends.
    ///
    /// ```
    /// use pdn::write::{RecordWriter, WriteOptions};
    ///
    /// let mut writer = RecordWriter::new(&WriteOptions::new());
    /// assert!(writer.is_canonical(b"[Event \"x\"]\n\n1. 32-28 19-23 *\n"));
    /// assert!(!writer.is_canonical(b"[Event \"x\"]\n\n1.32-28 19-23 *\n"));
    /// ```
    pub fn is_canonical<'g>(&mut self, game: impl Into<InputRecord<'g>>) -> bool {
        let game = game.into();
        let record = game.raw();
        self.tags.dates = game.dates();
        let options = &self.options;
        *options == WriteOptions::new().width(options.width).line_end(options.line_end)
            && is_canonical(record, &mut self.tags, &self.numbers, options.line_end, options.width)
    }

    /// Appends a record in canonical form to `out`, with a line end after its last line and no empty line. Text beyond
    /// ASCII is copied in the encoding of the record.
    ///
    /// # Errors
    /// If the record cannot be written; `out` is then unchanged.
    pub fn write<'g>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        out: &mut Vec<u8>,
    ) -> Result<ReplaySummary, Unwritten> {
        self.write_record(game.into(), None, out)
    }

    /// Does the same as [`write`](Self::write) in UTF-8. `encoding` is the encoding of the record.
    ///
    /// # Errors
    /// As [`write`](Self::write), and if a byte of the record has no meaning in its encoding.
    pub fn write_utf8<'g>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        encoding: Encoding,
        out: &mut Vec<u8>,
    ) -> Result<ReplaySummary, Unwritten> {
        self.write_record(game.into(), Some(encoding), out)
    }

    fn write_record(
        &mut self,
        game: InputRecord<'_>,
        utf8: Option<Encoding>,
        out: &mut Vec<u8>,
    ) -> Result<ReplaySummary, Unwritten> {
        let start = out.len();
        let written = self.append(game, utf8, out);
        if written.is_err() {
            out.truncate(start);
        }
        written
    }

    fn append(
        &mut self,
        game: InputRecord<'_>,
        utf8: Option<Encoding>,
        out: &mut Vec<u8>,
    ) -> Result<ReplaySummary, Unwritten> {
        let record = game.raw();
        self.text_variations = 0;
        let Self { options, replayer, parts, plies, tags, numbered, .. } = self;
        tags.dates = game.dates();
        parts.clear();
        plies.clear();
        let limits = game.limits(replayer.options().limits);
        plies.capture_nodes = limits.capture_nodes;
        let summary = replayer.replay_into_with(game, parts, plies);
        if let Some(text) = replayer.take_written_reading() {
            return self.append(game.with_text(&text), utf8, out);
        }
        if let Some(code) = parts.defect {
            return Err(Unwritten::Defect(code));
        }
        if !summary.status.is_complete() {
            return Err(Unwritten::NotLegal(summary.status));
        }
        let shows_turn = |found: &Diagnostic| found.code == Code::OtherSideMoves;
        tags.shown_turn = replayer.move_diagnostics().iter().any(shows_turn).then_some(summary.start.turn);
        if let Some(found) = replayer.move_diagnostics().iter().find(|found| !is_curable(found.code)) {
            return Err(Unwritten::Defect(found.code));
        }
        if parts.tags.is_empty() && parts.moves == 0 && parts.marks.is_empty() && !parts.is_irregular {
            return Err(Unwritten::Empty);
        }
        let mut of_record = *options;
        let is_unnumbered = |value: &[u8]| {
            if value == numbered.as_slice() {
                return false;
            }
            let is_unnumbered = GameType::is_unnumbered(value);
            if !is_unnumbered {
                numbered.clear();
                numbered.extend_from_slice(value);
            }
            is_unnumbered
        };
        let renames_game = replayer.game_type(record).is_some_and(is_unnumbered)
            && (matches!(summary.basis, VariantBasis::Tag | VariantBasis::Caller)
                || replayer.proven_variant(record, &summary).is_some());
        of_record.added.game_type = options.added.adds_game_type(summary.basis) || renames_game;
        let options = &of_record;
        // Another notation is named in the tag.
        let is_other_notation = options.notation.is_some_and(|letters| letters != summary.numbering.letters);
        let added_game_type =
            (options.added.game_type || is_other_notation).then(|| summary.variant.number());
        let start = summary.numbering.start;
        let end = parts.terminator.map(|span| span.of(record));
        tags.renames_game = renames_game;
        tags.exchanges_scores = options.standard_scores && summary.scores == ScoreOrder::White;
        tags.written_scores = if options.standard_scores { ScoreOrder::First } else { summary.scores };
        tags.read(record, &parts.tags, end, added_game_type, start, options)?;
        let letters = choose_letters(record, parts, tags, &summary, options);
        let out_start = out.len();
        tags.write(record, &summary, options, utf8, out)?;
        let candidate = CandidateGame { variant: summary.variant, numbering: summary.numbering };
        let squares = match &mut self.squares {
            Some((known, naming, texts)) if *known == candidate && *naming == letters => &*texts,
            slot => &slot.insert((candidate, letters, SquareTexts::new(&candidate.names(), letters))).2,
        };
        let row = options.profile().row();
        let rules = candidate.variant.rules();
        // Without a GameType tag there is no table to follow, and the grammar has `x` only.
        let has_game_type =
            tags.game_type.is_some() || options.added.game_type || tags.forced_game_type.is_some();
        let is_hub = options.captures == MoveStyle::Hub;
        let capture =
            if row.always_x || is_hub || !has_game_type { b'x' } else { rules.capture_separator as u8 };
        let moves = MoveTexts { squares, numbers: &self.numbers, style: options.captures, capture };
        let mut lines = Lines::new(out, options.line_end, options.width);
        // A setup makes the record irregular, and so does a null move, which is written as one.
        let is_regular = !parts.is_irregular && parts.moves as usize == plies.plies.len();
        #[cfg(test)]
        let is_regular = is_regular && !self.always_irregular;
        let mut counts = WrittenCounts::default();
        if is_regular {
            if plies.exceeds_limit {
                return Err(Unwritten::CaptureLimit);
            }
            let first_number = first_number(record, parts.first_move);
            let first_side = summary.numbering.start;
            write_regular(
                record,
                parts,
                plies,
                &moves,
                first_number,
                first_side,
                options,
                utf8,
                &mut lines,
                &mut counts,
            )?;
        } else {
            let first = parts.first_move.map_or(1, |_| first_number(record, parts.first_move));
            self.text_variations = write_irregular(
                record,
                replayer,
                &summary,
                plies,
                &moves,
                first,
                options,
                utf8,
                &mut lines,
                &mut counts,
            )?;
        }
        let result = tags.result();
        let terminator = match options.terminator {
            // A result with spaces or a text that is none would not be read as a terminator.
            TerminatorForm::Result if !result.is_empty() && !result.contains(' ') => result,
            _ => "*",
        };
        lines.word(&[terminator.as_bytes()]);
        lines.finish();
        if !is_regular || !parts.marks.is_empty() || looks_like_move(result) {
            counts.tags = tags.len() as u32;
            recheck(&out[out_start..], &counts, is_regular, &limits)?;
        }
        Ok(summary)
    }
}

/// Chooses the kind of square names. Names the numbering in the GameType tag if it is not that of the game type.
fn choose_letters(
    record: &[u8],
    parts: &RecordParts,
    tags: &mut TagSectionWriter,
    summary: &ReplaySummary,
    options: &WriteOptions,
) -> SquareNaming {
    let own = summary.numbering.letters;
    let written = || match parts.first_move.and_then(|at| record.get(at as usize)) {
        Some(byte) if byte.is_ascii_digit() => SquareNaming::Numeric,
        Some(_) => SquareNaming::Algebraic,
        None => own,
    };
    // Without a GameType tag the notation is a clue to the variant, so it stays.
    let has_tag = tags.game_type.is_some() || options.added.game_type;
    let letters = options.notation.unwrap_or_else(|| if has_tag { own } else { written() });
    let is_other_notation = letters != own && options.notation.is_some();
    // The short value would stand for the numbering of the variant.
    let adds_other_numbering = tags.game_type.is_none()
        && options.added.game_type
        && summary.numbering != summary.variant.game().numbering;
    if is_other_notation || adds_other_numbering {
        let numbering = summary.numbering.with_letters(letters);
        tags.force_game_type(Some(summary.variant.tag_with(numbering)));
    }
    letters
}

/// Returns the number before the first move; 1 if there is none.
fn first_number(record: &[u8], first_move: Option<u32>) -> u32 {
    let Some(at) = first_move else { return 1 };
    let before = record.get(..at as usize).unwrap_or_default();
    let is_dot = |byte: &u8| *byte == b'.' || byte.is_ascii_whitespace();
    let end = before.iter().rposition(|byte| !is_dot(byte)).map_or(0, |last| last + 1);
    if !before[end..].contains(&b'.') {
        return 1;
    }
    let digits = before[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = match before[..end - digits].last() {
        None => true,
        Some(byte) => {
            !byte.is_ascii_alphanumeric() && !matches!(byte, b'$' | b'-' | b':' | b'.' | b'/' | b'%')
        }
    };
    let number = std::str::from_utf8(&before[end - digits..end]).ok().and_then(|text| text.parse().ok());
    number.filter(|_| is_number).unwrap_or(1)
}

// Twin: write_irregular; test: regular_records_are_written_as_irregular_ones.
/// Writes the movetext of a record without variations, setups and missing moves.
#[expect(clippy::too_many_arguments, reason = "the fields of one record, borrowed apart from each other")]
fn write_regular(
    record: &[u8],
    parts: &RecordParts,
    plies: &PlyTexts,
    moves: &MoveTexts<'_>,
    first_number: u32,
    first_side: Colour,
    options: &WriteOptions,
    utf8: Option<Encoding>,
    lines: &mut Lines<'_>,
    counts: &mut WrittenCounts,
) -> Result<(), Unwritten> {
    counts.moves = plies.plies.len() as u32;
    let mut second = plies.turn != first_side;
    let mut number = first_number;
    // A number stands before the first ply, and before one that does not follow a ply directly.
    let mut is_apart = true;
    let mut marks = &parts.marks[..];
    write_marks(record, &mut marks, 0, options, utf8, lines, counts)?;
    let (all, mut written) = (&plies.plies[..], 0);
    while written < all.len() {
        let next_mark = marks.first().map_or(all.len(), |mark| all.len().min(mark.after as usize));
        let run = all.get(written..next_mark).unwrap_or_default();
        let count = match is_apart && second {
            true => 0,
            false => moves.write_run(run, number, second, lines),
        };
        let count = match (count, all.get(written)) {
            (0, Some(&ply)) => {
                let number = (is_apart || !second).then_some((number, second));
                moves.write_ply(number, ply, plies, lines);
                1
            }
            (count, _) => count,
        };
        written += count;
        number += (count as u32 + u32::from(second)) / 2;
        second ^= count % 2 == 1;
        is_apart = false;
        if written == next_mark {
            is_apart = write_marks(record, &mut marks, written as u32, options, utf8, lines, counts)?;
        }
    }
    Ok(())
}

/// Writes the marks after `after` plies and removes them from `marks`. Returns `true` if a comment is among them.
fn write_marks(
    record: &[u8],
    marks: &mut &[Mark],
    after: u32,
    options: &WriteOptions,
    utf8: Option<Encoding>,
    lines: &mut Lines<'_>,
    counts: &mut WrittenCounts,
) -> Result<bool, Unwritten> {
    let count = marks.iter().take_while(|mark| mark.after == after).count();
    let (these, rest) = marks.split_at(count);
    *marks = rest;
    super::movetext::write_strength(
        record,
        these.iter().filter(|mark| mark.kind == MarkKind::Strength).map(|mark| mark.span),
        after > 0,
        options,
        lines,
        counts,
    )?;
    let mut has_comment = false;
    for mark in these {
        match mark.kind {
            MarkKind::Strength => {}
            MarkKind::Nag => super::movetext::write_nag(mark.span.of(record), options, lines, counts),
            MarkKind::Comment | MarkKind::Line => {
                has_comment |= write_comment(record, mark.kind, mark.span, options, utf8, lines, counts)?;
            }
        }
    }
    Ok(has_comment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internal::view::TagValues;
    use crate::value::TagName;
    use crate::view::RecordView;

    #[test]
    fn regular_records_are_written_as_irregular_ones() {
        for record in [
            "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 17-22 5. 46-41 11-17 *",
            "[FEN \"B:W32:B18\"][GameType \"20\"] 31... 18-22! 32. 32-27 $3 {a} 22x31 1-1",
            "[Event \"x\"] {a} 1. 11-15 {b} 23-18 (?) $1 $2 2. 8-11 ; c\n 27-23* 1-0",
            "[GameType \"25\"] 1. c3-d4 b6-c5 2. d4:b6 a7:c5 3. b2-c3 f6-g5",
            "[GameType \"22\"][FEN \"B:W6,7,14,15,32:B3\"] 1... 3x10x19 2. 32-28 *",
            "[Result \"4-6\"] 1. 32-28 4-6",
            "[FEN \"W:W31:B1\"] *",
        ] {
            let (mut regular, mut irregular) = (Vec::new(), Vec::new());
            let mut writer = RecordWriter::new(&WriteOptions::new());
            let first = writer.write(record.as_bytes(), &mut regular);
            writer.always_irregular = true;
            let second = writer.write(record.as_bytes(), &mut irregular);
            assert!(first.is_ok(), "{first:?}: {record}");
            assert_eq!(first.map(|summary| summary.plies), second.map(|summary| summary.plies));
            assert_eq!(String::from_utf8_lossy(&regular), String::from_utf8_lossy(&irregular));
        }
    }

    #[test]
    fn written_players_are_those_of_the_record() {
        let players = |record: &[u8], start: Colour| {
            let mut tags = TagValues::of(&RecordView::new(record));
            tags.seat_players(start);
            [TagName::White, TagName::Black, TagName::WhiteRating, TagName::BlackRating]
                .map(|tag| String::from_utf8_lossy(tags.get(tag)).into_owned())
        };
        let names = ["White", "Black", "P1", "P2", "Red", "Rouge", "WhiteRating", "P1Elo", "RedElo"];
        for (game, start) in [("21", Colour::Black), ("25", Colour::White)] {
            for first in names {
                for second in names.into_iter().filter(|name| *name != first) {
                    // Nobody names the players by number and by colour in one game.
                    if [first, second].iter().any(|name| name.starts_with('P'))
                        && [first, second].iter().any(|name| name.starts_with('R'))
                        || (first, second) == ("Red", "Rouge")
                        || (first, second) == ("Rouge", "Red")
                    {
                        continue;
                    }
                    let record = format!("[GameType \"{game}\"] [{first} \"1001\"] [{second} \"1002\"] *");
                    let mut written = Vec::new();
                    let mut writer = RecordWriter::new(&WriteOptions::new());
                    let summary = writer.write(record.as_bytes(), &mut written).unwrap();
                    assert_eq!(summary.numbering.start, start);
                    let text = String::from_utf8_lossy(&written);
                    assert_eq!(
                        players(record.as_bytes(), start),
                        players(&written, start),
                        "{record} {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn number_of_the_first_move_is_kept() {
        for (text, expected) in [
            ("1. 32-28", 1),
            ("31... 18-23", 31),
            ("31 . ... 18-23", 31),
            ("{see 5} 32-28", 1),
            ("$3 32-28", 1),
            ("[Round \"4\"]\n\n17.32-28", 17),
            ("[Round \"4\"] 32-28", 1),
            ("99999999999. 32-28", 1),
        ] {
            let at = text.rfind(|c: char| c.is_ascii_whitespace() || c == '.').map_or(0, |at| at + 1);
            assert_eq!(first_number(text.as_bytes(), Some(at as u32)), expected, "{text}");
        }
        assert_eq!(first_number(b"", None), 1);
    }
}
