//! Round trips: an index returns what was imported, however it was made.

use crate::internal::{TextColumn, VerifyOptions, import_archives, verify};
use std::ops::ControlFlow;

use super::*;
use crate::{MoveBuffer, TextReader, import_with};
use pdn::archive::Archive;
use pdn::internal::replay::FilePrior;
use pdn::position::Move;
use pdn::replay::{GameStatus, Replayer};
use pdn::value::{Date, Rating};
use pdn_names::fold;

#[test]
fn text_reader_returns_the_texts_of_single_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("games.pdn");
    let text: String = (0..100).map(|n| format!("[White \"Player {n}\"]\n1. 32-28 *\n\n")).collect();
    std::fs::write(&archive, text).expect("written");
    for embed in [false, true] {
        let options =
            ImportOptions::new().segments(crate::internal::SegmentOptions { embed, ..Default::default() });
        let dir = folder.path().join(format!("index-{embed}"));
        import([&archive], &dir, &options).expect("imported");
        let index = Index::open(&dir).expect("opened");
        let mut reader = TextReader::new(&index);
        for game in [0, 1, 99, 50, 51, 31, 32, 0, 98] {
            let single = index.game(game).expect("there").text().expect("readable");
            assert_eq!(reader.text(game).expect("readable"), single.as_slice(), "game {game}");
        }
        assert!(reader.text(100).is_err());
    }
}

/// What was read needs no file any more: one that is emptied afterwards changes nothing, and before is an error.
#[test]
fn an_index_that_is_read_maps_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (archive, dir) = (folder.path().join("games.pdn"), folder.path().join("index"));
    let text: String = (0..5_000).map(|n| format!("[White \"Player {n}\"]\n1. 32-28 19-23 *\n\n")).collect();
    std::fs::write(&archive, text).expect("written");
    import([&archive], &dir, &ImportOptions::new()).expect("imported");
    let index = Index::read(&dir).expect("read");
    assert!(index.newer().expect("the same").is_none());
    let segment = dir.join("segment-00000001.pdns");
    let len = std::fs::metadata(&segment).expect("there").len();
    assert!(len > 1 << 16, "{len} bytes are read in any case");
    std::fs::write(&segment, "").expect("emptied");
    for (number, game) in index.games().enumerate() {
        assert_eq!(game.row().expect("in memory").white, format!("Player {number}"));
        game.plies().expect("in memory");
    }
    assert!(Index::read(&dir).is_err());
}

/// Compares every row and every move with the archive, read by code that shares only the replayer with the import.
fn check_against_archive(index: &Index, paths: &[PathBuf], options: &ImportOptions) {
    let mut games = index.games();
    let records = index.record_numbers().expect("sound");
    assert_eq!(records.get(index.len()), None);
    let mut reader = TextReader::new(index);
    let mut bytes = 0;
    for path in paths {
        let mut replay = options.replay.clone();
        let all: Vec<_> =
            Archive::open(path).expect("opened").games().map(|game| game.expect("readable")).collect();
        replay.prior = FilePrior::of(all.iter().map(|game| game.raw()), &replay);
        let mut replayer = Replayer::new(&replay);
        for (record, game) in all.iter().enumerate() {
            let indexed = games.next().expect("as many games");
            assert_eq!(records.get(indexed.number()), Some(record as u64));
            let row = indexed.row().expect("sound");
            let view = game.view();
            let mut moves: Vec<Move> = Vec::new();
            let summary = replayer.replay(game.raw(), &mut moves);
            assert_eq!((row.status, row.plies), (summary.status, summary.plies));
            assert_eq!((row.kind.variant, row.kind.numbering), (summary.variant, summary.numbering));
            assert_eq!((row.outcome, row.winner()), (summary.outcome(), summary.winner()));
            assert_eq!((row.first, row.last), (summary.start_counts().into(), summary.last_counts().into()));
            let (plies, last) = indexed.plies().expect("sound");
            assert_eq!(plies.iter().filter_map(|ply| ply.mv).collect::<Vec<_>>(), moves);
            assert_eq!(last.state().pieces, summary.last.pieces);
            if let Some(first) = plies.first() {
                assert_eq!(first.before.state().pieces, summary.start.pieces);
            }
            for column in TextColumn::ALL {
                let tag = view.tag(column.tag().name()).unwrap_or(b"");
                let written = String::from_utf8_lossy(tag).replace("\\\"", "\"");
                assert_eq!(row.text(column), written.replace("&amp;", "&"), "{}", column.name());
            }
            let date = Date::read(view.tag("Date").unwrap_or(b"")).map_or(Date::UNKNOWN, |read| read.date);
            assert_eq!(row.date, date);
            let rating = view.tag("WhiteRating").and_then(|tag| Rating::read(tag).ok().flatten());
            assert_eq!(row.ratings[0], rating.map_or(0, |rating| rating.value));
            assert_eq!(indexed.text().expect("the archive is there"), game.raw());
            assert_eq!(reader.text(indexed.number()).expect("the archive is there"), game.raw());
            bytes += game.raw().len() as u64;
        }
    }
    assert!(games.next().is_none(), "no more games");
    assert_eq!(index.text_bytes(), bytes);
}

