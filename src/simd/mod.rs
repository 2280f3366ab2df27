//! Sixty-four bytes at a time: which of them are this byte, which lie in that range.
//!
//! Every answer is a [`u64`] with one bit a byte, the lowest for the first. Algorithms are written once, over
//! [`Isa`] and [`Block`], and compiled once for every instruction set by [`run`], which takes the best one that the
//! processor has. They live beside what they are about (`shape`, `lex`); here are instruction sets only.
//!
//! The portable set is ordinary code and the twin that the others are tested against. A value of another set exists
//! only where the processor was asked, so that having one is the proof that its instructions may be used.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512::Avx512;
#[cfg(any(test, not(target_arch = "x86_64")))]
use portable::Portable;
#[cfg(target_arch = "x86_64")]
use sse2::Sse2;

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// Places told of at once: as many as words that blanks separate have in a block.
pub(crate) const PLACES: usize = BLOCK / 2;

/// An instruction set.
pub(crate) trait Isa: Copy {
    /// Sixty-four bytes in its registers.
    type Block: Block;

    /// Loads a block.
    fn load(self, bytes: &[u8; BLOCK]) -> Self::Block;

    /// Where the first [`PLACES`] bits of `mask` stand, in order; behind the last of them anything.
    #[inline(always)]
    fn places(self, mut mask: u64) -> [u8; PLACES] {
        let mut places = [0; PLACES];
        for eight in places.as_chunks_mut::<8>().0 {
            // One branch for many is foretold more often than one for each.
            for place in eight {
                *place = mask.trailing_zeros() as u8;
                mask &= mask.wrapping_sub(1);
            }
            if mask == 0 {
                break;
            }
        }
        places
    }

    /// Whether [`Isa::look_up`] takes a few instructions, not some for each byte.
    const HAS_FAST_LOOK_UP: bool = false;

    /// The entry of `table` for each byte of `at`, of which the low six bits count.
    #[inline(always)]
    fn look_up(self, table: &[u8; BLOCK], at: &[u8; BLOCK]) -> [u8; BLOCK] {
        std::array::from_fn(|n| table[usize::from(at[n]) % BLOCK])
    }

    /// Writes down what `table` says of each of the first `words` words of bytes, and perhaps of more.
    #[inline(always)]
    fn translate(
        self,
        table: &[u8; 256],
        bytes: &[[u8; 4]; WORDS],
        words: usize,
        out: &mut [[u8; 4]; WORDS],
    ) {
        translate_each(table, bytes, words, out);
    }

    /// What reads numbers many at once, if this instruction set can.
    #[inline(always)]
    fn number_reader(self) -> NumberReader {
        NumberReader::default()
    }

    /// Runs a task compiled for this instruction set.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// [`Isa::translate`], byte by byte.
#[inline(always)]
fn translate_each(table: &[u8; 256], bytes: &[[u8; 4]; WORDS], words: usize, out: &mut [[u8; 4]; WORDS]) {
    for n in 0..words.min(WORDS) {
        out[n] = bytes[n].map(|byte| table[usize::from(byte)]);
    }
}

/// Words of four bytes that are translated at once.
pub(crate) const WORDS: usize = BLOCK / 2;

/// Pairs that are read at once: as many words as a block has that are two digits, a sign between them, and a blank.
pub(crate) const PAIRS: usize = BLOCK / 4;

/// Words that begin and end with a number of one or two digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pairs {
    /// The first and the last number.
    pub(crate) numbers: [[u8; 2]; PAIRS],
    /// Where they start and end.
    pub(crate) places: [[u32; 2]; PAIRS],
}

/// Reads numbers many at once, where the processor can.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberReader {
    #[cfg(target_arch = "x86_64")]
    avx512: Option<Avx512>,
}

