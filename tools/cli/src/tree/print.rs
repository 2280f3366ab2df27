//! The tree for people, with bars, and for programs.

use std::io::{self, Write};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use indicatif::HumanCount;
use pdn::query::{GameTally, OpeningTree};
use pdn::rules::Variant;
use pdn::value::Colour;
use serde_json::{Value, json};

use crate::output::Output;
use crate::rules::{capital, name};

/// Characters of a bar.
const BAR: usize = 20;

/// A table of the moves with bars: White's wins, draws, Black's wins.
pub(super) fn table(variant: Variant, tree: &OpeningTree, moves: usize, out: &mut Output) -> io::Result<()> {
    let (position, all) = (&tree.position, &tree.all);
    let turn = position.turn();
    writeln!(out, "{variant}, {} to move: {}", capital(turn), position.fen_with_ranges())?;
    if all.games == 0 {
        return writeln!(out, "No game has this position.");
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let transpositions = tree.moves.iter().any(|branch| branch.reached.is_some());
    let mut header =
        vec!["move", "games", "share", "score", "white / draw / black", "rating", "last", "examples"];
    if transpositions {
        header.insert(2, "other ways");
    }
    table.set_header(header);
    for branch in &tree.moves {
        let tally = &branch.tally;
        let mut row = vec![
            branch.text.clone(),
            HumanCount(tally.games).to_string(),
            format!("{:.1} %", 100.0 * tally.games as f64 / all.games as f64),
        ];
        if transpositions {
            row.insert(
                2,
                branch.transposed().map_or_else(String::new, |games| HumanCount(games).to_string()),
            );
        }
        row.extend([
            tally.score(turn).map_or_else(String::new, |score| format!("{score:.1} %")),
            bar(tally),
            tally.average_rating().map_or_else(String::new, |rating| format!("{rating:.0}")),
            if tally.last_year == 0 { String::new() } else { tally.last_year.to_string() },
            numbers(tally),
        ]);
        table.add_row(row);
    }
    let right: &[usize] = if transpositions { &[1, 2, 3, 4, 6, 7] } else { &[1, 2, 3, 5, 6] };
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    if !tree.moves.is_empty() {
        writeln!(out, "{}", table.trim_fmt())?;
    }
    if tree.moves.len() < moves {
        writeln!(out, "{} of {moves} moves; `--limit 0` shows all.", tree.moves.len())?;
    }
    let games = if all.games == 1 { "1 game".to_owned() } else { format!("{} games", HumanCount(all.games)) };
    let score =
        all.score(turn).map_or_else(String::new, |score| format!(", {} scores {score:.1} %", capital(turn)));
    writeln!(
        out,
        "{games}: {} won by White, {} drawn, {} won by Black{score}.",
        all.white, all.draws, all.black
    )?;
    if tree.ended > 0 {
        writeln!(out, "{} of them end here.", HumanCount(tree.ended))?;
    }
    let led: Vec<String> = (tree.arrivals.iter().take(8))
        .map(|arrival| format!("{} ({})", arrival.text, HumanCount(arrival.games)))
        .collect();
    let more = if tree.arrivals.len() > led.len() { " and others" } else { "" };
    // A start position is reached by nothing else.
    if !led.is_empty() && tree.arrivals.iter().any(|arrival| arrival.mv.is_some()) {
        writeln!(out, "Reached by {}{more}.", led.join(", "))?;
    }
    Ok(())
}

/// `█████▒▒▒▒░░░`: wins of White, draws, wins of Black.
fn bar(tally: &GameTally) -> String {
    let decided = tally.white + tally.draws + tally.black;
    if decided == 0 {
        return String::new();
    }
    let part = |games: u64| ((games * BAR as u64 * 2 + decided) / (2 * decided)) as usize;
    let white = part(tally.white).min(BAR);
    let black = part(tally.black).min(BAR - white);
    format!("{}{}{}", "█".repeat(white), "▒".repeat(BAR - white - black), "░".repeat(black))
}

/// The numbers of the examples, from 1 as `pdn show` counts.
fn numbers(tally: &GameTally) -> String {
    let numbers: Vec<_> = tally.examples.iter().map(|number| (number + 1).to_string()).collect();
    numbers.join(" ")
}

/// The keys of the contract, and more.
pub(super) fn json(variant: Variant, tree: &OpeningTree) -> Value {
    let turn = tree.position.turn();
    let tally = |tally: &GameTally| {
        let examples: Vec<u64> = tally.examples.iter().map(|number| number + 1).collect();
        json!({
            "games": tally.games,
            "white": tally.white,
            "draws": tally.draws,
            "black": tally.black,
            "score": tally.score(turn),
            "rating": tally.average_rating(),
            "white_rating": tally.rating(Colour::White),
            "black_rating": tally.rating(Colour::Black),
            "last_year": (tally.last_year > 0).then_some(tally.last_year),
            "examples": examples,
        })
    };
    let merged = |mut one: Value, more: Value| {
        if let (Value::Object(one), Value::Object(more)) = (&mut one, more) {
            one.extend(more);
        }
        one
    };
    let moves: Vec<Value> = (tree.moves.iter())
        .map(|branch| {
            let own = json!({
                "move": branch.text,
                "after": branch.after.fen(),
                "reached": branch.reached,
                "other_ways": branch.transposed(),
            });
            merged(own, tally(&branch.tally))
        })
        .collect();
    let arrivals: Vec<Value> = (tree.arrivals.iter())
        .map(|arrival| {
            json!({
                "move": arrival.mv.map(|_| &arrival.text),
                "games": arrival.games,
                "before": arrival.before.map(|before| before.fen()),
            })
        })
        .collect();
    let own = json!({
        "variant": variant.name(),
        "fen": tree.position.fen(),
        "turn": name(turn),
        "ended": tree.ended,
        "moves": moves,
        "arrivals": arrivals,
    });
    merged(own, tally(&tree.all))
}
