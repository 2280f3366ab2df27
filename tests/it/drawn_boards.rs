//! Boards drawn as text: by the library and by a naive twin, and as patterns of a search.

use std::fmt::Write;
use std::num::NonZeroUsize;

use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn_index::internal::query::Pattern;
use pdn_index::query::{Hit, Query, Search};
use pdn_index::{ImportOptions, Index, import};

use crate::naive::board::{Cell, Colour, Piece, Rank};
use crate::naive::fen;
use crate::naive::rules::{self, rules};

/// Draws the board as White sees it, cell by cell; cells that are not played on are `blank`.
fn draw(variant: Variant, position: &Position, blank: char) -> Vec<String> {
    let rules = rules(variant.name());
    let board = fen::read(&rules, &position.fen());
    let symbol = |cell: Cell| match board.at(cell) {
        _ if !rules.is_square(cell) => blank,
        None => '.',
        Some(Piece { colour: Colour::White, rank: Rank::Man }) => 'w',
        Some(Piece { colour: Colour::White, rank: Rank::King }) => 'W',
        Some(Piece { colour: Colour::Black, rank: Rank::Man }) => 'b',
        Some(Piece { colour: Colour::Black, rank: Rank::King }) => 'B',
    };
    let row = |y| (0..rules.width).map(|x| symbol(Cell { x, y })).collect();
    (0..rules.height).rev().map(row).collect()
}

/// The positions of a game of a few random plies.
struct PlayedGame {
    variant: Variant,
    record: String,
    positions: Vec<Position>,
}

fn played_game(variant: Variant, seed: u64) -> PlayedGame {
    let mut random = fastrand::Rng::with_seed(crate::common::seed(seed));
    let mut position = Position::start(variant);
    let mut positions = vec![position];
    let mut record = format!("[GameType \"{}\"]\n", variant.tag());
    let mut list = MoveList::new();
    for _ in 0..12 {
        position.legal_moves(&mut list).expect("few captures");
        let mv = list[random.usize(..list.len())];
        let _ = write!(record, "{} ", move_text(&position, &mv, MoveStyle::Chain).expect("few captures"));
        position.play_unchecked(&mv);
        positions.push(position);
    }
    record.push_str("*\n\n");
    PlayedGame { variant, record, positions }
}

fn games(variants: impl Iterator<Item = Variant>) -> Vec<PlayedGame> {
    variants.zip(7..).map(|(variant, seed)| played_game(variant, seed)).collect()
}

fn index(folder: &std::path::Path, games: &[PlayedGame]) -> Index {
    let (archive, dir) = (folder.join("games.pdn"), folder.join("index"));
    std::fs::write(&archive, games.iter().map(|game| game.record.as_str()).collect::<String>())
        .expect("written");
    import([archive], &dir, &ImportOptions::default()).expect("built");
    let index = Index::open(&dir).expect("opened");
    assert_eq!(index.len(), games.len() as u64);
    for (game, played) in index.games().zip(games) {
        let row = game.row().expect("sound");
        assert_eq!((row.kind.variant, row.plies as usize + 1), (played.variant, played.positions.len()));
    }
    index
}

fn hits(index: &Index, query: &Query) -> Vec<Hit> {
    let search = Search::new(index, query, NonZeroUsize::MIN).expect("sound");
    search.hits(usize::MAX).expect("sound").0
}

fn naive_variants() -> impl Iterator<Item = Variant> {
    rules::variants().map(|name| Variant::from_name(name).expect("a variant"))
}

#[test]
fn library_draws_every_board_as_the_naive_twin() {
    for game in games(naive_variants()) {
        for position in &game.positions {
            let drawn: Vec<String> = position
                .diagram()
                .lines()
                .map(|line| {
                    let cells = line.chars().step_by(2).collect::<String>();
                    format!("{cells:width$}", width = usize::from(position.board().width()))
                })
                .collect();
            assert_eq!(drawn, draw(game.variant, position, ' '), "{} {}", game.variant, position.fen());
        }
    }
}

/// Mirrored boards included: in Italian, Spanish and Portuguese draughts White's lower left corner is not a playing square.
#[test]
fn drawn_board_matches_the_games_that_show_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = games(naive_variants());
    let index = index(folder.path(), &games);
    // A drawing of bare letters leaves the corner open, so that it is the same for mirrored boards.
    let letters = |variant, position: &Position| -> Vec<String> {
        draw(variant, position, ' ').iter().map(|row| row.replace(' ', "")).collect()
    };
    let drawings: Vec<Vec<Vec<String>>> = games
        .iter()
        .map(|game| game.positions.iter().map(|position| letters(game.variant, position)).collect())
        .collect();
    for (game, own) in games.iter().zip(&drawings) {
        for (position, drawing) in game.positions.iter().zip(own) {
            let expected: Vec<Hit> = (0..)
                .zip(&drawings)
                .filter_map(|(game, all)| {
                    let ply = all.iter().position(|other| other == drawing)?;
                    Some(Hit { game, ply: ply as u32, line: 0 })
                })
                .collect();
            assert!(!expected.is_empty());
            for text in [drawing.join("/"), draw(game.variant, position, '-').join("\n"), position.diagram()]
            {
                let pattern = Pattern::parse(&text).expect("a board");
                assert_eq!(hits(&index, &Query::board(pattern)), expected, "{}\n{text}", game.variant);
            }
        }
    }
}

#[test]
fn every_variant_shows_its_own_diagram() {
    let folder = tempfile::tempdir().expect("a folder");
    // The tag of unified pool names Zimbabwean pool too, so that only one of them can be read back.
    let games = games(Variant::ALL.iter().copied().filter(|&variant| variant != Variant::ZimbabweanPool));
    let index = index(folder.path(), &games);
    for (number, game) in (0..).zip(&games) {
        for (ply, position) in (0..).zip(&game.positions) {
            let query = Query::board(Pattern::parse(&position.diagram()).expect("a board"))
                & Query::variant(game.variant)
                & Query::ply(ply..=ply);
            assert_eq!(hits(&index, &query), [Hit { game: number, ply, line: 0 }], "{} {ply}", game.variant);
        }
    }
}
