//! Every instruction set against ordinary code.

use std::marker::PhantomData;

use super::*;
use proptest::prelude::*;

/// Declares tasks that call one function of an instruction set.
macro_rules! tasks {
    ($($(#[$doc:meta])* $name:ident<$a:lifetime>($($field:ident: $of:ty),+) -> $output:ty = |$isa:ident| $run:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        struct $name<$a>($($of,)+ PhantomData<&$a ()>);

        impl<$a> $name<$a> {
            fn run_on_all($($field: $of),+) -> Vec<$output> {
                run_on_all(Self($($field,)+ PhantomData))
            }
        }

        impl<$a> Task for $name<$a> {
            type Output = $output;

            #[inline(always)]
            fn run<I: Isa>(self, $isa: I) -> $output {
                let Self($($field,)+ _) = self;
                $run
            }
        }
    )+};
}

tasks! {
    /// Computes every kind of mask.
    Masks<'a>(bytes: &'a [u8; BLOCK], first: u8, last: u8) -> [u64; 6] = |isa| {
        let block = isa.load(bytes);
        [
            block.among([first]),
            block.among([first, last, b'[']),
            block.within(first, last),
            block.beyond_ascii(),
            block.with_bits(0x20).among([first | 0x20]),
            block.of(&Class::new([first, last, b'[', b'+', b'{', 0xBD])),
        ]
    };
    /// Classifies the bytes of movetext.
    Tokens<'a>(bytes: &'a [u8; BLOCK]) -> TokenBytes = |isa| isa.load(bytes).token_bytes();
    /// Classifies the first bytes of a text, padded.
    Padded<'a>(text: &'a [u8]) -> (TokenBytes, u64) = |isa| {
        let block = isa.load_padded(text);
        (block.token_bytes(), block.among([b' ']))
    };
    /// Locates the set bits.
    Places<'a>(mask: u64) -> [u8; PLACES] = |isa| isa.places(mask);
    /// Looks up the second block in the first.
    LookUp<'a>(table: &'a [u8; BLOCK], at: &'a [u8; BLOCK]) -> [u8; BLOCK] = |isa| isa.look_up(table, at);
    /// Tests the numbers of both halves.
    NonZero<'a>(halves: [&'a [u64; NUMBERS]; 2]) -> u64 = |isa| isa.non_zero(halves);
    /// Counts pieces before plies, and those that they take.
    CountPlies<'a>(halves: [[&'a [u64; NUMBERS]; 3]; 2], plies: u64, by_kings: u64) -> Option<PlyMaxima> =
        |isa| isa.ply_maxima(halves, plies, by_kings);
    /// Translates a number of words by a table.
    Translate<'a>(table: &'a [u8; 256], bytes: &'a [[u8; 4]; WORDS], words: usize) -> Vec<[u8; 4]> = |isa| {
        let mut out = [[0; 4]; WORDS];
        isa.translate(table, bytes, words, &mut out);
        out[..words].to_vec()
    };
    /// Searches a text for some bytes.
    ContainsAny<'a>(text: &'a [u8], bytes: [u8; 2]) -> bool = |isa| contains_any(isa, text, bytes);
    /// Reads pairs.
    ReadPairs<'a>(block: &'a [u8; BLOCK], starts: u64, ends: u64, at: u32) -> Option<Pairs> =
        |isa| isa.number_reader().pairs(block, starts, ends, at);
    /// Checks that numbers count up. `None` if the instruction set does not read numbers at all.
    CountUp<'a>(block: &'a [u8; BLOCK], numbers: u64, tokens: u64) -> Option<Option<(u8, u32)>> = |isa| {
        let reader = isa.number_reader();
        reader.count_up(b"1.", 1, 1).map(|_| reader.count_up(block, numbers, tokens))
    };
}

