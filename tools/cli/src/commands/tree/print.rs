//! Formats an opening tree as a table with bars.

use std::io::{self, Write};

use pdn_app::tree::{FoundTree, PlayerScores};
use pdn_index::query::GameTally;

use crate::output::Output;
use crate::output::cut::cut;
use crate::output::table::{self, Column};
use pdn_app::numbers::{Count, count};
use pdn_app::words::colour_title;

/// Width of a bar in characters.
const BAR_WIDTH: usize = 10;

/// Writes a table of the moves, with bars of White's wins, draws and Black's wins.
pub(super) fn table(found: &FoundTree, out: &mut Output) -> io::Result<()> {
    let FoundTree { variant, tree, move_count, .. } = found;
    let (position, all) = (&tree.position, &tree.all);
    let turn = position.turn();
    writeln!(out, "{variant}, {} to move: {}", colour_title(turn), position.fen_with_ranges())?;
    if let Some(others) = other_variants(found) {
        writeln!(out, "{others}")?;
    }
    if let Some(name) = &found.opening_played {
        writeln!(out, "Opening: {name}")?;
    }
    if all.games == 0 {
        return writeln!(out, "No game reaches this position.");
    }
    let transpositions = tree.moves.iter().any(|tree_move| tree_move.reached.is_some());
    let number = |title| Column::new(title, true);
    let mut columns = vec![Column::new("move", false), number("games")];
    columns.extend(transpositions.then(|| number("transposed")));
    columns.extend([number("share"), number("score")]);
    // Of one person's games, the question is how that person did.
    columns.extend(found.player.is_some().then(|| number("player")));
    columns.extend([Column::new("white / draw / black", false), number("rating"), number("last")]);
    columns.push(Column::new("examples", false));
    let mut rows = Vec::new();
    for tree_move in &tree.moves {
        let tally = &tree_move.tally;
        let mut row = vec![tree_move.text.clone(), Count(tally.games).to_string()];
        if transpositions {
            row.push(tree_move.transposed().map_or_else(String::new, |games| Count(games).to_string()));
        }
        let percent = |score: Option<f64>| score.map_or_else(String::new, |score| format!("{score:.1} %"));
        let share = 100.0 * tally.games as f64 / all.games as f64;
        row.extend([percent(Some(share)), percent(tally.score(turn))]);
        row.extend(found.player.as_ref().map(|player| percent(player.of_move(&tree_move.text))));
        row.extend([
            bar(tally),
            tally.average_rating().map_or_else(String::new, |rating| format!("{rating:.0}")),
            if tally.last_year == 0 { String::new() } else { tally.last_year.to_string() },
            examples(tally),
        ]);
        rows.push(row);
    }
    if !tree.moves.is_empty() {
        let width = out.terminal_width();
        for line in table::lines(columns, rows) {
            let mut line = format!(" {line}");
            if let Some(width) = width {
                cut(&mut line, width);
            }
            writeln!(out, "{line}")?;
        }
    }
    if tree.moves.len() < *move_count {
        writeln!(out, "{} of {move_count} moves; `--limit 0` lists all.", tree.moves.len())?;
    }
    if !tree.unplayed.is_empty() {
        let moves =
            tree.unplayed.iter().map(|mv| format!("{} ({})", mv.text, Count(mv.reached.unwrap_or(0))));
        writeln!(
            out,
            "Played by nobody here, to positions of games: {}.",
            moves.collect::<Vec<_>>().join(", ")
        )?;
    }
    let games = count(all.games, "game");
    let mut score = all
        .score(turn)
        .map_or_else(String::new, |score| format!(", {} scores {score:.1} %", colour_title(turn)));
    if let Some(points) = found.player.as_ref().and_then(PlayerScores::all) {
        score += &format!(", the player {points:.1} %");
    }
    writeln!(
        out,
        "{games}: {} won by White, {} drawn, {} won by Black{score}.",
        Count(all.white),
        Count(all.draws),
        Count(all.black)
    )?;
    if tree.ended > 0 {
        let verb = if tree.ended == 1 { "ends" } else { "end" };
        writeln!(out, "{} of them {verb} here.", Count(tree.ended))?;
    }
    let last_moves: Vec<String> = (tree.arrivals.iter().take(8))
        .map(|arrival| format!("{} ({})", arrival.text, Count(arrival.games)))
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
fn other_variants(choice: &FoundTree) -> Option<String> {
    let (own, others): (Vec<_>, Vec<_>) =
        choice.counts.iter().partition(|(variant, _)| *variant == choice.variant);
    if choice.is_requested || others.is_empty() {
        return None;
    }
    let games = own.iter().map(|(_, games)| games).sum();
    let others: Vec<String> =
        others.iter().map(|(variant, games)| format!("{variant} ({})", Count(*games))).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

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
