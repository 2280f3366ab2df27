//! Generates archives for benchmarks from a seed: text as in real archives, with many different games.
//!
//! The moves look plausible but are not legal, because no rules are applied. The parts of a text are counted while it is
//! generated, so that every benchmark can check its result.
use std::fmt::Write;
use std::fs;
use std::path::Path;

use pdn::parse::{Flow, Visitor, WrittenMove};

/// The style in which the games of an archive are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// International draughts as on tournament pages: about 100 plies and 1.1 kB per game.
    International,
    /// English draughts: fewer tags, about 50 plies and half as many bytes per game.
    English,
    /// International draughts with clocks, comments and variations.
    Annotated,
}

/// A generated text and the number of its parts.
pub(crate) struct Archive {
    pub(crate) text: Vec<u8>,
    pub(crate) games: usize,
    pub(crate) tags: usize,
    /// Number of moves, those in variations included.
    pub(crate) moves: usize,
}

/// Counts moves, one call per move.
#[derive(Default)]
pub(crate) struct Moves(pub(crate) usize);

impl<'g> Visitor<'g> for Moves {
    #[inline]
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

/// Generates an archive of at least `bytes` bytes.
pub(crate) fn archive(style: Style, bytes: usize) -> Archive {
    let mut writer = Writer { style, random: Random(1), text: String::new(), column: 0, tags: 0, moves: 0 };
    let mut games = 0;
    while writer.text.len() < bytes {
        writer.game(games);
        games += 1;
    }
    Archive { text: writer.text.into_bytes(), games, tags: writer.tags, moves: writer.moves }
}

/// Returns real files from the folder next to the checkout, concatenated; `None` if one is missing.
#[expect(clippy::print_stderr, reason = "a skipped benchmark prints why")]
pub(crate) fn real() -> Option<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
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
        eprintln!("files are missing in {}; benchmarks of real files are skipped", folder.display());
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
    /// Writes one game; `number` counts games from 0.
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
            self.plausible_move();
            if self.style == Style::Annotated {
                self.annotation(ply);
            }
        }
        self.word(format_args!("{result}"));
        self.text.push_str("\n\n");
    }

    fn tag(&mut self, name: &str, value: std::fmt::Arguments<'_>) {
        writeln!(self.text, "[{name} \"{value}\"]").expect("writing to a string never fails");
        self.tags += 1;
    }

    /// Writes a word after a space, or on a new line if the line would exceed 79 characters.
    fn word(&mut self, word: std::fmt::Arguments<'_>) {
        let before = self.text.len();
        write!(self.text, " {word}").expect("writing to a string never fails");
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

    /// Writes a random move that looks plausible.
    fn plausible_move(&mut self) {
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

    /// Writes a move strength, NAG, comment, clock or variation after every second move or so.
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
                self.plausible_move();
                self.plausible_move();
                self.text.push(')');
            }
            _ => {}
        }
    }
}

/// The SplitMix64 generator.
struct Random(u64);

impl Random {
    /// Returns a number less than `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) % bound as u64) as usize
    }
}