proptest! {
    #[test]
    fn count_up_finds_regular_move_numbers(
        first in 0..100u8,
        before in 0..4usize,
        moves in prop::collection::vec(0..16usize, 0..12),
        wrong in prop::option::of((0..8usize, 0..100u8)),
    ) {
        // Moves before the first number, then numbers with mostly two moves each.
        let (mut tokens, mut number) = (vec![None; before], first);
        for (n, &count) in moves.iter().enumerate() {
            number = wrong.filter(|&(at, _)| at == n).map_or(number, |(_, other)| other);
            tokens.push(Some(number));
            let rest = if count < 13 { 2 } else { count - 13 };
            tokens.extend(vec![None; if n + 1 == moves.len() { rest.min(1 + count % 2) } else { rest }]);
            number = (number + 1) % 100;
        }
        let (mut block, mut offset, mut read) = ([b' '; BLOCK], 0, Vec::new());
        let (mut numbers, mut starts) = (0u64, 0u64);
        for token in tokens {
            let text = token.map_or("1-6 ".to_owned(), |number| format!("{number}. "));
            if offset + text.len() > BLOCK {
                break;
            }
            block[offset..offset + text.len()].copy_from_slice(text.as_bytes());
            starts |= 1 << offset;
            numbers |= u64::from(token.is_some()) << offset;
            read.push(token);
            offset += text.len();
        }
        let places: Vec<usize> = (0..read.len()).filter(|&n| read[n].is_some()).collect();
        let counts = places.windows(2).all(|two| {
            two[1] - two[0] == 3 && read[two[1]] == read[two[0]].map(|number| number + 1)
        });
        let expected = places.first().filter(|_| counts).map(|&n| (read[n].unwrap(), n as u32));
        for result in CountUp::run_on_all(&block, numbers, starts).into_iter().flatten() {
            prop_assert_eq!(result, expected, "{}", block.escape_ascii());
        }
    }

    #[test]
    fn contains_any_equals_search_of_bytes(
        text in prop::collection::vec(prop::sample::select(vec![0, b'[', b'"', b'x']), 0..300),
        plain in any::<bool>(),
        at in any::<prop::sample::Index>(),
    ) {
        let mut text = text;
        if plain {
            // At most one byte is found.
            text.iter_mut().for_each(|byte| *byte = b'1');
            if let Some(byte) = text.get_mut(at.index(400)) {
                *byte = b'"';
            }
        }
        for bytes in [[b'[', b'"'], [0, b'y']] {
            let expected = text.iter().any(|byte| bytes.contains(byte));
            for result in ContainsAny::run_on_all(&text, bytes) {
                prop_assert_eq!(result, expected, "{}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn look_up_equals_indexing(table: [[u8; 32]; 2], at: [[u8; 32]; 2]) {
        let [table, at] = [table, at].map(|halves| <[u8; BLOCK]>::try_from(halves.concat()).unwrap());
        let expected = at.map(|at| table[usize::from(at & 63)]);
        for result in LookUp::run_on_all(&table, &at) {
            prop_assert_eq!(result, expected);
        }
    }

    #[test]
    fn non_zero_equals_test_of_each_number(
        numbers in prop::collection::vec((any::<bool>(), 0..64u32), 2 * NUMBERS),
    ) {
        let numbers: Vec<_> = numbers.into_iter().map(|(zero, bit)| u64::from(!zero) << bit).collect();
        let (first, second) = numbers.split_at(NUMBERS);
        let expected = numbers.iter().rev().fold(0, |bits, &number| 2 * bits + u64::from(number != 0));
        for result in NonZero::run_on_all([first.try_into().unwrap(), second.try_into().unwrap()]) {
            prop_assert_eq!(result, expected);
        }
    }

    #[test]
    fn ply_maxima_equal_counts_of_each_ply(
        seed in any::<u64>(),
        plies in any::<u64>(),
        thinner in any::<u64>(),
        by_kings in any::<u64>(),
        kings in any::<bool>(),
    ) {
        let mut random = fastrand::Rng::with_seed(seed);
        // At most 32 pieces of a side, as on the largest board of one word.
        let mut sets = || std::array::from_fn::<_, NUMBERS, _>(|_| {
            let mask = u64::from(u32::MAX) << random.u32(..32);
            (0..random.u32(..4)).fold(mask, |set, _| set & random.u64(..))
        });
        let sets: [[_; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| sets()));
        let plies = if kings { plies } else { plies & thinner };
        let by_kings = if kings { by_kings } else { 0 };
        let of = |set: usize, ply: usize| sets[ply / NUMBERS][set][ply % NUMBERS].count_ones();
        let played = || (0..2 * NUMBERS).filter(|ply| plies >> ply & 1 != 0);
        let most = |counts: &mut dyn Iterator<Item = u32>| counts.max().unwrap_or(0) as u8;
        let takes = |kings: u64| {
            most(&mut played().filter(|ply| by_kings >> ply & 1 == kings).map(|ply| of(2, ply)))
        };
        let lead = |side, other| {
            most(&mut played().map(|ply| of(side, ply).saturating_sub(of(other, ply))))
        };
        let expected = PlyMaxima {
            man_takes: takes(0),
            king_takes: takes(1),
            white_lead: lead(0, 1),
            black_lead: lead(1, 0),
        };
        let halves = sets.each_ref().map(|half| half.each_ref());
        for result in CountPlies::run_on_all(halves, plies, by_kings).into_iter().flatten() {
            prop_assert_eq!(result, expected);
        }
    }

    #[test]
    fn translate_equals_indexing(seed in any::<u64>(), words in 0..=WORDS, ascii in any::<bool>()) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut table, mut bytes) = ([0; 256], [[0; 4]; WORDS]);
        random.fill(&mut table);
        random.fill(bytes.as_flattened_mut());
        bytes.as_flattened_mut().iter_mut().for_each(|byte| *byte &= if ascii { 127 } else { 255 });
        let expected = bytes.map(|word| word.map(|byte| table[usize::from(byte)]));
        for result in Translate::run_on_all(&table, &bytes, words) {
            prop_assert_eq!(&result, &expected[..words]);
        }
    }

    #[test]
    fn pairs_equal_numbers_read_one_by_one(
        words in prop::collection::vec("( |\n|1\\. )?([0-9]|[0-9][0-9])[-xX:]([0-9]|[0-9][0-9])( |\r\n)", 0..17),
        at in 0..1_000_000u32,
    ) {
        let (mut block, mut offset) = ([b' '; BLOCK], 0);
        let (mut starts, mut ends, mut expected) = (0u64, 0u64, Vec::new());
        for word in &words {
            if offset + word.len() > BLOCK {
                break;
            }
            block[offset..offset + word.len()].copy_from_slice(word.as_bytes());
            let pair = word.trim().trim_start_matches("1. ");
            let (from, to) = pair.split_once(['-', 'x', 'X', ':']).unwrap();
            let start = offset + word.rfind(pair).unwrap();
            let end = start + pair.len();
            (starts, ends) = (starts | 1 << start, ends | 1 << end);
            expected.push(([from, to].map(|number| number.parse::<u8>().unwrap()), [start, end].map(|n| n as u32 + at)));
            offset += word.len();
        }
        for pairs in ReadPairs::run_on_all(&block, starts, ends, at).into_iter().flatten() {
            let read: Vec<_> = pairs.numbers.into_iter().zip(pairs.places).take(expected.len()).collect();
            prop_assert_eq!(&read, &expected);
        }
    }

    #[test]
    fn places_equal_the_set_bits(mask in any::<u64>(), thinner in any::<u64>(), thin in any::<bool>()) {
        let mask = if thin { mask & thinner } else { mask };
        let expected: Vec<u8> = (0..64).filter(|bit| mask >> bit & 1 == 1).take(PLACES).collect();
        for places in Places::run_on_all(mask) {
            prop_assert_eq!(&places[..expected.len()], &expected[..]);
        }
    }

    #[test]
    fn token_bytes_equal_tests_of_single_bytes(first in any::<u8>()) {
        // Four blocks have every byte.
        for start in [0, 64, 128, 192u8] {
            let bytes: [u8; BLOCK] = std::array::from_fn(|n| first.wrapping_add(start + n as u8));
            let mask = |test: &dyn Fn(u8) -> bool| {
                bytes.iter().rev().fold(0u64, |mask, &b| mask << 1 | u64::from(test(b)))
            };
            let expected = TokenBytes {
                digits: mask(&|b| b.is_ascii_digit()),
                separators: mask(&|b| b"-xX:".contains(&b)),
                dots: mask(&|b| b == b'.'),
                whitespace: mask(&|b| b" \t\n\x0B\x0C\r".contains(&b)),
                scores: mask(&|b| b"012".contains(&b)),
            };
            for result in Tokens::run_on_all(&bytes) {
                prop_assert_eq!(result, expected);
            }
        }
    }

    #[test]
    fn padded_blocks_equal_copies(text in "[0-9. x\n-]{0,80}") {
        let mut copy = text.clone().into_bytes();
        copy.resize(BLOCK.max(copy.len()), b' ');
        for (padded, copied) in Padded::run_on_all(text.as_bytes()).iter().zip(Padded::run_on_all(&copy)) {
            prop_assert_eq!(padded, &copied);
        }
    }

    #[test]
    fn masks_equal_tests_of_single_bytes(
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
        for result in Masks::run_on_all(&bytes, first, last) {
            prop_assert_eq!(result, expected);
        }
    }
}
