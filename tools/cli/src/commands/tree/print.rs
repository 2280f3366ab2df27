//! Formats an opening tree as a table with bars, and as JSON.

use std::io::{self, Write};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use pdn::query::{GameTally, OpeningTree};
use pdn::rules::Variant;
use pdn::value::Colour;
use serde_json::{Value, json};

use super::VariantChoice;
use crate::board::words::{colour_name, colour_title};
use crate::output::Output;
use crate::output::cut::cut;
use crate::output::numbers::{HumanCount, count};

/// Width of a bar in characters.
const BAR_WIDTH: usize = 10;

/// Writes a table of the moves, with bars of White's wins, draws and Black's wins. `move_count` is the number of moves
/// before `--limit`.
pub(super) fn table(
    choice: &VariantChoice,
    tree: &OpeningTree,
    move_count: usize,
    out: &mut Output,
) -> io::Result<()> {
    let (position, all) = (&tree.position, &tree.all);
    let turn = position.turn();
    let variant = choice.variant;
    writeln!(out, "{variant}, {} to move: {}", colour_title(turn), position.fen_with_ranges())?;
    if let Some(others) = other_variants(choice) {
        writeln!(out, "{others}")?;
    }
    if all.games == 0 {
        return writeln!(out, "No game reaches this position.");
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let transpositions = tree.moves.iter().any(|tree_move| tree_move.reached.is_some());
    let mut header =
        vec!["move", "games", "share", "score", "white / draw / black", "rating", "last", "examples"];
    if transpositions {
        header.insert(2, "transposed");
    }
    table.set_header(header);
    for tree_move in &tree.moves {
        let tally = &tree_move.tally;
        let mut row = vec![
            tree_move.text.clone(),
            HumanCount(tally.games).to_string(),
            format!("{:.1} %", 100.0 * tally.games as f64 / all.games as f64),
        ];
        if transpositions {
            row.insert(
                2,
                tree_move.transposed().map_or_else(String::new, |games| HumanCount(games).to_string()),
            );
        }
        row.extend([
            tally.score(turn).map_or_else(String::new, |score| format!("{score:.1} %")),
            bar(tally),
            tally.average_rating().map_or_else(String::new, |rating| format!("{rating:.0}")),
            if tally.last_year == 0 { String::new() } else { tally.last_year.to_string() },
            examples(tally),
        ]);
        table.add_row(row);
    }
    let right_aligned: &[usize] = if transpositions { &[1, 2, 3, 4, 6, 7] } else { &[1, 2, 3, 5, 6] };
    for &column in right_aligned {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    if !tree.moves.is_empty() {
        let width = out.terminal_width();
        for line in table.trim_fmt().lines() {
            let mut line = line.to_owned();
            if let Some(width) = width {
                cut(&mut line, width);
            }
            writeln!(out, "{line}")?;
        }
    }
    if tree.moves.len() < move_count {
        writeln!(out, "{} of {move_count} moves; `--limit 0` lists all.", tree.moves.len())?;
    }
    let games = count(all.games, "game");
    let score = all
        .score(turn)
        .map_or_else(String::new, |score| format!(", {} scores {score:.1} %", colour_title(turn)));
    writeln!(
        out,
        "{games}: {} won by White, {} drawn, {} won by Black{score}.",
        HumanCount(all.white),
        HumanCount(all.draws),
        HumanCount(all.black)
    )?;
    if tree.ended > 0 {
        let verb = if tree.ended == 1 { "ends" } else { "end" };
        writeln!(out, "{} of them {verb} here.", HumanCount(tree.ended))?;
    }
    let last_moves: Vec<String> = (tree.arrivals.iter().take(8))
        .map(|arrival| format!("{} ({})", arrival.text, HumanCount(arrival.games)))
        .collect();
    let more = if tree.arrivals.len() > last_moves.len() { " and others" } else { "" };
    // All games of a start position begin with it, unless a move leads back to it.
    if !last_moves.is_empty() && tree.arrivals.iter().any(|arrival| arrival.mv.is_some()) {
        writeln!(out, "Reached by {}{more}.", last_moves.join(", "))?;
    }
    Ok(())
}

/// Returns the sentence about the other variants of the games that the filters leave; `None` if the variant was asked for or
/// there is no other.
fn other_variants(choice: &VariantChoice) -> Option<String> {
    let (own, others): (Vec<_>, Vec<_>) =
        choice.counts.iter().partition(|(variant, _)| *variant == choice.variant);
    if choice.requested || others.is_empty() {
        return None;
    }
    let games = own.iter().map(|(_, games)| games).sum();
    let others: Vec<String> =
        others.iter().map(|(variant, games)| format!("{variant} ({})", HumanCount(*games))).collect();
    Some(format!(
        "Inferred variant: {} ({}); `--variant` chooses another: {}.",
        choice.variant,
        count(games, "game"),
        others.join(", ")
    ))
}

/// Draws a bar such as `█████▒▒▒▒░░░` with the shares in percent: White's wins, draws, Black's wins. Empty if no game has a
/// result.
fn bar(tally: &GameTally) -> String {
    let decided = tally.white + tally.draws + tally.black;
    if decided == 0 {
        return String::new();
    }
    let part = |games: u64| ((games * BAR_WIDTH as u64 * 2 + decided) / (2 * decided)) as usize;
    let white = part(tally.white).min(BAR_WIDTH);
    let black = part(tally.black).min(BAR_WIDTH - white);
    let bar = format!("{}{}{}", "█".repeat(white), "▒".repeat(BAR_WIDTH - white - black), "░".repeat(black));
    let [white, draws, black] = percentages([tally.white, tally.draws, tally.black]);
    format!("{bar} {white:>3} {draws:>3} {black:>3} %")
}

/// Returns shares in whole percent that add up to 100: those with the greatest remainders are rounded up.
fn percentages(counts: [u64; 3]) -> [u64; 3] {
    let total = u128::from(counts.iter().sum::<u64>().max(1));
    let mut shares = counts.map(|count| (u128::from(count) * 100 / total) as u64);
    let remainder = |place: usize| u128::from(counts[place]) * 100 % total;
    let mut places = [0, 1, 2];
    places.sort_by_key(|&place| std::cmp::Reverse(remainder(place)));
    let missing = 100u64.saturating_sub(shares.iter().sum()) as usize;
    for &place in places.iter().take(missing).filter(|&&place| remainder(place) > 0) {
        shares[place] += 1;
    }
    shares
}

/// Formats the numbers of the examples, from 1 as in `pdn show`.
fn examples(tally: &GameTally) -> String {
    let numbers: Vec<_> = tally.examples.iter().map(|number| (number + 1).to_string()).collect();
    numbers.join(" ")
}

/// Returns the bounds between which the score of a side lies with a probability of 95 %, in percent; `None` if no game has
/// a result. This is Wilson's interval for the score as a share of the points: with draws it is a little too wide.
fn interval(tally: &GameTally, turn: Colour) -> Option<(f64, f64)> {
    // The number of standard deviations that leaves out 5 %.
    const DEVIATIONS: f64 = 1.959_964;
    let games = (tally.white + tally.draws + tally.black) as f64;
    let share = tally.score(turn)? / 100.0;
    let square = DEVIATIONS * DEVIATIONS;
    let centre = share + square / (2.0 * games);
    let half = DEVIATIONS * (share * (1.0 - share) / games + square / (4.0 * games * games)).sqrt();
    let percent = |bound: f64| (100.0 * bound / (1.0 + square / games)).clamp(0.0, 100.0);
    Some((percent(centre - half), percent(centre + half)))
}

/// Returns the tree as a JSON object.
pub(super) fn json(choice: &VariantChoice, tree: &OpeningTree) -> Value {
    let turn = tree.position.turn();
    let tally = |tally: &GameTally| {
        let examples: Vec<u64> = tally.examples.iter().map(|number| number + 1).collect();
        json!({
            "games": tally.games,
            "white": tally.white,
            "draws": tally.draws,
            "black": tally.black,
            "score": tally.score(turn),
            "low": interval(tally, turn).map(|(low, _)| low),
            "high": interval(tally, turn).map(|(_, high)| high),
            "rating": tally.average_rating(),
            "white_rating": tally.rating(Colour::White),
            "black_rating": tally.rating(Colour::Black),
            "first_year": (tally.first_year > 0).then_some(tally.first_year),
            "last_year": (tally.last_year > 0).then_some(tally.last_year),
            "examples": examples,
        })
    };
    let merged = |mut object: Value, fields: Value| {
        if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
            object.extend(fields);
        }
        object
    };
    let moves: Vec<Value> = (tree.moves.iter())
        .map(|tree_move| {
            let fields = json!({
                "move": tree_move.text,
                "after": tree_move.after.fen(),
                "reached": tree_move.reached,
                "other_ways": tree_move.transposed(),
            });
            merged(fields, tally(&tree_move.tally))
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
    let variant = |&(variant, games): &(Variant, u64)| json!({ "variant": variant.name(), "games": games });
    let variants: Vec<Value> = choice.counts.iter().map(variant).collect();
    let fields = json!({
        "variant": choice.variant.name(),
        "variant_from": if choice.requested { "option" } else { "inferred" },
        "variants": variants,
        "fen": tree.position.fen(),
        "turn": colour_name(turn),
        "ended": tree.ended,
        "exact": tree.left_out == 0,
        "left_out": tree.left_out,
        "moves": moves,
        "arrivals": arrivals,
    });
    merged(fields, tally(&tree.all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_of_the_score_is_that_of_wilson() {
        let tally = |white, draws, black| {
            let mut tally = GameTally::default();
            (tally.white, tally.draws, tally.black) = (white, draws, black);
            tally
        };
        assert_eq!(interval(&tally(0, 0, 0), Colour::White), None);
        // Published values of Wilson's interval for 5 of 10 and for 0 of 10.
        for (counts, expected) in [((5, 0, 5), (23.66, 76.34)), ((0, 0, 10), (0.0, 27.75))] {
            let (low, high) = interval(&tally(counts.0, counts.1, counts.2), Colour::White).expect("games");
            assert!((low - expected.0).abs() < 0.01 && (high - expected.1).abs() < 0.01, "{low} {high}");
        }
        let (low, high) = interval(&tally(600, 300, 100), Colour::Black).expect("games");
        assert!(low > 22.0 && low < 25.0 && high > 25.0 && high < 28.0, "{low} {high}");
    }

    #[test]
    fn percentages_add_up() {
        for (counts, expected) in [
            ([1, 1, 1], [34, 33, 33]),
            ([1, 0, 0], [100, 0, 0]),
            ([0, 0, 0], [0, 0, 0]),
            ([2, 3, 1], [33, 50, 17]),
            ([999, 1, 0], [100, 0, 0]),
            ([u64::MAX / 3, u64::MAX / 3, 1], [50, 50, 0]),
        ] {
            assert_eq!(percentages(counts), expected, "{counts:?}");
        }
    }
}
