//! `pdn endgame`: proves endings of a few pieces, and says what a position is worth.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use pdn::value::Colour;
use pdn_app::Events;
use pdn_app::ask::endings::{no_endings, proven_value, value_word};
use pdn_app::ask::error::{AppError, ErrorCode, Result};
use pdn_app::ask::numbers::{Count, count};
use pdn_app::ask::position::PlaceRequest;
use pdn_app::ask::values::{NamedRules, colour_name};
use pdn_app::read::inputs::Threads;
use pdn_app::report::endings::{EndingCounts, EndingGames, EndingsCounted, EndingsRequest};
use pdn_endgame::{Endings, MAX_PIECES, Slice, SliceSummary};
use serde::Serialize;

use crate::args::filter::GameFilterArgs;
use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, RulesArgs, SearchedArgs, number, of_argument};
use crate::output::table::Column;
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize, table};

pub(crate) const AFTER_HELP: &str = "\
`build` works out every position of a few pieces by the rules of a variant: won, drawn or lost for the side to move, and the plies to \
the end when both sides play as well as they can. DIR gets a folder for each variant, and in it a file for each number of men and kings. A \
build that was stopped goes on where it was.

Draws by repetition or by a number of moves are left out: a win is a win, however long it takes. Frisian endings in which a side has a king and a \
man, or may come to have them, are refused, because there the legal moves depend on the moves before.

`verify` reads the files again and compares them with their checksums and counts. `probe` prints the value of positions; its exit code is 1 \
if one is in no file.

`report` counts the endings of games: won, drawn and lost are games by the proven value of the first position with these pieces, for the side that has more of them, and kept are those that ended so; thrown are games in which a move threw away a win or a draw. Its exit code is 1 if no game has such an ending.

Examples: `pdn endgame build -g russian --pieces 3 -o endings`, `pdn endgame probe -g russian --tables endings W:WK1,K5,K9:BK18`, \
`pdn find games.idx -g russian -q 'wk + bk = 4 and men = 0' --format fen | pdn endgame probe -g russian --tables endings -`.";

#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct EndgameArgs {
    #[command(subcommand)]
    pub(crate) action: Action,
}

impl EndgameArgs {
    /// Returns `true` if files of endings are written.
    pub(crate) fn writes_files(&self) -> bool {
        matches!(self.action, Action::Build(_))
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Action {
    /// Prove all endings of up to a number of pieces
    Build(BuildArgs),
    /// Compare the files of endings with their checksums and counts
    Verify(VerifyArgs),
    /// Print what positions are worth for the side to move
    Probe(ProbeArgs),
    /// Print which endings games had, and what was made of them
    Report(ReportArgs),
}

/// Opens the endings of a variant in a folder, which has to exist.
///
/// # Errors
///
/// If there is no such folder.
fn open(dir: &Path, rules: &NamedRules) -> Result<Endings> {
    let folder = dir.join(&rules.name);
    if !folder.is_dir() {
        return Err(no_endings(dir, &rules.name));
    }
    Ok(Endings::open(folder, rules.game)?)
}

#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    rules: RulesArgs,

    /// Prove endings of up to this many pieces; each piece more takes about thirty times the time and space
    #[arg(long, value_name = "N", value_parser = number::<u8>(2..=u64::from(MAX_PIECES)))]
    pieces: u8,

    /// Folder of endings, which gets a folder for each variant
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    threads: OptionArgs<Threads>,

    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Folder of endings
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ProbeArgs {
    /// Positions as FEN, such as W:WK31:BK5; `-` reads one a line from standard input
    #[arg(required = true, value_name = "FEN")]
    fens: Vec<String>,

    /// Folder of endings
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    games: GameFilterArgs,

    #[command(flatten)]
    counted: OptionArgs<EndingsCounted>,

    #[command(flatten)]
    searched: SearchedArgs,

    #[command(flatten)]
    format: FormatArgs,
}

/// The endings with the same numbers of men and kings and one side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndingsCount {
    /// The numbers of White's men and kings and of Black's men and kings.
    slice: String,
    /// The side to move.
    turn: &'static str,
    /// The number of positions.
    positions: u64,
    /// Those that the side to move wins.
    won: u64,
    /// Those that are drawn.
    drawn: u64,
    /// Those that the side to move loses.
    lost: u64,
    /// The number of plies of the longest win or loss.
    longest: u16,
}

impl EndingsCount {
    /// Returns the counts with White to move, and those of the same endings of the other side with Black to move.
    fn both(summary: &SliceSummary) -> [Self; 2] {
        let Slice { men, kings } = summary.slice;
        [(Colour::White, 0), (Colour::Black, 1)].map(|(turn, white)| Self {
            slice: format!("{} {} {} {}", men[white], kings[white], men[1 - white], kings[1 - white]),
            turn: colour_name(turn),
            positions: summary.positions,
            won: summary.won,
            drawn: summary.drawn(),
            lost: summary.lost,
            longest: summary.longest,
        })
    }
}

/// What a position is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProbedPosition {
    /// The position as it was given.
    fen: String,
    /// `won`, `drawn` or `lost` for the side to move; null if the position is in no file.
    value: Option<&'static str>,
    /// The number of plies to the end: 0 without a legal move; null if the position is drawn or in no file.
    distance: Option<u16>,
}

