//! Explains a diagnostic about moves: the reason, moves that may be meant, the legal moves and the board.
//!
//! Diagnostics are plain data. The explanation is made when one is printed, from a second replay with variations.

use pdn::archive::InputRecord;
use pdn::check;
use pdn::diag::{Code, Diagnostic, Severity, joined};
use pdn::edit::TextEdit;
use pdn::fix::{Applicability, Repair};
use pdn::internal::replay::noted_scores;
use pdn::movegen::{MoveError, MoveList};
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::replay::{
    AnnotatedGame, AnnotatedLine, AnnotatedPly, ReplayStop, ReplaySummary, StopReason, VariantBasis, suggest,
};
use pdn::span::Span;
use pdn::value::{Colour, Fen, ScoreOrder};
use pdn_rules::internal::notation::{MoveText, SquareCodes};

use crate::ask::values::{cause_name, colour_title, sorted_moves};

/// The explanation of a diagnostic, beyond the title of its code.
#[derive(Debug, Default)]
pub struct Explanation {
    /// A label for the span of the diagnostic.
    pub detail: Option<String>,
    /// Why a move cannot be played, as a word, if the label says so.
    pub cause: Option<&'static str>,
    /// The move that could not be played, if the diagnostic is about one.
    pub unplayable: Option<UnplayableMove>,
    /// What `pdn fix` would do about it.
    pub repair: Option<String>,
}

/// A move that could not be played.
#[derive(Debug)]
pub struct UnplayableMove {
    /// Number of plies before the move; a variation begins at the ply of the move that it replaces.
    pub ply: u32,
    /// The written move.
    pub text: Vec<u8>,
    /// The position before it.
    pub position: Position,
    /// The last move played before it; `None` at the start of the line.
    pub last_move: Option<Move>,
    /// Texts of the legal moves.
    pub legal: Vec<String>,
    /// Texts of the legal moves that may be meant.
    pub meant: Vec<String>,
    /// `true` if several legal moves match the text; `meant` lists them.
    pub ambiguous: bool,
}

/// Maximum number of legal moves listed in a note.
const MAX_LISTED_MOVES: usize = 24;

