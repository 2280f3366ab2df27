//! What a finding about moves means in words: the reason, what was perhaps meant, what would be legal, and the board.
//!
//! Findings are plain data; the words are made when one is printed, from the game replayed once more as a tree.

use pdn::check;
use pdn::diag::{Code, Diagnostic};
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, MoveText, SquareCodes, move_text};
use pdn::position::{Move, Position};
use pdn::replay::{
    AnnotatedGame, AnnotatedLine, AnnotatedPly, ReplayStop, StopReason, VariantBasis, suggest,
};
use pdn::span::Span;
use pdn::value::Fen;

use crate::rules::{capital, sorted};

/// What there is to say of a finding beyond the title of its code.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// Stands at the place of the finding.
    pub(crate) detail: Option<String>,
    /// Where a replay stopped.
    pub(crate) stopped: Option<Stopped>,
}

/// A move that could not be played.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// The ply of its line, from 1.
    pub(crate) ply: u32,
    /// The move as written.
    pub(crate) text: Vec<u8>,
    /// The position before it.
    pub(crate) position: Position,
    /// The move played last.
    pub(crate) before: Option<Move>,
    /// The legal moves.
    pub(crate) legal: Vec<String>,
    /// Those that were perhaps meant.
    pub(crate) meant: Vec<String>,
    /// Several moves answer to the text, and `meant` are these.
    pub(crate) ambiguous: bool,
}

/// Most moves listed for people.
const LISTED: usize = 24;

impl Words {
    /// What `finding` means. `replayed` is asked for where that takes a replay of the game.
    pub(crate) fn of<'r, 'g: 'r>(
        game: &[u8],
        finding: &Diagnostic,
        replayed: impl FnOnce() -> Option<&'r AnnotatedGame<'g>>,
    ) -> Self {
        if !is_about_moves(finding.code) {
            return Self { detail: check::detail(game, finding), stopped: None };
        }
        let Some(replayed) = replayed() else { return Self::default() };
        let summary = &replayed.summary;
        let detail = match finding.code {
            Code::OtherVariant => summary.other_variant.map(|other| match summary.basis {
                VariantBasis::Moves => format!("replayed as {other}, under which every move is legal"),
                _ => format!("replayed as {}, though every move is legal as {other}", summary.variant),
            }),
            Code::OtherSideMoves => Some(format!("{} is to move", capital(summary.start.turn))),
            Code::OddPosition | Code::BadPosition => position_error(game, finding.span, replayed),
            Code::CaptureSquares | Code::SplitCapture | Code::SettledMove => {
                ply_at(&replayed.main, finding.span).and_then(|ply| Some(format!("read as `{}`", text(ply)?)))
            }
            Code::CaptureForm | Code::CapturePath => ply_at(&replayed.main, finding.span)
                .and_then(|ply| Some(format!("PDN 3.0 writes `{}`", text(ply)?))),
            _ => None,
        };
        if detail.is_some() {
            return Self { detail, stopped: None };
        }
        match stop_at(&replayed.main, finding.span) {
            Some((line, stop)) => {
                let variation = (!std::ptr::eq(line, &replayed.main)).then(|| "in a variation".to_owned());
                let detail = match (reason(stop), variation) {
                    (Some(reason), Some(variation)) => Some(format!("{reason}, {variation}")),
                    (reason, variation) => reason.or(variation),
                };
                Self { detail, stopped: Stopped::of(game, line, stop) }
            }
            None => Self::default(),
        }
    }

    /// What was perhaps meant, or what the text may mean.
    pub(crate) fn help(&self) -> Option<String> {
        let stopped = self.stopped.as_ref()?;
        if stopped.meant.is_empty() {
            return None;
        }
        let moves = choice(&stopped.meant);
        Some(if stopped.ambiguous { format!("it may be {moves}") } else { format!("did you mean {moves}?") })
    }

    /// What would be legal.
    pub(crate) fn note(&self) -> Option<String> {
        let stopped = self.stopped.as_ref().filter(|stopped| !stopped.ambiguous)?;
        Some(match stopped.legal.as_slice() {
            [] => "there is no legal move".to_owned(),
            [only] => format!("the only legal move is {only}"),
            moves if moves.len() > LISTED => {
                format!("legal moves: {} and {} more", moves[..LISTED].join(" "), moves.len() - LISTED)
            }
            moves => format!("legal moves: {}", moves.join(" ")),
        })
    }

    /// Detail and help on one line.
    pub(crate) fn line(&self) -> Option<String> {
        match (&self.detail, self.help()) {
            (Some(detail), Some(help)) => Some(format!("{detail}; {help}")),
            (detail, help) => detail.clone().or(help),
        }
    }
}

