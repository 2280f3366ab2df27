//! Replays real files and compares games by status, plies and variant with recorded numbers.
//!
//! The files are not part of the project. Without them the tests print that they are skipped, and pass.

#![expect(clippy::print_stderr, reason = "a skipped test prints the reason")]

use std::collections::BTreeMap;

use pdn::internal::replay::FilePrior;
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::split;

/// File; variant, or `-` for a developer's snippet; numbers of legal, illegal, ambiguous, damaged, empty and unsupported
/// games; number of legal plies.
const EXPECTED: &str = "
EricCJoyce+Datasets/ACF_a.pdn | english | 4689 0 0 0 0 0 0 | 231296
Yodachess+BrunoGUI_Dames/1er Open International Allinges 2007.pdn | international | 45 0 0 0 0 0 0 | 4982
Yodachess+BrunoGUI_Dames/2ème Open national du Léman.pdn | international | 147 0 0 0 0 0 0 | 15660
Yodachess+BrunoGUI_Dames/48th Polish Team Championship.pdn | international | 82 0 0 0 0 0 0 | 8628
Yodachess+BrunoGUI_Dames/Montpellier Open Serie A.pdn | international | 56 0 0 0 0 0 0 | 6189
Yodachess+BrunoGUI_Dames/Partie_avec_FEN1.pdn | international | 4 0 0 0 0 0 0 | 60
bcorfman+raven-checkers/tinsley.pdn | english | 723 1 0 0 0 0 0 | 36108
eygilbert+CheckerBoard/11_man_english.pdn | english | 0 0 0 0 0 0 2400 | 0
go-0dboy+draughts_corpus_engine/russian2012_sample.pdn | russian | 2 0 0 0 0 0 0 | 35
miskibin+py-draughts/antidraughts.pdn | antidraughts | 25 0 0 0 0 0 0 | 1384
miskibin+py-draughts/brazilian.pdn | brazilian | 25 0 0 0 0 0 0 | 1179
wiegerw+pdn/090417ronde12.pdn | international | 7 0 0 0 0 0 0 | 703
wiegerw+pdn/OCA_2.0.pdn | english | 43 0 0 0 0 0 0 | 2280
wiegerw+pdn/PROF2.pdn | international | 16 0 0 0 0 0 0 | 1616
wiegerw+pdn/alphanumeric.pdn | - | 1 0 0 0 0 0 0 | 1
wiegerw+pdn/beginner.pdn | english | 0 0 0 0 0 0 58 | 0
wiegerw+pdn/borderclassics.pdn | english | 1 0 0 0 0 0 182 | 62
wiegerw+pdn/doc-examples.pdn | - | 4 0 0 0 0 0 0 | 284
wiegerw+pdn/fail/Cat.A1.pdn | international | 35 0 0 0 0 0 0 | 357
wiegerw+pdn/fail/abatsiev.pdn | russian | 55 0 0 0 1 0 0 | 2648
wiegerw+pdn/fail/delfts.pdn | international | 2 0 0 0 0 0 0 | 252
wiegerw+pdn/fail/nested_comment.pdn | - | 1 0 0 0 0 0 0 | 3
wiegerw+pdn/fen.pdn | - | 0 0 0 0 0 0 3 | 0
wiegerw+pdn/gameterminator.pdn | - | 1 0 0 0 0 0 0 | 1
wiegerw+pdn/gem.pdn | english | 0 0 0 0 0 0 162 | 0
wiegerw+pdn/kurnik.pdn | international | 4 0 0 0 0 0 0 | 535
wiegerw+pdn/legacy-encodings/ussr1947.pdn | russian | 54 0 0 0 0 0 0 | 3009
wiegerw+pdn/linecomment.pdn | - | 1 0 0 0 0 0 0 | 2
wiegerw+pdn/movestrength.pdn | - | 1 0 0 0 0 0 0 | 3
wiegerw+pdn/mrcd2000kval.pdn | czech | 40 0 0 0 0 0 0 | 1954
wiegerw+pdn/nk ronde 01.pdn | international | 7 0 0 0 0 0 0 | 725
wiegerw+pdn/string.pdn | - | 1 0 0 0 0 0 0 | 1
wiegerw+pdn/unicode.pdn | - | 1 0 0 0 0 0 0 | 2
wiegerw+pdn/ussr1947.pdn | russian | 153 0 0 0 0 0 0 | 8730
wiegerw+pdn/variation.pdn | - | 1 0 0 0 0 0 0 | 4
wiegerw+pdn/wk2003.pdn | international | 23 0 0 0 0 0 0 | 2381
";

