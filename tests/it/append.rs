//! Appending to an index: after any sequence of changes to the files, it answers as an index made afresh does.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pdn::error::ErrorKind;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::source::{Encoding, OpenOptions};
use pdn_index::internal::{
    OpenedFile, SegmentOptions, TextReader, VerifyOptions, import_opened, merge, verify,
};
use pdn_index::query::{Query, Search, TreeOptions, tree};
use pdn_index::{ImportOptions, ImportSummary, Index, import};
use proptest::prelude::*;

use crate::common;

/// A folder with archives and an index.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.archives()).unwrap();
        place
    }

    fn archives(&self) -> PathBuf {
        self.folder.path().join("archives")
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.archives().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    fn append(&self, options: ImportOptions) -> ImportSummary {
        let summary = import([self.archives()], self.index(), &options.append(true)).unwrap();
        assert!(summary.failures.is_empty(), "{:?}", summary.failures);
        summary
    }
}

/// Returns games of a player; every third is rejected, and the sixth is a position without moves.
fn text(player: &str, games: usize) -> String {
    let moves = ["1. 32-28 19-23 2. 28x19 14x23 2-0", "1. 34-29 17-21 1-1", "1. 32-28 32-28 0-2"];
    (0..games)
        .map(|game| {
            let (fen, moves) = match game {
                5 => ("[FEN \"W:W31,32:B1,2\"]\n", "*"),
                _ => ("", moves[game % 3]),
            };
            format!("[White \"{player}\"]\n[Round \"{game}\"]\n[GameType \"20\"]\n{fen}\n{moves}\n\n")
        })
        .collect()
}

/// Returns all that an index has of its games, without their numbers, sorted.
fn contents(dir: &Path, has_text: bool) -> Vec<String> {
    let index = Index::open(dir).unwrap();
    let mut lines: Vec<String> = index
        .games()
        .map(|game| {
            let (row, location) = (game.row().unwrap(), game.location().unwrap());
            let name = game.input().unwrap().path.clone();
            let text = has_text.then(|| String::from_utf8_lossy(&game.text().unwrap()).into_owned());
            format!(
                "{row:?} {:?} {name:?} {} {} {text:?}",
                game.plies().unwrap().0.len(),
                location.offset,
                location.len
            )
        })
        .collect();
    let rejects = fs::read_to_string(index.rejects_path()).unwrap();
    // Games that are indexed again have other numbers.
    let without_number = |line: &str| match line.split_once(",\"file\":") {
        Some((_, rest)) => rest.to_owned(),
        None => line.to_owned(),
    };
    lines.extend(rejects.lines().map(without_number));
    lines.sort();
    assert_eq!(index.games().count() as u64, index.game_count());
    lines
}

/// Returns the answers to some questions and the counts of an index.
fn answers(dir: &Path) -> String {
    let index = Index::open(dir).unwrap();
    let count = |query: Query| {
        let search = Search::new(&index, &query, pdn::default_threads()).unwrap();
        let (hits, _) = search.hits(usize::MAX).unwrap();
        assert_eq!(hits.len() as u64, search.count().unwrap().0);
        assert!(hits.iter().all(|hit| !index.game(hit.game).unwrap().is_retired()));
        (hits.len(), search.plan().games)
    };
    let start = Position::start(Variant::International);
    let tree = tree(&index, &start, &TreeOptions::new()).unwrap();
    let moves: Vec<_> = tree.moves.iter().map(|mv| (mv.text.clone(), mv.tally.games)).collect();
    let statuses = pdn::replay::GameStatus::ALL.map(|status| index.with_status(status));
    format!(
        "{:?} {:?} {:?} {:?} {} {:?} {} {} {statuses:?}",
        count(Query::And(Vec::new())),
        count(!Query::white("a")),
        count(Query::parse("w<20").unwrap()),
        count(Query::parse("not w<20 or status illegal").unwrap()),
        tree.all.games,
        moves,
        index.plies(),
        index.text_bytes(),
    )
}

