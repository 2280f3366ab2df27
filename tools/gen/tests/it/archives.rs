//! Tests that archives match their options: legal, plausible, correctly counted, and reproducible.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use pdn::parse::{self, Comment, Flow, TagPair, VariationAction, VariationMark, Visitor, WrittenMove};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::split;
use pdn::value::{Fen, GameResult, GameType, Outcome};
use pdn::view::RecordView;
use pdn_gen::{Amount, Counts, DamageKind, Dialect, Manifest, Options, Share, generate, measure};

fn archive(options: &Options) -> (Vec<u8>, Manifest) {
    let mut archive = Vec::new();
    let manifest = generate(options, &mut archive).expect("memory takes everything");
    assert_eq!(manifest.bytes, archive.len() as u64);
    (archive, manifest)
}

/// Returns options with a share of every feature.
fn rich(amount: Amount, variants: &[Variant], dialect: Dialect) -> Options {
    let half = Share::percent(50);
    Options {
        comments: half,
        variations: half,
        clocks: half,
        game_types: half,
        setups: Share::percent(20),
        dialect,
        ..Options::new(amount, variants)
    }
}

#[test]
fn archive_is_equal_on_any_number_of_threads() {
    for amount in [Amount::Games(1300), Amount::Bytes(700_000)] {
        let options = |threads| Options {
            threads: NonZeroUsize::new(threads).unwrap(),
            damage: Share::percent(10),
            ..rich(amount, Variant::ALL, Dialect::Mixed)
        };
        let one = archive(&options(1));
        for threads in [2, 3, 7] {
            let (text, manifest) = archive(&options(threads));
            assert!(text == one.0, "{threads} threads");
            assert_eq!(manifest.to_json().unwrap(), one.1.to_json().unwrap());
        }
    }
}

/// The bytes change only with the version of the generator.
#[test]
fn archive_bytes_are_constant() {
    let (text, _) = archive(&rich(Amount::Games(1200), Variant::ALL, Dialect::Mixed));
    let fnv = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    assert_eq!((text.len(), fnv), (2_085_027, 7_239_993_012_250_966_536));
}

#[test]
fn archives_of_different_seeds_differ() {
    let mut seen = Vec::new();
    for seed in [0, 1, 2, 1 << 32, u64::MAX] {
        let (text, _) = archive(&Options { seed, ..Options::new(Amount::Games(20), &[Variant::Russian]) });
        assert!(!seen.contains(&text), "{seed}");
        seen.push(text);
    }
}

#[test]
fn requested_size_is_reached_with_the_fewest_games() {
    for bytes in [0, 1, 10_000, 250_000] {
        let (text, manifest) = archive(&Options::new(Amount::Bytes(bytes), &[Variant::Czech]));
        assert!(text.len() as u64 >= bytes);
        if bytes > 0 {
            let fewer = Amount::Games(manifest.total.games - 1);
            assert!(archive(&Options::new(fewer, &[Variant::Czech])).1.bytes < bytes);
        }
    }
    assert!(generate(&Options::new(Amount::Games(1), &[]), &mut Vec::new()).is_err());
}

/// Plays the written moves of a game with its variations, and counts its parts.
struct Replay {
    variant: Variant,
    /// The position and the one before the last move: one pair per open variation.
    lines: Vec<(Position, Position)>,
    counts: Counts,
    unknown: Vec<String>,
}

impl Replay {
    fn new(variant: Variant) -> Self {
        let start = Position::start(variant);
        Self { variant, lines: vec![(start, start)], counts: Counts::default(), unknown: Vec::new() }
    }
}

