//! Creates tournaments, matches, club evenings and server games: events of 60 games with players, rounds and days.
//!
//! An event is a function of the seed and its number, so that workers share nothing.

use pdn::rules::Variant;
use pdn::value::Date;

use crate::people::{Person, Spelling, field, town};
use crate::random::{Purpose, Random, Zipf};
use crate::style::Style;
use crate::{Dialect, Options};

/// Number of games of an event.
pub(crate) const GAMES: u64 = 60;

/// The properties that the 60 games of an event have in common.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) variant: Variant,
    pub(crate) name: String,
    pub(crate) site: String,
    pub(crate) style: Style,
    pub(crate) spelling: Spelling,
    kind: Kind,
    players: Vec<Person>,
    first_day: Date,
}

/// How games are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A round robin: every player plays in every round.
    RoundRobin,
    /// Two random players per game, 30 games a day.
    Server,
}

/// Players, round and day of one game.
#[derive(Clone, Debug)]
pub(crate) struct Pairing<'a> {
    pub(crate) white: &'a Person,
    pub(crate) black: &'a Person,
    pub(crate) round: Option<u64>,
    pub(crate) date: Date,
}

impl Event {
    pub(crate) fn new(options: &Options, ranks: &Zipf, number: u64) -> Self {
        let mut random = Random::new(options.seed, Purpose::Event, number);
        let variant = options.variants[(number % options.variants.len() as u64) as usize];
        let server = random.permille(200);
        let (kind, size) = if server {
            (Kind::Server, 40)
        } else {
            (Kind::RoundRobin, *random.pick(&[12, 12, 12, 10, 6, 20, 2]))
        };
        let year = 1950 + random.below(76) as u16;
        let (month, day) = (1 + random.below(12) as u8, 1 + random.below(28) as u8);
        let first_day = Date::new(Some(year), Some(month), Some(day)).unwrap_or(Date::UNKNOWN);
        let site = if server { String::from("https://draughts.example") } else { town(&mut random) };
        let name = if server {
            format!("Rated {} game", variant.name())
        } else {
            let place = site.split(',').next().unwrap_or_default();
            match random.below(7) {
                0 => format!("{place} Open {year}"),
                1 => format!("Championship {place} {year}"),
                2 => format!("Match {place} {year}"),
                3 => format!("{place} Cup"),
                4 => format!("{}th {place} tournament", 4 + random.below(17)),
                5 => format!("Club evening {place}"),
                _ => {
                    format!("{place} {year}, semifinal \\\"{}\\\"", char::from(b'A' + random.below(4) as u8))
                }
            }
        };
        let spelling = match (server, options.dialect) {
            (true, _) => Spelling::Nick,
            (_, Dialect::Mixed) => *random.pick(&[
                Spelling::Full,
                Spelling::Initial,
                Spelling::GivenFirst,
                Spelling::InitialFirst,
                Spelling::Tight,
                Spelling::Capitals,
                Spelling::SurnameOnly,
            ]),
            _ => *random.pick(&[
                Spelling::Full,
                Spelling::Full,
                Spelling::Full,
                Spelling::Initial,
                Spelling::GivenFirst,
            ]),
        };
        let players = field(options.seed, options.name_set(), ranks, size, &mut random);
        let style = Style::new(options.dialect, variant, &mut random);
        Self { variant, name, site, style, spelling, kind, players, first_day }
    }

    /// Returns players, round and day of a game by its number in the event, from 0.
    pub(crate) fn pairing(&self, game: u64, random: &mut Random) -> Pairing<'_> {
        let count = self.players.len() as u64;
        if self.kind == Kind::Server {
            let white = random.index(self.players.len());
            let black = (white + 1 + random.index(self.players.len() - 1)) % self.players.len();
            let (white, black) = (&self.players[white], &self.players[black]);
            return Pairing { white, black, round: None, date: later(self.first_day, game / 30) };
        }
        let (round, board) = (game / (count / 2), game % (count / 2));
        // The circle method: one player stays, the others rotate.
        let around = count - 1;
        let seat = |place: u64| if place == 0 { 0 } else { 1 + (place - 1 + round) % around };
        let (mut white, mut black) = (seat(board), seat(count - 1 - board));
        if (round + board) % 2 == 1 {
            std::mem::swap(&mut white, &mut black);
        }
        Pairing {
            white: &self.players[white as usize],
            black: &self.players[black as usize],
            round: Some(round + 1),
            date: later(self.first_day, round),
        }
    }

    /// Returns `true` if the event takes place on a server.
    pub(crate) fn is_server(&self) -> bool {
        self.kind == Kind::Server
    }
}

/// Returns a later day, with months of 28 days, which is accurate enough for a tournament.
fn later(first: Date, days: u64) -> Date {
    let (Some(year), Some(month), Some(day)) = (first.year(), first.month(), first.day()) else {
        return first;
    };
    let day = u64::from(day) - 1 + days;
    let month = u64::from(month) - 1 + day / 28;
    Date::new(Some(year + (month / 12) as u16), Some((month % 12 + 1) as u8), Some((day % 28 + 1) as u8))
        .unwrap_or(first)
}
