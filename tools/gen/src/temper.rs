//! Parameters of play by variant, chosen so that generated games resemble real ones.

use pdn::rules::Variant;

/// The parameters of a variant. Values are in hundredths of a man, probabilities in thousandths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Temper {
    /// Maximum noise added to the value of a move.
    pub(crate) noise: u32,
    /// Bonus of a move that forces a capture.
    pub(crate) exchange: i32,
    /// Mean number of plies after which even games are drawn, and the maximum deviation.
    pub(crate) peace: usize,
    pub(crate) spread: usize,
    /// Probability of a draw at each later ply.
    pub(crate) agree: u32,
    /// Maximum number of king moves before a draw.
    pub(crate) weary: u32,
    /// Minimum and maximum deficit for resignation, in quarters of a man.
    pub(crate) despair: [i32; 2],
    /// Maximum number of plies for which a losing side plays on.
    pub(crate) patience: u32,
    /// Probability that nobody resigns.
    pub(crate) stubborn: u32,
    /// Added to the rating, on a scale of 3000, to decide whether a player examines replies.
    pub(crate) care: u32,
    /// Number of theory moves per position.
    pub(crate) theory_width: usize,
    /// Probability of playing the most popular theory move.
    pub(crate) main_line: u32,
    /// Probability that a player follows theory after the known openings, up to the 16th ply.
    pub(crate) habit: u32,
    /// Number of first plies that are drawn by lot in half of the games.
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
            habit: 200,
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
            Variant::International | Variant::Breakthrough | Variant::Frisian => large,
            Variant::Antidraughts => Self { habit: 900, ..large },
            Variant::Canadian => Self { peace: 130, spread: 40, ..large },
            Variant::Turkish => Self { peace: 60, spread: 20, exchange: 10, ..large },
            Variant::Spantsiretti => Self { peace: 55, ..small },
            Variant::English => Self {
                noise: 32,
                exchange: 4,
                peace: 36,
                spread: 16,
                agree: 300,
                habit: 1000,
                main_line: 600,
                ..small
            },
            Variant::Italian => Self { ballot: 3, ..small },
            _ => small,
        }
    }
}