impl NumberReader {
    /// The first [`PAIRS`] pairs of a block whose words start and end there, a bit a byte; behind the last of them
    /// anything. What stands between the numbers is no digit. Places are counted from `at` on.
    #[inline(always)]
    pub(crate) fn pairs(self, block: &[u8; BLOCK], starts: u64, ends: u64, at: u32) -> Option<Pairs> {
        #[cfg(target_arch = "x86_64")]
        return Some(self.avx512?.pairs(block, starts, ends, at));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// The first of the numbers of one or two digits that start at `numbers`, and how many other tokens stand before it;
    /// if each number is greater by one than the one before, and two other tokens stand between them. `tokens` are
    /// starts of tokens, numbers or not.
    #[inline(always)]
    pub(crate) fn count_up(self, block: &[u8; BLOCK], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
        #[cfg(target_arch = "x86_64")]
        return self.avx512?.count_up(block, numbers, tokens);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

/// Sixty-four bytes.
pub(crate) trait Block: Copy {
    /// Which bytes equal one of `bytes`.
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64;

    /// Which bytes are of `class`.
    #[inline(always)]
    fn of<const N: usize>(self, class: &Class<N>) -> u64 {
        self.among(class.bytes)
    }

    /// Which bytes lie in `first..=last`.
    fn within(self, first: u8, last: u8) -> u64;

    /// Which bytes lie beyond ASCII.
    fn beyond_ascii(self) -> u64;

    /// All bytes with `bits` set, to compare letters of both cases at once.
    fn with_bits(self, bits: u8) -> Self;
}

/// Some bytes, told from others by two look-ups, one for each half of a byte: of the class is what both have a bit of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class<const N: usize> {
    bytes: [u8; N],
    low: [u8; 16],
    high: [u8; 16],
}

impl<const N: usize> Class<N> {
    /// The class of `bytes`, whose upper halves have at most eight values.
    pub(crate) const fn new(bytes: [u8; N]) -> Self {
        let (mut low, mut high) = ([0; 16], [0; 16]);
        let (mut bits, mut n) = (0, 0);
        while n < N {
            let (upper, lower) = ((bytes[n] >> 4) as usize, (bytes[n] & 15) as usize);
            if high[upper] == 0 {
                assert!(bits < 8, "a bit for every upper half");
                high[upper] = 1 << bits;
                bits += 1;
            }
            low[lower] |= high[upper];
            n += 1;
        }
        Self { bytes, low, high }
    }
}

/// Work written for any instruction set.
pub(crate) trait Task {
    /// What it answers.
    type Output;

    /// Does it. Implementations are `#[inline(always)]`, as is all they call that touches a block: only code that
    /// becomes part of the compiled task may use its instructions.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Runs `task` with the best instruction set of this processor.
#[inline]
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    match best() {
        #[cfg(not(target_arch = "x86_64"))]
        Best::Portable(isa) => isa.run(task),
        #[cfg(target_arch = "x86_64")]
        Best::Sse2(isa) => isa.run(task),
        #[cfg(target_arch = "x86_64")]
        Best::Avx2(isa) => isa.run(task),
        #[cfg(target_arch = "x86_64")]
        Best::Avx512(isa) => isa.run(task),
    }
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, Debug)]
enum Best {
    #[cfg(not(target_arch = "x86_64"))]
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Sse2(Sse2),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

#[inline]
fn best() -> Best {
    static BEST: OnceLock<Best> = OnceLock::new();
    *BEST.get_or_init(detect)
}

#[cold]
fn detect() -> Best {
    #[cfg(target_arch = "x86_64")]
    return match (Avx512::new(), Avx2::new()) {
        (Some(isa), _) => Best::Avx512(isa),
        (None, Some(isa)) => Best::Avx2(isa),
        (None, None) => Best::Sse2(Sse2),
    };
    #[cfg(not(target_arch = "x86_64"))]
    Best::Portable(Portable)
}

/// What `task` answers with every instruction set that this processor has, the portable one first.
#[cfg(test)]
pub(crate) fn run_on_all<T: Task + Clone>(task: T) -> Vec<T::Output> {
    let mut answers = vec![Portable.run(task.clone())];
    #[cfg(target_arch = "x86_64")]
    {
        answers.push(Sse2.run(task.clone()));
        answers.extend(Avx2::new().map(|isa| isa.run(task.clone())));
        answers.extend(Avx512::new().map(|isa| isa.run(task)));
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone)]
    struct Masks<'a> {
        bytes: &'a [u8; BLOCK],
        first: u8,
        last: u8,
    }

