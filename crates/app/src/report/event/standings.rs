//! Standings: points by a scoring system, and what decides between equal points.

use std::cmp::Ordering;
use std::collections::HashSet;

use pdn::internal::value::Score;
use pdn::value::{Colour, GameResult};

use super::scoring::Scoring;
use crate::ask::named::named;

named! {
    /// What decides between players with equal points.
    pub enum TieBreak {
        /// Points in the games between them, if each has met each
        HeadToHead = "head-to-head",
        /// Points of the opponents, each in the share of the points that was taken from them
        SonnebornBerger = "sonneborn-berger",
        /// Points of the opponents, also called Solkoff
        Buchholz = "buchholz",
        /// Number of wins
        Wins = "wins",
    }
}

/// The order of tie-breaks unless another is asked for.
pub const TIE_BREAKS: [TieBreak; 4] =
    [TieBreak::HeadToHead, TieBreak::SonnebornBerger, TieBreak::Buchholz, TieBreak::Wins];

/// A game that counts, between two different players, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedGame<'a> {
    /// White and Black.
    pub(super) players: [usize; 2],
    pub(super) result: GameResult<'a>,
    /// The side that starts, to which the first score belongs.
    pub(super) start: Colour,
}

impl CountedGame<'_> {
    /// Returns the points of White and Black, in hundredths; `None` without a known outcome.
    pub(super) fn points(&self, scoring: Scoring) -> Option<[u32; 2]> {
        Some(self.by_colour(scoring.points(&self.result)?))
    }

    /// Returns values of the side that starts and of the other one as those of White and of Black.
    fn by_colour<T>(&self, [first, second]: [T; 2]) -> [T; 2] {
        if self.start == Colour::White { [first, second] } else { [second, first] }
    }
}

/// The place of a player.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) player: usize,
    /// From 1; equal for players whom nothing decides between.
    pub(super) rank: usize,
    /// In hundredths.
    pub(super) points: u64,
    /// Draws with an advantage less those with a disadvantage, in [`Scoring::PlusDraw`].
    pub(super) advantages: i64,
    pub(super) score: Score,
    /// Points in the games between those with equal points, in hundredths; `None` if they have not all met, or nobody has as many.
    pub(super) head_to_head: Option<u64>,
    /// In hundredths, times the points of a win in hundredths.
    pub(super) sonneborn_berger: u64,
    /// In hundredths.
    pub(super) buchholz: u64,
}

impl Place {
    fn is_level_with(&self, other: &Self) -> bool {
        (self.points, self.advantages) == (other.points, other.advantages)
    }
}

/// Returns the places of `players` players in their order. Players whom nothing decides between are ordered by `before`.
pub(super) fn places(
    games: &[CountedGame<'_>],
    players: usize,
    scoring: Scoring,
    tie_breaks: &[TieBreak],
    before: impl Fn(usize, usize) -> Ordering,
) -> Vec<Place> {
    let mut places: Vec<Place> = (0..players)
        .map(|player| Place {
            player,
            rank: 0,
            points: 0,
            advantages: 0,
            score: Score::default(),
            head_to_head: None,
            sonneborn_berger: 0,
            buchholz: 0,
        })
        .collect();
    let scored = || games.iter().filter_map(|game| Some((game, game.points(scoring)?)));
    for (game, points) in scored() {
        let advantages = game.by_colour(scoring.advantage(&game.result));
        for (side, &player) in game.players.iter().enumerate() {
            let place = &mut places[player];
            place.points += u64::from(points[side]);
            place.advantages += i64::from(advantages[side]);
            place.score.add_game(game.result.outcome(), game.start, Colour::ALL[side]);
        }
    }
    let points: Vec<u64> = places.iter().map(|place| place.points).collect();
    for (game, of_game) in scored() {
        for side in 0..2 {
            let opponent = points[game.players[1 - side]];
            let place = &mut places[game.players[side]];
            place.buchholz += opponent;
            place.sonneborn_berger += u64::from(of_game[side]) * opponent;
        }
    }
    set_head_to_head(&mut places, games, scoring);
    let decide = |one: &Place, other: &Place| {
        let by_points = (other.points, other.advantages).cmp(&(one.points, one.advantages));
        tie_breaks.iter().fold(by_points, |order, tie_break| {
            order.then_with(|| match tie_break {
                TieBreak::HeadToHead => other.head_to_head.cmp(&one.head_to_head),
                TieBreak::SonnebornBerger => other.sonneborn_berger.cmp(&one.sonneborn_berger),
                TieBreak::Buchholz => other.buchholz.cmp(&one.buchholz),
                TieBreak::Wins => other.score.won.cmp(&one.score.won),
            })
        })
    };
    places.sort_by(|one, other| decide(one, other).then_with(|| before(one.player, other.player)));
    for place in 0..places.len() {
        let is_shared = place > 0 && decide(&places[place - 1], &places[place]).is_eq();
        places[place].rank = if is_shared { places[place - 1].rank } else { place + 1 };
    }
    places
}

/// Sets the points in the games between players with equal points, where each of them has met each.
fn set_head_to_head(places: &mut [Place], games: &[CountedGame<'_>], scoring: Scoring) {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&player| (places[player].points, places[player].advantages));
    for level in order
        .chunk_by(|&one, &other| places[one].is_level_with(&places[other]))
        .map(<[usize]>::to_vec)
        .collect::<Vec<_>>()
    {
        let among: HashSet<usize> = level.iter().copied().collect();
        if among.len() < 2 {
            continue;
        }
        let (mut met, mut points) = (HashSet::new(), vec![0u64; places.len()]);
        for game in games {
            let [white, black] = game.players;
            if let Some(of_game) = game.points(scoring)
                && among.contains(&white)
                && among.contains(&black)
            {
                met.insert((white.min(black), white.max(black)));
                points[white] += u64::from(of_game[0]);
                points[black] += u64::from(of_game[1]);
            }
        }
        if met.len() == level.len() * (level.len() - 1) / 2 {
            level.iter().for_each(|&player| places[player].head_to_head = Some(points[player]));
        }
    }
}
