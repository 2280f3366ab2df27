//! The openings of a player: by name, and by the first moves.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pdn::board::Geometry;
use pdn::index::{GameSet, Index};
use pdn::notation::MoveStyle;
use pdn::pool;
use pdn::position::StableKey;
use pdn::query::{GameScanner, MoveSequence, PlayableGame, Query, played_opening, scan_games};
use pdn::rules::Variant;
use pdn::value::Colour;

use super::{NamedOpeningRow, OpeningRow, OwnGame, Report};
use crate::error::{AppError, Result};
use crate::openings::names_of_moves;
use crate::people::Scope;
use crate::score::Score;
use crate::words::colour_name;

/// Number of plies of an opening: two moves of each side.
const OPENING_PLIES: u32 = 4;
/// The number of games whose openings a thread names before their results are joined with those of others.
const CHUNK: usize = 256;

impl Report<'_> {
    /// Counts the games by the names of their openings.
    pub(super) fn named_openings(&self) -> Result<([usize; 2], Vec<NamedOpeningRow>)> {
        let Scope { index, threads, stop, .. } = *self.scope;
        let mut tallies: HashMap<(Colour, Variant, String), Score> = HashMap::new();
        pool::try_ordered(
            self.counts.games.chunks(CHUNK),
            threads,
            || (),
            |(), games| {
                let names = |game: &OwnGame| {
                    let game = index.game(game.number);
                    Ok(game.map(|game| played_opening(&game)).transpose()?.unwrap_or_default())
                };
                Ok::<_, AppError>((games, games.iter().map(names).collect::<Result<Vec<String>>>()?))
            },
            |(games, names)| {
                for (game, names) in games.iter().zip(names) {
                    // A game has the names of its position and of its structure.
                    for name in names.split("; ").filter(|name| !name.is_empty()) {
                        let key = (game.colour, game.variant, name.to_owned());
                        tallies.entry(key).or_default().add(&game.score);
                    }
                }
                if stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        stop.check()?;
        let mut tallies: Vec<_> = tallies.into_iter().collect();
        tallies.sort_by(|((_, variant, name), score), ((_, other_variant, other_name), other)| {
            other.games.cmp(&score.games).then_with(|| (name, variant).cmp(&(other_name, other_variant)))
        });
        let (mut counts, mut rows) = ([0; 2], Vec::new());
        for (place, colour) in Colour::ALL.into_iter().enumerate() {
            let mut of_colour: Vec<_> = tallies.iter().filter(|((own, ..), _)| *own == colour).collect();
            counts[place] = of_colour.len();
            self.limit(&mut of_colour);
            rows.extend(of_colour.into_iter().map(|((_, variant, name), score)| {
                let named = Query::opening_played(&format!("={name}"));
                NamedOpeningRow {
                    colour: colour_name(colour),
                    variant: variant.name(),
                    opening_played: name.clone(),
                    score: score.answer(),
                    query: self.query(self.sides[place].clone() & Query::variant(*variant) & named),
                }
            }));
        }
        Ok((counts, rows))
    }

    /// Counts the positions after [`OPENING_PLIES`] plies of the games from the start position.
    pub(super) fn openings(&self) -> Result<([usize; 2], Vec<OpeningRow>)> {
        let index = self.scope.index;
        let reached = first_positions(self.scope, self.counts.games.iter().map(|game| game.number))?;
        let mut reached = reached.into_iter().peekable();
        // Rules with two names have one start position: the variant is part of the key.
        let mut tallies: HashMap<(Colour, Variant, StableKey), (Score, u64)> = HashMap::new();
        for game in &self.counts.games {
            let Some((_, key)) = reached.next_if(|&(number, _)| number == game.number) else { continue };
            let tally =
                tallies.entry((game.colour, game.variant, key)).or_insert((Score::default(), game.number));
            tally.0.add(&game.score);
        }
        let mut tallies: Vec<_> = tallies.into_iter().collect();
        tallies.sort_by_key(|(_, (score, first))| (std::cmp::Reverse(score.games), *first));
        let (mut counts, mut rows) = ([0; 2], Vec::new());
        for (place, colour) in Colour::ALL.into_iter().enumerate() {
            let mut of_colour: Vec<_> = tallies.iter().filter(|((own, ..), _)| *own == colour).collect();
            counts[place] = of_colour.len();
            self.limit(&mut of_colour);
            for &&((_, variant, _), (score, first)) in &of_colour {
                let moves = first_moves(index, first)?;
                let sequence =
                    MoveSequence::parse(&moves).map_err(|error| AppError::query("moves", &moves, &error))?;
                let line = Query::from(pdn::query::Condition::Line(sequence))
                    & Query::ply(OPENING_PLIES..=OPENING_PLIES);
                let query = self.query(self.sides[place].clone() & Query::variant(variant) & line);
                let opening_played = names_of_moves(variant, &moves);
                let (colour, variant) = (colour_name(colour), variant.name());
                rows.push(OpeningRow {
                    colour,
                    variant,
                    moves,
                    opening_played,
                    score: score.answer(),
                    query,
                });
            }
        }
        Ok((counts, rows))
    }
}

/// Returns the first moves of a game from the start position: `1. 32-28 19-23 2. 28x19 14x23`.
fn first_moves(index: &Index, game: u64) -> Result<String> {
    let Some(game) = index.game(game) else { return Ok(String::new()) };
    let (plies, _) = game.plies()?;
    let mut text = String::new();
    for (ply, played) in plies.iter().take(OPENING_PLIES as usize).enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}{}. ", if ply == 0 { "" } else { " " }, ply / 2 + 1);
        } else {
            text.push(' ');
        }
        if let Some(mv) = played.mv {
            text += &played.before.move_text(&mv, MoveStyle::Shortest);
        }
    }
    Ok(text)
}

/// Returns the keys of the positions after [`OPENING_PLIES`] plies, by number of the game in ascending order. Games that are shorter, or do
/// not begin in the start position, have none.
fn first_positions(scope: &Scope<'_>, games: impl Iterator<Item = u64>) -> Result<Vec<(u64, StableKey)>> {
    let index = scope.index;
    let firsts: Vec<u64> =
        (0..index.segments().len()).map(|segment| index.first_game(segment).unwrap_or(u64::MAX)).collect();
    let mut sets = vec![GameSet::new(); firsts.len()];
    for game in games {
        let segment = firsts.partition_point(|&first| first <= game).saturating_sub(1);
        if let (Some(set), Some(first)) = (sets.get_mut(segment), firsts.get(segment)) {
            set.insert((game - first) as u32);
        }
    }
    let mut found = Vec::new();
    scan_games(index, &sets, scope.threads, &FirstPositions(&firsts), |mut more| {
        found.append(&mut more);
        if scope.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    scope.stop.check()?;
    Ok(found)
}

/// Collects the keys of the positions after [`OPENING_PLIES`] plies. Has the number of the first game of each segment.
struct FirstPositions<'a>(&'a [u64]);

impl GameScanner for FirstPositions<'_> {
    type Found = Vec<(u64, StableKey)>;

    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), pdn::pack::CorruptMoves> {
        if !game.is_continuous {
            return Ok(());
        }
        let mut key = None;
        game.positions(|state, _, ply| {
            if ply < OPENING_PLIES {
                return ControlFlow::Continue(());
            }
            key = Some(state.key_on(G::BOARD));
            ControlFlow::Break(())
        })?;
        found.extend(key.map(|key| (self.0[game.segment] + u64::from(game.game), key)));
        Ok(())
    }
}
