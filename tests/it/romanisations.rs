//! Cyrillic names, written in Latin letters by the rules of each language, match themselves: a naive romaniser writes what
//! the library reads.

use pdn_names::{NameMatch, NamePattern, blocking_keys};

use super::names::SURNAMES;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    English,
    Dutch,
    French,
    German,
    Polish,
    Scholarly,
    Iso9,
}

impl Language {
    const ALL: [Self; 7] =
        [Self::English, Self::Dutch, Self::French, Self::German, Self::Polish, Self::Scholarly, Self::Iso9];

    /// Returns how the language writes the letters that languages write differently.
    const fn letters(self) -> &'static [(char, &'static str)] {
        match self {
            Self::English => &[
                ('в', "v"),
                ('ё', "yo"),
                ('ж', "zh"),
                ('з', "z"),
                ('й', "y"),
                ('у', "u"),
                ('х', "kh"),
                ('ц', "ts"),
                ('ч', "ch"),
                ('ш', "sh"),
                ('щ', "shch"),
                ('ю', "yu"),
                ('я', "ya"),
                ('е', "ye"),
                ('с', "s"),
            ],
            Self::Dutch => &[
                ('в', "v"),
                ('ё', "jo"),
                ('ж', "zj"),
                ('з', "z"),
                ('й', "j"),
                ('у', "oe"),
                ('х', "ch"),
                ('ц', "ts"),
                ('ч', "tsj"),
                ('ш', "sj"),
                ('щ', "sjtsj"),
                ('ю', "joe"),
                ('я', "ja"),
                ('е', "je"),
                ('с', "s"),
            ],
            Self::French => &[
                ('в', "v"),
                ('ё', "io"),
                ('ж', "j"),
                ('з', "z"),
                ('й', "ï"),
                ('у', "ou"),
                ('х', "kh"),
                ('ц', "ts"),
                ('ч', "tch"),
                ('ш', "ch"),
                ('щ', "chtch"),
                ('ю', "iou"),
                ('я', "ia"),
                ('е', "ie"),
                ('с', "ss"),
            ],
            Self::German => &[
                ('в', "w"),
                ('ё', "jo"),
                ('ж', "sch"),
                ('з', "s"),
                ('й', "i"),
                ('у', "u"),
                ('х', "ch"),
                ('ц', "z"),
                ('ч', "tsch"),
                ('ш', "sch"),
                ('щ', "schtsch"),
                ('ю', "ju"),
                ('я', "ja"),
                ('е', "je"),
                ('с', "s"),
            ],
            Self::Polish => &[
                ('в', "w"),
                ('ё', "jo"),
                ('ж', "ż"),
                ('з', "z"),
                ('й', "j"),
                ('у', "u"),
                ('х', "ch"),
                ('ц', "c"),
                ('ч', "cz"),
                ('ш', "sz"),
                ('щ', "szcz"),
                ('ю', "iu"),
                ('я', "ia"),
                ('е', "je"),
                ('с', "s"),
            ],
            Self::Scholarly => &[
                ('в', "v"),
                ('ё', "ë"),
                ('ж', "ž"),
                ('з', "z"),
                ('й', "j"),
                ('у', "u"),
                ('х', "ch"),
                ('ц', "c"),
                ('ч', "č"),
                ('ш', "š"),
                ('щ', "šč"),
                ('ю', "ju"),
                ('я', "ja"),
                ('е', "e"),
                ('с', "s"),
            ],
            Self::Iso9 => &[
                ('в', "v"),
                ('ё', "ë"),
                ('ж', "ž"),
                ('з', "z"),
                ('й', "j"),
                ('у', "u"),
                ('х', "h"),
                ('ц', "c"),
                ('ч', "č"),
                ('ш', "š"),
                ('щ', "ŝ"),
                ('ю', "û"),
                ('я', "â"),
                ('е', "e"),
                ('с', "s"),
            ],
        }
    }

    /// Writes a word in Cyrillic letters by the rules of the language, letter by letter.
    fn write(self, word: &str) -> String {
        let letters: Vec<char> = word.to_lowercase().chars().collect();
        let is_vowel = |at: Option<usize>| {
            at.and_then(|at| letters.get(at)).is_some_and(|letter| "аеёиоуыэюя".contains(*letter))
        };
        let mut written = String::new();
        for (at, &letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1);
            // Е is written with a `y`, `j` or `i` where it is pronounced so.
            let is_iotated =
                before.is_none_or(|before| is_vowel(Some(before)) || "ьъ".contains(letters[before]));
            let before_front_vowel = letters.get(at + 1).is_some_and(|next| "еиё".contains(*next));
            let text = match (self, letter) {
                (_, 'е') if !is_iotated => "e",
                (Self::French, 'г') if before_front_vowel => "gu",
                (Self::French, 'с') if !is_vowel(before) || !is_vowel(Some(at + 1)) => "s",
                (Self::Polish, 'ю' | 'я') if is_iotated => {
                    if letter == 'ю' {
                        "ju"
                    } else {
                        "ja"
                    }
                }
                (Self::French, 'н') if at + 1 == letters.len() && word.ends_with("ин") => "ne",
                (_, 'ь' | 'ъ') => "",
                (_, 'а') => "a",
                (_, 'б') => "b",
                (_, 'г') => "g",
                (_, 'д') => "d",
                (_, 'и') => "i",
                (_, 'к') => "k",
                (Self::Polish, 'л') => "ł",
                (_, 'л') => "l",
                (_, 'м') => "m",
                (_, 'н') => "n",
                (_, 'о') => "o",
                (_, 'п') => "p",
                (_, 'р') => "r",
                (_, 'т') => "t",
                (_, 'ф') => "f",
                (_, 'ы') => "y",
                (_, 'э') => "e",
                _ => self.letters().iter().find(|(own, _)| *own == letter).expect("a Russian letter").1,
            };
            written.push_str(text);
        }
        written
    }
}