/// Compares the index with one made afresh.
#[track_caller]
fn check(place: &Place) {
    let fresh = place.folder.path().join("fresh");
    let _ = fs::remove_dir_all(&fresh);
    if fs::read_dir(place.archives()).unwrap().count() == 0 {
        assert_eq!(Index::open(place.index()).unwrap().game_count(), 0);
        return;
    }
    import([place.archives()], &fresh, &ImportOptions::new()).unwrap();
    assert_eq!(contents(&place.index(), true), contents(&fresh, true));
    assert_eq!(answers(&place.index()), answers(&fresh));
    let report = verify(place.index(), &VerifyOptions::ALL).unwrap();
    assert!(report.is_sound(), "{report:?}");
}

#[test]
fn file_is_appended_once_whichever_way_it_is_named() {
    let place = Place::new();
    place.write("a.pdn", &text("Wiersma", 4));
    place.append(ImportOptions::new());
    let mut paths = vec![place.archives().join("../archives/a.pdn")];
    #[cfg(unix)]
    {
        let link = place.folder.path().join("link");
        std::os::unix::fs::symlink(place.archives(), &link).unwrap();
        paths.push(link.join("a.pdn"));
    }
    for path in &paths {
        import([path], place.index(), &ImportOptions::new().append(true)).unwrap();
        assert_eq!(Index::open(place.index()).unwrap().game_count(), 4, "{}", path.display());
    }
    // A file that has grown is continued, too.
    place.write("a.pdn", &text("Wiersma", 6));
    paths.push(place.file("a.pdn"));
    import(&paths, place.index(), &ImportOptions::new().append(true)).unwrap();
    let index = Index::open(place.index()).unwrap();
    assert_eq!((index.game_count(), index.inputs().len()), (6, 1));
}

#[test]
fn folder_that_is_no_index_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    assert!(merge(folder.path(), &SegmentOptions::new()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn append_creates_the_index_and_its_folder() {
    let place = Place::new();
    place.write("a.pdn", &text("a", 4));
    assert_eq!(place.append(ImportOptions::new()).games, 4);
    assert_eq!(place.append(ImportOptions::new()).unchanged, 1);
    check(&place);
}

#[test]
fn file_that_grew_by_no_tag_is_read_again() {
    let place = Place::new();
    let game = "1. 32-28 19-23 2-0\n";
    for (added, replaced) in [("[%eval 3]\n1. 33-28 18-23 *\n", 1), ("[White \"a\"]\n1. 33-28 18-23 *\n", 0)]
    {
        place.write("a.pdn", game);
        place.append(ImportOptions::new());
        place.write("a.pdn", &format!("{game}{added}"));
        let summary = place.append(ImportOptions::new());
        assert_eq!(summary.replaced, replaced, "{added}");
        check(&place);
    }
}

/// Returns the names of White, sorted.
fn white_names(dir: &Path) -> Vec<String> {
    let index = Index::open(dir).unwrap();
    let mut names: Vec<String> = index.games().map(|game| game.row().unwrap().white.to_string()).collect();
    names.sort();
    names
}

#[test]
fn added_games_are_read_in_the_encoding_of_the_file() {
    let game = |name: &str| {
        let (name, _, _) = encoding_rs::WINDOWS_1251.encode(name);
        [b"[White \"", &name[..], b"\"]\n[GameType \"25\"]\n1. c3-d4 2-0\n\n"].concat()
    };
    let (known, short, ascii) = (game("Иванов Петр").repeat(20), game("ю"), game("Wiersma"));
    let doubtful = game("ю");
    // The start of the second file suggests no encoding until games are added, and its games need none. The name of one letter in the
    // third is read as most of the file.
    for (before, added, replaced) in [(&known, &short, 0), (&ascii, &known, 0), (&doubtful, &known, 1)] {
        let place = Place::new();
        fs::write(place.file("a.pdn"), before).unwrap();
        place.append(ImportOptions::new());
        fs::write(place.file("a.pdn"), [&before[..], &added[..]].concat()).unwrap();
        assert_eq!(place.append(ImportOptions::new()).replaced, replaced);
        check(&place);
        let names = white_names(&place.index());
        assert!(
            names.iter().all(|name| ["Иванов Петр", "ю", "Wiersma"].contains(&name.as_str())),
            "{names:?}"
        );
    }
    // The same holds for an encoding that the caller gives.
    let place = Place::new();
    fs::write(place.file("a.pdn"), &known).unwrap();
    place.append(ImportOptions::new());
    fs::write(place.file("a.pdn"), [&known[..], &short[..]].concat()).unwrap();
    let open = OpenOptions::new().encoding(Some(Encoding::WINDOWS_1252));
    assert_eq!(place.append(ImportOptions::new().open(open)).replaced, 1);
    assert!(white_names(&place.index()).iter().all(|name| !name.contains(['И', 'ю'])));
}

#[test]
fn file_whose_variant_changes_with_added_games_is_read_again() {
    let place = Place::new();
    let any_board = "[White \"a\"]\n1. 32-28 *\n\n";
    let moves = "1. 33-28 18-23 2. 39-33 12-18 3. 44-39 7-12 4. 34-30 20-24 5. 30-25 24-30 6. 35x22 15x44";
    let frisian = format!("[White \"b\"]\n{moves} *\n\n").repeat(9);
    for (before, added, replaced) in [(any_board, frisian.as_str(), 1), (&frisian, any_board, 0)] {
        place.write("a.pdn", before);
        place.append(ImportOptions::new());
        place.write("a.pdn", &format!("{before}{added}"));
        assert_eq!(place.append(ImportOptions::new()).replaced, replaced);
        check(&place);
    }
}

#[test]
fn file_that_is_replaced_after_it_was_opened_is_known_as_changed() {
    let place = Place::new();
    let path = place.file("a.pdn");
    place.write("a.pdn", &text("Ames", 3));
    let opened = opened(&path);
    place.write("b.pdn", &text("Bell", 3));
    fs::rename(place.file("b.pdn"), &path).unwrap();
    let options = ImportOptions::new();
    import_opened(vec![path], Some(opened), place.index(), &options, |_| ControlFlow::Continue(())).unwrap();
    let index = Index::open(place.index()).unwrap();
    assert_eq!(index.game(0).unwrap().row().unwrap().white, "Ames");
    let error = index.inputs()[0].check().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ArchiveChanged("its contents differ")), "{error}");
}

