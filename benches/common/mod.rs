//! Archives to measure with: text as archives have it, made from a seed, many different games and never one repeated.
//!
//! The moves are plausible to the eye and not legal: nothing here asks the rules. What is in a text is counted while it is
//! made, so that every measurement can check its answer.
use std::fmt::Write;
use std::fs;
use std::path::Path;

use pdn::parse::{Flow, Visitor, WrittenMove};

/// How the games of an archive are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// International draughts as tournament pages have them: some 100 plies, 1.1 kB.
    International,
    /// English draughts: fewer tags, some 50 plies, half as many bytes.
    English,
    /// International, with clocks, comments and variations.
    Annotated,
}

/// Text, and what is in it.
pub(crate) struct Archive {
    pub(crate) text: Vec<u8>,
    pub(crate) games: usize,
    pub(crate) tags: usize,
    /// Moves in variations included.
    pub(crate) moves: usize,
}

/// Counts moves, told one by one.
#[derive(Default)]
pub(crate) struct Moves(pub(crate) usize);

impl<'g> Visitor<'g> for Moves {
    #[inline]
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

/// An archive of at least `bytes`.
pub(crate) fn archive(style: Style, bytes: usize) -> Archive {
    let mut writer = Writer { style, random: Random(1), text: String::new(), column: 0, tags: 0, moves: 0 };
    let mut games = 0;
    while writer.text.len() < bytes {
        writer.game(games);
        games += 1;
    }
    Archive { text: writer.text.into_bytes(), games, tags: writer.tags, moves: writer.moves }
}

/// The real files beside the checkout, if they are there, one after the other.
#[expect(clippy::print_stderr, reason = "a benchmark left out says so")]
pub(crate) fn real() -> Option<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let names = [
        "EricCJoyce+Datasets/ACF_a.pdn",
        "Yodachess+BrunoGUI_Dames/2ème Open national du Léman.pdn",
        "Yodachess+BrunoGUI_Dames/48th Polish Team Championship.pdn",
        "Yodachess+BrunoGUI_Dames/Montpellier Open Serie A.pdn",
        "bcorfman+raven-checkers/tinsley.pdn",
        "wiegerw+pdn/OCA_2.0.pdn",
        "wiegerw+pdn/PROF2.pdn",
    ];
    let files: Option<Vec<_>> = names.iter().map(|name| fs::read(folder.join(name)).ok()).collect();
    if files.is_none() {
        eprintln!("{} is not there; real files are not measured", folder.display());
    }
    files.map(|files| files.join(&b"\n\n"[..]))
}

struct Writer {
    style: Style,
    random: Random,
    text: String,
    column: usize,
    tags: usize,
    moves: usize,
}

impl Writer {
    fn game(&mut self, number: usize) {
        const NAMES: [&str; 12] = [
            "Sijbrands",
            "Wiersma",
            "Tsjizjov",
            "Georgiev",
            "Schwarzman",
            "Boomstra",
            "Baljakin",
            "Groenendijk",
            "Tinsley",
            "Long",
            "Lafferty",
            "Oldbury",
        ];
        let english = self.style == Style::English;
        let results = if english { ["1-0", "1/2-1/2", "0-1"] } else { ["2-0", "1-1", "0-2"] };
        let result = results[self.random.below(3)];
        let (white, black) = (NAMES[self.random.below(12)], NAMES[self.random.below(12)]);
        let (event, year) = (self.random.below(400), 1950 + self.random.below(75));
        let (month, day) = (1 + self.random.below(12), 1 + self.random.below(28));
        self.tag("Event", format_args!("Open championship {event}, group {}", event % 7));
        if !english {
            self.tag("Site", format_args!("Zwartewaterland {event}"));
            self.tag("Round", format_args!("{}", number % 11));
        }
        self.tag("Date", format_args!("{year}.{month:02}.{day:02}"));
        self.tag("White", format_args!("{white}, {}", char::from(b'A' + (number % 26) as u8)));
        self.tag("Black", format_args!("{black}, {}", char::from(b'A' + (event % 26) as u8)));
        self.tag("Result", format_args!("{result}"));
        if !english {
            self.tag("GameType", format_args!("20"));
        }
        self.text.push('\n');
        self.column = 0;
        let length = if english { 30 + self.random.below(40) } else { 70 + self.random.below(60) };
        for ply in 0..length {
            if ply % 2 == 0 {
                self.word(format_args!("{}.", ply / 2 + 1));
            }
            self.a_move();
            if self.style == Style::Annotated {
                self.annotation(ply);
            }
        }
        self.word(format_args!("{result}"));
        self.text.push_str("\n\n");
    }

    fn tag(&mut self, name: &str, value: std::fmt::Arguments<'_>) {
        writeln!(self.text, "[{name} \"{value}\"]").expect("a string takes everything");
        self.tags += 1;
    }

    /// A word, on a new line where the old one is full.
    fn word(&mut self, word: std::fmt::Arguments<'_>) {
        let before = self.text.len();
        write!(self.text, " {word}").expect("a string takes everything");
        let length = self.text.len() - before;
        let full = self.column + length > 79;
        self.text.replace_range(
            before..=before,
            if full {
                "\n"
            } else if self.column == 0 {
                ""
            } else {
                " "
            },
        );
        self.column = if full { length - 1 } else { self.column + length };
    }

    fn a_move(&mut self) {
        let last = if self.style == Style::English { 32 } else { 50 };
        let capture = self.random.below(10) < 4;
        let step = if capture { 9 + 2 * self.random.below(2) } else { 4 + self.random.below(3) };
        let low = 1 + self.random.below(last - step);
        let (from, to) = if self.random.below(2) == 0 { (low, low + step) } else { (low + step, low) };
        match self.random.below(40) {
            0 if capture => self.word(format_args!("{from}x{to}x{from}")),
            _ if capture => self.word(format_args!("{from}x{to}")),
            _ => self.word(format_args!("{from}-{to}")),
        }
        self.moves += 1;
    }

    fn annotation(&mut self, ply: usize) {
        match self.random.below(12) {
            0 => self.text.push('!'),
            1 => self.text.push_str("?!"),
            2 => self.word(format_args!("$5")),
            3 => self.word(format_args!("{{better was the exchange, as in game {ply}}}")),
            4 | 5 => self.word(format_args!("{{[%clk 1:{:02}:{:02}]}}", ply % 60, ply * 7 % 60)),
            6 => {
                self.word(format_args!("("));
                self.word(format_args!("{}.", ply / 2 + 1));
                self.a_move();
                self.a_move();
                self.text.push(')');
            }
            _ => {}
        }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) % bound as u64) as usize
    }
}
