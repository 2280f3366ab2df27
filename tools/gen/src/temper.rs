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
    /// Plies at the start that are drawn by lot in half of the games.
    pub(crate) ballot: usize,
}

impl Temper {
    pub(crate) const fn of(variant: Variant) -> Self {
        let large = Self {
            noise: 24,
            exchange: 6,
            peace: 90,
            spread: 24,
            agree: 200,
            weary: 12,
            despair: [4, 9],
            patience: 10,
            stubborn: 80,
            care: 2000,
            theory_width: 9,
            main_line: 250,
            ballot: 0,
        };
        let small = Self {
            peace: 42,
            weary: 8,
            despair: [4, 7],
            patience: 4,
            stubborn: 60,
            care: 800,
            theory_width: 7,
            main_line: 300,
            ..large
        };
        match variant {
            Variant::International | Variant::Breakthrough | Variant::Frisian | Variant::Antidraughts => {
                large
            }
            Variant::Canadian => Self { peace: 130, spread: 40, ..large },
            Variant::Turkish => Self { peace: 60, spread: 20, exchange: 10, ..large },
            Variant::Spantsiretti => Self { peace: 55, ..small },
            Variant::English => {
                Self { noise: 32, exchange: 4, peace: 36, spread: 16, agree: 300, ballot: 3, ..small }
            }
            Variant::Italian => Self { ballot: 3, ..small },
            _ => small,
        }
    }
}
