//! Names of game types: those that servers and programs write in tags, and those that people use.

use super::GameType;
use super::table::draughts_games;

macro_rules! names {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $key:literal, $rules:ident,
        $start:ident $letters:ident $corner:ident $inverted:literal,
        $title:literal $(($width:literal, $height:literal) $results:ident $capture:literal)?, [$($name:literal)*];)*) => {
        /// Names in normal form (lower case, letters and digits only, without words such as "draughts") and the game type numbers
        /// that each may denote, the likeliest first.
        const NAMES: &[(&str, &[u16])] = &[
            $($(($name, &[$number]),)*)*
            // Other games
            ("chess", &[0]),
            ("othello", &[50]),
            ("reversi", &[50]),
            // Names of several games
            ("dama", &[22, 24, 29, 30]),
            ("damas", &[24, 26, 28]),
            ("dame", &[20, 21]),
            ("64", &[25, 26]),
            ("8x8", &[21, 25, 26, 22, 24, 28, 29, 30, 31, 23]),
            ("draughts", &[20, 21]),
        ];
    };
}

draughts_games!(names);

/// Words that say only that a game is draughts. They are left out of a longer name.
const WORDS: &[&str] =
    &["draughts", "checkers", "shashki", "шашки", "dammen", "damas", "dames", "dama", "variant"];

/// The greatest length of a name in normal form, in bytes.
const MAX_BYTES: usize = 40;

impl GameType {
    /// Returns the numbers of the game types that a name may denote, the likeliest first: one for most names, several for a
    /// name that several games share (`dama`), none for an unknown name.
    ///
    /// Knows the names that servers and programs write in a Variant tag (`American/English`, `Frysk!`, `Standard`), and the
    /// names that people use (`checkers`, `shashki`). Case, spaces and punctuation make no difference, and words such as
    /// "draughts" may be left out.
    ///
    /// ```
    /// use pdn_rules::value::GameType;
    ///
    /// assert_eq!(GameType::numbers_of_name("American/English"), [21]);
    /// assert_eq!(GameType::numbers_of_name("Russian draughts"), [25]);
    /// assert!(GameType::numbers_of_name("dama").len() > 1);
    /// assert!(GameType::numbers_of_name("From Position").is_empty());
    /// ```
    pub fn numbers_of_name(name: &str) -> &'static [u16] {
        let mut buffer = [0; MAX_BYTES];
        let Some(name) = normal_form(name, &mut buffer) else { return &[] };
        let find = |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|&(_, numbers)| numbers);
        if let Some(numbers) = find(name) {
            return numbers;
        }
        let rest = WORDS.iter().find_map(|word| name.strip_suffix(word).or_else(|| name.strip_prefix(word)));
        rest.and_then(find).unwrap_or_default()
    }

    /// Returns every name that [`numbers_of_name`](Self::numbers_of_name) knows for one game alone, in normal form.
    pub(crate) fn unique_names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().filter(|(_, numbers)| numbers.len() == 1).map(|(name, _)| *name)
    }
}

/// Returns a name in lower case without spaces and punctuation; `None` if nothing is left or it is too long.
fn normal_form<'b>(name: &str, buffer: &'b mut [u8; MAX_BYTES]) -> Option<&'b str> {
    let mut len = 0;
    for char in name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase) {
        let end = len + char.len_utf8();
        char.encode_utf8(buffer.get_mut(len..end)?);
        len = end;
    }
    core::str::from_utf8(&buffer[..len]).ok().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internal::value::GAME_TYPES;

    #[test]
    fn names_are_in_normal_form_and_unique() {
        for (n, (name, numbers)) in NAMES.iter().enumerate() {
            assert_eq!(normal_form(name, &mut [0; MAX_BYTES]), Some(*name));
            assert_eq!(GameType::numbers_of_name(name), *numbers, "{name}");
            assert!(NAMES[..n].iter().all(|(other, _)| other != name), "{name} twice");
            assert!(
                numbers.iter().all(|number| GAME_TYPES.iter().any(|row| row.number == *number)),
                "{name}"
            );
        }
    }

    #[test]
    fn names_of_servers_people_and_the_table_are_known() {
        for (name, number) in [
            ("American/English", 21),
            ("English", 21),
            ("american checkers", 21),
            ("CHECKERS", 21),
            ("Standard", 20),
            ("Standard (international) checkers", 20),
            ("Breakthrough checkers", 96),
            ("International draughts", 20),
            ("dames", 20),
            ("Frysk!", 97),
            ("Frisian draughts", 40),
            ("Antidraughts", 98),
            ("Pool checkers", 23),
            ("shashki", 25),
            ("Russian shashki", 25),
            ("Русские шашки", 25),
            ("Dama Italiana", 22),
        ] {
            assert_eq!(GameType::numbers_of_name(name), [number], "{name}");
        }
        for row in GAME_TYPES.iter().filter(|row| !matches!(row.number, 1 | 99)) {
            let name = row.name.split(" (").next().unwrap_or_default();
            assert_eq!(GameType::numbers_of_name(name), [row.number], "{}", row.name);
        }
        for name in ["", "!", "From Position", "Three-check", &"x".repeat(100)] {
            assert!(GameType::numbers_of_name(name).is_empty(), "{name}");
        }
    }
}