/// Whether the rules are needed to explain it.
fn is_about_moves(code: Code) -> bool {
    matches!(
        code,
        Code::UnreadableMove
            | Code::CaptureSquares
            | Code::SplitCapture
            | Code::SettledMove
            | Code::CaptureForm
            | Code::CapturePath
    ) || code.id().starts_with('R')
}

impl Stopped {
    /// `None` where the moves of the position say nothing about what is wrong.
    fn of(game: &[u8], line: &AnnotatedLine<'_>, stop: &ReplayStop) -> Option<Self> {
        let no_move = [StopReason::MissingMove, StopReason::BadPosition, StopReason::CaptureLimit];
        if no_move.contains(&stop.reason) {
            return None;
        }
        let position = line.last;
        let written = stop.span.of(game);
        let mut list = MoveList::new();
        position.legal_moves(&mut list).ok()?;
        let names = position.names();
        let moves = sorted(list.as_slice(), &names);
        let text = |mv: &Move| move_text(&position, mv, MoveStyle::Shortest).ok();
        let ambiguous = stop.reason == StopReason::Ambiguous;
        let meant: Vec<_> = if ambiguous {
            answers(&position, &moves, written).iter().filter_map(text).collect()
        } else {
            suggest(&position, written).ok()?.iter().filter_map(text).collect()
        };
        Some(Self {
            ply: stop.ply + 1,
            text: written.to_vec(),
            position,
            before: line.plies.last().map(|ply| ply.mv),
            legal: moves.iter().filter_map(text).collect(),
            meant,
            ambiguous,
        })
    }
}

/// The legal moves that lead from the first to the last square written; all where that does not tell.
fn answers(position: &Position, legal: &[Move], written: &[u8]) -> Vec<Move> {
    let codes = SquareCodes::new(&position.names());
    let ends = MoveText::read(written).and_then(|text| {
        let (first, last) = (text.squares().first().copied()?, text.squares().last().copied()?);
        Some((codes.square(first)?, codes.square(last)?))
    });
    let same: Vec<_> = legal.iter().filter(|mv| Some((mv.from, mv.to)) == ends).copied().collect();
    if same.len() > 1 { same } else { legal.to_vec() }
}

/// The reason, where the title of the code does not say it already.
fn reason(stop: &ReplayStop) -> Option<String> {
    let told = [
        StopReason::MustCapture,
        StopReason::Precedence,
        StopReason::Unfinished,
        StopReason::Ambiguous,
        StopReason::MissingMove,
        StopReason::Unreadable,
        StopReason::CaptureLimit,
    ];
    (!told.contains(&stop.reason)).then(|| stop.reason.text().to_owned())
}

/// Why a position is odd or impossible.
fn position_error(game: &[u8], span: Span, replayed: &AnnotatedGame<'_>) -> Option<String> {
    let fen = match Fen::parse(span.of(game)) {
        Ok(fen) => fen,
        Err(error) => return Some(error.to_string()),
    };
    let mut odd = None;
    match Position::from_fen_lenient(replayed.summary.game(), &fen, |error| odd = Some(error.to_string())) {
        Ok(_) => odd,
        Err(error) => Some(error.to_string()),
    }
}

/// The text of a ply as it should be.
fn text(ply: &AnnotatedPly<'_>) -> Option<String> {
    move_text(&ply.position, &ply.mv, MoveStyle::Shortest).ok()
}

/// All lines of a game, variations after the lines that they belong to.
fn lines<'r, 'g>(main: &'r AnnotatedLine<'g>) -> impl Iterator<Item = &'r AnnotatedLine<'g>> {
    let mut open = vec![main];
    std::iter::from_fn(move || {
        let line = open.pop()?;
        open.extend(line.plies.iter().flat_map(|ply| &ply.variations));
        Some(line)
    })
}

fn stop_at<'r, 'g>(
    main: &'r AnnotatedLine<'g>,
    span: Span,
) -> Option<(&'r AnnotatedLine<'g>, &'r ReplayStop)> {
    lines(main).find_map(|line| line.stop.as_ref().filter(|stop| stop.span == span).map(|stop| (line, stop)))
}

fn ply_at<'r, 'g>(main: &'r AnnotatedLine<'g>, span: Span) -> Option<&'r AnnotatedPly<'g>> {
    lines(main)
        .flat_map(|line| &line.plies)
        .find(|ply| ply.span.start <= span.start && span.end <= ply.span.end)
}

/// "`a`, `b` or `c`".
fn choice(items: &[String]) -> String {
    let quoted: Vec<_> = items.iter().map(|item| format!("`{item}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} or {end}", first.join(", ")),
    }
}