    impl Task for Masks<'_> {
        type Output = [u64; 6];

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> [u64; 6] {
            let block = isa.load(self.bytes);
            [
                block.among([self.first]),
                block.among([self.first, self.last, b'[']),
                block.within(self.first, self.last),
                block.beyond_ascii(),
                block.with_bits(0x20).among([self.first | 0x20]),
                block.of(&Class::new([self.first, self.last, b'[', b'+', b'{', 0xBD])),
            ]
        }
    }

    #[derive(Clone)]
    struct Places(u64);

    impl Task for Places {
        type Output = [u8; PLACES];

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> [u8; PLACES] {
            isa.places(self.0)
        }
    }

    #[derive(Clone)]
    struct LookUp<'a>(&'a [u8; BLOCK], &'a [u8; BLOCK]);

    impl Task for LookUp<'_> {
        type Output = [u8; BLOCK];

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> [u8; BLOCK] {
            isa.look_up(self.0, self.1)
        }
    }

    #[derive(Clone)]
    struct Translate<'a>(&'a [u8; 256], &'a [[u8; 4]; WORDS], usize);

    impl Task for Translate<'_> {
        type Output = Vec<[u8; 4]>;

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Vec<[u8; 4]> {
            let mut out = [[0; 4]; WORDS];
            isa.translate(self.0, self.1, self.2, &mut out);
            out[..self.2].to_vec()
        }
    }

    #[derive(Clone)]
    struct ReadPairs<'a>(&'a [u8; BLOCK], u64, u64, u32);

    impl Task for ReadPairs<'_> {
        type Output = Option<Pairs>;

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Option<Pairs> {
            isa.number_reader().pairs(self.0, self.1, self.2, self.3)
        }
    }

    #[derive(Clone)]
    struct CountUp<'a>(&'a [u8; BLOCK], u64, u64);

    impl Task for CountUp<'_> {
        type Output = Option<Option<(u8, u32)>>;

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Option<Option<(u8, u32)>> {
            let reader = isa.number_reader();
            // Whether it reads anything at all.
            let alone =
                reader.count_up(b"1.                                                              ", 1, 1);
            alone.map(|_| reader.count_up(self.0, self.1, self.2))
        }
    }

    proptest! {
        #[test]
        fn numbers_that_count_up_are_known(
            first in 0..100u8,
            before in 0..4usize,
            moves in prop::collection::vec(0..16usize, 0..12),
            slip in prop::option::of((0..8usize, 0..100u8)),
        ) {
            // Moves before the first number, then numbers with mostly two moves each.
            let (mut tokens, mut number) = (vec![None; before], first);
            for (n, &count) in moves.iter().enumerate() {
                number = slip.filter(|&(at, _)| at == n).map_or(number, |(_, other)| other);
                tokens.push(Some(number));
                let rest = if count < 13 { 2 } else { count - 13 };
                tokens.extend(vec![None; if n + 1 == moves.len() { rest.min(1 + count % 2) } else { rest }]);
                number = (number + 1) % 100;
            }
            let (mut block, mut here, mut told) = ([b' '; BLOCK], 0, Vec::new());
            let (mut numbers, mut starts) = (0u64, 0u64);
            for token in tokens {
                let text = token.map_or("1-6 ".to_owned(), |number| format!("{number}. "));
                if here + text.len() > BLOCK {
                    break;
                }
                block[here..here + text.len()].copy_from_slice(text.as_bytes());
                starts |= 1 << here;
                numbers |= u64::from(token.is_some()) << here;
                told.push(token);
                here += text.len();
            }
            let places: Vec<usize> = (0..told.len()).filter(|&n| told[n].is_some()).collect();
            let counts = places.windows(2).all(|two| {
                two[1] - two[0] == 3 && told[two[1]] == told[two[0]].map(|number| number + 1)
            });
            let expected = places.first().filter(|_| counts).map(|&n| (told[n].unwrap(), n as u32));
            for answer in run_on_all(CountUp(&block, numbers, starts)).into_iter().flatten() {
                prop_assert_eq!(answer, expected, "{}", block.escape_ascii());
            }
        }

        #[test]
        fn look_ups_are_those_of_single_bytes(table: [[u8; 32]; 2], at: [[u8; 32]; 2]) {
            let [table, at] = [table, at].map(|halves| <[u8; BLOCK]>::try_from(halves.concat()).unwrap());
            let expected = at.map(|at| table[usize::from(at & 63)]);
            for found in run_on_all(LookUp(&table, &at)) {
                prop_assert_eq!(found, expected);
            }
        }

        #[test]
        fn words_are_what_their_bytes_say(seed in any::<u64>(), words in 0..=WORDS, ascii in any::<bool>()) {
            let mut random = fastrand::Rng::with_seed(seed);
            let (mut table, mut bytes) = ([0; 256], [[0; 4]; WORDS]);
            random.fill(&mut table);
            random.fill(bytes.as_flattened_mut());
            bytes.as_flattened_mut().iter_mut().for_each(|byte| *byte &= if ascii { 127 } else { 255 });
            let expected = bytes.map(|word| word.map(|byte| table[usize::from(byte)]));
            for answer in run_on_all(Translate(&table, &bytes, words)) {
                prop_assert_eq!(&answer, &expected[..words]);
            }
        }

        #[test]
        fn pairs_are_what_single_words_say(
            words in prop::collection::vec("( |\n|1\\. )?([0-9]|[0-9][0-9])[-xX:]([0-9]|[0-9][0-9])( |\r\n)", 0..17),
            at in 0..1_000_000u32,
        ) {
            let (mut block, mut here) = ([b' '; BLOCK], 0);
            let (mut starts, mut ends, mut expected) = (0u64, 0u64, Vec::new());
            for word in &words {
                if here + word.len() > BLOCK {
                    break;
                }
                block[here..here + word.len()].copy_from_slice(word.as_bytes());
                let pair = word.trim().trim_start_matches("1. ");
                let (from, to) = pair.split_once(['-', 'x', 'X', ':']).unwrap();
                let start = here + word.rfind(pair).unwrap();
                let end = start + pair.len();
                (starts, ends) = (starts | 1 << start, ends | 1 << end);
                expected.push(([from, to].map(|number| number.parse::<u8>().unwrap()), [start, end].map(|n| n as u32 + at)));
                here += word.len();
            }
            for pairs in run_on_all(ReadPairs(&block, starts, ends, at)).into_iter().flatten() {
                let told: Vec<_> = pairs.numbers.into_iter().zip(pairs.places).take(expected.len()).collect();
                prop_assert_eq!(&told, &expected);
            }
        }

        #[test]
        fn places_are_those_of_the_bits(mask in any::<u64>(), thinner in any::<u64>(), thin in any::<bool>()) {
            let mask = if thin { mask & thinner } else { mask };
            let expected: Vec<u8> = (0..64).filter(|bit| mask >> bit & 1 == 1).take(PLACES).collect();
            for places in run_on_all(Places(mask)) {
                prop_assert_eq!(&places[..expected.len()], &expected[..]);
            }
        }

        #[test]
        fn all_instruction_sets_say_what_single_bytes_say(
            bytes in prop::array::uniform32(any::<u8>()),
            more in prop::array::uniform32(b'*'..b'<'),
            (first, last) in (any::<u8>(), any::<u8>()).prop_map(|(a, b)| (a.min(b), a.max(b))),
        ) {
            let bytes: [u8; BLOCK] = [bytes, more].concat().try_into().unwrap();
            let naive = |test: &dyn Fn(u8) -> bool| {
                bytes.iter().rev().fold(0u64, |mask, &b| mask << 1 | u64::from(test(b)))
            };
            let expected = [
                naive(&|b| b == first),
                naive(&|b| b == first || b == last || b == b'['),
                naive(&|b| (first..=last).contains(&b)),
                naive(&|b| b >= 0x80),
                naive(&|b| b | 0x20 == first | 0x20),
                naive(&|b| b == first || b == last || b"[+{\xBD".contains(&b)),
            ];
            for answer in run_on_all(Masks { bytes: &bytes, first, last }) {
                prop_assert_eq!(answer, expected);
            }
        }
    }
}