impl<'g> Visitor<'g> for Replay {
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        match tag.name {
            b"GameType" => {
                self.counts.game_types += 1;
                assert_eq!(tag.value, self.variant.tag().as_bytes());
                assert!(GameType::parse(tag.value).is_ok());
            }
            b"FEN" => {
                self.counts.setups += 1;
                let fen = Fen::parse(tag.value).expect("a FEN");
                let position = Position::from_fen(self.variant, &fen).expect("a position");
                self.lines = vec![(position, position)];
            }
            _ => {}
        }
        Flow::Continue(())
    }

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        let depth = self.lines.len();
        let (position, before) = self.lines.last_mut().expect("a line");
        let names = self.variant.names();
        let squares: Vec<_> = mv
            .text
            .split(|byte| matches!(byte, b'-' | b'x' | b':'))
            .map(|name| {
                let name = std::str::from_utf8(name).expect("ASCII").to_ascii_lowercase();
                match name.parse() {
                    Ok(number) => names.of_number(number),
                    Err(_) => {
                        names.of_algebraic(name.as_bytes()[0] - b'a', name[1..].parse().expect("a rank"))
                    }
                }
                .expect("a square")
            })
            .collect();
        match position.find(squares[0], squares[squares.len() - 1], &squares[1..squares.len() - 1]) {
            Ok(played) => {
                *before = *position;
                position.play_unchecked(&played);
                let plies =
                    if depth == 1 { &mut self.counts.plies } else { &mut self.counts.variation_plies };
                *plies += 1;
                self.counts.captures += u64::from(depth == 1 && played.is_capture());
            }
            Err(error) => self.unknown.push(format!("{}: {error}", String::from_utf8_lossy(mv.text))),
        }
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        let (_, before) = *self.lines.last().expect("a line");
        self.lines.push((before, before));
        self.counts.variations += 1;
        VariationAction::Enter
    }

    fn end_variation(&mut self, _: VariationMark) -> Flow {
        self.lines.pop();
        Flow::Continue(())
    }

    fn comment(&mut self, _: Comment<'g>) -> Flow {
        self.counts.comments += 1;
        Flow::Continue(())
    }

    fn nag(&mut self, _: pdn::value::Nag, _: pdn::span::Span) -> Flow {
        self.counts.annotations += 1;
        Flow::Continue(())
    }

    fn strength(&mut self, _: parse::StrengthMark<'g>) -> Flow {
        self.counts.annotations += 1;
        Flow::Continue(())
    }

    fn text(&mut self, text: &'g [u8], _: pdn::span::Span) -> Flow {
        self.unknown.push(String::from_utf8_lossy(text).into_owned());
        Flow::Continue(())
    }
}

#[test]
fn all_games_are_legal_and_correctly_counted() {
    for dialect in [Dialect::Clean, Dialect::Mixed] {
        for &variant in Variant::ALL {
            let (text, manifest) = archive(&rich(Amount::Games(900), &[variant], dialect));
            let mut found = Counts::default();
            for record in split::records(&text) {
                let mut replay = Replay::new(variant);
                parse::walk(record.bytes, &mut replay);
                assert!(
                    replay.unknown.is_empty(),
                    "{variant}: {:?}\n{}",
                    replay.unknown,
                    String::from_utf8_lossy(record.bytes)
                );
                let game = RecordView::from(record);
                let outcome = game.tag("Result").map(|result| GameResult::parse(result).outcome());
                let mut end = 0;
                let counts = replay.counts;
                for (is, count) in [
                    (true, &mut found.games),
                    (outcome == Some(Outcome::FirstWins), &mut found.first_wins),
                    (outcome == Some(Outcome::Draw), &mut found.draws),
                    (outcome == Some(Outcome::SecondWins), &mut found.second_wins),
                    (outcome == Some(Outcome::Unknown), &mut found.unfinished),
                    (game.tag("TimeControl").is_some(), &mut found.timed),
                    (counts.variations > 0, &mut end),
                ] {
                    *count += u64::from(is);
                }
                found.plies += counts.plies;
                found.captures += counts.captures;
                found.variation_plies += counts.variation_plies;
                found.game_types += counts.game_types;
                found.setups += counts.setups;
                found.comments += counts.comments;
                found.variations += counts.variations;
                found.annotations += counts.annotations;
            }
            let half = 380..=520;
            let Counts { commented, varied, timed, game_types, .. } = manifest.total;
            for count in [commented, varied, timed, game_types] {
                assert!(half.contains(&count), "{variant}: {count} of 900");
            }
            assert_eq!(Counts { commented, varied, ..found }, manifest.total, "{variant}");
            assert_eq!(manifest.variants, [(variant, manifest.total)].into());
        }
    }
}

#[test]
fn manifest_counts_add_up() {
    let (text, manifest) = archive(&Options {
        damage: Share::percent(20),
        ..rich(Amount::Games(60 * 20 * 2), Variant::ALL, Dialect::Clean)
    });
    assert_eq!(split::records(&text).count() as u64, manifest.total.games);
    let sum = |count: fn(&Counts) -> u64| manifest.variants.values().map(count).sum::<u64>();
    let Counts { games, plies, first_wins, draws, second_wins, unfinished, damaged, .. } = manifest.total;
    assert_eq!(sum(|counts| counts.games), games);
    assert_eq!(sum(|counts| counts.plies), plies);
    assert_eq!(sum(|counts| counts.damaged), damaged);
    assert_eq!(first_wins + draws + second_wins + unfinished + damaged, games);
    assert_eq!(manifest.variants.len(), Variant::ALL.len());
    assert_eq!(manifest.damage.values().sum::<u64>(), damaged);
    assert_eq!(manifest.damaged_games.len() as u64, damaged);
    let json: serde_json::Value = serde_json::from_str(&manifest.to_json().unwrap()).unwrap();
    assert_eq!(json["games"], games);
    assert_eq!(json["variants"]["thai"]["games"], 120);
    assert_eq!(json["options"]["seed"], 1);
    assert_eq!(json["options"]["amount"]["games"], 2400);
}

