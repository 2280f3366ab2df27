//! A question for the games of one kind: names of squares turned into sets of bits, once.

use std::ops::RangeInclusive;

use roaring::RoaringBitmap;

use super::expression::{Condition, Query};
use super::games::GameSelector;
use super::manoeuvre::{MoveTest, Sacrifice};
use super::mask::{BoardTest, CountTest};
use super::needs::MaterialBounds;
use super::record::PositionBatch;
use crate::board::{Bits, Geometry};
use crate::error::Result;
use crate::index::GameKind;
use crate::value::Colour;

/// A question on a board.
#[derive(Debug)]
pub(super) enum CompiledQuery<B> {
    Always(bool),
    /// Whether the game belongs to the set with this number.
    Game(usize),
    /// One of these fits.
    Masks(Vec<BoardTest<B>>),
    Count(CountTest),
    Turn(Colour),
    Ply(RangeInclusive<u32>),
    Last,
    Move(MoveTest<B>),
    Sacrifice(Sacrifice),
    Not(Box<CompiledQuery<B>>),
    And(Vec<CompiledQuery<B>>),
    Or(Vec<CompiledQuery<B>>),
    Ever(Box<CompiledQuery<B>>),
    Then(Box<CompiledQuery<B>>, Box<CompiledQuery<B>>, u32),
    For(Box<CompiledQuery<B>>, u32),
}

/// Positions of a game, one after the other.
#[derive(Debug)]
pub(super) struct BatchContext<'a, B> {
    pub(super) record: &'a PositionBatch<B>,
    /// Plies before the first of them.
    pub(super) first: u32,
    /// The last position of the game, as a bit; none if it comes later.
    pub(super) last: u64,
    /// In which sets the game is.
    pub(super) member: &'a [bool],
}

