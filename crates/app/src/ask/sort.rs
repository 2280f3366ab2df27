//! What games are sorted by, in an index and where they are written.

use std::str::FromStr;

use crate::ask::named::{Named, named};

named! {
    /// What games are sorted by. Those whose value is unknown come last in both directions.
    pub enum SortField {
        /// Order of the index
        Game = "game",
        /// Date
        Date = "date",
        /// Name of White
        White = "white",
        /// Name of Black
        Black = "black",
        /// Event
        Event = "event",
        /// Site
        Site = "site",
        /// Numbers of the round
        Round = "round",
        /// Winner: White, nobody, Black
        Result = "result",
        /// Sum of both ratings, if both are known
        Rating = "rating",
        /// Games of two known players first, then of one, each by the sum of the known ratings, highest first
        Known = "known",
        /// Length of the game in plies
        Plies = "plies",
        /// Variant
        Variant = "variant",
        /// Ply of the matching position
        Ply = "ply",
        /// Least distance from the position of a condition `distance "W:..." <= 6` of the query
        Distance = "distance",
        /// Most pieces that a man took in one move
        ManTakes = "man_takes",
        /// Most pieces that a king took in one move
        KingTakes = "king_takes",
        /// Ply of White's first promotion
        WhitePromotes = "white_promotes",
        /// Ply of Black's first promotion
        BlackPromotes = "black_promotes",
        /// Greatest lead of White in pieces
        WhiteLead = "white_lead",
        /// Greatest lead of Black in pieces
        BlackLead = "black_lead",
        /// Longest run of plies without a capture or a move of a man
        KingRun = "king_run",
    }
}

impl SortField {
    /// Those that follow from the text of a game, by which games that are written are sorted.
    pub const OF_TEXT: [Self; 9] = [
        Self::Date,
        Self::Event,
        Self::Site,
        Self::Round,
        Self::White,
        Self::Black,
        Self::Rating,
        Self::Plies,
        Self::Variant,
    ];
}

/// A key by which games that are written are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortKey {
    /// What is compared.
    pub field: SortField,
    /// The order is reversed.
    pub descending: bool,
}

impl FromStr for SortKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let name = text.strip_prefix('-').unwrap_or(text);
        let field = SortField::OF_TEXT.into_iter().find(|field| field.name().eq_ignore_ascii_case(name));
        field.map(|field| Self { field, descending: text.starts_with('-') }).ok_or_else(|| {
            let names = SortField::OF_TEXT.map(SortField::name);
            let [others @ .., last] = &names;
            format!("expected {} or {last}", others.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_parsed_with_their_direction() {
        assert_eq!("-Date".parse(), Ok(SortKey { field: SortField::Date, descending: true }));
        assert_eq!("white".parse(), Ok(SortKey { field: SortField::White, descending: false }));
        assert!("colour".parse::<SortKey>().is_err_and(|error| error.starts_with("expected date, event")));
    }
}