#[test]
fn import_stores_every_game_unchanged() {
    let temp = TestFolder::new();
    let paths = [
        temp.file("all.pdn", archive(1, 300, Variant::ALL)),
        temp.file("ten.pdn", archive(2, 200, &[Variant::International])),
        temp.file("none.pdn", ""),
    ];
    let options = options(2, 128);
    let dir = temp.path("index");
    let summary = index(&paths, &dir, &options);
    let opened = Index::open(&dir).expect("opened");
    assert_eq!((opened.len(), summary.games, opened.segments().len()), (500, 500, 4));
    assert_eq!(summary.statuses.iter().sum::<u64>(), 500);
    assert_eq!(GameStatus::ALL.map(|status| opened.with_status(status)), summary.statuses);
    assert!(summary.with_status(GameStatus::Legal) > 400 && summary.failures.is_empty());
    assert_eq!((opened.plies(), opened.text_bytes()), (summary.plies, summary.bytes));
    check_against_archive(&opened, &paths, &options);
    let report = verify(&dir, &VerifyOptions::ALL).expect("a manifest");
    assert_eq!((report.problems, report.archive_problems), (vec![], vec![]));
    assert_eq!((report.games, report.plies), (500, summary.plies));

    let rejects = fs::read_to_string(opened.rejects_path()).expect("readable");
    assert_eq!(rejects.lines().count() as u64, summary.rejects.values().sum::<u64>());
    for line in rejects.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let path = value["file"].as_str().expect("a name");
        let text = fs::read_to_string(path).expect("readable");
        let at = value["at"].as_u64().expect("a number") as usize;
        assert_eq!(value["line"], text[..at].matches('\n').count() as u64 + 1);
        assert!(text.contains(value["text"].as_str().expect("text")));
        assert!(!value["code"].as_str().expect("a code").is_empty());
    }
}

/// The import summary, the index and `verify` count the same plies.
#[test]
fn null_moves_are_not_counted_as_plies() {
    let temp = TestFolder::new();
    let text = "[GameType \"20\"]\n1. 32-28 {a pass:} /FEN \"W:::\"/ 2. 37-32 19-23 3. 28x19 14x23 *\n";
    let path = temp.file("null.pdn", text);
    let dir = temp.path("index");
    let summary = index(&[path], &dir, &options(1, 10));
    let opened = Index::open(&dir).expect("opened");
    let game = opened.game(0).expect("the game");
    let (played, _) = game.plies().expect("sound");
    assert_eq!(played.iter().filter(|ply| ply.mv.is_none()).count(), 1, "{played:?}");
    assert_eq!(game.row().expect("sound").plies as usize, played.len() - 1);
    let report = verify(&dir, &VerifyOptions::ALL).expect("a manifest");
    assert!(report.is_sound(), "{report:?}");
    assert_eq!([summary.plies, opened.plies(), report.plies], [5; 3]);
}