impl Explanation {
    /// Explains `diagnostic` of `game`. `annotated` is called only if the explanation takes a replay.
    pub fn of<'r, 'g: 'r>(
        game: InputRecord<'_>,
        diagnostic: &Diagnostic,
        annotated: impl FnOnce() -> Option<&'r AnnotatedGame<'g>>,
    ) -> Self {
        if !needs_replay(diagnostic.code) {
            return Self { detail: check::detail(game, diagnostic), ..Self::default() };
        }
        let record = game.raw();
        let Some(annotated) = annotated() else { return Self::default() };
        let summary = &annotated.summary;
        let detail = match diagnostic.code {
            Code::OtherVariant => summary.other_variant.map(|other| match summary.basis {
                VariantBasis::Moves => format!("replayed as {other}, under which every move is legal"),
                _ => format!("replayed as {}, though every move is legal as {other}", summary.variant),
            }),
            Code::OtherSideMoves => Some(format!("{} is to move", colour_title(summary.start.turn))),
            Code::DrawnStart => {
                let doubt =
                    if diagnostic.severity > Severity::Style { ", unless it is a mistake" } else { "" };
                Some(format!("the game begins in `{}`{doubt}", summary.start_position().fen()))
            }
            Code::ResultAgainstBoard => other_order(summary),
            Code::ScoresOfWhite => score_evidence(game),
            Code::OddPosition | Code::BadPosition => position_error(record, diagnostic.span, annotated),
            Code::CaptureSquares | Code::CaptureOrder | Code::SplitCapture | Code::SettledMove => {
                ply_at(&annotated.main, diagnostic.span)
                    .and_then(|ply| Some(format!("read as `{}`", ply_text(ply)?)))
            }
            Code::CaptureForm | Code::CapturePath => ply_at(&annotated.main, diagnostic.span)
                .and_then(|ply| Some(format!("PDN 3.0 writes `{}`", ply_text(ply)?))),
            _ => None,
        };
        if detail.is_some() {
            return Self { detail, ..Self::default() };
        }
        match stop_at(&annotated.main, diagnostic.span) {
            Some((first, line, stop)) => {
                let variation = (!std::ptr::eq(line, &annotated.main)).then(|| "in a variation".to_owned());
                let reason = reason(stop);
                let cause = reason.is_some().then(|| cause_name(stop.reason));
                let detail = match (reason, variation) {
                    (Some(reason), Some(variation)) => Some(format!("{reason}, {variation}")),
                    (reason, variation) => reason.or(variation),
                };
                let unplayable = UnplayableMove::of(record, first, line, stop);
                Self { detail, cause, unplayable, repair: None }
            }
            None => Self::default(),
        }
    }

    /// Returns the sentence about the moves that may be meant, if there are any.
    pub fn help(&self) -> Option<String> {
        let mv = self.unplayable.as_ref()?;
        if mv.meant.is_empty() {
            return None;
        }
        let moves = alternatives(&mv.meant);
        Some(if mv.ambiguous { format!("it may be {moves}") } else { format!("did you mean {moves}?") })
    }

    /// Adds what `pdn fix` would do about `diagnostic`, if one of the repairs of its record answers it. `decode` decodes a
    /// part of the record.
    pub fn add_repair(
        &mut self,
        record: &[u8],
        diagnostic: &Diagnostic,
        repairs: &[Repair],
        decode: impl Fn(&[u8]) -> String,
    ) {
        let span = diagnostic.span.range();
        let touches = |edit: &TextEdit| edit.range.start <= span.end && span.start <= edit.range.end;
        // A mistake in an earlier move may show only here, so an unsafe repair may lie elsewhere.
        let answers = |repair: &&Repair| {
            repair.code == diagnostic.code
                && (repair.applicability == Applicability::Unsafe || repair.edits.iter().any(touches))
        };
        let Some(repair) = repairs.iter().find(answers) else { return };
        let command = match repair.applicability {
            Applicability::Safe => "pdn fix",
            Applicability::Unsafe => "pdn fix --unsafe",
            Applicability::Display => return,
        };
        let [edit] = repair.edits.as_slice() else {
            self.repair = Some(format!("`{command}` would change {} places", repair.edits.len()));
            return;
        };
        let (old, new) = (decode(&record[edit.range.clone()]), decode(&edit.new));
        let (old, new) = (old.trim(), new.trim());
        let change = match (old.is_empty(), new.is_empty()) {
            (true, _) => format!("insert `{new}`"),
            (_, true) => format!("remove `{old}`"),
            _ if touches(edit) => format!("write `{new}`"),
            _ => format!("write `{new}` for the earlier `{old}`"),
        };
        self.repair = Some(format!("`{command}` would {change}"));
    }

    /// Returns the sentence about the legal moves, unless the move is ambiguous.
    pub fn note(&self) -> Option<String> {
        let mv = self.unplayable.as_ref().filter(|mv| !mv.ambiguous)?;
        Some(match mv.legal.as_slice() {
            [] => "there is no legal move".to_owned(),
            [only] => format!("the only legal move is {only}"),
            moves if moves.len() > MAX_LISTED_MOVES => {
                format!(
                    "legal moves: {} and {} more",
                    moves[..MAX_LISTED_MOVES].join(" "),
                    moves.len() - MAX_LISTED_MOVES
                )
            }
            moves => format!("legal moves: {}", moves.join(" ")),
        })
    }

    /// Returns detail and help on one line.
    pub fn one_line(&self) -> Option<String> {
        match (&self.detail, self.help()) {
            (Some(detail), Some(help)) => Some(format!("{detail}; {help}")),
            (detail, help) => detail.clone().or(help),
        }
    }
}

/// Returns `true` if the explanation of the code takes a replay.
fn needs_replay(code: Code) -> bool {
    matches!(
        code,
        Code::UnreadableMove
            | Code::CaptureSquares
            | Code::CaptureOrder
            | Code::SplitCapture
            | Code::SettledMove
            | Code::CaptureForm
            | Code::CapturePath
            | Code::DrawnStart
    ) || code.id().starts_with('R')
}

impl UnplayableMove {
    /// Describes the move where `line`, which begins after `first` plies, stopped; `None` if the reason has nothing to do
    /// with the legal moves.
    fn of(record: &[u8], first: u32, line: &AnnotatedLine<'_>, stop: &ReplayStop) -> Option<Self> {
        let unrelated =
            [StopReason::MissingMove, StopReason::BadPosition, StopReason::Move(MoveError::CaptureLimit)];
        if unrelated.contains(&stop.reason) {
            return None;
        }
        let position = line.last;
        let written = stop.span.of(record);
        let mut list = MoveList::new();
        position.legal_moves(&mut list).ok()?;
        let names = position.names();
        let moves = sorted_moves(list.as_slice(), &names);
        let text = |mv: &Move| move_text(&position, mv, MoveStyle::Shortest).ok();
        let ambiguous = stop.reason == StopReason::Move(MoveError::Ambiguous);
        let meant: Vec<_> = if ambiguous {
            matching_moves(&position, &moves, written).iter().filter_map(text).collect()
        } else {
            suggest(&position, written).ok()?.iter().filter_map(text).collect()
        };
        Some(Self {
            ply: first + stop.ply,
            text: written.to_vec(),
            position,
            last_move: line.plies.last().map(|ply| ply.mv),
            legal: moves.iter().filter_map(text).collect(),
            meant,
            ambiguous,
        })
    }
}

