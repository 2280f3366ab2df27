//! A question for the games of one kind: names of squares turned into sets of bits, once.

use std::ops::RangeInclusive;

use roaring::RoaringBitmap;

use super::expression::{Condition, Query};
use super::games::Games;
use super::manoeuvre::{MoveTest, Sacrifice};
use super::mask::{Count, Mask};
use super::needs::Needs;
use super::quick::Quick;
use crate::board::{Bits, Geometry};
use crate::error::Result;
use crate::index::Kind;
use crate::index::packed::{Ply, Strength};
use crate::position::State;
use crate::value::Colour;

/// A question on a board.
#[derive(Debug)]
pub(super) enum Program<B> {
    Always(bool),
    /// Whether the game belongs to the set with this number.
    Game(usize),
    /// One of these fits.
    Masks(Vec<Mask<B>>),
    Count(Count),
    Turn(Colour),
    Ply(RangeInclusive<u32>),
    Last,
    Move(MoveTest<B>),
    Sacrifice(Sacrifice),
    Not(Box<Program<B>>),
    And(Vec<Program<B>>),
    Or(Vec<Program<B>>),
    Ever(Box<Program<B>>),
    Then(Box<Program<B>>, Box<Program<B>>, u32),
    For(Box<Program<B>>, u32),
}

/// A position in its game.
pub(super) trait Here<B: Bits> {
    fn state(&self) -> &State<B>;
    /// How many pieces there are.
    fn strength(&self) -> Strength;
    /// Plies played before.
    fn ply(&self) -> u32;
    fn last(&self) -> bool;
    /// The next ply, if there is one.
    fn next(&self) -> Option<&Ply<B>>;
}

impl<B: Bits> Program<B> {
    /// Compiles a question. Sets of games that it needs go to `sets`.
    pub(super) fn new<G: Geometry<Bits = B>>(
        query: &Query,
        kind: &Kind,
        games: &Games<'_>,
        sets: &mut Vec<RoaringBitmap>,
    ) -> Result<Self> {
        let mut sub = |query: &Query| Self::new::<G>(query, kind, games, sets);
        Ok(match query {
            Query::Is(Condition::Game(condition)) => {
                sets.push(games.fitting(condition)?);
                Self::Game(sets.len() - 1)
            }
            Query::Is(condition) => Self::of_condition::<G>(condition, kind).unwrap_or(Self::Always(false)),
            Query::Not(inner) => Self::Not(Box::new(sub(inner)?)),
            Query::And(parts) => Self::And(parts.iter().map(sub).collect::<Result<_>>()?),
            Query::Or(parts) => Self::Or(parts.iter().map(sub).collect::<Result<_>>()?),
            Query::Ever(inner) => Self::Ever(Box::new(sub(inner)?)),
            Query::Then { first, second, within } => {
                Self::Then(Box::new(sub(first)?), Box::new(sub(second)?), *within)
            }
            Query::For { query, plies } => Self::For(Box::new(sub(query)?), *plies),
        })
    }

    /// Compiles a condition on positions; `None` for one on games.
    pub(super) fn of_condition<G: Geometry<Bits = B>>(condition: &Condition, kind: &Kind) -> Option<Self> {
        Some(match condition {
            Condition::Game(_) => return None,
            Condition::Board(pattern) => match pattern.masks::<G>(kind.numbering) {
                masks if masks.is_empty() => Self::Always(false),
                masks => Self::Masks(masks),
            },
            Condition::Line(line) => match line.play(&kind.game()) {
                Ok(position) => Self::Masks(vec![Mask::exact::<G>(&position.state().resized())]),
                Err(_) => Self::Always(false),
            },
            Condition::Material(material) => Self::Count(material.count()),
            Condition::Turn(turn) => Self::Turn(*turn),
            Condition::Ply(range) => Self::Ply(range.clone()),
            Condition::Last => Self::Last,
            Condition::Move(manoeuvre) => {
                manoeuvre.compile::<G>(kind.numbering).map_or(Self::Always(false), Self::Move)
            }
            Condition::Sacrifice(sacrifice) => Self::Sacrifice(*sacrifice),
        })
    }

    /// Whether a position and the next move tell the answer.
    pub(super) fn is_local(&self) -> bool {
        match self {
            Self::Sacrifice(_) | Self::Ever(_) | Self::Then(..) | Self::For(..) => false,
            Self::Not(inner) => inner.is_local(),
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_local),
            _ => true,
        }
    }

    /// The answer at a position, of a question that is local. `member` tells in which sets the game is.
    #[inline]
    pub(super) fn holds(&self, here: &impl Here<B>, member: &[bool]) -> bool {
        match self {
            Self::Always(answer) => *answer,
            Self::Game(set) => member.get(*set) == Some(&true),
            Self::Masks(masks) => masks.iter().any(|mask| mask.fits(here.state())),
            Self::Count(count) => count.fits(here.strength()),
            Self::Turn(turn) => here.state().turn == *turn,
            Self::Ply(range) => range.contains(&here.ply()),
            Self::Last => here.last(),
            Self::Move(test) => here.next().is_some_and(|ply| test.fits(ply)),
            Self::Not(inner) => !inner.holds(here, member),
            Self::And(parts) => parts.iter().all(|part| part.holds(here, member)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(here, member)),
            Self::Sacrifice(_) | Self::Ever(_) | Self::Then(..) | Self::For(..) => false,
        }
    }

    /// The pieces that some position of a game must have for the answer to be true anywhere in it.
    pub(super) fn needs<G: Geometry<Bits = B>>(&self) -> Needs {
        match self {
            Self::Always(false) => Needs::NEVER,
            Self::Masks(masks) => masks.iter().map(Needs::of_mask::<G>).fold(Needs::NEVER, Needs::or),
            Self::Count(count) => Needs::of_count(count),
            Self::And(parts) => parts.iter().map(Self::needs::<G>).fold(Needs::NONE, Needs::and),
            Self::Or(parts) => parts.iter().map(Self::needs::<G>).fold(Needs::NEVER, Needs::or),
            Self::Ever(inner) | Self::For(inner, _) => inner.needs::<G>(),
            Self::Then(first, ..) => first.needs::<G>(),
            _ => Needs::NONE,
        }
    }

    /// What some position of a game must have, whatever is played there, for the answer to be true anywhere in it; `None` where that is nothing
    /// in particular.
    pub(super) fn guard(&self) -> Option<Quick<B>> {
        let own = Quick::new(self).without_moves();
        if !own.is_all() {
            return Some(own);
        }
        match self {
            Self::Ever(inner) | Self::For(inner, _) | Self::Then(inner, ..) => inner.guard(),
            Self::And(parts) => parts.iter().find_map(Self::guard),
            _ => None,
        }
    }
}
