//! Pseudo-random numbers that are equal on every machine: integers only, and an algorithm that never changes.
//!
//! The generator is xoshiro256++ as published by its authors, seeded by SplitMix64. Draws from ranges are defined here and
//! not by a library, whose update could change the archives.

use std::fmt;
use std::str::FromStr;

use pdn_rules::internal::position::split_mix;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A sequence of pseudo-random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Creates the sequence with number `index` of a purpose; sequences of other seeds, purposes or indices are independent.
    pub(crate) fn new(seed: u64, purpose: Purpose, index: u64) -> Self {
        let mixed = mix(mix(seed).wrapping_add(purpose as u64)).wrapping_add(index);
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mixed)))
    }

    /// Returns a number below `bound`, which must not be 0: the high half of a product. The bias is below 2^-24 for all bounds
    /// in use.
    #[inline]
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (((self.0.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// As [`below`](Self::below), for indices.
    #[inline]
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// Returns a number from `low` to `high`, both inclusive.
    #[inline]
    pub(crate) fn range(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u32) as i32
    }

    /// Returns one of the items.
    #[inline]
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }

    /// Returns `true` with the probability `share`.
    #[inline]
    pub(crate) fn chance(&mut self, share: Share) -> bool {
        self.below(Share::WHOLE) < share.0
    }

    /// Returns `true` with a probability in thousandths.
    #[inline]
    pub(crate) fn permille(&mut self, often: u32) -> bool {
        self.below(1000) < often
    }
}

/// The purpose of a sequence.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub(crate) enum Purpose {
    Player = 1,
    Event = 2,
    Game = 3,
}

/// Returns the first output of SplitMix64 seeded with `n`: every bit of the result depends on every bit of `n`.
pub(crate) const fn mix(n: u64) -> u64 {
    split_mix(n, 0)
}

/// Ranks with a probability proportional to 1 / rank, like the popularity of names, players and openings.
#[derive(Clone, Debug)]
pub(crate) struct Zipf {
    /// Cumulative weight up to each rank.
    reach: Vec<u32>,
}

impl Zipf {
    /// Creates ranks from 0 to `ranks - 1`.
    pub(crate) fn new(ranks: u32) -> Self {
        let mut sum = 0;
        let reach = (1..=ranks).map(|rank| {
            sum += 100_000_000 / rank;
            sum
        });
        Self { reach: reach.collect() }
    }

    /// Draws a rank.
    pub(crate) fn draw(&self, random: &mut Random) -> usize {
        self.draw_of(random, self.reach.len())
    }

    /// Draws one of the first `ranks` ranks.
    pub(crate) fn draw_of(&self, random: &mut Random, ranks: usize) -> usize {
        let reach = &self.reach[..ranks.clamp(1, self.reach.len())];
        let drawn = random.below(reach[reach.len() - 1]);
        reach.partition_point(|&end| end <= drawn)
    }
}

/// A share of games, in millionths; parsed from `0.25`, `25%` or `1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Share(u32);

impl Share {
    const WHOLE: u32 = 1_000_000;
    /// No game.
    pub const NONE: Self = Self(0);
    /// Every game.
    pub const ALL: Self = Self(Self::WHOLE);

    /// Creates a share in percent, at most 100.
    pub const fn percent(percent: u32) -> Self {
        if percent >= 100 { Self::ALL } else { Self(percent * 10_000) }
    }

    /// Returns the share in millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, digits) = match text.strip_suffix('%') {
            Some(percent) => (percent, 4),
            None => (text, 6),
        };
        let error = || format!("`{text}` is no share; write 0.25 or 25%");
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.len() + fraction.len() == 0
            || fraction.len() > digits
            || !fraction.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Err(error());
        }
        let millionths = format!("{whole}{fraction:0<digits$}").parse().map_err(|_| error())?;
        if millionths > Self::WHOLE { Err(error()) } else { Ok(Self(millionths)) }
    }
}

/// Formats the share in percent.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 / 10_000)?;
        if !self.0.is_multiple_of(10_000) {
            write!(f, ".{}", format!("{:04}", self.0 % 10_000).trim_end_matches('0'))?;
        }
        f.write_str("%")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_parsed_exactly() {
        for (text, expected) in [
            ("0", Some(0)),
            ("1", Some(1_000_000)),
            ("0.25", Some(250_000)),
            ("25%", Some(250_000)),
            ("0.5%", Some(5_000)),
            ("100%", Some(1_000_000)),
            (".1", Some(100_000)),
            ("1.1", None),
            ("101%", None),
            ("-1", None),
            ("0.0000001", None),
            ("0.-1", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(text.parse().ok().map(Share::millionths), expected, "{text}");
        }
        assert_eq!(Share::percent(25).to_string(), "25%");
        assert_eq!("0.125".parse::<Share>().unwrap().to_string(), "12.5%");
    }

    #[test]
    fn random_numbers_are_constant() {
        let mut random = Random::new(1, Purpose::Game, 2);
        let first: Vec<u32> = (0..6).map(|_| random.below(1000)).collect();
        assert_eq!(first, [788, 279, 825, 286, 682, 989]);
    }

    #[test]
    fn zipf_prefers_low_ranks() {
        let zipf = Zipf::new(100);
        let mut random = Random::new(1, Purpose::Game, 1);
        let mut counts = [0u32; 100];
        for _ in 0..100_000 {
            counts[zipf.draw(&mut random)] += 1;
        }
        // The harmonic number of 100 is 5.187.
        assert!((18_500..20_100).contains(&counts[0]), "{}", counts[0]);
        assert!((9_000..10_300).contains(&counts[1]), "{}", counts[1]);
        assert!(counts[99] > 100);
        assert!((0..1000).all(|_| zipf.draw_of(&mut random, 3) < 3));
    }
}