/// Returns the legal moves from the first to the last written square, or all legal moves if fewer than two match.
fn matching_moves(position: &Position, legal: &[Move], written: &[u8]) -> Vec<Move> {
    let codes = SquareCodes::new(&position.names());
    let ends = MoveText::read(written).and_then(|text| {
        let (first, last) = (text.squares().first().copied()?, text.squares().last().copied()?);
        Some((codes.square(first)?, codes.square(last)?))
    });
    let matching: Vec<_> = legal.iter().filter(|mv| Some((mv.from, mv.to)) == ends).copied().collect();
    if matching.len() > 1 { matching } else { legal.to_vec() }
}

/// Returns the reason of a stop, unless the title of its code states it.
fn reason(stop: &ReplayStop) -> Option<String> {
    let stated_by_title = [
        StopReason::Move(MoveError::MustCapture),
        StopReason::Move(MoveError::Precedence),
        StopReason::Move(MoveError::Unfinished),
        StopReason::Move(MoveError::Ambiguous),
        StopReason::MissingMove,
        StopReason::Move(MoveError::Unreadable),
        StopReason::Move(MoveError::CaptureLimit),
    ];
    (!stated_by_title.contains(&stop.reason)).then(|| stop.reason.text().to_owned())
}

/// Returns that a result would fit the last position if its first number were that of White, as it may be where Black starts.
fn other_order(summary: &ReplaySummary) -> Option<String> {
    let winner = summary.last_position().end()?.winner;
    let fits = summary.scores == ScoreOrder::First
        && summary.numbering.start == Colour::Black
        && summary.winner() == Some(!winner);
    fits.then(|| "it fits if its first number is that of White: see `--scores white`".to_owned())
}

/// Returns which games show the order of the numbers of scores.
fn score_evidence(game: InputRecord<'_>) -> Option<String> {
    let (games, places) = noted_scores(game)?;
    let places: Vec<String> = places.iter().map(u64::to_string).collect();
    let shown = if places.len() < games as usize { "first those" } else { "those" };
    Some(format!(
        "the ends of {games} games show it, {shown} at {}, and none the contrary; see `--scores`",
        joined(&places, "and")
    ))
}

/// Returns why the FEN in `span` is unusual or impossible.
fn position_error(record: &[u8], span: Span, annotated: &AnnotatedGame<'_>) -> Option<String> {
    let fen = match Fen::parse(span.of(record)) {
        Ok(fen) => fen,
        Err(error) => return Some(error.to_string()),
    };
    let mut warning = None;
    match Position::from_fen_lenient(annotated.summary.game(), &fen, |error| {
        warning = Some(error.to_string())
    }) {
        Ok(_) => warning,
        Err(error) => Some(error.to_string()),
    }
}

/// Returns the canonical text of a ply.
fn ply_text(ply: &AnnotatedPly<'_>) -> Option<String> {
    move_text(&ply.position, &ply.mv, MoveStyle::Shortest).ok()
}

/// Iterates over the main line and all variations, each after the line that it belongs to and with the number of plies
/// before it.
fn lines<'r, 'g>(main: &'r AnnotatedLine<'g>) -> impl Iterator<Item = (u32, &'r AnnotatedLine<'g>)> {
    let mut open = vec![(0, main)];
    std::iter::from_fn(move || {
        let (first, line) = open.pop()?;
        let plies = (first..).zip(&line.plies);
        open.extend(plies.flat_map(|(ply, played)| played.variations.iter().map(move |line| (ply, line))));
        Some((first, line))
    })
}

/// Returns the line that stops at `span`, the number of plies before it, and its stop.
fn stop_at<'r, 'g>(
    main: &'r AnnotatedLine<'g>,
    span: Span,
) -> Option<(u32, &'r AnnotatedLine<'g>, &'r ReplayStop)> {
    lines(main).find_map(|(first, line)| {
        line.stop.as_ref().filter(|stop| stop.span == span).map(|stop| (first, line, stop))
    })
}

/// Returns the ply whose text contains `span`.
fn ply_at<'r, 'g>(main: &'r AnnotatedLine<'g>, span: Span) -> Option<&'r AnnotatedPly<'g>> {
    lines(main)
        .flat_map(|(_, line)| &line.plies)
        .find(|ply| ply.span.start <= span.start && span.end <= ply.span.end)
}

/// Formats a list of alternatives: "`a`, `b` or `c`".
fn alternatives(items: &[String]) -> String {
    let quoted: Vec<_> = items.iter().map(|item| format!("`{item}`")).collect();
    joined(&quoted, "or")
}
