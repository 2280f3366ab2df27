//! Invents players and towns.
//!
//! A player is a function of the seed and a rank; players of low rank play more often. Names are composed of syllables and
//! do not refer to real persons.

use crate::options::NameSet;
use crate::random::{Purpose, Random, Zipf};

/// Number of different players in an archive.
pub(crate) const PLAYERS: u32 = 20_000;

/// What the names of a land are composed of: a surname has a beginning, sometimes a middle, and an end.
struct Land {
    given: &'static [&'static str],
    starts: &'static [&'static str],
    middles: &'static [&'static str],
    ends: &'static [&'static str],
}

const LATIN_MIDDLES: &[&str] = &["e", "a", "o", "er", "el", "an"];

/// The lands of [`NameSet::World`], each as often as its players play.
const WORLD: &[&Land] = &[
    &DUTCH, &DUTCH, &DUTCH, &RUSSIAN, &RUSSIAN, &RUSSIAN, &FRENCH, &FRENCH, &ENGLISH, &ENGLISH, &ROMANCE,
    &BALTIC, &ASIAN,
];

const DUTCH: Land = Land {
    given: &[
        "Jan", "Piet", "Kees", "Willem", "Henk", "Ton", "Auke", "Wieger", "Heike", "Nina", "Marten", "Gerrit",
    ],
    starts: &[
        "Wes", "Bak", "Ver", "Hoog", "Dijk", "Schot", "Kuip", "Roz", "Sna", "Ooster", "Zwa", "Tim", "Bron",
        "Ploe",
    ],
    middles: LATIN_MIDDLES,
    ends: &["sma", "ker", "stra", "huis", "veld", "man", "ma", "ing", "sen", "broek", "hof", "t"],
};

/// Russian names in Latin letters.
const RUSSIAN: Land = Land {
    given: &["Alexej", "Ivan", "Sergej", "Nikolaj", "Viktor", "Oleg", "Elena", "Darja", "Anatolij", "Igor"],
    starts: &[
        "Kol", "Petr", "Gor", "Sav", "Mel", "Zhur", "Bar", "Tik", "Rud", "Cher", "Lit", "Shcher", "Vol",
    ],
    middles: LATIN_MIDDLES,
    ends: &["in", "ov", "enko", "ovsky", "ev", "ovich", "uk", "akov", "inov"],
};

const FRENCH: Land = Land {
    given: &["Jean", "Mamadou", "Pierre", "Fatou", "Michel", "Baba", "Alain", "Ousmane", "Claire"],
    starts: &["Dio", "Mer", "Cor", "Nd", "Bon", "Lam", "Fay", "Gué", "Sam", "Kei", "Tour"],
    middles: LATIN_MIDDLES,
    ends: &["p", "cier", "beau", "ye", "ault", "ba", "ara", "det", "net", "oulé"],
};

const ENGLISH: Land = Land {
    given: &["John", "Alex", "Mary", "Robert", "Lewis", "Alan", "William", "Joan", "Walter", "Asa"],
    starts: &["Mac", "Whit", "Hal", "Bro", "Fern", "Lang", "Gold", "Tor", "Hol", "Ash", "Mars"],
    middles: LATIN_MIDDLES,
    ends: &["son", "ton", "field", "ley", "man", "ridge", "worth", "ham", "ry"],
};

const ROMANCE: Land = Land {
    given: &["Mario", "Luca", "José", "João", "Ana", "Lélio", "Paolo", "Sérgio", "Giulia"],
    starts: &["Bor", "Fer", "Mar", "Sil", "Cas", "Per", "Val", "Gol", "Rib", "Alb"],
    middles: LATIN_MIDDLES,
    ends: &["ghi", "reira", "tini", "va", "telli", "ini", "eira", "ares", "oni"],
};

const BALTIC: Land = Land {
    given: &["Jānis", "Arnis", "Zoja", "Edvardas", "Kaarel", "Igors", "Aino"],
    starts: &["Ber", "Kal", "Oz", "Valn", "Zal", "Pet", "Laur", "Kes"],
    middles: LATIN_MIDDLES,
    ends: &["zinš", "iņš", "auskas", "ols", "itis", "ionis", "mets"],
};

const ASIAN: Land = Land {
    given: &["Emre", "Ayşe", "Mehmet", "Somchai", "Niran", "Kemal"],
    starts: &["Yıl", "Kar", "Öz", "Dem", "Srisu", "Chan", "Tas"],
    middles: LATIN_MIDDLES,
    ends: &["maz", "kan", "türk", "wat", "ir", "porn", "lı"],
};

const POLISH: Land = Land {
    given: &[
        "Łukasz",
        "Paweł",
        "Stanisław",
        "Michał",
        "Grażyna",
        "Wojciech",
        "Zbigniew",
        "Małgorzata",
        "Andrzej",
        "Jędrzej",
        "Bożena",
    ],
    starts: &[
        "Kow", "Wiś", "Wój", "Kamiń", "Lew", "Ząb", "Dąbr", "Koź", "Jaw", "Szym", "Woź", "Król", "Głow",
        "Brzęcz",
    ],
    middles: LATIN_MIDDLES,
    ends: &["ski", "owski", "czyk", "niak", "ewicz", "ala", "ąk", "ńczak", "orz", "ik"],
};