/// Runs `pdn endgame`.
pub(crate) fn run(args: &EndgameArgs, out: &mut Output) -> CommandResult {
    match &args.action {
        Action::Build(args) => build(args, out),
        Action::Verify(args) => verify(args, out),
        Action::Probe(args) => probe(args, out),
        Action::Report(args) => report_games(args, out),
    }
}

/// Prints the counts of a slice as JSON, or keeps its row.
fn report(
    summary: &SliceSummary,
    is_json: bool,
    rows: &mut Vec<Vec<String>>,
    out: &mut Output,
) -> std::io::Result<()> {
    if is_json {
        for count in EndingsCount::both(summary) {
            writeln!(out, "{}", sanitize::json(&count))?;
        }
        return out.flush();
    }
    let [count, _] = EndingsCount::both(summary);
    let numbers = [count.positions, count.won, count.drawn, count.lost, u64::from(count.longest)];
    rows.push([vec![count.slice], numbers.map(|number| Count(number).to_string()).to_vec()].concat());
    Ok(())
}

/// Prints the rows that were kept.
fn print_rows(rows: Vec<Vec<String>>, out: &mut Output) -> std::io::Result<()> {
    print_table(&["white and black men, kings", "positions", "won", "drawn", "lost", "longest"], rows, out)
}

