//! `pdn index`: replays archives and builds a searchable index.
//!
//! A run that is stopped at any moment, by Ctrl-C too, leaves an existing index unchanged: the new one replaces it by a rename
//! at the end.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use pdn::diag::Code;
use pdn_app::indexing::{IndexRequest, Indexed};
use pdn_app::numbers::{Count, count, plies, rounded, size, tells_speed};

use crate::args::IndexArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn index`.
pub(crate) fn run(args: &IndexArgs, out: &mut Output) -> CommandResult {
    let request = IndexRequest {
        inputs: args.input.read(),
        output: args.output.clone(),
        variant: args.untagged,
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