#[test]
fn damage_matches_the_manifest() {
    for dialect in [Dialect::Clean, Dialect::Mixed] {
        let (text, manifest) = archive(&Options {
            damage: Share::percent(20),
            dialect,
            setups: Share::NONE,
            ..Options::new(Amount::Games(3000), &[Variant::International])
        });
        let damaged = manifest.total.damaged;
        assert!((520..680).contains(&damaged), "{damaged} of 3000 damaged");
        assert_eq!(manifest.damage.len(), DamageKind::ALL.len());
        let records: Vec<_> = split::records(&text).collect();
        for record in &records {
            let sites = String::from_utf8_lossy(record.bytes).matches("[Site ").count();
            assert_eq!(sites, 1, "{}", String::from_utf8_lossy(record.bytes));
        }
        assert_eq!(records.len(), 3000);
        let broken: HashMap<u64, _> =
            manifest.damaged_games.iter().map(|damage| (damage.game, damage)).collect();
        for (number, record) in (0..).zip(&records) {
            let figures = measure(record.bytes, Variant::International);
            let played = u64::from(figures.games == 1) * figures.plies;
            let told =
                || format!("{number} {:?}\n{}", broken.get(&number), String::from_utf8_lossy(record.bytes));
            let Some(damage) = broken.get(&number) else {
                assert!(figures.games == 1 && figures.failures.is_empty(), "{}", told());
                continue;
            };
            // The comment that the game before left open takes the line that is no tag any more.
            let before = number.checked_sub(1).and_then(|before| broken.get(&before));
            if damage.kind == DamageKind::LostBracket
                && before.is_some_and(|before| before.kind == DamageKind::OpenComment)
            {
                assert!(record.offset > damage.offset, "{}", told());
                continue;
            }
            assert_eq!(record.offset, damage.offset, "{}", told());
            let game = RecordView::from(*record);
            let failed = figures.failures.first().map(|&(_, ply, _)| ply as u32);
            match damage.kind {
                DamageKind::IllegalMove | DamageKind::MissingMove => {
                    assert_eq!(failed, damage.ply, "{}", told())
                }
                DamageKind::Truncated => {
                    assert_eq!(played, u64::from(damage.ply.unwrap()), "{}", told());
                    assert!(game.terminator().is_none(), "{}", told());
                }
                DamageKind::NoTerminator => {
                    assert!(failed.is_none() && game.terminator().is_none(), "{}", told())
                }
                DamageKind::LostBracket => assert!(record.bytes.starts_with(b"Event "), "{}", told()),
                DamageKind::WrongResult => {
                    let end = game.terminator().expect("a terminator");
                    assert_ne!(game.tag("Result"), Some(end.text), "{}", told());
                }
                // Readers may differ after the damage, but the moves before it are complete.
                _ => assert!(played >= u64::from(damage.ply.unwrap()), "{}", told()),
            }
        }
    }
}

#[test]
fn generated_games_resemble_real_ones() {
    // Plies per game in tenths; captures, captures of two or more pieces and promotions in thousandths of plies; games
    // with a promotion and draws in thousandths of games. The ranges contain the figures of real archives.
    for (variant, plies, captures, multi, crowned, kings, draws) in [
        (Variant::International, 950..1150, 230..280, 15..32, 6..15, 450..750, 120..700),
        (Variant::English, 450..550, 230..290, 13..30, 20..38, 500..800, 450..750),
        (Variant::Russian, 470..600, 250..310, 18..35, 12..25, 400..700, 150..750),
        (Variant::Brazilian, 430..590, 250..310, 18..40, 12..25, 400..700, 100..600),
        (Variant::Antidraughts, 380..650, 300..400, 45..75, 5..20, 250..750, 0..200),
    ] {
        let (text, _) =
            archive(&Options { setups: Share::NONE, ..Options::new(Amount::Games(1200), &[variant]) });
        let figures = measure(&text, variant);
        assert_eq!((figures.games, figures.legal), (1200, 1200));
        for (name, range, found) in [
            ("plies", plies, figures.tenths_of_plies()),
            ("captures", captures, figures.of_plies(figures.captures)),
            ("multi-captures", multi, figures.of_plies(figures.multi_captures)),
            ("crownings", crowned, figures.of_plies(figures.promotions)),
            ("games with a king", kings, figures.of_games(figures.with_king)),
            ("draws", draws, figures.of_games(figures.draws)),
        ] {
            assert!(range.contains(&found), "{variant}: {found} {name}, expected {range:?}\n{figures}");
        }
        let favourite = figures.favourite();
        assert!((180..700).contains(&favourite), "{variant}: {favourite} thousandths begin alike");
        assert!(figures.variety() > 300, "{variant}: openings repeat too much");
        let mut games: Vec<_> =
            split::records(&text).map(|record| RecordView::from(record).movetext()).collect();
        games.sort_unstable();
        games.dedup();
        assert!(games.len() > 1190, "{variant}: {} of 1200 games differ", games.len());
    }
}
