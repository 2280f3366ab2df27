//! `pdn tree`: shows the moves played in a position, and how those games ended.

use std::io;
use std::io::Write;

use clap::{Args, ValueEnum};
use pdn::rules::Variant;
use pdn_app::ask::endings::{proven_sentence, value_text};
use pdn_app::ask::numbers::{Count, count};
use pdn_app::ask::position::PlaceRequest;
use pdn_app::ask::values::colour_title;
use pdn_app::ask::values::parse_variant;
use pdn_app::find::repertoire::RepertoireSize;
use pdn_app::find::tree::{FoundTree, PlayerScores, TreeRequest, TreeShown};
use pdn_app::{AppError, ErrorCode, Events};
use pdn_index::query::{GameTally, TreeOptions};

use crate::args::filter::{GameArgs, read_filter};
use crate::args::options::OptionArgs;
use crate::args::shared::{SearchedArgs, number};
use crate::output::table::{Column, cut};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize, table};

pub(crate) const AFTER_HELP: &str = "\
A game counts if it reaches the position at any ply, by any moves: once for the position, and once for each different move \
that it plays there. The score is that of the side to move, in percent of the points of games with a result. Examples are \
numbers for `pdn show PATH NUMBER`: games of the highest rated players first, then the latest games. Of several archives, \
games are numbered through all of them.

All options under `Games` must hold for a game to count, as in `pdn find`; `pdn help query` describes the language of \
--query: `pdn tree games.idx --player like:wiersma --date 1980.. -q 'ever w-b >= 2'`.

The moves that follow a pattern, wherever it comes, are groups of `find`: `pdn find games.idx -q 'pattern \"w27,32 b18,23\"' --by move`.

`--format pdn` writes the tree below the position as one game with variations, for programs that train or show repertoires: \
`pdn tree games.idx --player sijbrands --format pdn --depth 12 --min-games 20`. Each move has its number of games and the score of \
its side in a comment. A position that several orders of moves reach has its moves once. There are at most 10,000 positions.

The exit code is 1 if no game reaches the position. With key tables (`pdn index --positions`) a position is found at once \
in archives of any size, and the tree of a position that many games have is looked up.";

#[derive(Args, Debug)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    place: OptionArgs<PlaceRequest>,

    /// Variant: a name, a GameType number or a GameType value [default: the commonest of the games that the filters leave
    /// and that have the position]
    #[arg(long, short = 'g', value_name = "VARIANT", value_parser = parse_variant)]
    pub(crate) variant: Option<Variant>,

    #[command(flatten)]
    pub(crate) filter: GameArgs,

    #[command(flatten)]
    shown: OptionArgs<TreeShown>,

    /// Write lines of this many plies, with `--format pdn` [default: 10]
    #[arg(long, short, value_name = "N", value_parser = number::<u32>(1..=99))]
    pub(crate) depth: Option<u32>,

    /// Write moves of at least this many games, with `--format pdn` [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) min_games: Option<u64>,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: TreeFormat,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
}

/// What `pdn tree` prints.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeFormat {
    /// Text for people: the moves in one position
    #[value(aliases = ["text", "table"])]
    Human,
    /// A JSON object: the moves in one position
    #[value(alias = "jsonl")]
    Json,
    /// A game with variations: the moves of several plies, with their numbers in comments
    Pdn,
}

impl TreeArgs {
    /// Returns how much is written as a game.
    fn size(&self, format: TreeFormat) -> pdn_app::Result<RepertoireSize> {
        let wrong = |message| Err(AppError::plain(ErrorCode::Contradiction, message));
        match format {
            TreeFormat::Pdn if self.shown.transpositions => {
                wrong("a game has no transpositions; `--transpositions` needs another format")
            }
            TreeFormat::Human | TreeFormat::Json if self.depth.is_some() || self.min_games.is_some() => {
                wrong("`--depth` and `--min-games` need `--format pdn`")
            }
            _ => {
                let default = RepertoireSize::default();
                Ok(RepertoireSize {
                    plies: self.depth.unwrap_or(default.plies),
                    min_games: self.min_games.unwrap_or(default.min_games),
                    ..default
                })
            }
        }
    }
}