impl<B: Bits> CompiledQuery<B> {
    /// Compiles a question. Sets of games that it needs go to `sets`.
    pub(super) fn new<G: Geometry<Bits = B>>(
        query: &Query,
        kind: &GameKind,
        games: &GameSelector<'_>,
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
            Query::And(parts) => {
                let mut parts: Vec<Self> = parts.iter().map(sub).collect::<Result<_>>()?;
                // What is cheap may leave nothing to be asked.
                parts.sort_by_key(Self::cost);
                Self::And(parts)
            }
            Query::Or(parts) => Self::Or(parts.iter().map(sub).collect::<Result<_>>()?),
            Query::Ever(inner) => Self::Ever(Box::new(sub(inner)?)),
            Query::Then { first, second, within } => {
                Self::Then(Box::new(sub(first)?), Box::new(sub(second)?), *within)
            }
            Query::For { query, plies } => Self::For(Box::new(sub(query)?), *plies),
        })
    }

    /// Compiles a condition on positions; `None` for one on games.
    pub(super) fn of_condition<G: Geometry<Bits = B>>(
        condition: &Condition,
        kind: &GameKind,
    ) -> Option<Self> {
        Some(match condition {
            Condition::Game(_) => return None,
            Condition::Board(pattern) => match pattern.masks::<G>(kind.numbering) {
                masks if masks.is_empty() => Self::Always(false),
                masks => Self::Masks(masks),
            },
            Condition::Line(line) => match line.play(&kind.game()) {
                Ok(position) => Self::Masks(vec![BoardTest::exact::<G>(&position.state().resized())]),
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

    /// Whether the next move is asked for.
    pub(super) fn has_moves(&self) -> bool {
        match self {
            Self::Move(_) => true,
            Self::Not(inner) | Self::Ever(inner) | Self::For(inner, _) => inner.has_moves(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::has_moves),
            Self::Then(first, second, _) => first.has_moves() || second.has_moves(),
            _ => false,
        }
    }

    /// At which of these positions a question that is local is true.
    pub(super) fn matches(&self, here: &BatchContext<'_, B>, among: u64) -> u64 {
        if among == 0 {
            return 0;
        }
        let all_if = |holds: bool| if holds { u64::MAX } else { 0 };
        let record = here.record;
        among
            & match self {
                Self::Always(answer) => all_if(*answer),
                Self::Game(set) => all_if(here.member.get(*set) == Some(&true)),
                Self::Masks(masks) => record.masks(masks, among),
                Self::Count(count) => record.count(count),
                Self::Turn(turn) => record.turn(*turn),
                Self::Ply(range) => {
                    // Those before a ply.
                    let below = |ply: u32| match ply.saturating_sub(here.first) {
                        plies @ 0..64 => (1 << plies) - 1,
                        _ => u64::MAX,
                    };
                    range.end().checked_add(1).map_or(u64::MAX, below) & !below(*range.start())
                }
                Self::Last => here.last,
                Self::Move(test) => test.word(record, among),
                Self::Not(inner) => !inner.matches(here, among),
                Self::And(parts) => parts.iter().fold(among, |among, part| part.matches(here, among)),
                Self::Or(parts) => {
                    parts.iter().fold(0, |found, part| found | part.matches(here, among & !found))
                }
                Self::Sacrifice(_) | Self::Ever(_) | Self::Then(..) | Self::For(..) => 0,
            }
    }

    /// The mask that a question comes to; `None` if it is more than one.
    pub(super) fn mask(&self) -> Option<BoardTest<B>> {
        match self {
            Self::Masks(masks) => masks.as_slice().try_into().ok().map(|[mask]: [BoardTest<B>; 1]| mask),
            Self::Turn(turn) => Some(BoardTest { turn: Some(*turn), ..BoardTest::ANY }),
            Self::And(parts) => parts.iter().try_fold(BoardTest::ANY, |all, part| all.and(&part.mask()?)),
            _ => None,
        }
    }

    /// The counts that it comes to; `None` if it is more than two.
    pub(super) fn counts(&self) -> Option<[CountTest; 2]> {
        match self {
            Self::Count(count) => Some([*count, CountTest::ANY]),
            Self::And(parts) => match parts.as_slice() {
                [part] => part.counts(),
                [Self::Count(one), Self::Count(other)] => Some([*one, *other]),
                _ => None,
            },
            _ => None,
        }
    }

    /// The last ply at which it may be true, if it is local.
    pub(super) fn end(&self) -> u32 {
        match self {
            Self::Ply(range) => *range.end(),
            Self::And(parts) => parts.iter().map(Self::end).min().unwrap_or(u32::MAX),
            Self::Or(parts) => parts.iter().map(Self::end).max().unwrap_or(0),
            _ => u32::MAX,
        }
    }

    /// What it costs to ask, in steps of about ten.
    fn cost(&self) -> u8 {
        match self {
            Self::Always(_) | Self::Game(_) | Self::Turn(_) | Self::Ply(_) | Self::Last => 0,
            Self::Count(_) => 1,
            Self::Move(_) => 2,
            Self::Masks(_) => 3,
            Self::Not(inner) => inner.cost(),
            _ => 4,
        }
    }

    /// The pieces that some position of a game must have for the answer to be true anywhere in it.
    pub(super) fn needs<G: Geometry<Bits = B>>(&self) -> MaterialBounds {
        match self {
            Self::Always(false) => MaterialBounds::NEVER,
            Self::Masks(masks) => {
                masks.iter().map(MaterialBounds::of_mask::<G>).fold(MaterialBounds::NEVER, MaterialBounds::or)
            }
            Self::Count(count) => MaterialBounds::of_count(count),
            Self::And(parts) => {
                parts.iter().map(Self::needs::<G>).fold(MaterialBounds::NONE, MaterialBounds::and)
            }
            Self::Or(parts) => {
                parts.iter().map(Self::needs::<G>).fold(MaterialBounds::NEVER, MaterialBounds::or)
            }
            Self::Ever(inner) | Self::For(inner, _) => inner.needs::<G>(),
            Self::Then(first, ..) => first.needs::<G>(),
            _ => MaterialBounds::NONE,
        }
    }
}
