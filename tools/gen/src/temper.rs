//! How games of a variant go, as far as the search does not decide it: the numbers that were set so that generated
//! games look like real ones.

use pdn::rules::Variant;

/// The numbers of a variant. Values are in hundredths of a man, chances in thousandths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Temper {
    /// How much chance adds to the value of a move, at most.
    pub(crate) noise: u32,
    /// How much a move that forces a capture is preferred to its equal.
    pub(crate) exchange: i32,
    /// Plies after which even games are drawn, in the middle, and how far from it that may be.
    pub(crate) peace: usize,
    pub(crate) spread: usize,
    /// How likely it is at each ply from then on.
    pub(crate) agree: u32,
    /// The most moves that kings make before the players shake hands.
    pub(crate) weary: u32,
    /// Quarters of a man that a side must be behind to resign, at least and at most.
    pub(crate) despair: [i32; 2],
    /// How long it goes on at most before it thinks of that.
    pub(crate) patience: u32,
    /// Games in which nobody resigns.
    pub(crate) stubborn: u32,
    /// Added to the ratings, of 3000, when it is decided whether a player looks twice.
    pub(crate) care: u32,
    /// How many moves of a position theory knows.
    pub(crate) theory_width: usize,
    /// How often the main line of theory is followed without a thought.
    pub(crate) main_line: u32,
}

impl Temper {
    pub(crate) fn of(variant: Variant) -> Self {
        let large = Self {
            noise: 24,
            exchange: 6,
            peace: 104,
            spread: 36,
            agree: 200,
            weary: 16,
            despair: [4, 9],
            patience: 10,
            stubborn: 120,
            care: 600,
            theory_width: 9,
            main_line: 300,
        };
        let small = Self { peace: 42, spread: 24, weary: 8, despair: [4, 7], patience: 4, stubborn: 80, theory_width: 7, ..large };
        let mut t = match variant {
            Variant::International | Variant::Breakthrough | Variant::Frisian | Variant::Antidraughts => large,
            Variant::Canadian => Self { peace: 140, spread: 50, ..large },
            Variant::Turkish => Self { peace: 70, spread: 30, ..large },
            Variant::Spantsiretti => Self { peace: 65, spread: 30, ..small },
            _ => small,
        };
        if let Ok(text) = std::env::var("TEMPER") {
            for pair in text.split_whitespace() {
                let (key, value) = pair.split_once('=').unwrap();
                let n: i32 = value.parse().unwrap();
                match key {
                    "noise" => t.noise = n as u32,
                    "exchange" => t.exchange = n,
                    "peace" => t.peace = n as usize,
                    "spread" => t.spread = n as usize,
                    "agree" => t.agree = n as u32,
                    "weary" => t.weary = n as u32,
                    "d0" => t.despair[0] = n,
                    "d1" => t.despair[1] = n,
                    "patience" => t.patience = n as u32,
                    "stubborn" => t.stubborn = n as u32,
                    "care" => t.care = n as u32,
                    "width" => t.theory_width = n as usize,
                    "main" => t.main_line = n as u32,
                    _ => panic!("{key}"),
                }
            }
        }
        t
    }
}
