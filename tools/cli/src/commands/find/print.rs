//! Prints the matching games in every format, and the explanation of a search.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use pdn::index::{GameRow, Index};
use pdn::pool;
use pdn::query::{DateRange, Hit, RowTable, Search, SearchStats};
use serde_json::{Value, json};

use super::fields::{FieldReader, table_text};
use crate::args::GameField;
use crate::board::words::colour_name;
use crate::output::exit::print_error;
use crate::output::numbers::{HumanCount, count};
use crate::output::{Output, sanitize};

/// Prints hits; looks up their rows and moves.
pub(super) struct Printer<'a> {
    pub(super) index: &'a Index,
    pub(super) table: &'a RowTable<'a>,
    pub(super) threads: NonZeroUsize,
}

/// The number of hits that a thread formats at a time.
const CHUNK: usize = 256;

/// The number of matches before `--limit`.
#[derive(Clone, Copy)]
pub(super) enum Matches {
    Games(usize),
    /// Positions, with `--all-plies`.
    Positions(usize),
}

impl Matches {
    /// Returns the sentence below a table that shows this many matches.
    fn sentence(self, shown: usize) -> String {
        let (number, noun) = match self {
            Self::Games(number) => (number, "game"),
            Self::Positions(number) => (number, "position"),
        };
        if shown < number {
            return format!("{shown} of {} {noun}s; `--limit 0` shows all.", HumanCount(number as u64));
        }
        format!("{}.", count(number as u64, noun))
    }
}

/// The result of printing: the outer error is one of the output, the inner one of the index.
type PrintResult = io::Result<pdn::Result<()>>;