/// Every game that is neither legal nor empty: file, text of the move, and the reason found by inspection.
const KNOWN_FAULTS: &[(&str, &str, &str)] = &[(
    "bcorfman+raven-checkers/tinsley.pdn",
    "32-28",
    "true error: move 62 repeats the text of move 60, when the king already stands on 28",
)];

#[test]
fn real_files_replay_with_expected_numbers() {
    let root = crate::common::root().join("../shared/corpora");
    if !root.is_dir() {
        eprintln!("skipped: no real files at {}", root.display());
        return;
    }
    let mut failures = Vec::new();
    let mut replayer = Replayer::new(&ReplayOptions::default());
    for row in EXPECTED.trim().lines() {
        let fields: Vec<&str> = row.split(" | ").collect();
        let bytes =
            std::fs::read(root.join(fields[0])).unwrap_or_else(|error| panic!("{}: {error}", fields[0]));
        let prior = FilePrior::of(split::records(&bytes).map(|game| game.bytes), &ReplayOptions::default());
        replayer.set_prior(prior);
        let mut by_status = [0; GameStatus::ALL.len()];
        let mut plies = 0;
        let mut variants = BTreeMap::<&str, u32>::new();
        for game in split::records(&bytes) {
            let summary = replayer.summary(game.bytes);
            by_status[summary.status as usize] += 1;
            plies += summary.plies;
            *variants.entry(summary.variant.name()).or_default() += 1;
            if let Some(stop) = summary.stop {
                let text = String::from_utf8_lossy(stop.span.of(game.bytes)).into_owned();
                if !KNOWN_FAULTS.iter().any(|&(file, fault, _)| (file, fault) == (fields[0], &text)) {
                    failures.push(format!("{}: {} at `{text}`, {}", fields[0], summary.status, stop.reason));
                }
            }
            assert_eq!(summary.status == GameStatus::Legal, summary.stop.is_none() && summary.written > 0);
        }
        let by_status: Vec<String> = by_status.iter().map(u32::to_string).collect();
        let variant = match variants.keys().collect::<Vec<_>>()[..] {
            _ if fields[1] == "-" => "-".to_owned(),
            [one] => (*one).to_owned(),
            _ => format!("{variants:?}"),
        };
        let actual = format!("{} | {variant} | {} | {plies}", fields[0], by_status.join(" "));
        if actual != row {
            failures.push(format!("expected {row}\n     got {actual}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn annotated_games_equal_their_replays() {
    let root = crate::common::root().join("../shared/corpora");
    if !root.is_dir() {
        eprintln!("skipped: no real files at {}", root.display());
        return;
    }
    let mut replayer = Replayer::new(&ReplayOptions::default());
    for row in EXPECTED.trim().lines() {
        let file = row.split(" | ").next().unwrap_or_default();
        let bytes = std::fs::read(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        replayer.set_prior(FilePrior::of(
            split::records(&bytes).map(|game| game.bytes),
            &ReplayOptions::default(),
        ));
        for game in split::records(&bytes).take(300) {
            let mut moves = Vec::new();
            let summary = replayer.replay(game.bytes, &mut moves);
            let tree = replayer.replay_annotated(game.bytes);
            assert_eq!(tree.summary, summary, "{file}");
            let tree_moves: Vec<_> = tree.main.plies.iter().map(|ply| ply.mv).collect();
            assert_eq!(tree_moves, moves, "{file}");
            assert_eq!(tree.main.last, summary.last_position(), "{file}");
        }
    }
}
