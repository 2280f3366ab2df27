//! `pdn show PATH GAME`: a game of an archive or an index with its tags, moves, comments and a board.

mod human;
mod json;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use pdn::archive::{Archive, Batch};
use pdn::position::{Move, Position};
use pdn::replay::{AnnotatedGame, Replayer};
use pdn::rules::Variant;
use pdn::source::OpenOptions;

use crate::args::ShowArgs;
use crate::board;
use crate::clean;
use crate::exit::{Exit, complain};
use crate::head::{Head, Heads};
use crate::index;
use crate::judge::Wanted;
use crate::output::Output;
use crate::rules;

/// The longest record that is shown, in bytes: a tree of it may take two hundred times as much.
const LONGEST: usize = 1 << 20;

/// Runs `pdn show`.
pub(crate) fn run(args: &ShowArgs, out: &mut Output) -> io::Result<Exit> {
    match &args.path {
        Some(path) => show(path, args, out),
        None => rules::show(args, out),
    }
}

fn show(path: &Path, args: &ShowArgs, out: &mut Output) -> io::Result<Exit> {
    let mut variant = match &args.position.variant {
        None => None,
        Some(variety) => match Variant::from_name(&variety.name) {
            Some(variant) => Some(variant),
            None => {
                complain("--variant: games are replayed by the rules of a named variant only");
                return Ok(Exit::Failed);
            }
        },
    };
    let options = OpenOptions::new().encoding(args.encoding);
    let mut basis = None;
    let found = if path.is_dir() {
        index::game(path, args.number).and_then(|found| match found {
            Ok(game) => {
                // What the whole file told when it was indexed.
                if variant.is_none() {
                    (variant, basis) = (Some(game.kind.variant), Some(game.kind.basis));
                }
                let record = Archive::from_reader(io::Cursor::new(game.bytes), game.origin, &options)?;
                find(record, 1)
            }
            Err(games) => Ok(Found::Games(games)),
        })
    } else {
        Archive::open_with(path, &options).and_then(|archive| find(archive, args.number))
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            complain(&clean::clean(&error.to_string()));
            return Ok(Exit::Failed);
        }
    };
    let (batch, index, head) = match found {
        Found::Game(batch, index, head) => (batch, index, head),
        Found::Games(games) => {
            let games = crate::totals::count(games, "game");
            complain(&format!("{}: there is no game {}, only {games}", clean::path(path), args.number));
            return Ok(Exit::Findings);
        }
    };
    let Some(game) = batch.get(index) else { return Ok(Exit::Failed) };
    if game.raw().len() > LONGEST {
        complain(&format!("{}: game {} is too long to be shown", clean::path(path), args.number));
        return Ok(Exit::Failed);
    }
    let wanted = Wanted { style: false, replay: true, variant };
    let mut replayer = Replayer::new(wanted.options());
    crate::judge::know(&mut replayer, &mut None, &head);
    let mut replayed = replayer.replay_annotated(game.raw());
    replayed.summary.basis = basis.unwrap_or(replayed.summary.basis);
    let plies = replayed.main.plies.len();
    let ply = args.ply.unwrap_or(plies);
    if ply > plies {
        let plies = if plies == 1 { "1 legal ply".to_owned() } else { format!("{plies} legal plies") };
        complain(&format!("--ply {ply}: the game has {plies}"));
        return Ok(Exit::Findings);
    }
    let shown = Shown { batch: &batch, index, number: args.number, replayed: &replayed, ply };
    let (position, before) = shown.position();
    let mut options = board::Options {
        numbers: args.numbers,
        flip: args.flip,
        last_move: before.map(|mv| (mv.from, mv.to)),
        ..board::Options::default()
    };
    if let Some(file) = &args.svg {
        return rules::picture(file, &board::svg(&position, &options), out);
    }
    if args.json {
        writeln!(out, "{}", clean::json(&json::object(&shown)))?;
        return Ok(Exit::Done);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    human::print(&shown, &options, out)?;
    Ok(Exit::Done)
}

/// A game and the ply that is looked at.
struct Shown<'a> {
    batch: &'a Batch,
    /// Of the game in its batch.
    index: usize,
    /// Of the game in what the path names, from 1.
    number: u64,
    replayed: &'a AnnotatedGame<'a>,
    /// Plies played in the position that is shown.
    ply: usize,
}

impl Shown<'_> {
    /// The position shown, and the move that led to it.
    fn position(&self) -> (Position, Option<Move>) {
        let line = &self.replayed.main;
        let before = self.ply.checked_sub(1).and_then(|last| line.plies.get(last)).map(|ply| ply.mv);
        let position = match line.plies.get(self.ply) {
            Some(next) => next.position,
            None => line.last,
        };
        (position, before)
    }

    fn raw(&self) -> &[u8] {
        self.batch.get(self.index).map_or(&[], |game| game.raw())
    }

    /// Some bytes of the game as text.
    fn decode(&self, part: &[u8]) -> String {
        self.batch.decoder().text(self.raw(), part).into_owned()
    }

    /// Names and values of the tags, in order.
    fn tags(&self) -> Vec<(String, String)> {
        let Some(game) = self.batch.get(self.index) else { return Vec::new() };
        let value = |tag: pdn::parse::TagPair<'_>| self.decode(&pdn::parse::unescape(tag.value));
        game.view().tags().map(|tag| (self.decode(tag.name), value(tag))).collect()
    }

    /// Where and why the replay stopped.
    fn stopped(&self) -> Option<String> {
        let stop = self.replayed.summary.stop?;
        let text = self.decode(stop.span.of(self.raw()));
        let text: String = text.chars().take(40).collect();
        Some(format!("stops before ply {} at `{}`: {}", stop.ply + 1, text, stop.reason.text()))
    }
}

/// What was looked for, or how many games there are.
enum Found {
    Game(Batch, usize, Arc<Head>),
    Games(u64),
}

/// The game with this number, counted from 1 through all entries of a zip.
fn find(archive: Archive, number: u64) -> pdn::Result<Found> {
    let mut passed = 0;
    for item in Heads::new(archive.batches()) {
        let (batch, head) = item?;
        let games = batch.len() as u64;
        if number - passed <= games {
            return Ok(Found::Game(batch, (number - passed - 1) as usize, head));
        }
        passed += games;
    }
    Ok(Found::Games(passed))
}