#[test]
fn index_bytes_do_not_depend_on_threads() {
    let temp = TestFolder::new();
    // More than one batch per file.
    let paths = [
        temp.file("a.pdn", archive(3, 2500, &[Variant::International, Variant::English])),
        temp.file("b.pdn", archive(4, 500, Variant::ALL)),
    ];
    let dir = temp.path("index");
    index(&paths, &dir, &options(1, 1000));
    let one = files(&dir);
    assert_eq!(one.len(), 3 + 2);
    for threads in [2, 3, 16] {
        let dir = temp.path(&format!("index{threads}"));
        index(&paths, &dir, &options(threads, 1000));
        assert!(files(&dir) == one, "{threads} threads");
    }
}

#[test]
fn appending_equals_importing_at_once() {
    let temp = TestFolder::new();
    let text = archive(5, 120, &[Variant::International]);
    let more = archive(6, 80, &[Variant::International]);
    let paths = [temp.file("a.pdn", &text), temp.file("b.pdn", archive(7, 50, &[Variant::Russian]))];
    let dir = temp.path("index");
    index(&paths[..1], &dir, &options(2, 1000));
    let appending = ImportOptions { append: true, ..options(2, 1000) };
    let summary = index(&paths, &dir, &appending);
    assert_eq!((summary.unchanged, summary.games, summary.index_games), (1, 50, 170));
    // The first file grows.
    temp.file("a.pdn", text.clone() + &more);
    let summary = index(&paths, &dir, &appending);
    assert_eq!((summary.unchanged, summary.games, summary.index_games), (1, 80, 250));
    assert!(verify(&dir, &VerifyOptions::ALL).expect("a manifest").is_sound());
    let opened = Index::open(&dir).expect("opened");
    assert_eq!(opened.inputs().len(), 2);
    assert_eq!(opened.inputs()[0].games, 200);

    let at_once = temp.path("at once");
    index(&paths, &at_once, &options(2, 1000));
    let sorted = |dir: &Path| {
        let all = contents(&Index::open(dir).expect("opened")).expect("sound");
        let mut lines: Vec<_> = all.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&dir), sorted(&at_once));
    // The number of a game in the index depends on the order of the imports, all else does not.
    let rejects = |dir: &Path| {
        let opened = Index::open(dir).expect("opened");
        let records = opened.record_numbers().expect("sound");
        let mut lines = Vec::new();
        for line in fs::read_to_string(opened.rejects_path()).expect("readable").lines() {
            let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let number = value["game"].as_u64().expect("a number") - 1;
            let game = opened.game(number).expect("in the index");
            let (location, name) = (game.location().expect("sound"), &game.input().expect("sound").name);
            assert_eq!(value["offset"], location.offset);
            assert_eq!(value["length"], location.len);
            assert_eq!(value["file"].as_str(), name.to_str());
            assert_eq!(value["record"], records.get(number).expect("in the index") + 1);
            value["game"] = serde_json::Value::Null;
            lines.push(value.to_string());
        }
        lines.sort();
        lines
    };
    assert_eq!(rejects(&dir), rejects(&at_once));
}

#[test]
fn changed_archive_is_detected_and_never_misread() {
    let temp = TestFolder::new();
    let text = archive(8, 100, &[Variant::English]);
    let paths = [temp.file("a.pdn", &text)];
    let dir = temp.path("index");
    index(&paths, &dir, &options(1, 1000));
    let opened = Index::open(&dir).expect("opened");
    let changed = |problem: &str| {
        let report = verify(&dir, &VerifyOptions::ALL).expect("a manifest");
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        assert_eq!(report.archive_problems.len(), 1, "{problem}");
        assert!(report.archive_problems[0].problem.contains(problem), "{:?}", report.archive_problems);
        contents(&opened).expect("queries work all the same");
    };
    // One byte changed, same size.
    let mut other = text.clone().into_bytes();
    let at = text.rfind("White \"").expect("a tag") + 8;
    other[at] ^= 1;
    temp.file("a.pdn", &other);
    let last = opened.game(99).expect("a game");
    let error = last.text().expect_err("the text has changed").to_string();
    assert!(error.contains("a.pdn") && error.contains("has changed"), "{error}");
    assert_eq!(opened.game(0).expect("a game").text().expect("far from the change").len() as u64, {
        opened.game(0).expect("a game").location().expect("sound").len
    });
    changed("contents differ");

    temp.file("a.pdn", &text[..text.len() / 2]);
    last.text().expect_err("the text is gone");
    changed("shorter");
    temp.file("a.pdn", text.trim_end().to_owned() + " 1. 32-28");
    changed("grown");
    fs::remove_file(&paths[0]).expect("removed");
    last.text().expect_err("the file is gone");
    assert!(!verify(&dir, &VerifyOptions::default()).expect("a manifest").is_sound());
}