/// Runs `pdn tree`.
pub(crate) fn run(args: &TreeArgs, out: &mut Output) -> CommandResult {
    let threads = args.searched.threads.number();
    let request = TreeRequest {
        place: args.place.clone(),
        filter: read_filter(Some(&args.filter), args.variant, None)?,
        shown: args.shown.clone(),
    };
    let format = if args.json { TreeFormat::Json } else { args.format };
    let size = args.size(format)?;
    let index = args.searched.read().open(threads, false, &mut out.context())?;
    let chosen = request.choose(&index, threads, &interrupt::handle()).map_err(|error| match error.code {
        ErrorCode::NotFound => error.at(index.path()),
        _ => error,
    })?;
    let found = request.tree(&index, &chosen, &TreeOptions::new().threads(threads))?;
    found.warnings.iter().for_each(|warning| out.problem(warning));
    match format {
        TreeFormat::Json => writeln!(out, "{}", sanitize::json(&found.answer()))?,
        TreeFormat::Human => table(&found, out)?,
        TreeFormat::Pdn if found.tree.all.games > 0 => {
            let options = TreeOptions::new().threads(threads).stop(&interrupt::handle());
            let text = request.repertoire(&index, &chosen, &found, size, &options);
            let Some(text) = super::found(text, out)? else { return Ok(index_exit(&index, Exit::Negative)) };
            out.write_all(text.as_bytes())?;
        }
        TreeFormat::Pdn => {}
    }
    if found.tree.all.games == 0 {
        out.problem(&found.no_match(&index, threads)?);
        return Ok(index_exit(&index, Exit::Negative));
    }
    Ok(index_exit(&index, Exit::Success))
}

/// Width of a bar in characters.
const BAR_WIDTH: usize = 10;

/// Writes a table of the moves, with bars of White's wins, draws and Black's wins.
fn table(found: &FoundTree, out: &mut Output) -> io::Result<()> {
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
    let is_proven = tree.moves.iter().any(|tree_move| found.proven.of_move(&tree_move.after).is_some());
    columns.extend(is_proven.then(|| Column::new("proven", false)));
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
        if is_proven {
            row.push(found.proven.of_move(&tree_move.after).map_or_else(String::new, value_text));
        }
        row.extend(found.player.as_ref().map(|player| percent(player.of_move(&tree_move.text))));
        row.extend([
            bar(tally),
            tally.rating(turn).map_or_else(String::new, |rating| format!("{rating:.0}")),
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
    let unplayed: Vec<String> =
        found.unplayed_moves().map(|mv| format!("{} ({})", mv.text, value_text(mv.value))).collect();
    if !unplayed.is_empty() {
        writeln!(out, "Played by nobody here: {}.", unplayed.join(", "))?;
    }
    if let Some(value) = found.proven.position {
        writeln!(out, "{}", proven_sentence(turn, value))?;
    }
    let games = count(all.games, "game");
    let mut score = all
        .score(turn)
        .map_or_else(String::new, |score| format!(", {} scores {score:.1} %", colour_title(turn)));
    if let Some(points) = found.player.as_ref().and_then(PlayerScores::all) {
        score += &format!(", the player {points:.1} %");
    }
    let both_lost = match all.both_lost {
        0 => String::new(),
        games => format!(", {} lost by both", Count(games)),
    };
    writeln!(
        out,
        "{games}: {} won by White, {} drawn, {} won by Black{both_lost}{score}.",
        Count(all.white),
        Count(all.draws),
        Count(all.black)
    )?;
    if let Some(games @ 1..) = found.player.as_ref().and_then(PlayerScores::self_games) {
        writeln!(out, "{} with this name on both sides: not counted for the player.", count(games, "game"))?;
    }
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