/// Prints rows, if there are any. All columns but the first are numbers.
fn print_table(titles: &[&str], rows: Vec<Vec<String>>, out: &mut Output) -> std::io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let columns = titles.iter().enumerate().map(|(place, title)| Column::new(title, place > 0)).collect();
    table::lines(columns, rows).iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn build(args: &BuildArgs, out: &mut Output) -> CommandResult {
    let rules = args.rules.read();
    let endings = Endings::open(args.output.join(&rules.name), rules.game).map_err(AppError::from)?;
    let (is_json, stop) = (args.format.is_json(), interrupt::handle());
    let (mut rows, mut printed) = (Vec::new(), Ok(()));
    let (mut done, total) = (0, endings.slices(args.pieces).len() as u64);
    let mut messages = out.messages();
    let context = messages.context();
    let built = endings.build(args.pieces, args.threads.number(), |summary| {
        printed = report(summary, is_json, &mut rows, out);
        done += 1;
        context.events.steps(done, total);
        if printed.is_ok() && !stop.is_requested() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    context.events.end();
    printed?;
    print_rows(rows, out)?;
    let built = built.map_err(|error| {
        AppError::from(error)
            .help(format!("files written before: {done}; the same command goes on from there"))
    })?;
    if !built.refused.is_empty() {
        let refused = count(built.refused.len() as u64, "kind");
        out.print_error(&format!(
            "note: {refused} of endings have no value of their own in {}: which moves a king beside a man has depends on the moves before",
            rules.name
        ));
    }
    if built.stopped {
        return Err(AppError::stopped().help("the same command goes on where this one stopped").into());
    }
    if !out.is_quiet() {
        out.print_error(&format!(
            "{}: {} written, {} there before",
            sanitize::path(&args.output.join(&rules.name)),
            count(built.solved as u64, "file"),
            Count(built.present as u64)
        ));
    }
    Ok(Exit::Success)
}

fn verify(args: &VerifyArgs, out: &mut Output) -> CommandResult {
    let rules = args.rules.read();
    let endings = open(&args.dir, &rules)?;
    let (stop, mut rows, mut is_sound) = (interrupt::handle(), Vec::new(), true);
    let mut files = 0;
    for slice in endings.slices(MAX_PIECES) {
        if stop.is_requested() {
            return Err(AppError::stopped().into());
        }
        match endings.verify(slice) {
            Ok(Some(summary)) => {
                files += 1;
                report(&summary, args.format.is_json(), &mut rows, out)?;
            }
            Ok(None) => {}
            Err(error) => {
                is_sound = false;
                out.problem(&error.into());
            }
        }
    }
    print_rows(rows, out)?;
    if files == 0 && is_sound {
        return Err(no_endings(&args.dir, &rules.name).into());
    }
    Ok(if is_sound { Exit::Success } else { Exit::Negative })
}

fn probe(args: &ProbeArgs, out: &mut Output) -> CommandResult {
    let rules = args.rules.read();
    let endings = open(&args.tables, &rules)?;
    let mut is_known = true;
    let mut print = |fen: &str, out: &mut Output| -> CommandResult<()> {
        let mut warnings = Vec::new();
        let position = PlaceRequest::new(Some(fen), None).position(rules.game, &mut warnings);
        warnings.into_iter().for_each(|warning| out.problem(&of_argument("fen", warning)));
        let position = position.map_err(|wrong| of_argument("fen", wrong))?;
        let found = endings.probe(&position).map_err(AppError::from)?.map(proven_value);
        is_known &= found.is_some();
        let (value, distance) = (found.map(value_word), found.and_then(|found| found.plies));
        if args.format.is_json() {
            let probed = ProbedPosition { fen: fen.to_owned(), value, distance };
            writeln!(out, "{}", sanitize::json(&probed))?;
            return Ok(());
        }
        let value = match (value, distance) {
            (Some(value), Some(distance)) => format!("{value}, {distance} plies to the end"),
            (Some(value), None) => value.to_owned(),
            (None, _) => "in no file".to_owned(),
        };
        writeln!(out, "{}  {value}", sanitize::text(fen))?;
        Ok(())
    };
    for fen in &args.fens {
        if fen != "-" {
            print(fen, out)?;
            continue;
        }
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| {
                AppError::plain(ErrorCode::Unreadable, format!("standard input: {error}"))
            })?;
            if !line.trim().is_empty() {
                print(line.trim(), out)?;
            }
        }
    }
    Ok(if is_known { Exit::Success } else { Exit::Negative })
}

fn report_games(args: &ReportArgs, out: &mut Output) -> CommandResult {
    let request = EndingsRequest { filter: args.games.read()?, counted: *args.counted };
    let (threads, query) = (args.searched.threads.number(), request.filter.games());
    let index = args.searched.read().open(threads, query.reads_text(), &mut out.context())?;
    let endings = request.count(&index, threads, &interrupt::handle())?;
    if endings.is_empty() {
        let error = AppError::plain(ErrorCode::NoMatch, "no game has an ending that the tables prove");
        out.problem(&error);
        return Ok(index_exit(&index, Exit::Negative));
    }
    if args.format.is_json() {
        endings.iter().try_for_each(|ending| writeln!(out, "{}", sanitize::json(ending)))?;
    } else {
        let titles =
            ["men, kings", "games", "positions", "won", "kept", "drawn", "kept", "lost", "kept", "thrown"];
        print_table(&titles, endings.iter().flat_map(rows).collect(), out)?;
    }
    Ok(index_exit(&index, Exit::Success))
}

/// Returns the rows of the games with an ending: of all, then of each class of ratings.
fn rows(ending: &EndingGames) -> Vec<Vec<String>> {
    let all = cells(format!("{} {}", ending.variant, ending.ending), &ending.counts);
    let rated =
        ending.ratings.iter().map(|rated| cells(format!("  {}-{}", rated.from, rated.to), &rated.counts));
    [all].into_iter().chain(rated).collect()
}

/// Returns the cells of a row.
fn cells(name: String, counts: &EndingCounts) -> Vec<String> {
    let EndingCounts { games, positions, won, won_kept, drawn, drawn_kept, lost, lost_kept, thrown, .. } =
        *counts;
    let numbers = [games, positions, won, won_kept, drawn, drawn_kept, lost, lost_kept, thrown];
    [vec![name], numbers.map(|number| Count(number).to_string()).to_vec()].concat()
}