#[cfg(feature = "compression")]
#[test]
fn embedded_records_need_no_archive() {
    let temp = TestFolder::new();
    let text = archive(9, 1500, &[Variant::International]);
    let packed = zstd::encode_all(text.as_bytes(), 1).expect("packed");
    let paths = [temp.file("a.pdn", &text), temp.file("b.pdn.zst", packed)];
    let dir = temp.path("index");
    let mut options = options(2, 1000);
    options.segments.embed = true;
    index(&paths, &dir, &options);
    paths.iter().for_each(|path| fs::remove_file(path).expect("removed"));
    let opened = Index::open(&dir).expect("opened");
    let mut back = Vec::new();
    for game in opened.games().step_by(7) {
        let temp = game.location().expect("sound");
        let own = game.text().expect("embedded");
        assert!(own == text.as_bytes()[temp.offset as usize..][..own.len()]);
        back.extend(own);
    }
    assert!(back.len() > text.len() / 4);
    assert!(
        verify(&dir, &VerifyOptions { texts: true, ..VerifyOptions::INDEX }).expect("a manifest").is_sound()
    );
    assert!(opened.file_bytes() < text.len() as u64, "compressed");
}

#[test]
fn opened_archives_are_imported_as_files_are() {
    let temp = TestFolder::new();
    let text = archive(11, 700, &[Variant::Russian]);
    let paths = [temp.file("a.pdn", &text), temp.path("missing.pdn"), temp.file("b.pdn.gz", flate(&text))];
    let mut options = options(2, 400);
    options.segments.embed = true;
    let of_files = index(&paths, &temp.path("files"), &options);
    let opened = paths.clone().map(|path| match path.exists() {
        true => Archive::from_reader(fs::File::open(&path)?, &path, &options.open),
        false => Archive::open(&path),
    });
    let dir = temp.path("archives");
    let of_archives =
        import_archives(opened, &dir, &options, |_| ControlFlow::Continue(())).expect("imported");
    assert_eq!(of_archives.games, of_files.games);
    let missing = [of_archives, of_files].map(|summary| summary.failures.len());
    assert_eq!(missing, [1, 1]);
    let indexes = [dir, temp.path("files")].map(|dir| Index::open(dir).expect("opened"));
    for (one, other) in indexes[0].games().zip(indexes[1].games()) {
        assert_eq!(one.row().expect("sound"), other.row().expect("sound"));
        assert_eq!(one.plies().expect("sound"), other.plies().expect("sound"));
        assert_eq!(one.text().expect("embedded"), other.text().expect("embedded"));
    }
    let name =
        |index: &Index| -> Vec<PathBuf> { index.inputs().iter().map(|input| input.name.clone()).collect() };
    assert_eq!(name(&indexes[0]), name(&indexes[1]));
}

#[test]
fn unreadable_file_does_not_affect_others() {
    let temp = TestFolder::new();
    let good = archive(10, 30, &[Variant::International]);
    let mut packed = flate(&good);
    packed.truncate(packed.len() / 2);
    let paths = [
        temp.file("a.pdn", &good),
        temp.path("missing.pdn"),
        temp.file("b.pdn.gz", packed),
        temp.file("c.pdn", &good),
    ];
    let summary = index(&paths, &temp.path("index"), &options(2, 1000));
    assert!(summary.games >= 60, "{}", summary.games);
    assert_eq!(summary.failures.len(), 2, "{:?}", summary.failures);
    let opened = Index::open(temp.path("index")).expect("opened");
    let unembedded = opened
        .games()
        .find(|game| !game.input().expect("sound").has_file_offsets)
        .expect("a game of the container");
    let error = unembedded.text().expect_err("not embedded").to_string();
    assert!(error.contains("not embedded"), "{error}");
}

#[cfg(feature = "compression")]
fn flate(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("into memory");
    encoder.finish().expect("into memory")
}

