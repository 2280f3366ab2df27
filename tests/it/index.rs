//! Indexes of real archives: the packed moves return everything that was replayed.

#![expect(clippy::print_stderr, reason = "measurements are printed for people")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use pdn::archive::Archive;
use pdn::internal::replay::FilePrior;
use pdn::position::Move;
use pdn::replay::{GameStatus, Replayer};
use pdn::source::{self, OpenOptions};
use pdn::value::{Colour, Outcome};
use pdn::view::RecordView;
use pdn_index::internal::{VerifyOptions, import_archives, verify};
use pdn_index::{ImportOptions, Index, import};

/// Returns real files from a folder next to the repository, if it exists.
fn corpora() -> Option<Vec<PathBuf>> {
    let folder = crate::common::root().join("../shared/corpora");
    if !folder.is_dir() {
        eprintln!("skipped: no {}", folder.display());
        return None;
    }
    Some(source::walk([folder]).collect::<Result<_, _>>().expect("readable folders"))
}

#[test]
fn index_of_real_archives_returns_every_move() {
    let Some(paths) = corpora() else { return };
    let location = tempfile::tempdir().expect("a folder");
    let dir = location.path().join("index");
    let options = ImportOptions::default();
    let summary = import(&paths, &dir, &options).expect("built");
    assert!(summary.failures.is_empty(), "{:?}", summary.failures);
    let index = Index::open(&dir).expect("opened");
    assert_eq!((index.len(), summary.statuses.iter().sum()), (summary.games, summary.games));

    let mut games = index.games();
    let (mut bytes, mut moves, mut packed_total) = (0, Vec::<Move>::new(), 0);
    let mut by_variant = BTreeMap::<_, (u64, u64, u64)>::new();
    for path in &paths {
        let all: Vec<_> =
            Archive::open(path).expect("opened").games().map(|game| game.expect("readable")).collect();
        let mut replay = options.replay.clone();
        replay.prior = FilePrior::of(all.iter().map(|game| game.raw()), &replay);
        let mut replayer = Replayer::new(&replay);
        for game in &all {
            let indexed = games.next().expect("as many games");
            let replayed = replayer.replay(game.raw(), &mut moves);
            let (row, (plies, last)) = (indexed.row().expect("sound"), indexed.plies().expect("sound"));
            let location = indexed.location().expect("sound");
            let context = format!("{} at {}", path.display(), location.offset);
            assert_eq!((row.status, row.plies), (replayed.status, replayed.plies), "{context}");
            assert_eq!(row.kind.variant, replayed.variant, "{context}");
            if replayed.plies > 0 {
                assert_eq!(plies.iter().filter_map(|ply| ply.mv).collect::<Vec<_>>(), moves, "{context}");
            }
            assert_eq!(last.state().pieces, replayed.last.pieces, "{context}");
            assert_eq!(last.turn(), replayed.last.turn, "{context}");
            assert_eq!(
                (location.offset, location.len),
                (game.view().offset(), game.raw().len() as u64),
                "{context}"
            );
            bytes += game.raw().len() as u64;
            let packed_len = indexed.moves().expect("sound").len() as u64;
            packed_total += packed_len;
            let entry = by_variant.entry(row.kind.variant.name()).or_default();
            *entry = (entry.0 + 1, entry.1 + u64::from(row.plies), entry.2 + packed_len);
        }
    }
    assert!(games.next().is_none());
    assert_eq!(summary.bytes, bytes, "every byte belongs to a game");
    for (variant, (games, plies, bytes)) in by_variant {
        eprintln!(
            "{variant}: {games} games, {plies} plies, {:.3} bytes a ply",
            bytes as f64 / plies.max(1) as f64
        );
    }
    for status in GameStatus::ALL {
        eprintln!("{status}: {}", summary.with_status(status));
    }
    eprintln!("{} of {bytes} bytes, {packed_total} of them moves", summary.index_bytes);
    let report = verify(&dir, &VerifyOptions::ALL).expect("a manifest");
    assert!(report.is_sound(), "{report:?}");
    let complete: u64 = GameStatus::ALL
        .into_iter()
        .filter(|status| status.is_complete())
        .map(|status| summary.with_status(status))
        .sum();
    assert!(
        (summary.games - complete) * 1000 < summary.games,
        "less than one game in a thousand of these files is faulty"
    );
}