impl Printer<'_> {
    /// Prints a table; `match_count` is the number of matching games before `--limit`.
    pub(super) fn table(&self, hits: &[Hit], match_count: Matches, out: &mut Output) -> PrintResult {
        if hits.is_empty() {
            print_error("no game matches");
            return Ok(Ok(()));
        }
        let mut table = Table::new();
        table
            .load_style(NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(out.width()).unwrap_or(u16::MAX))
            .set_header(["game", "ply", "white", "black", "result", "date", "event", "round"]);
        for hit in hits {
            let Some(row) = self.table.row(hit.game) else { continue };
            let texts = [row.white, row.black, row.result].map(|text| sanitize::text(text).into_owned());
            let [white, black, result] = texts;
            table.add_row([
                (hit.game + 1).to_string(),
                hit.ply.to_string(),
                white,
                black,
                result,
                date(&row),
                sanitize::text(row.event).into_owned(),
                sanitize::text(row.round).into_owned(),
            ]);
        }
        for column in [0, 1] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(out, "{}", table.trim_fmt())?;
        writeln!(out, "{}", match_count.sentence(hits.len()))?;
        Ok(Ok(()))
    }

    /// Prints a table of chosen fields; `match_count` is the number of matches before `--limit`.
    pub(super) fn table_of(
        &self,
        fields: &[GameField],
        hits: &[Hit],
        match_count: Matches,
        out: &mut Output,
    ) -> PrintResult {
        if hits.is_empty() {
            print_error("no game matches");
            return Ok(Ok(()));
        }
        let reader = FieldReader { index: self.index, table: self.table, fields };
        let mut table = Table::new();
        table
            .load_style(NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(out.width()).unwrap_or(u16::MAX))
            .set_header(fields.iter().map(|field| sanitize::text(&field.to_string()).into_owned()));
        for hit in hits {
            let values = match reader.values(hit) {
                Ok(Some(values)) => values,
                Ok(None) => continue,
                Err(error) => return Ok(Err(error)),
            };
            let text =
                |field: &GameField| values.get(&field.to_string()).map_or_else(String::new, table_text);
            table.add_row(fields.iter().map(|field| sanitize::text(&text(field)).into_owned()));
        }
        writeln!(out, "{}", table.trim_fmt())?;
        writeln!(out, "{}", match_count.sentence(hits.len()))?;
        Ok(Ok(()))
    }

    /// Prints one JSON object of chosen fields per hit.
    pub(super) fn jsonl_of(&self, fields: &[GameField], hits: &[Hit], out: &mut Output) -> PrintResult {
        let reader = FieldReader { index: self.index, table: self.table, fields };
        self.print_in_parallel(hits, out, |hit, text| {
            if let Some(values) = reader.values(hit)? {
                let _ = writeln!(text, "{}", sanitize::json(&Value::Object(values)));
            }
            Ok(())
        })
    }

    /// Prints what `append` writes for each hit, in their order, from all threads.
    fn print_in_parallel(
        &self,
        hits: &[Hit],
        out: &mut Output,
        append: impl Fn(&Hit, &mut String) -> pdn::Result<()> + Sync,
    ) -> PrintResult {
        let mut written = Ok(());
        let printed = pool::try_ordered(
            hits.chunks(CHUNK),
            self.threads,
            || (),
            |(), hits| {
                let mut text = String::new();
                hits.iter().try_for_each(|hit| append(hit, &mut text))?;
                Ok::<_, pdn::Error>(text)
            },
            |text| {
                written = out.write_all(text.as_bytes());
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        written?;
        Ok(printed)
    }

    /// Prints one JSON object per game.
    pub(super) fn jsonl(&self, hits: &[Hit], out: &mut Output) -> PrintResult {
        for hit in hits {
            let Some(row) = self.table.row(hit.game) else { continue };
            let Some(game) = self.index.game(hit.game) else { continue };
            let (location, input) = match (game.location(), game.input()) {
                (Ok(location), Ok(input)) => (location, input),
                (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
            };
            let rating = |rating: u16| (rating != 0).then_some(rating);
            let value = json!({
                "game": hit.game + 1,
                "ply": hit.ply,
                "white": row.white,
                "black": row.black,
                "event": row.event,
                "site": row.site,
                "date": date(&row),
                "round": row.round,
                "result": row.result,
                "winner": row.winner().map(colour_name),
                "variant": row.kind.variant.name(),
                "plies": row.plies,
                "status": row.status.name(),
                "white_rating": rating(row.ratings[0]),
                "black_rating": rating(row.ratings[1]),
                "file": input.name.to_string_lossy(),
                "offset": location.offset,
            });
            writeln!(out, "{}", sanitize::json(&value))?;
        }
        Ok(Ok(()))
    }

    /// Prints the FEN of each matching position.
    pub(super) fn fen(&self, hits: &[Hit], out: &mut Output) -> PrintResult {
        self.print_in_parallel(hits, out, |hit, text| {
            if let Some(game) = self.index.game(hit.game) {
                let _ = writeln!(text, "{}", game.position(hit.ply)?.fen());
            }
            Ok(())
        })
    }

    /// Prints the records.
    pub(super) fn pdn(&self, hits: &[Hit], out: &mut Output) -> PrintResult {
        for hit in hits {
            let Some(game) = self.index.game(hit.game) else { continue };
            match game.text() {
                Ok(text) => out.write_all(&text)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }
}

/// Formats the known parts of the date; empty if the year is unknown.
pub(super) fn date(row: &GameRow<'_>) -> String {
    if row.date.year().is_some() { DateRange::of(row.date).to_string() } else { String::new() }
}

/// Prints the query plan, the number of games left after each step, and the time, to standard error.
pub(super) fn explain(
    search: &Search<'_>,
    stats: SearchStats,
    hits: u64,
    planning_time: Duration,
    total_time: Duration,
) {
    let plan = search.plan();
    let number = |number: u64| HumanCount(number).to_string();
    let mut text = format!("{:>12} games in the index\n", number(plan.games));
    for step in &plan.steps {
        let exactness = match (step.exact, step.reads_text) {
            (true, _) => "",
            (false, true) => ", their texts to be read",
            (false, false) => ", to be replayed",
        };
        text += &format!("{:>12} left by {}{exactness}\n", number(step.games), sanitize::text(&step.text));
    }
    if plan.played > 0 {
        let [white, black] = plan.least;
        let early_end = if white + black >= 6 {
            format!(", each until fewer than {white} white or {black} black pieces are left")
        } else {
            String::new()
        };
        text += &format!("{:>12} replayed{early_end}\n", number(stats.games));
        let rate = stats.positions as f64 / (total_time - planning_time).as_secs_f64().max(1e-9) / 1e6;
        text += &format!("{:>12} positions, {rate:.0} million per second\n", number(stats.positions));
    }
    text += &format!(
        "{:>12} {}; planned in {:.1} ms, {:.1} ms in all",
        number(hits),
        if hits == 1 { "match" } else { "matches" },
        planning_time.as_secs_f64() * 1e3,
        total_time.as_secs_f64() * 1e3
    );
    let _ = writeln!(anstream::stderr(), "{text}");
}
