//! `pdn index`: replays archives and builds a searchable index.
//!
//! A run that is stopped at any moment, by Ctrl-C too, leaves an existing index unchanged: the new one replaces it by a rename
//! at the end.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use pdn::diag::Code;
use pdn_app::ask::numbers::{Count, count, plies, rounded, size, tells_speed};
use pdn_app::read::indexing::{IndexRequest, Indexed};

use crate::args::help;
use crate::args::shared::{FormatArgs, InputArgs, number};
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Every record becomes a game of the index, even if it is damaged. Records that are not replayed to their end are also \
listed in DIR/rejects.jsonl; they do not change the exit code. Inputs that cannot be read are reported, the others are \
indexed, and the exit code is 2.

An existing index stays as it is until the new one is complete, even if the process is killed, the disk is full or \
Ctrl-C is pressed, and if no game is read that could take the place of its games. The exit code after Ctrl-C is 130. A \
folder that is neither empty nor an index is refused.

With --append, games keep their numbers. The games of a changed file retire: nothing finds them any more, and the games of \
the new file get new numbers. A file with the same size and modification time counts as unchanged; if a part of it could not \
be read, that is told again, with exit code 2. If a changed file has lost more than a tenth of its games, the exit code is 1, \
unless --prune is given.";

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[arg(long, short, value_name = "DIR", help = help::DIR)]
    pub(crate) output: PathBuf,

    /// Add to the index, or make it; of indexed files, skip unchanged ones, read what was added to grown ones, and
    /// replace the games of those that changed otherwise
    #[arg(long)]
    pub(crate) append: bool,

    /// Take the games of files that no longer exist out of the index
    #[arg(long, requires = "append")]
    pub(crate) prune: bool,

    #[arg(long, value_name = "FOLDER", requires = "append", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    /// Store the text of the games in the index, compressed
    #[arg(long)]
    pub(crate) embed: bool,

    /// Also build key tables, about 4 bytes per ply, which find an exact position at once in archives of any size; an
    /// index that has key tables keeps them up to date
    #[arg(long)]
    pub(crate) positions: bool,

    /// Keep the opening trees of positions of at least N games ready in a book, 0 for no book [default: 1000, or that of the
    /// index]
    #[arg(long, value_name = "N", requires = "positions", value_parser = number::<u64>(0..=u64::from(u32::MAX)))]
    pub(crate) book: Option<u64>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Runs `pdn index`.
pub(crate) fn run(args: &IndexArgs, out: &mut Output) -> CommandResult {
    let request = IndexRequest {
        inputs: args.input.read(),
        output: args.output.clone(),
        append: args.append,
        prune: args.prune,
        root: args.root.clone(),
        embed: args.embed,
        positions: args.positions,
        book: args.book,
    };
    let answer = request.run(&mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else {
        write!(out, "{}", text(&answer, &args.output))?;
    }
    Ok(match (answer.failures.is_empty(), answer.shrunk.is_empty()) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Negative,
        (true, true) => Exit::Success,
    })
}

/// Size in bytes of the smallest archive whose ratio of index to text is printed; below it, fixed tables dominate.
const MIN_RATIO_BYTES: u64 = 1 << 20;

/// Formats the answer, which accounts for every game and byte.
fn text(answer: &Indexed, dir: &Path) -> String {
    let by_status: Vec<_> = (answer.statuses.iter())
        .filter(|(_, games)| *games > 0)
        .map(|(name, games)| format!("{} {name}", Count(games)))
        .collect();
    let by_status = if by_status.is_empty() { String::new() } else { format!(": {}", by_status.join(", ")) };
    let mut text = format!(
        "{} in {}, {}{by_status}.\n",
        count(answer.games, "game"),
        count(answer.files, "file"),
        size(answer.bytes)
    );
    if answer.unchanged > 0 {
        text += &format!("{} unchanged.\n", count(answer.unchanged, "file"));
    }
    if answer.replaced > 0 {
        let files = count(answer.replaced, "file");
        text += &format!("{files} had changed and replaced what was indexed of them before.\n");
    }
    if answer.retired > 0 {
        text += &format!("{} of changed or removed files left the index.\n", count(answer.retired, "game"));
    }
    for file in &answer.shrunk {
        let (games, before) = (count(file.games, "game"), Count(file.games_before));
        let name = sanitize::text(&file.file);
        text +=
            &format!("{name} has only {games} of the {before} it had. If that is right, --prune says so.\n");
    }
    if !answer.failures.is_empty() {
        let files = count(answer.failures.len() as u64, "file");
        text += &format!("{files} could not be read completely.\n");
    }
    if answer.games > 0 {
        let threads = count(answer.threads as u64, "thread");
        text += &format!("{} in {:.2} s on {threads}", plies(answer.plies), answer.seconds);
        if tells_speed(answer.seconds) {
            text += &format!(
                ": {} games/s, {} plies/s, {:.1} MB/s",
                rounded(answer.games_per_second),
                rounded(answer.plies_per_second),
                answer.mb_per_second,
            );
        }
        text += ".\n";
    }
    let dir = sanitize::path(dir);
    let ratio = 100.0 * answer.index_bytes as f64 / answer.bytes.max(1) as f64;
    let ratio = if answer.index_games == answer.games && answer.bytes >= MIN_RATIO_BYTES {
        format!(", {ratio:.1} % of the text")
    } else {
        String::new()
    };
    text +=
        &format!("{dir} has {}, {}{ratio}.\n", count(answer.index_games, "game"), size(answer.index_bytes));
    text += &rejects(&answer.rejects, &dir);
    if let Some(tables) = answer.tables {
        text += &format!(
            "Of these, {} are key tables with {} entries, made in {:.2} s.\n",
            size(tables.positions_bytes),
            Count(tables.positions),
            tables.positions_seconds
        );
        if tables.book_positions > 0 {
            let positions = count(tables.book_positions, "position");
            text += &format!("The book has the trees of {positions}, {}.\n", size(tables.book_bytes));
        }
    }
    if answer.index_games > 0 {
        text += &format!("\nNow `pdn find` searches {dir}, and `pdn tree` shows its openings.\n");
    }
    text
}

/// Formats the number of rejected records by code; empty if there are none.
fn rejects(rejects: &BTreeMap<&'static str, u64>, dir: &str) -> String {
    if rejects.is_empty() {
        return String::new();
    }
    let mut text = format!("\nNot replayed to the end, listed in {dir}/rejects.jsonl:\n");
    for (id, games) in rejects {
        let title = Code::from_id(id).map_or("", Code::title);
        text += &format!("  {id} {:>9}  {title}\n", Count(*games).to_string());
    }
    text
}
