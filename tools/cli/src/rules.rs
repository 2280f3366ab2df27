//! `pdn show`, `pdn moves` and `pdn perft`: positions and their moves.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use pdn::board::SquareNames;
use pdn::limits::Limits;
use pdn::movegen::{CaptureLimit, GameEndReason, MoveList, divide, perft as count_leaves};
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::rules::GameRules;
use pdn::span::Span;
use pdn::value::{Colour, Fen};
use serde_json::json;

use crate::args::{MovesArgs, PerftArgs, PositionArgs, ShowArgs, Style};
use crate::board;
use crate::exit::{Exit, complain};
use crate::output::Output;

/// Runs `pdn show` without a path.
pub(crate) fn show(args: &ShowArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(position) = read(&args.position) else { return Ok(Exit::Failed) };
    let mut options = board::Options { numbers: args.numbers, flip: args.flip, ..board::Options::default() };
    if let Some(file) = &args.svg {
        return picture(file, &board::svg(&position, &options), out);
    }
    if args.json {
        let counts = position.counts();
        let value = json!({
            "variant": args.position.variety().name,
            "fen": position.fen(),
            "turn": name(position.turn()),
            "men": { "white": counts.men[0], "black": counts.men[1] },
            "kings": { "white": counts.kings[0], "black": counts.kings[1] },
            "key": position.key().to_string(),
            "winner": position.outcome().map(|outcome| name(outcome.winner)),
        });
        writeln!(out, "{value}")?;
        return Ok(Exit::Done);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    write!(out, "{}", board::terminal(&position, &options))?;
    winner(&position, out)?;
    Ok(Exit::Done)
}

/// Says who has won, if somebody has.
pub(crate) fn winner(position: &Position, out: &mut Output) -> io::Result<()> {
    let Some(outcome) = position.outcome() else { return Ok(()) };
    let reason = match outcome.reason {
        GameEndReason::NoMove => "no legal move",
        GameEndReason::NoPiece => "no piece",
        GameEndReason::Breakthrough => "a king",
    };
    writeln!(out, "{} has won: {reason}", capital(outcome.winner))
}

/// Writes a picture to a file, or to standard output.
pub(crate) fn picture(file: &Path, svg: &str, out: &mut Output) -> io::Result<Exit> {
    if file == Path::new("-") {
        out.write_all(svg.as_bytes())?;
        return Ok(Exit::Done);
    }
    if let Err(error) = std::fs::write(file, svg) {
        complain(&format!("{}: {error}", file.display()));
        return Ok(Exit::Failed);
    }
    Ok(Exit::Done)
}

/// Runs `pdn moves`.
pub(crate) fn moves(args: &MovesArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(position) = read(&args.position) else { return Ok(Exit::Failed) };
    let mut list = MoveList::new();
    if let Err(limit) = position.legal_moves(&mut list) {
        return Ok(gave_up(limit));
    }
    let style = match args.style {
        Style::Shortest => MoveStyle::Shortest,
        Style::Chain => MoveStyle::Chain,
        Style::Captured => MoveStyle::Captured,
    };
    let names = position.names();
    let mut lines = Vec::with_capacity(list.as_slice().len());
    for mv in sorted(list.as_slice(), &names) {
        match move_text(&position, &mv, style) {
            Ok(text) => lines.push((mv, text)),
            Err(limit) => return Ok(gave_up(limit)),
        }
    }
    if args.json {
        let moves: Vec<_> = lines
            .iter()
            .map(|(mv, text)| {
                let captured: Vec<_> = mv.captured_squares().map(|at| names.name(at).to_string()).collect();
                json!({
                    "from": names.name(mv.from).to_string(),
                    "to": names.name(mv.to).to_string(),
                    "captured": captured,
                    "promotes": mv.promotes,
                    "text": text,
                    "after": position.after(mv).fen(),
                })
            })
            .collect();
        let value = json!({
            "variant": args.position.variety().name,
            "fen": position.fen(),
            "turn": name(position.turn()),
            "moves": moves,
        });
        writeln!(out, "{value}")?;
    } else {
        for (_, text) in &lines {
            writeln!(out, "{text}")?;
        }
    }
    Ok(if lines.is_empty() { Exit::Findings } else { Exit::Done })
}

/// Runs `pdn perft`.
pub(crate) fn perft(args: &PerftArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(position) = read(&args.position) else { return Ok(Exit::Failed) };
    let names = position.names();
    let start = Instant::now();
    let mut nodes = 0;
    if args.divide && args.depth > 0 {
        let parts = match divide(&position, args.depth, &Limits::DEFAULT) {
            Ok(parts) => parts,
            Err(limit) => return Ok(gave_up(limit)),
        };
        let order = sorted(&parts.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(), &names);
        for mv in order {
            let leaves = parts.iter().find(|(other, _)| *other == mv).map_or(0, |(_, leaves)| *leaves);
            nodes += leaves;
            let text = match move_text(&position, &mv, MoveStyle::Shortest) {
                Ok(text) => text,
                Err(limit) => return Ok(gave_up(limit)),
            };
            if args.json {
                writeln!(out, "{}", json!({ "move": text, "nodes": leaves }))?;
            } else {
                writeln!(out, "{text:<12} {leaves}")?;
            }
        }
    } else {
        nodes = match count_leaves(&position, args.depth, &Limits::DEFAULT) {
            Ok(nodes) => nodes,
            Err(limit) => return Ok(gave_up(limit)),
        };
    }
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let value = json!({
            "variant": args.position.variety().name,
            "fen": position.fen(),
            "depth": args.depth,
            "nodes": nodes,
            "seconds": seconds,
        });
        writeln!(out, "{value}")?;
    } else {
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        writeln!(out, "{nodes} nodes at depth {}, {seconds:.3} s, {rate:.1} M nodes/s", args.depth)?;
    }
    Ok(Exit::Done)
}

/// The position asked for, or a word on standard error about why there is none.
fn read(args: &PositionArgs) -> Option<Position> {
    let game = args.variety().game;
    match &args.fen {
        Some(fen) => position(game, fen),
        None => Some(Position::start(game)),
    }
}

/// The position of a FEN, or a word on standard error about why there is none.
pub(crate) fn position(game: GameRules, text: &str) -> Option<Position> {
    let point = |message: &str, span: Span| {
        let shown = crate::clean::clean(text);
        let before = text.get(..span.start as usize).map_or(0, |part| part.chars().count());
        let width = text.get(span.range()).map_or(1, |part| part.chars().count().max(1));
        complain(&format!("--fen: {message}\n  {shown}\n  {}{}", " ".repeat(before), "^".repeat(width)));
    };
    let fen = match Fen::parse(text.as_bytes()) {
        Ok(fen) => fen,
        Err(error) => {
            point(&error.to_string(), error.span);
            return None;
        }
    };
    // Men on their last row and the like occur in studies: they are shown, and said.
    match Position::from_fen_lenient(game, &fen, |warning| point(&warning.to_string(), warning.span)) {
        Ok(position) => Some(position),
        Err(error) => {
            point(&error.to_string(), error.span);
            None
        }
    }
}

fn gave_up(limit: CaptureLimit) -> Exit {
    complain(&limit.to_string());
    Exit::Failed
}

/// Moves in the order of their squares' names, as a player looks for them.
pub(crate) fn sorted(moves: &[Move], names: &SquareNames) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_by_key(|mv| (names.number(mv.from), names.number(mv.to), mv.captured));
    moves
}

pub(crate) const fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

pub(crate) const fn capital(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}
