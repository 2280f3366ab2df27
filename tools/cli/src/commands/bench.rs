//! `pdn bench`: measures the speed of every stage on one machine and archive in one run.

use std::io::Write;

use pdn_app::bench::{Benchmark, Stage, StageSpeed};
use pdn_app::named::Named;
use pdn_app::numbers::{count, plies, rounded, size};

use crate::args::BenchArgs;
use crate::output::table::{self, Column};
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn bench`.
pub(crate) fn run(args: &BenchArgs, out: &mut Output) -> CommandResult {
    let answer = args.read().run(&mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else {
        write!(out, "{}", text(args, &answer))?;
    }
    for problem in &answer.disagreements {
        out.print_error(problem);
    }
    Ok(if answer.disagreements.is_empty() { Exit::Success } else { Exit::Negative })
}

/// Formats the measurements as a table after a sentence about the archive.
fn text(args: &BenchArgs, answer: &Benchmark) -> String {
    let titles = ["stage", "threads", "GB/s", "games/s", "plies/s", "ns/ply", "of floor", "x 1 thread"];
    let columns = titles.map(|title| Column::new(title, title != "stage")).into();
    let rows = answer.stages.iter().map(|speed| row(speed, answer.plies)).collect();
    let lines: String = table::lines(columns, rows).iter().map(|line| format!(" {line}\n")).collect();
    let totals = [answer.games.map(|games| count(games, "game")), answer.plies.map(plies)];
    let totals: String = totals.into_iter().flatten().map(|total| format!(", {total}")).collect();
    format!(
        "{}: {}{totals}; {} processors, {}, median of up to {}.\n\n{lines}",
        sanitize::path(&args.archive),
        size(answer.bytes),
        answer.processors,
        answer.instruction_set,
        count(u64::from(answer.rounds), "round"),
    )
}

/// Returns the cells of a measurement. `plies` is the number of plies of the archive.
fn row(speed: &StageSpeed, plies: Option<u64>) -> Vec<String> {
    let mut row =
        vec![speed.stage.name().to_owned(), speed.threads.to_string(), format!("{:.3}", speed.gb_per_second)];
    // These stages do not visit games.
    let has_no_games = matches!(speed.stage, Stage::Floor | Stage::Source);
    let ns_per_ply = |plies: u64| format!("{:.1}", speed.seconds * 1e9 / plies as f64);
    let cells = [
        speed.games_per_second.map(rounded),
        speed.plies_per_second.map(rounded),
        plies.filter(|&plies| plies > 0).map(ns_per_ply),
    ];
    row.extend(cells.map(|cell| cell.filter(|_| !has_no_games).unwrap_or_default()));
    row.push(format!("{:.1} %", 100.0 * speed.of_floor));
    row.push(format!("{:.2}", speed.scaling));
    row
}
