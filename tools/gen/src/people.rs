//! Invents players and towns.
//!
//! A player is a function of the seed and a rank; players of low rank play more often. Names are composed of syllables and
//! do not refer to real persons.

use crate::random::{Purpose, Random, Zipf};

/// Number of different players in an archive.
pub(crate) const PLAYERS: u32 = 20_000;

const GIVEN: &[&[&str]] = &[
    &["Jan", "Piet", "Kees", "Willem", "Henk", "Ton", "Auke", "Wieger", "Heike", "Nina", "Marten", "Gerrit"],
    &["Alexej", "Ivan", "Sergej", "Nikolaj", "Viktor", "Oleg", "Elena", "Darja", "Anatolij", "Igor"],
    &["Jean", "Mamadou", "Pierre", "Fatou", "Michel", "Baba", "Alain", "Ousmane", "Claire"],
    &["John", "Alex", "Mary", "Robert", "Lewis", "Alan", "William", "Joan", "Walter", "Asa"],
    &["Mario", "Luca", "José", "João", "Ana", "Lélio", "Paolo", "Sérgio", "Giulia"],
    &["Jānis", "Arnis", "Zoja", "Edvardas", "Kaarel", "Igors", "Aino"],
    &["Emre", "Ayşe", "Mehmet", "Somchai", "Niran", "Kemal"],
];

const STARTS: &[&[&str]] = &[
    &[
        "Wes", "Bak", "Ver", "Hoog", "Dijk", "Schot", "Kuip", "Roz", "Sna", "Ooster", "Zwa", "Tim", "Bron",
        "Ploe",
    ],
    &["Kol", "Petr", "Gor", "Sav", "Mel", "Zhur", "Bar", "Tik", "Rud", "Cher", "Lit", "Shcher", "Vol"],
    &["Dio", "Mer", "Cor", "Nd", "Bon", "Lam", "Fay", "Gué", "Sam", "Kei", "Tour"],
    &["Mac", "Whit", "Hal", "Bro", "Fern", "Lang", "Gold", "Tor", "Hol", "Ash", "Mars"],
    &["Bor", "Fer", "Mar", "Sil", "Cas", "Per", "Val", "Gol", "Rib", "Alb"],
    &["Ber", "Kal", "Oz", "Valn", "Zal", "Pet", "Laur", "Kes"],
    &["Yıl", "Kar", "Öz", "Dem", "Srisu", "Chan", "Tas"],
];

const ENDS: &[&[&str]] = &[
    &["sma", "ker", "stra", "huis", "veld", "man", "ma", "ing", "sen", "broek", "hof", "t"],
    &["in", "ov", "enko", "ovsky", "ev", "ovich", "uk", "akov", "inov"],
    &["p", "cier", "beau", "ye", "ault", "ba", "ara", "det", "net", "oulé"],
    &["son", "ton", "field", "ley", "man", "ridge", "worth", "ham", "ry"],
    &["ghi", "reira", "tini", "va", "telli", "ini", "eira", "ares", "oni"],
    &["zinš", "iņš", "auskas", "ols", "itis", "ionis", "mets"],
    &["maz", "kan", "türk", "wat", "ir", "porn", "lı"],
];

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
    pub(crate) fn new(seed: u64, rank: usize) -> Self {
        let mut random = Random::new(seed, Purpose::Player, rank as u64);
        let land = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6][random.index(13)];
        let mut surname = String::from(*random.pick(STARTS[land]));
        if random.permille(400) {
            surname += *random.pick::<&str>(&["e", "a", "o", "er", "el", "an"]);
        }
        surname += *random.pick::<&str>(ENDS[land]);
        // Stronger players tend to play more often.
        let strength = 2300 - 60 * (rank as u32 + 1).ilog2();
        let rating = strength + random.below(400) - 200;
        Self { given: *random.pick::<&str>(GIVEN[land]), surname, nick: random.below(100), rating }
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
                format!("{}{}", ascii.to_lowercase(), self.nick)
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
pub(crate) fn field(seed: u64, ranks: &Zipf, size: usize, random: &mut Random) -> Vec<Person> {
    let mut taken = Vec::with_capacity(size);
    while taken.len() < size {
        let rank = ranks.draw(random);
        if !taken.contains(&rank) {
            taken.push(rank);
        }
    }
    taken.into_iter().map(|rank| Person::new(seed, rank)).collect()
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
