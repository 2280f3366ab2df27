//! Chance that is the same everywhere: integers only, and an algorithm that never changes.
//!
//! The generator is xoshiro256++ as its authors published it, seeded by SplitMix64. Draws from ranges are defined
//! here and not by a library, so that no update of one can change an archive.

use std::fmt;
use std::str::FromStr;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A row of pseudo-random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The row number `index` of a purpose; rows of different seeds, purposes or indices have nothing in common.
    pub(crate) fn new(seed: u64, purpose: Purpose, index: u64) -> Self {
        let mixed = mix(mix(seed).wrapping_add(purpose as u64)).wrapping_add(index);
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mixed)))
    }

    /// A number below `bound`, which must not be 0: the high half of a product. Biased by less than 2^-24 for the
    /// bounds that occur.
    #[inline]
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (((self.0.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// As [`below`](Self::below), for indices.
    #[inline]
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// A number from `low` to `high`, both included.
    #[inline]
    pub(crate) fn range(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u32) as i32
    }

    /// One of these.
    #[inline]
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }

    /// Whether something of this share happens.
    #[inline]
    pub(crate) fn chance(&mut self, share: Share) -> bool {
        self.below(Share::WHOLE) < share.0
    }

    /// Whether something happens that happens so often in a thousand.
    #[inline]
    pub(crate) fn permille(&mut self, often: u32) -> bool {
        self.below(1000) < often
    }
}

/// What a row of numbers is for.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub(crate) enum Purpose {
    Player = 1,
    Event = 2,
    Game = 3,
}

/// The finaliser of SplitMix64: every bit of the result depends on every bit of `n`.
pub(crate) const fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Ranks whose chance falls with one over the rank, as the popularity of names, players and openings does.
#[derive(Clone, Debug)]
pub(crate) struct Zipf {
    /// Up to which number each rank reaches.
    reach: Vec<u32>,
}

impl Zipf {
    /// Ranks from 0 to `ranks - 1`.
    pub(crate) fn new(ranks: u32) -> Self {
        let mut sum = 0;
        let reach = (1..=ranks).map(|rank| {
            sum += 100_000_000 / rank;
            sum
        });
        Self { reach: reach.collect() }
    }

    /// A rank.
    pub(crate) fn draw(&self, random: &mut Random) -> usize {
        self.draw_of(random, self.reach.len())
    }

    /// One of the first `ranks` ranks.
    pub(crate) fn draw_of(&self, random: &mut Random, ranks: usize) -> usize {
        let reach = &self.reach[..ranks.clamp(1, self.reach.len())];
        let drawn = random.below(reach[reach.len() - 1]);
        reach.partition_point(|&end| end <= drawn)
    }
}

/// A share of games, in millionths; read from `0.25`, `25%` or `1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Share(u32);

impl Share {
    const WHOLE: u32 = 1_000_000;
    /// No game.
    pub const NONE: Self = Self(0);
    /// Every game.
    pub const ALL: Self = Self(Self::WHOLE);

    /// A share in percent; more than a hundred is a hundred.
    pub const fn percent(percent: u32) -> Self {
        if percent >= 100 { Self::ALL } else { Self(percent * 10_000) }
    }

    /// Millionths.
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

/// As percent.
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
    fn shares_are_read_exactly() {
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
    fn numbers_never_change() {
        let mut random = Random::new(1, Purpose::Game, 2);
        let first: Vec<u32> = (0..6).map(|_| random.below(1000)).collect();
        assert_eq!(first, [788, 279, 825, 286, 682, 989]);
    }

    #[test]
    fn low_ranks_come_more_often() {
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