#[test]
fn file_that_is_shortened_after_it_was_opened_is_an_error_and_the_index_stays() {
    let place = Place::new();
    let path = place.file("a.pdn");
    place.write("a.pdn", &text("Ames", 3));
    place.append(ImportOptions::new());
    let opened = opened(&path);
    place.write("a.pdn", "");
    let options = ImportOptions::new();
    let imported =
        import_opened(vec![path], Some(opened), place.index(), &options, |_| ControlFlow::Continue(()));
    let message = imported.unwrap_err().to_string();
    assert!(message.contains("a.pdn: ends after 0 of "), "{message}");
    assert_eq!(Index::open(place.index()).unwrap().game_count(), 3);
}

/// Opens a file as a caller of the import does.
fn opened(path: &Path) -> OpenedFile {
    let file = File::open(path).unwrap();
    let len = file.metadata().unwrap().len();
    OpenedFile { path: path.to_owned(), file, len }
}

#[test]
fn changed_file_is_replaced_and_its_games_retire() {
    let place = Place::new();
    place.write("a.pdn", &text("a", 4));
    place.write("b.pdn", &text("b", 3));
    place.append(ImportOptions::new());
    place.write("a.pdn", &text("c", 5));
    let summary = place.append(ImportOptions::new());
    assert_eq!((summary.replaced, summary.retired, summary.games, summary.unchanged), (1, 4, 5, 1));
    assert_eq!(summary.index_games, 8);
    check(&place);
    let index = Index::open(place.index()).unwrap();
    assert_eq!((index.len(), index.game_count()), (12, 8));
    let numbers: Vec<u64> = index.games().map(|game| game.number()).collect();
    assert_eq!(numbers, [4, 5, 6, 7, 8, 9, 10, 11], "the games of the other file keep their numbers");
    assert_eq!(index.games().nth(3).unwrap().number(), 7);
    assert!(index.game(3).unwrap().is_retired() && !index.game(4).unwrap().is_retired());
    // Merging keeps numbers and retired games.
    merge(place.index(), &pdn_index::internal::SegmentOptions::new()).unwrap();
    check(&place);
    assert_eq!(Index::open(place.index()).unwrap().len(), 12);
    place.write("a.pdn", "");
    assert_eq!(place.append(ImportOptions::new()).retired, 5);
    assert_eq!(Index::open(place.index()).unwrap().game_count(), 3);
}