#[test]
fn localised_result_tag_counts_everywhere() {
    let names = [
        "Result",
        "RESULT",
        "Resultaat",
        "Uitslag",
        "R&eacute;sultat",
        "\u{420}\u{435}\u{437}\u{443}\u{43b}\u{44c}\u{442}\u{430}\u{442}",
    ];
    let endings = ["\n", "*\n"];
    let records: Vec<_> = names
        .iter()
        .flat_map(|name| endings.map(|ending| format!("[{name} \"0-2\"]\n1. 32-28 19-23 {ending}\n")))
        .collect();
    let location = tempfile::tempdir().expect("a folder");
    let (archive, dir) = (location.path().join("games.pdn"), location.path().join("index"));
    std::fs::write(&archive, records.concat()).expect("written");
    import(&[archive], &dir, &ImportOptions::default()).expect("built");
    let index = Index::open(&dir).expect("opened");
    assert_eq!(index.len(), records.len() as u64);
    let mut replayer = Replayer::default();
    for (record, indexed) in records.iter().zip(index.games()) {
        let summary = replayer.summary(record.as_bytes());
        let tag = summary.result_tag.expect("recognised");
        assert_eq!(
            (tag.span.of(record.as_bytes()), tag.outcome),
            (&b"0-2"[..], Outcome::SecondWins),
            "{record}"
        );
        assert_eq!(
            (summary.outcome(), summary.winner()),
            (Outcome::SecondWins, Some(Colour::Black)),
            "{record}"
        );
        let row = indexed.row().expect("sound");
        assert_eq!(
            (row.result, row.outcome, row.winner()),
            ("0-2", Outcome::SecondWins, summary.winner()),
            "{record}"
        );
        assert_eq!(RecordView::new(record.as_bytes()).result(), Some(&b"0-2"[..]), "{record}");
    }
}

/// Returns the number of the line that contains byte `at`, from 1.
fn line_of(text: &str, at: u64) -> u64 {
    let before = text[..at as usize].replace("\r\n", "\n").replace('\r', "\n");
    before.matches('\n').count() as u64 + 1
}

#[test]
fn lines_of_rejected_records_are_those_of_a_naive_count() {
    // Several batches, most of which have no rejected record.
    let bad = [3, 4, 9000, 17_998];
    for end in ["\n", "\r\n", "\r"] {
        let text: String = (0..18_000)
            .map(|number| {
                let second = if bad.contains(&number) { "32-28" } else { "19-23" };
                format!("[Event \"e\"]\n[Round \"{number}\"]\n[GameType \"20\"]\n\n1. 32-28 {second} *\n\n")
                    .replace('\n', end)
            })
            .collect();
        let location = tempfile::tempdir().expect("a folder");
        let path = location.path().join("games.pdn");
        let stream = location.path().join("stream");
        let archive =
            Archive::from_reader(std::io::Cursor::new(text.clone()), "games.pdn", &OpenOptions::new());
        import_archives([archive], &stream, &ImportOptions::default(), |_| ControlFlow::Continue(()))
            .expect("built");
        let mut indexes = vec![stream];
        for (way, open) in crate::common::read_and_mapped().into_iter().enumerate() {
            let options = ImportOptions::default().open(open);
            let (whole, grown) =
                (location.path().join(format!("whole{way}")), location.path().join(format!("grown{way}")));
            // Two thirds first: only a rejected record of the added games makes anyone count the lines before them.
            let end = text.match_indices("[Event").nth(12_000).expect("a game").0;
            std::fs::write(&path, &text[..end]).expect("written");
            import([&path], &grown, &options).expect("built");
            std::fs::write(&path, &text).expect("written");
            import([&path], &grown, &options.clone().append(true)).expect("built");
            import([&path], &whole, &options).expect("built");
            indexes.extend([whole, grown]);
        }
        for dir in indexes {
            let index = Index::open(&dir).expect("opened");
            let rejects = std::fs::read_to_string(index.rejects_path()).expect("read");
            let mut found = Vec::new();
            for line in rejects.lines() {
                let reject: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let number = |name: &str| reject[name].as_u64().expect("a number");
                assert_eq!(number("line"), line_of(&text, number("at")), "{dir:?} {end:?}");
                found.push(number("record") - 1);
            }
            assert_eq!(found, bad, "{dir:?} {end:?}");
        }
    }
}