/// Surnames whose letters meet in groups that a language also writes for one letter.
const MEETING_LETTERS: [&str; 43] = [
    "Сютин",
    "Сюткин",
    "Сяськин",
    "Цюрупа",
    "Щипачев",
    "Щипанов",
    "Лазиев",
    "Киенко",
    "Марьин",
    "Ильин",
    "Бахчисарайцев",
    "Мухтаров",
    "Кхамов",
    "Сухов",
    "Схоменко",
    "Зюганов",
    "Зябликов",
    "Дзюба",
    "Цхалтубов",
    "Городецкий",
    "Новицкий",
    "Высоцкий",
    "Борзов",
    "Морзенко",
    "Отшельников",
    "Мальцшин",
    "Счастливцев",
    "Гуенко",
    "Расчетнов",
    "Поэтов",
    "Боенков",
    "Майоров",
    "Войоков",
    "Россин",
    "Сиенко",
    "Лисяк",
    "Кузюков",
    "Васюков",
    "Тюшин",
    "Пхиев",
    "Изхаков",
    "Штоф",
    "Сюсюкин",
];

fn matches(pattern: &str, name: &str) -> bool {
    NamePattern::new(pattern, NameMatch::Words).matches(name)
}

fn misses(cyrillic: &str) -> Vec<String> {
    let written = Language::ALL.map(|language| (language, language.write(cyrillic)));
    let miss = |(language, name): &(Language, String)| {
        let both = matches(cyrillic, name) && matches(name, cyrillic);
        let (own, others) = (blocking_keys(cyrillic), blocking_keys(name));
        let shares_key = own.iter().any(|key| others.contains(key));
        (!both || !shares_key).then(|| format!("{cyrillic} / {name} ({language:?})"))
    };
    written.iter().filter_map(miss).collect()
}

#[test]
fn names_romanised_by_the_rules_of_any_language_match() {
    let names = SURNAMES.iter().map(|row| row.0).chain(MEETING_LETTERS);
    let wrong: Vec<String> = names.flat_map(misses).collect();
    assert!(wrong.is_empty(), "{} pairs: {wrong:#?}", wrong.len());
}

#[test]
fn letters_that_meet_in_any_way_are_found_again() {
    const CONSONANTS: &str = "бвгджзклмнпрстфхцчшщ";
    let mut wrong = Vec::new();
    for first in CONSONANTS.chars() {
        for second in CONSONANTS.chars() {
            for vowel in "аеёиую".chars() {
                wrong.extend(misses(&format!("Ма{first}{second}{vowel}рин")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} pairs: {wrong:#?}", wrong.len());
}

#[test]
fn names_of_other_letters_stay_different_however_they_are_read() {
    for (a, b) in [
        ("Сюткин", "Shutkin"),
        ("Шуткин", "Syutkin"),
        ("Shutkin", "Syutkin"),
        ("Цюрупа", "Churupa"),
        ("Чурупа", "Tsyurupa"),
        ("Churupa", "Tsyurupa"),
        ("Щипанов", "Shipanov"),
        ("Щипанов", "Chipanov"),
        ("Shchipanov", "Shipanov"),
        ("Новицкий", "Novikov"),
        ("Новицкий", "Noviki"),
        ("Городецкий", "Gorodekov"),
        ("Борзов", "Borzhov"),
        ("Счастливцев", "Shastlivtsev"),
        ("Сухов", "Shukhov"),
        ("Цхалтубов", "Khaltubov"),
        ("Боенков", "Bunkov"),
        ("Бунков", "Bojenkov"),
        ("Зябликов", "Zhablikov"),
        ("Марьин", "Maryan"),
        ("Майоров", "Marov"),
        ("Россин", "Roshchin"),
        ("Отшельников", "Ochelnikov"),
        ("Штоф", "Shtov"),
        ("Hoekstra", "Hukster"),
        ("Sjoerds", "Soerdse"),
    ] {
        assert!(!matches(a, b) && !matches(b, a), "{a} / {b}");
    }
}