#[test]
fn missing_file_is_reported_and_pruned_on_request() {
    let place = Place::new();
    place.write("a.pdn", &text("a", 4));
    place.write("b.pdn", &text("b", 3));
    place.append(ImportOptions::new());
    fs::remove_file(place.file("a.pdn")).unwrap();
    let summary = place.append(ImportOptions::new());
    assert_eq!((summary.missing.as_slice(), summary.retired), (&[place.file("a.pdn")][..], 0));
    assert_eq!(summary.index_games, 7);
    let summary = place.append(ImportOptions::new().prune(true));
    assert_eq!((summary.missing.len(), summary.retired, summary.index_games), (1, 4, 3));
    check(&place);
    assert!(place.append(ImportOptions::new()).missing.is_empty());
}

#[test]
fn missing_archive_of_several_inputs_is_reported_once() {
    let place = Place::new();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["a.pdn", "b.pdn", "c.pdn"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, text(name, 2).as_bytes()).unwrap();
    }
    fs::write(place.file("games.zip"), zip.finish().unwrap().into_inner()).unwrap();
    place.write("b.pdn", &text("b", 3));
    assert_eq!(place.append(ImportOptions::new()).index_games, 9);
    fs::remove_file(place.file("games.zip")).unwrap();
    let summary = place.append(ImportOptions::new());
    assert_eq!(summary.missing, [place.file("games.zip")]);
    let summary = place.append(ImportOptions::new().prune(true));
    assert_eq!((summary.missing.len(), summary.retired, summary.index_games), (1, 6, 3));
}

#[test]
fn moved_archives_are_found_below_their_new_folder() {
    let place = Place::new();
    fs::create_dir(place.file("sub")).unwrap();
    place.write("a.pdn", &text("a", 4));
    place.write("sub/b.pdn", &text("b", 3));
    place.append(ImportOptions::new());
    let moved = place.folder.path().join("moved");
    fs::rename(place.archives(), &moved).unwrap();
    let mut index = Index::open(place.index()).unwrap();
    assert!(index.game(0).unwrap().text().is_err());
    assert!(index.relocate(&place.index()).is_err(), "no archive is there");
    index.relocate(&moved).unwrap();
    let all: String = index.games().map(|game| String::from_utf8(game.text().unwrap()).unwrap()).collect();
    assert_eq!(all, text("a", 4) + &text("b", 3));
    let options = ImportOptions::new().append(true).root(Some(moved.clone()));
    let summary = import([&moved], place.index(), &options).unwrap();
    assert_eq!((summary.unchanged, summary.missing.len(), summary.games), (2, 0, 0));
    let summary = import([&moved], place.index(), &ImportOptions::new().append(true)).unwrap();
    assert_eq!((summary.unchanged, summary.missing.len()), (2, 0), "the new paths are stored");
}

#[test]
fn old_file_of_equal_size_and_time_is_not_read() {
    let place = Place::new();
    let old = SystemTime::now() - Duration::from_secs(1000);
    let set_time =
        || fs::File::options().write(true).open(place.file("a.pdn")).unwrap().set_modified(old).unwrap();
    place.write("a.pdn", &text("a", 4));
    set_time();
    place.append(ImportOptions::new());
    place.write("a.pdn", &text("b", 4));
    assert_eq!(fs::metadata(place.file("a.pdn")).unwrap().len(), text("a", 4).len() as u64);
    set_time();
    assert_eq!(place.append(ImportOptions::new()).unchanged, 1);
    // A record is verified when it is read, so the change is detected there.
    assert!(Index::open(place.index()).unwrap().game(0).unwrap().text().is_err());
    place.write("a.pdn", &text("b", 4));
    assert_eq!(place.append(ImportOptions::new()).replaced, 1);
    check(&place);
}

