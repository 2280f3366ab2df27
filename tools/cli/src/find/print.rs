//! Hits on their way to a reader or a program.

use std::io::{self, Write};
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table as Drawn};
use pdn::index::{GameRow, Index};
use pdn::pack::unpack;
use pdn::position::Position;
use pdn::query::{DateRange, Hit, RowTable, Search, SearchStats};
use serde_json::json;

use crate::clean;
use crate::output::Output;
use crate::rules::name;

/// Where hits are looked up.
pub(super) struct Printer<'a> {
    pub(super) index: &'a Index,
    pub(super) table: &'a RowTable<'a>,
}

/// What becomes of printing: trouble with the output, or with the index.
type Done = io::Result<pdn::Result<()>>;

impl Printer<'_> {
    pub(super) fn table(&self, hits: &[Hit], all: usize, out: &mut Output) -> Done {
        if hits.is_empty() {
            crate::exit::complain("no game answers this");
            return Ok(Ok(()));
        }
        let mut drawn = Drawn::new();
        drawn
            .load_style(NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(out.width()).unwrap_or(u16::MAX))
            .set_header(["game", "ply", "white", "black", "result", "date", "event", "round"]);
        for hit in hits {
            let Some(row) = self.table.row(hit.game) else { continue };
            let texts = [row.white, row.black, row.result].map(|text| clean::clean(text).into_owned());
            let [white, black, result] = texts;
            drawn.add_row([
                (hit.game + 1).to_string(),
                hit.ply.to_string(),
                white,
                black,
                result,
                date(&row),
                clean::clean(row.event).into_owned(),
                clean::clean(row.round).into_owned(),
            ]);
        }
        for column in [0, 1] {
            if let Some(column) = drawn.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(out, "{}", drawn.trim_fmt())?;
        if hits.len() < all {
            writeln!(
                out,
                "{} of {} games; `--limit 0` shows all.",
                hits.len(),
                indicatif::HumanCount(all as u64)
            )?;
        } else {
            writeln!(out, "{}.", super::games(all))?;
        }
        Ok(Ok(()))
    }

    pub(super) fn jsonl(&self, hits: &[Hit], out: &mut Output) -> Done {
        for hit in hits {
            let Some(row) = self.table.row(hit.game) else { continue };
            let Some(game) = self.index.game(hit.game) else { continue };
            let (place, origin) = match (game.location(), game.input()) {
                (Ok(place), Ok(origin)) => (place, origin),
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
                "winner": row.winner().map(name),
                "variant": row.kind.variant.name(),
                "plies": row.plies,
                "status": row.status.name(),
                "white_rating": rating(row.ratings[0]),
                "black_rating": rating(row.ratings[1]),
                "file": origin.name.to_string_lossy(),
                "offset": place.offset,
            });
            writeln!(out, "{}", clean::json(&value))?;
        }
        Ok(Ok(()))
    }

    pub(super) fn fen(&self, hits: &[Hit], out: &mut Output) -> Done {
        for hit in hits {
            let Some(game) = self.index.game(hit.game) else { continue };
            let Some(row) = self.table.row(hit.game) else { continue };
            let bytes = match game.moves() {
                Ok(bytes) => bytes,
                Err(error) => return Ok(Err(error)),
            };
            // What was searched can be unpacked.
            let Ok((plies, last)) = unpack(&Position::start(row.kind.game()), bytes) else { continue };
            let position = plies.get(hit.ply as usize).map_or(last, |ply| ply.before);
            writeln!(out, "{}", position.fen())?;
        }
        Ok(Ok(()))
    }

    pub(super) fn pdn(&self, hits: &[Hit], out: &mut Output) -> Done {
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

/// The date as far as it is known.
fn date(row: &GameRow<'_>) -> String {
    if row.date.year().is_some() { DateRange::of(row.date).to_string() } else { String::new() }
}

/// The plan, what each step cut, and what it took, on standard error.
pub(super) fn explain(search: &Search<'_>, effort: SearchStats, hits: u64, planned: Duration, all: Duration) {
    let plan = search.plan();
    let number = |number: u64| indicatif::HumanCount(number).to_string();
    let mut text = format!("{:>12} games in the index\n", number(plan.games));
    for step in &plan.steps {
        let how = if step.exact { "" } else { ", to be played" };
        text += &format!("{:>12} left by {}{how}\n", number(step.games), clean::clean(&step.text));
    }
    if plan.played > 0 {
        let [white, black] = plan.least;
        let early = if white + black >= 6 {
            format!(", each until fewer than {white} white or {black} black pieces are left")
        } else {
            String::new()
        };
        text += &format!("{:>12} played{early}\n", number(effort.games));
        let rate = effort.positions as f64 / (all - planned).as_secs_f64().max(1e-9) / 1e6;
        text += &format!("{:>12} positions, {rate:.0} million a second\n", number(effort.positions));
    }
    text += &format!(
        "{:>12} {}; planned in {:.1} ms, {:.1} ms in all",
        number(hits),
        if hits == 1 { "answer" } else { "answers" },
        planned.as_secs_f64() * 1e3,
        all.as_secs_f64() * 1e3
    );
    let _ = writeln!(anstream::stderr(), "{text}");
}