#[test]
fn interrupted_import_leaves_no_index() {
    let temp = TestFolder::new();
    let paths = [temp.file("a.pdn", archive(11, 3000, &[Variant::International]))];
    let dir = temp.path("index");
    let mut calls = 0;
    let result = import_with(&paths, &dir, &options(2, 100), |seen| {
        assert!(seen.games > 0 && seen.bytes > 0 && seen.total.is_some());
        calls += 1;
        if calls == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(result.is_err());
    assert!(files(&dir).is_empty(), "{:?}", files(&dir).len());
    assert!(Index::open(&dir).is_err());
}

#[test]
fn next_block_equals_block_for_any_order() {
    let temp = TestFolder::new();
    let paths = [temp.file("a.pdn", archive(23, 700, &[Variant::International]))];
    let dir = temp.path("index");
    index(&paths, &dir, &options(1, 400));
    let opened = Index::open(&dir).expect("opened");
    let moves: Vec<_> = opened.segments().iter().map(|segment| segment.moves().expect("sound")).collect();
    let mut random = fastrand::Rng::with_seed(23);
    // One buffer for both segments: it must notice whose bytes it holds.
    let mut buffer = MoveBuffer::default();
    for _ in 0..2000 {
        let moves = moves[random.usize(..moves.len())];
        let block = random.usize(..moves.blocks());
        // Any end is allowed, also one before the block or after the last one.
        let end = random.usize(..moves.blocks() + 3);
        let expected: Vec<_> = moves.block(block).expect("sound").games().collect();
        let actual = moves.next_block(block, end, &mut buffer).expect("sound");
        assert_eq!(actual.games().collect::<Vec<_>>(), expected, "block {block}, end {end}");
    }
    assert!(moves[0].next_block(moves[0].blocks(), 0, &mut buffer).is_err());
}

#[test]
fn columns_and_dictionaries_find_games() {
    let temp = TestFolder::new();
    let paths = [temp.file("a.pdn", archive(12, 400, &[Variant::International]))];
    let dir = temp.path("index");
    index(&paths, &dir, &options(1, 1000));
    let opened = Index::open(&dir).expect("opened");
    let segment = &opened.segments()[0];
    let players = segment.dictionary(crate::internal::DictionaryKind::Players).expect("sound");
    let numbers = players.prefix(&fold("WIERS"));
    let white = segment.column(crate::Section::White).expect("sound");
    let found = white.games(|number| numbers.contains(&(number as u32)));
    let naive: Vec<u32> = (0..400)
        .filter(|&game| segment.row(game as usize).expect("sound").expect("a game").white == "Wiersma, H.")
        .collect();
    assert!(!naive.is_empty() && found.iter().eq(naive));
    let total = fs::metadata(&paths[0]).expect("there").len();
    assert!(opened.file_bytes() * 100 < total * 25, "{} of {total} bytes", opened.file_bytes());
}

#[test]
fn long_rejected_record_is_stored_in_part() {
    let temp = TestFolder::new();
    // A comment that is never closed, in a record of more than three megabytes.
    let before = "[Event \"a\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 99-98 ";
    let record = format!("{before}{}", "{é".repeat(1 << 20));
    let file = temp.file("long.pdn", format!("{record}\n\n[Event \"b\"]\n\n1. 99-98 *\n"));
    let dir = temp.path("index");
    let summary = index(&[file], &dir, &options(2, 100));
    let opened = Index::open(&dir).expect("opened");
    let rejects = fs::read_to_string(opened.rejects_path()).expect("readable");
    let lines: Vec<serde_json::Value> =
        rejects.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{summary:?}");
    let (long, short) = (&lines[0], &lines[1]);
    let text = long["text"].as_str().expect("a text");
    assert!(record.starts_with(text) && text.len().abs_diff(1 << 20) < 4, "{}", text.len());
    let len = opened.game(0).expect("a game").location().expect("sound").len;
    assert_eq!(long["cut"].as_u64(), Some(len - text.len() as u64));
    assert!(
        short.get("cut").is_none() && short["text"].as_str().is_some_and(|text| text.ends_with("99-98 *\n"))
    );
}
