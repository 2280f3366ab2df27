//! The openings of a player: by name, and by the first moves.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pdn::internal::value::Score;
use pdn::notation::MoveStyle;
use pdn::position::StableKey;
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_index::Index;
use pdn_index::internal::query::{
    GameScanner, MoveSequence, OpeningNames, PlayableGame, PlayedOpening, scan_games,
};
use pdn_index::internal::{GameSet, Segment};
use pdn_index::query::Query;
use pdn_rules::internal::board::Geometry;

use super::{NamedOpeningRow, OpeningRow, OwnGame, Report};
use crate::ask::error::{AppError, Result};
use crate::ask::values::colour_name;
use crate::find::openings::names_of_moves;
use crate::report::people::Scope;
use crate::report::score::ScoreAnswer;

/// Number of plies of an opening: two moves of each side.
const OPENING_PLIES: u32 = 4;

impl Report<'_> {
    /// Counts the games by the names of their openings.
    pub(super) fn named_openings(&self, first: &FirstMoves) -> ([usize; 2], Vec<NamedOpeningRow>) {
        let mut tallies: HashMap<(Colour, Variant, &str), Score> = HashMap::new();
        for game in &self.counts.games {
            let Some(names) = OpeningNames::of(game.variant) else { continue };
            // A game has the names of its position and of its structure.
            for name in first.of(game).into_iter().flat_map(|first| names.names_of(first.opening)) {
                tallies.entry((game.colour, game.variant, name)).or_default().add(&game.score);
            }
        }
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
                    opening_played: (*name).to_owned(),
                    score: ScoreAnswer::of(score),
                    query: self.query(self.sides[place].clone() & Query::variant(*variant) & named),
                }
            }));
        }
        (counts, rows)
    }

    /// Counts the positions after [`OPENING_PLIES`] plies of the games from the start position.
    pub(super) fn openings(&self, first: &FirstMoves) -> Result<([usize; 2], Vec<OpeningRow>)> {
        let index = self.scope.index;
        // Rules with two names have one start position: the variant is part of the key.
        let mut tallies: HashMap<(Colour, Variant, StableKey), (Score, u64)> = HashMap::new();
        for game in &self.counts.games {
            let Some(key) = first.of(game).and_then(|first| first.key) else { continue };
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
                let line = Query::from(pdn_index::internal::query::Condition::Line(sequence))
                    & Query::ply(OPENING_PLIES..=OPENING_PLIES);
                let query = self.query(self.sides[place].clone() & Query::variant(variant) & line);
                let opening_played = names_of_moves(variant, &moves);
                let (colour, variant) = (colour_name(colour), variant.name());
                rows.push(OpeningRow {
                    colour,
                    variant,
                    moves,
                    opening_played,
                    score: ScoreAnswer::of(&score),
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

/// What the first moves of some games show.
pub(super) struct FirstMoves(Vec<First>);

/// What the first moves of a game show.
struct First {
    /// The number of the game.
    game: u64,
    /// The key of the position after [`OPENING_PLIES`] plies. Games that are shorter, or do not begin in the start position, have none.
    key: Option<StableKey>,
    opening: PlayedOpening,
}

impl FirstMoves {
    /// Plays the first moves of games.
    ///
    /// # Errors
    /// If a section of the index is damaged, or the work was stopped.
    pub(super) fn play(scope: &Scope<'_>, games: &[OwnGame]) -> Result<Self> {
        let segments = scope.index.segments();
        let firsts: Vec<u64> =
            (0..segments.len()).map(|segment| scope.index.first_game(segment).unwrap_or(u64::MAX)).collect();
        let mut sets = vec![GameSet::new(); firsts.len()];
        for game in games.iter().map(|game| game.number) {
            let segment = firsts.partition_point(|&first| first <= game).saturating_sub(1);
            if let (Some(set), Some(first)) = (sets.get_mut(segment), firsts.get(segment)) {
                set.insert((game - first) as u32);
            }
        }
        let names = |segment: &Segment| {
            Ok(segment.kinds()?.iter().map(|kind| OpeningNames::of(kind.variant)).collect())
        };
        let names = segments.iter().map(names).collect::<Result<_>>()?;
        let mut found = Vec::new();
        scan_games(scope.index, &sets, scope.threads, &PlayFirst { firsts, names }, |mut more| {
            found.append(&mut more);
            if scope.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        scope.stop.check()?;
        Ok(Self(found))
    }

    /// Returns what was found in a game.
    fn of(&self, game: &OwnGame) -> Option<&First> {
        self.0.binary_search_by_key(&game.number, |first| first.game).ok().map(|place| &self.0[place])
    }
}

/// Plays the first moves of games.
struct PlayFirst {
    /// The number of the first game of each segment.
    firsts: Vec<u64>,
    /// The names of the openings of each kind of games of each segment.
    names: Vec<Vec<Option<&'static OpeningNames>>>,
}

impl GameScanner for PlayFirst {
    type Found = Vec<First>;

    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), pdn_index::internal::pack::CorruptMoves> {
        let mut key = None;
        if game.is_continuous {
            game.positions(|state, _, ply| {
                if ply < OPENING_PLIES {
                    return ControlFlow::Continue(());
                }
                key = Some(state.key_on(G::BOARD));
                ControlFlow::Break(())
            })?;
        }
        let names = self.names[game.segment].get(game.kind).copied().flatten();
        let opening = names.map_or(Ok(PlayedOpening::default()), |names| names.of_game(game))?;
        found.push(First { game: self.firsts[game.segment] + u64::from(game.game), key, opening });
        Ok(())
    }
}
