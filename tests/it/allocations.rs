//! In the steady state nothing is allocated per game: not by splitting, walking, checking, viewing, replaying, or
//! building trees in an arena that is reset.

use allocation_counter::measure;
use pdn::ast::{Arena, TreeBuilder};
use pdn::check::{CheckOptions, Checker};
use pdn::parse::{Flow, Visitor, WrittenMove, walk};
use pdn::split::Records;
use pdn::view::RecordView;

/// Returns 300 different games: long and short, with variations, comments, clocks, setups, and some damage.
fn archive() -> Vec<u8> {
    let mut text = Vec::new();
    for n in 0..300u32 {
        let moves: String =
            (0..n % 80).map(|i| format!("{}. {}-{} {}x{} ", i + 1, i % 50 + 1, 28, 19, i % 9 + 1)).collect();
        let extra = match n % 6 {
            0 => "(1. 33-28 {better (so)} 18-22 (18-23)) $3",
            1 => "{[%clk 1:02:03] nested { comment }} /FEN \"W:W31-50:B1-20\"/",
            2 => "47x36 <42,29> ! - ... lost words",
            3 => ") } ] (",
            4 => "[Late \"tag\"] 4-6",
            _ => "",
        };
        text.extend(
            format!(
                "[Event \"Event {n}\"]\n[White \"A. Player {n}\"]\n[Date \"2007.05.{:02}\"]\n\n[Result \"1-1\"]\n{moves}{extra} 1-1\n\n",
                n % 40
            )
            .bytes(),
        );
    }
    text
}

/// Counts moves.
#[derive(Default)]
struct Count(u64);

impl Visitor<'_> for Count {
    fn written_move(&mut self, _: WrittenMove<'_>) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

/// Runs `read` on all games twice. The second pass must not allocate, apart from its first ten games.
fn check(name: &str, mut read: impl FnMut(&[u8])) {
    let text = archive();
    let mut counts = Vec::new();
    for _ in 0..2 {
        let mut games = Records::new(&text, pdn::limits::Limits::DEFAULT);
        // The splitter allocates its own buffers for its first games.
        let first = games.by_ref().take(10).map(|record| read(record.bytes)).count();
        let mut rest = 0;
        let allocations = measure(|| {
            for record in games.by_ref() {
                read(record.bytes);
                rest += 1;
            }
        });
        assert_eq!(first + rest, 300);
        counts.push(allocations.count_total);
    }
    assert_eq!(counts[1], 0, "{name}: allocations for 290 games, first and second pass: {counts:?}");
}

#[test]
fn reading_a_game_does_not_allocate() {
    let mut count = Count::default();
    check("walk", |game| walk(game, &mut count));
    assert!(count.0 > 10_000);

    let mut bytes = 0;
    check("view", |game| {
        let game = RecordView::new(game);
        bytes += game.tag("White").map_or(0, <[u8]>::len)
            + game.moves().count()
            + game.result().map_or(0, <[u8]>::len);
    });
    assert!(bytes > 0);

    let mut builder = TreeBuilder::new();
    let mut arena = Arena::with_capacity(1 << 20);
    check("ast", |game| {
        arena.reset();
        assert!(builder.build(game, &arena).parts().count() > 0);
    });

    let mut checker = Checker::new(&CheckOptions::new().style(true));
    let mut findings = 0;
    check("check", |game| {
        findings += checker.check(game).diagnostics.len();
    });
    assert!(findings > 0);
}

#[test]
fn replaying_a_legal_game_does_not_allocate() {
    use pdn::internal::replay::FilePrior;
    use pdn::replay::{ReplayOptions, Replayer};

    let games: [&[u8]; 6] = [
        b"[White \"a\"] 1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 {a} (3... 1-2) 2-0",
        b"1. 11-15 23-18 2. 8-11 27-23 1-0",
        b"[GameType \"25\"] 1. c3-d4 b6-c5 2. d4:b6 a7:c5 *",
        b"[GameType \"21\"] [FEN \"B:W15,22:B11\"] 1. 11x18 18x25 *",
        b"[GameType \"22\"][FEN \"B:W6,7,14,15,32:B3\"] 1... 3x10x19 *",
        b"[FEN \"W:W31-50:B1-20\"] *",
    ];
    let mut replayer = Replayer::new(&ReplayOptions::default());
    replayer.set_prior(FilePrior::of(games, &ReplayOptions::default()));
    let mut moves = Vec::new();
    let mut pass = || {
        for game in games {
            let summary = replayer.replay(game, &mut moves);
            assert!(summary.status.is_complete(), "{:?}", game.escape_ascii().to_string());
        }
    };
    pass();
    // An assertion formats its message only if it fails.
    assert_eq!(measure(pass).count_total, 0);
}

#[test]
fn writing_a_regular_game_does_not_allocate() {
    use pdn::internal::replay::FilePrior;
    use pdn::replay::ReplayOptions;
    use pdn::write::{RecordWriter, WriteOptions};

    let games: [&[u8]; 4] = [
        b"[White \"a\"][Event \"x\"][Date \"2007.05.19\"] 1. 32-28 19-23 2. 28x19 14x23 3. 37-32! 10-14 $3 2-0",
        b"[Result \"1-0\"] 1. 11-15 23-18 2. 8-11 27-23 1-0",
        b"[GameType \"25\"] 1. c3-d4 b6-c5 2. d4:b6 a7:c5 *",
        b"[Comment \"own tag\"][GameType \"21\"] 1. 11-15 23-18 *",
    ];
    let replay = ReplayOptions::new().prior(FilePrior::of(games, &ReplayOptions::default()));
    let mut writer = RecordWriter::with_replay(&WriteOptions::new(), &replay);
    let mut converter = pdn::convert::Converter::new(&pdn::convert::ConvertOptions::new().replay(replay));
    let decoder = pdn::source::Decoder::default();
    let mut text = Vec::with_capacity(1 << 16);
    let mut pass = || {
        text.clear();
        for game in games {
            // With the GameType tags that games without one get.
            assert!(converter.convert(game, &decoder, &mut text).is_ok());
            // The square names of another variant are built when the variant changes, without memory of their own.
            assert!(writer.write(game, &mut text).is_ok());
        }
    };
    pass();
    assert_eq!(measure(&mut pass).count_total, 0, "allocations for {} games", games.len());
}