const CZECH: Land = Land {
    given: &[
        "Jiří",
        "Tomáš",
        "Zdeněk",
        "Lukáš",
        "Ondřej",
        "Věra",
        "Květa",
        "Miloš",
        "Ľubomír",
        "Štefan",
        "Božena",
    ],
    starts: &[
        "Dvoř", "Novot", "Krej", "Něm", "Šťast", "Hruš", "Čern", "Kuč", "Říh", "Vlč", "Ďur", "Pol", "Žem",
    ],
    middles: LATIN_MIDDLES,
    ends: &["ák", "ík", "ek", "ný", "čí", "ka", "áček", "ský", "ec", "ička", "ovský"],
};

const HUNGARIAN: Land = Land {
    given: &["László", "István", "Gergő", "Györgyi", "Sándor", "Zoltán", "Ágnes", "Károly", "Előd"],
    starts: &["Szab", "Kov", "Hor", "Vár", "Kőm", "Fek", "Tör", "Bír", "Győr", "Szőll", "Mész"],
    middles: LATIN_MIDDLES,
    ends: &["ó", "ács", "váth", "készi", "űves", "ete", "ős", "i", "házy", "falvi"],
};

const CYRILLIC: Land = Land {
    given: &[
        "Иван",
        "Пётр",
        "Сергей",
        "Николай",
        "Виктор",
        "Олег",
        "Елена",
        "Дарья",
        "Анатолий",
        "Игорь",
        "Юрий",
        "Андрей",
        "Эдуард",
    ],
    starts: &[
        "Кол",
        "Петр",
        "Гор",
        "Сав",
        "Мел",
        "Журав",
        "Бар",
        "Тих",
        "Руд",
        "Чер",
        "Лит",
        "Щер",
        "Вол",
        "Яс",
        "Зуб",
    ],
    middles: &["е", "а", "о", "ер", "ел", "ан"],
    ends: &["ин", "ов", "енко", "овский", "ев", "ович", "ук", "аков", "инов", "цев"],
};

/// A player.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    given: &'static str,
    surname: String,
    nick: u32,
    pub(crate) rating: u32,
}

/// The spelling of names in a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spelling {
    /// `Wesveld, Jan`
    Full,
    /// `Wesveld, J.`
    Initial,
    /// `Jan Wesveld`
    GivenFirst,
    /// `J. Wesveld`
    InitialFirst,
    /// `Wesveld,J.`
    Tight,
    /// `WESVELD J`
    Capitals,
    /// `Wesveld`
    SurnameOnly,
    /// `wesveld17`
    Nick,
}

impl Person {
    pub(crate) fn new(seed: u64, rank: usize, set: NameSet) -> Self {
        let mut random = Random::new(seed, Purpose::Player, rank as u64);
        let land = random.pick(match set {
            NameSet::World => WORLD,
            NameSet::Central => &[&POLISH, &CZECH, &HUNGARIAN],
            NameSet::Cyrillic => &[&CYRILLIC],
        });
        let mut surname = String::from(*random.pick(land.starts));
        if random.permille(400) {
            surname += *random.pick(land.middles);
        }
        surname += *random.pick(land.ends);
        // Stronger players tend to play more often.
        let strength = 2300 - 60 * (rank as u32 + 1).ilog2();
        let rating = strength + random.below(400) - 200;
        Self { given: *random.pick(land.given), surname, nick: random.below(100), rating }
    }

    /// Returns the name in a spelling.
    pub(crate) fn name(&self, spelling: Spelling) -> String {
        let (surname, given) = (&self.surname, self.given);
        let initial = given.chars().next().unwrap_or('?');
        match spelling {
            Spelling::Full => format!("{surname}, {given}"),
            Spelling::Initial => format!("{surname}, {initial}."),
            Spelling::GivenFirst => format!("{given} {surname}"),
            Spelling::InitialFirst => format!("{initial}. {surname}"),
            Spelling::Tight => format!("{surname},{initial}."),
            Spelling::Capitals => format!("{} {initial}", surname.to_uppercase()),
            Spelling::SurnameOnly => surname.clone(),
            Spelling::Nick => {
                let ascii: String = surname.chars().filter(char::is_ascii_alphabetic).collect();
                // A name without a Latin letter is written as it is.
                let letters = if ascii.is_empty() { surname } else { &ascii };
                format!("{}{}", letters.to_lowercase(), self.nick)
            }
        }
    }

    /// Returns the title for the rating, if there is one.
    pub(crate) fn title(&self) -> Option<&'static str> {
        match self.rating {
            2350.. => Some("GMI"),
            2250.. => Some("MI"),
            2180.. => Some("MF"),
            _ => None,
        }
    }
}

/// Draws different players for a tournament.
pub(crate) fn field(seed: u64, set: NameSet, ranks: &Zipf, size: usize, random: &mut Random) -> Vec<Person> {
    let mut taken = Vec::with_capacity(size);
    while taken.len() < size {
        let rank = ranks.draw(random);
        if !taken.contains(&rank) {
            taken.push(rank);
        }
    }
    taken.into_iter().map(|rank| Person::new(seed, rank, set)).collect()
}

/// Invents the name of a town.
pub(crate) fn town(random: &mut Random) -> String {
    const FIRST: &[&str] =
        &["Zwart", "Nieuw", "Oud", "Wolf", "Lin", "Mont", "Karls", "Sankt", "Berk", "Winter", "Haver", "Sel"];
    const SECOND: &[&str] =
        &["water", "dorp", "stad", "berg", "ford", "ville", "gorsk", "minde", "burg", "haven", "poort"];
    let land = random.pick(&[
        "Netherlands",
        "Latvia",
        "France",
        "Scotland",
        "Italy",
        "Senegal",
        "Poland",
        "Brazil",
        "Estonia",
    ]);
    format!("{}{}, {land}", random.pick(FIRST), random.pick(SECOND))
}