#[test]
fn file_that_grew_after_an_unfinished_game_is_replaced() {
    let place = Place::new();
    place.write("a.pdn", "[White \"a\"]\n1. 32-28");
    place.append(ImportOptions::new());
    place.write("a.pdn", "[White \"a\"]\n1. 32-28 19-23 2-0\n");
    let summary = place.append(ImportOptions::new());
    assert_eq!((summary.replaced, summary.retired, summary.games), (1, 1, 1));
    check(&place);
}

#[test]
fn file_that_grew_after_an_open_variation_is_replaced() {
    // Without a result, the tag that follows belongs to the same record. `34-29` could also be a score.
    for last in ["34-29", "x", "1/2"] {
        let place = Place::new();
        let open = format!("[White \"a\"]\n1. 32-28 (1. {last}\n");
        place.write("a.pdn", &open);
        place.append(ImportOptions::new());
        place.write("a.pdn", &format!("{open}[White \"b\"]\n1. 31-26 2-0\n"));
        assert_eq!(place.append(ImportOptions::new()).replaced, 1, "{last}");
        check(&place);
        assert_eq!(Index::open(place.index()).unwrap().game_count(), 1, "{last}");
    }
}

#[test]
fn only_new_games_of_a_file_that_grew_after_a_result_are_read() {
    for result in ["*", "2-0", "1-1", "1/2-1/2", "1/2 - 1/2", "1+ - 1-", "½-½"] {
        let place = Place::new();
        let game = format!("[White \"a\"]\n1. 32-28 {result}\n");
        place.write("a.pdn", &game);
        place.append(ImportOptions::new());
        place.write("a.pdn", &game.repeat(2));
        let summary = place.append(ImportOptions::new());
        assert_eq!((summary.replaced, summary.retired, summary.games), (0, 0, 1), "{result}");
        check(&place);
    }
}

#[test]
fn archives_that_stayed_keep_their_paths() {
    let place = Place::new();
    place.write("a.pdn", &text("a", 4));
    place.write("b.pdn", &text("b", 3));
    place.append(ImportOptions::new());
    let moved = place.folder.path().join("moved");
    fs::create_dir(&moved).unwrap();
    fs::rename(place.file("b.pdn"), moved.join("b.pdn")).unwrap();
    let mut index = Index::open(place.index()).unwrap();
    index.relocate(&moved).unwrap();
    let all: String = index.games().map(|game| String::from_utf8(game.text().unwrap()).unwrap()).collect();
    assert_eq!(all, text("a", 4) + &text("b", 3));
    let [first, last] = [0, 6].map(|game| index.game(game).unwrap().input().unwrap().clone());
    assert_eq!((first.path, first.name), (Some(place.file("a.pdn")), place.file("a.pdn")));
    assert_eq!((last.path, last.name), (Some(moved.join("b.pdn")), moved.join("b.pdn")));
}

#[test]
fn young_file_of_equal_size_and_time_is_read() {
    let place = Place::new();
    place.write("a.pdn", &text("a", 4));
    place.append(ImportOptions::new());
    let time = fs::metadata(place.file("a.pdn")).unwrap().modified().unwrap();
    place.write("a.pdn", &text("b", 4));
    fs::File::options().write(true).open(place.file("a.pdn")).unwrap().set_modified(time).unwrap();
    assert_eq!(place.append(ImportOptions::new()).replaced, 1);
    check(&place);
}

#[test]
fn file_that_is_given_twice_is_read_once() {
    let place = Place::new();
    place.write("a.pdn", &text("a", 4));
    let options = ImportOptions::new().append(true);
    let summary = import([place.file("a.pdn"), place.file("a.pdn")], place.index(), &options).unwrap();
    assert_eq!((summary.games, summary.unchanged), (4, 1));
    check(&place);
}

#[test]
fn missing_file_that_grew_is_listed_once() {
    let place = Place::new();
    let game = "[White \"a\"]\n1. 32-28 *\n";
    place.write("a.pdn", game);
    place.append(ImportOptions::new());
    place.write("a.pdn", &game.repeat(2));
    assert_eq!(place.append(ImportOptions::new()).games, 1);
    fs::remove_file(place.file("a.pdn")).unwrap();
    assert_eq!(place.append(ImportOptions::new()).missing, [place.file("a.pdn")]);
}

