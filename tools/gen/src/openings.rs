//! How people open: the moves of real games in the first positions, with their frequencies.
//!
//! The tables in the folder `openings` count facts: how many games of a few public collections played each move in a position,
//! whatever the order of moves that led there. The example `openings` makes them from PDN files. Counted were 389 games of
//! International draughts (three French open tournaments, the Polish team championship, the world championship of 2003), 5,410
//! of English draughts (an archive of the American federation, Tinsley's games), 208 of Russian draughts (Soviet championships
//! from 1947 on), 40 of Czech draughts (a qualification of 2000), and 25 and 22 of Brazilian draughts and Antidraughts from
//! a server. The tables hold positions of the first 12 plies that three games share (International), of 16 plies and 25 games
//! (English), of 10 plies and three games (Russian), and of four plies and five games (the others). Variants with the same start
//! position borrow the table of the nearest one as long as its moves are legal.

use std::collections::HashMap;
use std::sync::OnceLock;

use pdn::position::{Position, StableKey};
use pdn::rules::Variant;

/// The moves that people play in one position.
#[derive(Clone, Debug)]
pub(crate) struct OpeningMoves {
    /// First and last bit of each move, and the number of games that played it.
    pub(crate) moves: Vec<(u8, u8, u32)>,
    /// The number of games that played another move.
    pub(crate) other: u32,
}

/// The openings of a variant.
#[derive(Debug)]
pub(crate) struct Openings {
    variant: Variant,
    positions: HashMap<StableKey, OpeningMoves>,
}

impl Openings {
    /// Reads a table: a line of moves that leads to the position, `|`, and the moves with their numbers of games.
    fn read(variant: Variant, table: &str) -> Self {
        let mut positions = HashMap::new();
        for row in table.lines() {
            let (line, moves) = row.split_once('|').expect("a row has two parts");
            let mut position = Position::start(variant);
            for text in line.split_whitespace() {
                let mv = position.parse_move(text).expect("lines are legal");
                position.play_unchecked(&mv);
            }
            let mut found = OpeningMoves { moves: Vec::new(), other: 0 };
            let words: Vec<&str> = moves.split_whitespace().collect();
            for pair in words.chunks_exact(2) {
                let games = pair[1].parse().expect("a number of games");
                if pair[0] == "other" {
                    found.other = games;
                } else {
                    let mv = position.parse_move(pair[0]).expect("moves are legal");
                    found.moves.push((mv.from.bit(), mv.to.bit(), games));
                }
            }
            positions.insert(position.key(), found);
        }
        Self { variant, positions }
    }

    /// Returns the moves that people play in a position; `None` if too few of the counted games have it.
    pub(crate) fn moves(&self, position: StableKey) -> Option<&OpeningMoves> {
        self.positions.get(&position)
    }

    /// Returns the tables of a variant: its own, then that of the nearest variant with the same board and start position.
    pub(crate) fn of(variant: Variant) -> Vec<&'static Self> {
        let tables = Self::tables();
        let names: &[Variant] = match variant {
            Variant::Breakthrough | Variant::Frisian => &[Variant::International],
            Variant::Brazilian => &[Variant::Brazilian, Variant::Russian],
            Variant::Czech => &[Variant::Czech, Variant::Russian],
            Variant::UnifiedPool | Variant::ZimbabweanPool => &[Variant::Russian],
            _ => &[variant],
        };
        let board = variant.game().rules.board;
        let table = |name: &Variant| tables.iter().find(|table| table.variant == *name);
        names.iter().filter_map(table).filter(|table| table.variant.game().rules.board == board).collect()
    }

    fn tables() -> &'static [Self] {
        static TABLES: OnceLock<Vec<Openings>> = OnceLock::new();
        TABLES.get_or_init(|| {
            [
                (Variant::International, include_str!("openings/international.txt")),
                (Variant::English, include_str!("openings/english.txt")),
                (Variant::Russian, include_str!("openings/russian.txt")),
                (Variant::Brazilian, include_str!("openings/brazilian.txt")),
                (Variant::Czech, include_str!("openings/czech.txt")),
                (Variant::Antidraughts, include_str!("openings/antidraughts.txt")),
            ]
            .map(|(variant, table)| Self::read(variant, table))
            .into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_legal_and_small() {
        for table in Openings::tables() {
            assert!((3..700).contains(&table.positions.len()), "{}", table.variant);
            let start = table.moves(Position::start(table.variant).key()).expect("the start position");
            assert!(start.moves.len() > 2, "{}", table.variant);
            for position in table.positions.values() {
                assert!(position.moves.iter().map(|&(.., games)| games).sum::<u32>() + position.other > 1);
            }
        }
    }

    #[test]
    fn variants_without_own_games_borrow_a_table_of_the_same_board() {
        for &variant in Variant::ALL {
            let start = Position::start(variant).key();
            let borrowed = Openings::of(variant).iter().any(|table| table.moves(start).is_some());
            let expected = matches!(
                variant.name(),
                "international"
                    | "breakthrough"
                    | "antidraughts"
                    | "frisian"
                    | "english"
                    | "russian"
                    | "brazilian"
                    | "czech"
                    | "unified-pool"
                    | "zimbabwean-pool"
            );
            assert_eq!(borrowed, expected, "{variant}");
        }
    }
}
