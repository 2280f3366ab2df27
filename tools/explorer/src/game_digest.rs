//! A short digest of a game, which a link has besides the number: in an index that was made anew, the game is found by it.

use pdn::stop::Stop;
use pdn_index::internal::date_bits;
use pdn_index::{Index, IndexedGame};

use crate::hash::Hash;
use crate::problem::Problem;

/// Number of letters of a digest: 30 bits, so that a million games share one with a chance of a thousandth.
const LETTERS: u32 = 6;
/// The letters, without those that are mistaken for others.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Returns the digest of a game: of its players, its date and its moves.
///
/// # Errors
/// If the index is damaged.
pub(crate) fn of_game(game: &IndexedGame<'_>) -> pdn::Result<String> {
    let row = game.row()?;
    let mut hash = Hash::default();
    for part in [row.white.as_bytes(), b"\0", row.black.as_bytes(), b"\0", &date_bits(row.date).to_le_bytes()]
    {
        hash.add(part);
    }
    hash.add(game.moves()?);
    let mut digest = String::new();
    let mut bits = hash.value();
    for _ in 0..LETTERS {
        digest.push(char::from(ALPHABET[(bits % 32) as usize]));
        bits /= 32;
    }
    Ok(digest)
}

/// Returns the number of the game, from 1, that has this digest: `number` if it has it, or else the first that does. O(games of the index).
///
/// # Errors
/// If no game has it, the index is damaged, or the work was stopped.
pub(crate) fn number_of(index: &Index, digest: &str, number: u64, stop: &Stop) -> Result<u64, Problem> {
    let has_it = |game: &IndexedGame<'_>| Ok::<_, Problem>(of_game(game)? == digest);
    if let Some(game) = index.game(number - 1).filter(|game| !game.is_retired())
        && has_it(&game)?
    {
        return Ok(number);
    }
    for (place, game) in index.games().enumerate() {
        if place % 4096 == 0 {
            stop.check()?;
        }
        if has_it(&game)? {
            return Ok(game.number() + 1);
        }
    }
    Err(Problem::not_found(message!(
        "no_digest",
        "the game of this link is no longer here; game {number} is another one",
        number = number
    )))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use pdn::Archive;
    use pdn::source::OpenOptions;
    use pdn_index::ImportOptions;
    use pdn_index::internal::import_in_memory;

    #[test]
    fn digest_is_that_of_players_date_and_moves() {
        let game = |white, black, date, moves| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n[Event \"{date}\"]\n\n1. {moves} *\n\n"
            )
        };
        let first = game("Ames", "Bell", "1990.01.02", "32-28 19-23");
        let others = [
            game("Cole", "Bell", "1990.01.02", "32-28 19-23"),
            game("Ames", "Cole", "1990.01.02", "32-28 19-23"),
            game("Bell", "Ames", "1990.01.02", "32-28 19-23"),
            game("Ames", "Bell", "1990.01.03", "32-28 19-23"),
            game("Ames", "Bell", "1990.01.02", "32-28 17-22"),
        ];
        let copy = first.replace("[Event \"1990.01.02\"]", "[Event \"Another name\"]");
        let text = [first, copy, others.concat()].concat();
        let archive = Archive::from_reader(std::io::Cursor::new(text), "games.pdn", &OpenOptions::new());
        let (index, _) =
            import_in_memory([archive], &ImportOptions::new(), |_| ControlFlow::Continue(())).unwrap();
        let digests: Vec<String> = index.games().map(|game| of_game(&game).unwrap()).collect();
        assert_eq!(digests[0], digests[1], "{digests:?}");
        assert!(digests[2..].iter().all(|other| *other != digests[0]), "{digests:?}");
    }
}