#[test]
fn many_rejected_records_stay_listed_once_when_others_retire() {
    let place = Place::new();
    place.write("a.pdn", &text("a", 1500));
    place.write("b.pdn", &text("b", 30));
    place.append(ImportOptions::new());
    // What a writer that was killed left behind.
    for name in ["rejects.jsonl.kept", "rejects.jsonl.next"] {
        fs::write(place.index().join(name), "{}\n").unwrap();
    }
    place.write("b.pdn", &text("c", 3));
    assert_eq!(place.append(ImportOptions::new()).retired, 30);
    check(&place);
    let lines = |dir: &Path| fs::read_to_string(dir.join("rejects.jsonl")).unwrap().lines().count();
    let rejects = fs::metadata(place.index().join("rejects.jsonl")).unwrap().len();
    assert!(rejects > 2 * (64 << 10), "written in several parts, not {rejects} bytes at once");
    assert_eq!(lines(&place.index()), lines(&place.folder.path().join("fresh")));
    assert!(!place.index().join("rejects.jsonl.kept").exists());
    fs::write(place.index().join("rejects.jsonl.kept"), "{}\n").unwrap();
    place.write("c.pdn", &text("d", 3));
    place.append(ImportOptions::new());
    assert!(!place.index().join("rejects.jsonl.kept").exists(), "no writer uses it any more");
}

#[test]
fn texts_of_an_archive_that_was_restored_are_read_again() {
    let place = Place::new();
    let game = text("a", 4);
    place.write("a.pdn", &game);
    place.append(ImportOptions::new());
    let index = Index::open(place.index()).unwrap();
    let mut reader = TextReader::new(&index);
    place.write("a.pdn", &game.replace("\"a\"", "\"b\""));
    assert!(reader.text(1).is_err());
    place.write("a.pdn", &game);
    assert_eq!(reader.text(1).unwrap(), index.game(1).unwrap().text().unwrap());
}

/// A change of a file.
#[derive(Clone, Debug)]
enum Change {
    Write(usize, usize),
    Grow(usize),
    Delete(usize),
    Nothing,
}

proptest! {
    #![proptest_config(common::cases(12))]

    #[test]
    fn any_changes_give_the_answers_of_a_new_index(
        rounds in prop::collection::vec(
            prop::collection::vec(
                prop_oneof![
                    (0usize..4, 0usize..7).prop_map(|(file, games)| Change::Write(file, games)),
                    (0usize..4).prop_map(Change::Grow),
                    (0usize..4).prop_map(Change::Delete),
                    Just(Change::Nothing),
                ],
                0..4,
            ),
            1..6,
        ),
    ) {
        let place = Place::new();
        place.write("0.pdn", &text("0", 2));
        place.append(ImportOptions::new());
        for (round, changes) in rounds.iter().enumerate() {
            for change in changes {
                match *change {
                    Change::Write(file, games) => {
                        place.write(&format!("{file}.pdn"), &text(&format!("{file}{round}"), games));
                    }
                    Change::Grow(file) => {
                        let path = place.file(&format!("{file}.pdn"));
                        if let Ok(before) = fs::read_to_string(&path) {
                            fs::write(&path, before + &text("more", 2)).unwrap();
                        }
                    }
                    Change::Delete(file) => drop(fs::remove_file(place.file(&format!("{file}.pdn")))),
                    Change::Nothing => {}
                }
            }
            place.append(ImportOptions::new().prune(true));
            check(&place);
        }
    }
}

#[test]
fn file_with_less_than_nine_tenths_of_its_games_has_shrunk() {
    for (games, expected) in [(90, None), (81, None), (80, Some((90, 80)))] {
        let place = Place::new();
        let write = |games: usize| place.write("a.pdn", &"[White \"a\"]\n1. 32-28 19-23 *\n".repeat(games));
        write(90);
        place.append(ImportOptions::new());
        write(games);
        let shrunk = place.append(ImportOptions::new()).shrunk;
        assert_eq!(shrunk.first().map(|file| (file.games_before, file.games)), expected, "{games} games");
    }
}
