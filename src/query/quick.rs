//! Questions in the form in which every position is asked at the speed of playing: some alternatives, each a few tests.

use super::manoeuvre::MoveTest;
use super::mask::{Count, Mask};
use super::program::{Here, Program};
use crate::board::Bits;

/// Most alternatives; a question that would have more is asked as it stands.
const MOST: usize = 8;

/// What must be true at a position for a question to be true there.
#[derive(Clone, Debug)]
pub(super) struct Quick<B> {
    parts: Vec<Part<B>>,
    /// Whether it is all that must be true.
    exact: bool,
}

/// Tests joined by `and`.
#[derive(Clone, Debug)]
struct Part<B> {
    mask: Mask<B>,
    /// None of these.
    unless: Vec<Mask<B>>,
    counts: Vec<Count>,
    /// The first ply and the last.
    plies: (u32, u32),
    moves: Vec<MoveTest<B>>,
}

impl<B: Bits> Quick<B> {
    /// What a question about a position needs there.
    pub(super) fn new(program: &Program<B>) -> Self {
        Self::of(program, true)
    }

    /// What is needed for the answer to be `truth`.
    fn of(program: &Program<B>, truth: bool) -> Self {
        let all = Part::ALL;
        let one = |part: Part<B>| Self { parts: vec![part], exact: true };
        let several = |parts: Vec<Part<B>>| Self { parts, exact: true };
        let unknown = || Self { parts: vec![Part::ALL], exact: false };
        match program {
            Program::Always(answer) => several(if *answer == truth { vec![all] } else { Vec::new() }),
            Program::Masks(masks) if truth => {
                several(masks.iter().map(|&mask| Part { mask, ..Part::ALL }).collect())
            }
            Program::Masks(masks) => one(Part { unless: masks.clone(), ..all }),
            Program::Count(count) => {
                let counts = if truth { vec![*count] } else { count.others() };
                several(counts.into_iter().map(|count| Part { counts: vec![count], ..Part::ALL }).collect())
            }
            Program::Turn(turn) => {
                let turn = Some(if truth { *turn } else { !*turn });
                one(Part { mask: Mask { turn, ..Mask::ANY }, ..all })
            }
            Program::Ply(range) => {
                let (first, last) = (*range.start(), *range.end());
                let before = first.checked_sub(1).map(|end| (0, end));
                let after = last.checked_add(1).map(|start| (start, u32::MAX));
                let ranges =
                    if truth { vec![(first, last)] } else { before.into_iter().chain(after).collect() };
                several(ranges.into_iter().map(|plies| Part { plies, ..Part::ALL }).collect())
            }
            Program::Move(test) if truth => one(Part { moves: vec![test.clone()], ..all }),
            Program::Not(inner) => Self::of(inner, !truth),
            Program::And(parts) if truth => Self::both(parts, truth),
            Program::Or(parts) if !truth => Self::both(parts, truth),
            Program::And(parts) | Program::Or(parts) => Self::either(parts, truth),
            Program::For(inner, _) | Program::Then(inner, ..) if truth => {
                Self { exact: false, ..Self::of(inner, truth) }
            }
            Program::Move(_)
            | Program::Game(_)
            | Program::Last
            | Program::Sacrifice(_)
            | Program::Ever(_)
            | Program::For(..)
            | Program::Then(..) => unknown(),
        }
    }

    fn both(programs: &[Program<B>], truth: bool) -> Self {
        let mut all = Self { parts: vec![Part::ALL], exact: true };
        for program in programs {
            let more = Self::of(program, truth);
            all.exact &= more.exact;
            let pairs = all.parts.iter().flat_map(|one| more.parts.iter().map(move |other| one.and(other)));
            let parts: Vec<Part<B>> = pairs.flatten().collect();
            if parts.len() > MOST {
                // Without this one more positions fit.
                all.exact = false;
            } else {
                all.parts = parts;
            }
        }
        all
    }

    fn either(programs: &[Program<B>], truth: bool) -> Self {
        let mut any = Self { parts: Vec::new(), exact: true };
        for program in programs {
            let more = Self::of(program, truth);
            any.exact &= more.exact;
            any.parts.extend(more.parts);
            if any.parts.len() > MOST {
                return Self { parts: vec![Part::ALL], exact: false };
            }
        }
        any
    }

    /// Whether the question is true wherever this is.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether every position has it.
    pub(super) fn is_all(&self) -> bool {
        self.parts.iter().any(Part::is_all)
    }

    /// Whether a position alone does not tell.
    pub(super) fn has_moves(&self) -> bool {
        self.parts.iter().any(|part| !part.moves.is_empty())
    }

    /// What is asked of the position alone.
    pub(super) fn without_moves(self) -> Self {
        let exact = self.exact && !self.has_moves();
        let parts = self.parts.into_iter().map(|part| Part { moves: Vec::new(), ..part }).collect();
        Self { parts, exact }
    }

    /// The mask, if there is nothing else.
    pub(super) fn mask(&self) -> Option<Mask<B>> {
        let [part] = self.parts.as_slice() else { return None };
        let bare = Part { mask: Mask::ANY, ..part.clone() };
        bare.is_all().then_some(part.mask)
    }

    /// The counts, if there are one or two and nothing else.
    pub(super) fn counts(&self) -> Option<[Count; 2]> {
        let [part] = self.parts.as_slice() else { return None };
        let bare = Part { counts: Vec::new(), ..part.clone() };
        match *part.counts.as_slice() {
            _ if !bare.is_all() => None,
            [one] => Some([one, Count::ANY]),
            [one, other] => Some([one, other]),
            _ => None,
        }
    }

    /// The last ply at which it may be.
    pub(super) fn end(&self) -> u32 {
        self.parts.iter().map(|part| part.plies.1).max().unwrap_or(0)
    }

    /// Whether a position has it.
    #[inline(always)]
    pub(super) fn fits(&self, here: &impl Here<B>) -> bool {
        self.parts.iter().any(|part| part.fits(here))
    }
}

impl<B: Bits> Part<B> {
    /// Every position.
    const ALL: Self = Self {
        mask: Mask::ANY,
        unless: Vec::new(),
        counts: Vec::new(),
        plies: (0, u32::MAX),
        moves: Vec::new(),
    };

    fn is_all(&self) -> bool {
        let Self { mask, unless, counts, plies, moves } = self;
        *mask == Mask::ANY
            && unless.is_empty()
            && counts.is_empty()
            && *plies == (0, u32::MAX)
            && moves.is_empty()
    }

    /// Both; `None` where no position has both.
    fn and(&self, other: &Self) -> Option<Self> {
        let plies = (self.plies.0.max(other.plies.0), self.plies.1.min(other.plies.1));
        let mask = self.mask.and(&other.mask).filter(|_| plies.0 <= plies.1)?;
        Some(Self {
            mask,
            unless: [self.unless.as_slice(), &other.unless].concat(),
            counts: [self.counts.as_slice(), &other.counts].concat(),
            plies,
            moves: [self.moves.as_slice(), &other.moves].concat(),
        })
    }

    #[inline(always)]
    fn fits(&self, here: &impl Here<B>) -> bool {
        let state = here.state();
        self.mask.fits(state)
            && (self.plies.0 <= here.ply() && here.ply() <= self.plies.1)
            && self.counts.iter().all(|count| count.fits(here.strength()))
            && !self.unless.iter().any(|mask| mask.fits(state))
            && (self.moves.is_empty()
                || here.next().is_some_and(|ply| self.moves.iter().all(|test| test.fits(ply))))
    }
}
