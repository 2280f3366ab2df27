//! Indexes that are read by ranges or are in memory: their answers equal those of the index in a folder.

use crate::internal::RangeSource;
use crate::internal::query::{RowTable, variant_counts};
use crate::internal::{KeyTables, RangedIndex, import_archives, import_in_memory, merge};
use std::collections::BTreeMap;
use std::io::{Error, Result};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::query::{Query, Search, TreeOptions, tree};
use crate::tests::{TestFolder, add_extracts, archive, contents, files, index, options};
use crate::{Index, NumberColumn, Section, TextColumn, TextReader};
use pdn::archive::Archive;
use pdn::internal::value::{Score, Tally};
use pdn::rules::Variant;
use pdn::source::{Bytes, OpenOptions};
use pdn::stop::Stop;
use pdn::value::{Colour, Outcome};
use pdn_names::NameKind;

/// What was read of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Reads {
    requests: usize,
    bytes: usize,
    /// How often something had to be waited for: once for all parts that were expected together, and once for any other part.
    waits: usize,
}

/// The name of a file, and a range of it.
type ExpectedPart = (String, Range<u64>);

/// The files of a folder, read by ranges and counted.
#[derive(Clone, Debug)]
struct CountingSource {
    files: Arc<Vec<(String, Vec<u8>)>>,
    reads: Arc<Mutex<Reads>>,
    /// The parts that were expected and not read yet.
    expected: Arc<Mutex<Vec<ExpectedPart>>>,
    /// The number of the request that fails, from 0.
    failing: Arc<Mutex<Option<usize>>>,
}

impl CountingSource {
    fn of(files: Vec<(String, Vec<u8>)>) -> Self {
        Self {
            files: Arc::new(files),
            reads: Arc::default(),
            expected: Arc::default(),
            failing: Arc::default(),
        }
    }

    /// Returns what was read since the last call.
    fn take_reads(&self) -> Reads {
        std::mem::take(&mut *self.reads.lock().expect("no panic"))
    }
}

impl RangeSource for CountingSource {
    fn len(&self, file: &str) -> Result<Option<u64>> {
        Ok(self.files.iter().find(|(name, _)| name == file).map(|(_, bytes)| bytes.len() as u64))
    }

    fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> Result<()> {
        let mut reads = self.reads.lock().expect("no panic");
        reads.requests += 1;
        reads.bytes += into.len();
        let mut expected = self.expected.lock().expect("no panic");
        let is_part =
            |(name, part): &ExpectedPart| name == file && *part == (offset..offset + into.len() as u64);
        match expected.iter().position(is_part) {
            Some(part) => _ = expected.swap_remove(part),
            None => reads.waits += 1,
        }
        if *self.failing.lock().expect("no panic") == Some(reads.requests - 1) {
            return Err(Error::other("the line is cut"));
        }
        let (_, bytes) = self.files.iter().find(|(name, _)| name == file).expect("it was opened");
        into.copy_from_slice(&bytes[offset as usize..][..into.len()]);
        Ok(())
    }

    fn expect(&self, file: &str, parts: &[Range<u64>]) -> Result<()> {
        self.reads.lock().expect("no panic").waits += 1;
        self.expected
            .lock()
            .expect("no panic")
            .extend(parts.iter().map(|part| (file.to_owned(), part.clone())));
        Ok(())
    }
}

/// A question about an index, whose answer is a text.
type Question = Box<dyn Fn(&Index) -> pdn::Result<String>>;

/// Returns the names of a kind with their tallies.
fn names_of(index: &Index, kind: NameKind) -> pdn::Result<String> {
    let mut names = Vec::new();
    index.each_name(kind, None, &Stop::new(), |name, tally| names.push(format!("{name:?} {tally:?}\n")))?;
    assert_eq!(names.is_empty(), index.is_empty(), "{kind:?}");
    Ok(names.concat())
}

/// Returns questions that read every kind of section and table, each by its name.
fn questions() -> Vec<(String, Question)> {
    let mut questions: Vec<(String, Question)> = vec![
        ("contents".to_owned(), Box::new(contents)),
        ("size".to_owned(), Box::new(|index| Ok(format!("{} {:?}", index.disk_bytes(), index.digest())))),
        (
            "last game".to_owned(),
            Box::new(|index| {
                let game = index.game(index.len() - 1).expect("it is there");
                Ok(format!("{:?} {:?} {:?}", game.row()?, game.moves()?, game.location()?))
            }),
        ),
        (
            "texts".to_owned(),
            Box::new(|index| {
                let mut texts = TextReader::new(index);
                let games = (0..index.len()).rev().step_by(7);
                games.map(|game| Ok(format!("{:?}\n", texts.text(game)?.escape_ascii()))).collect()
            }),
        ),
    ];
    for ply in [0, 1, 2, 4, 9] {
        for (examples, transpositions) in [(3, true), (20, false)] {
            questions.push((
                format!("tree after {ply} plies of the first game, with {examples} examples"),
                Box::new(move |index| {
                    let position = index.game(0).expect("it is there").position(ply)?;
                    let options = TreeOptions::new().examples(examples).transpositions(transpositions);
                    let mut found = tree(index, &position, &options)?;
                    // Without openings more games are played, for the same tree.
                    found.looked_at = 0;
                    Ok(format!("{found:?}"))
                }),
            ));
        }
    }
    for kind in NameKind::ALL {
        questions.push((format!("{kind:?}"), Box::new(move |index| names_of(index, kind))));
    }
    questions
        .push(("variants".to_owned(), Box::new(|index| Ok(format!("{:?}", variant_counts(index, None)?)))));
    for text in [
        "white ~ sijbrands",
        "player : bos and event : \"event 1\"",
        "white : wiersma",
        "player = r*",
        "event : \"event 3\" and date 1960..1990",
        "rating white 2000..2300",
        "rating white - rating black >= 1",
        "plies >= 20 and winner nobody",
        "w-b = 1 for 3",
        "wm = 10 then bm = 10 within 6",
        "fen of 1 at 3",
        "comment",
        "aside w-b >= 1",
        "white ~ sijbrands and w-b >= 1",
    ] {
        questions.push((
            text.to_owned(),
            Box::new(move |index| {
                let query = Query::parse(text).expect("a query");
                let (hits, _) = Search::new(index, &query, NonZeroUsize::MIN)?.hits(usize::MAX)?;
                let rows: pdn::Result<Vec<_>> =
                    hits.iter().map(|hit| index.game(hit.game).expect("it is there").row()).collect();
                Ok(format!("{hits:?} {:?}", rows?.first()))
            }),
        ));
    }
    questions
}

/// Imports games of two variants, some with notes, in several segments with all tables.
fn imported(games: u64) -> (TestFolder, PathBuf) {
    let temp = TestFolder::new();
    let noted =
        "[White \"Ames\"]\n[GameType \"20\"]\n1. 32-28 (33-28 $1 {quiet} 18-23) 19-23! 2. 28x19 14x23 *\n\n";
    let text = noted.repeat(60) + &archive(71, games, &[Variant::International, Variant::Frisian]);
    let paths = [temp.file("a.pdn", text)];
    let dir = temp.path("index");
    let mut options = options(1, games as u32 / 2);
    options.segments.embed = cfg!(feature = "compression");
    options.key_tables = KeyTables::All;
    options.book_games = Some(40);
    index(&paths, &dir, &options);
    (temp, dir)
}

#[test]
fn answers_by_ranges_equal_those_of_the_index_in_a_folder() {
    let (_place, dir) = imported(400);
    for has_extracts in [false, true] {
        if has_extracts {
            add_extracts(&dir);
        }
        let whole = Index::open(&dir).expect("opened");
        let source = CountingSource::of(files(&dir));
        let one_for_all = RangedIndex::open(source.clone()).expect("opened");
        for (name, question) in questions() {
            let expected = question(&whole).expect("sound");
            for index in [&one_for_all, &RangedIndex::open(source.clone()).expect("opened")] {
                assert_eq!(
                    index.ask(&question).expect("sound"),
                    expected,
                    "{name}, extracts: {has_extracts}"
                );
            }
        }
        assert!(whole.segments().len() > 1);
    }
}

#[test]
fn answers_with_extracts_equal_those_without() {
    let (_place, dir) = imported(600);
    add_extracts(&dir);
    let whole = Index::open(&dir).expect("opened");
    let ranged = RangedIndex::open(CountingSource::of(files(&dir))).expect("opened");
    let compared = ranged.ask(|ranged| {
        for (number, segment) in whole.segments().iter().enumerate() {
            assert!(whole.extract(number)?.is_none(), "it is of no use in memory");
            let extract = ranged.extract(number)?.expect("added");
            let mut columns = 0;
            let sections = TextColumn::ALL.iter().map(|column| column.section());
            for section in sections.chain(NumberColumn::ALL.iter().map(|column| column.section())) {
                let Some(column) = extract.column(section) else { continue };
                let expected = segment.column(section)?;
                assert!(column.values().eq(expected.values()), "{section:?}");
                assert_eq!(column.get(segment.len()), None);
                assert!(column.games(|value| value % 3 == 1) == expected.games(|value| value % 3 == 1));
                columns += 1;
            }
            assert!(columns >= 12, "{columns}");
            for column in [TextColumn::White, TextColumn::Black, TextColumn::Event] {
                let (values, texts) =
                    (segment.column(column.section())?, segment.dictionary(column.dictionary())?.len());
                // Every text alone, all of them, none, and some far from each other.
                let one = |text: usize| (0..texts).map(|other| other == text).collect::<Vec<bool>>();
                let mut choices: Vec<Vec<bool>> = (0..texts).map(one).collect();
                choices.extend([vec![true; texts], vec![false; texts]]);
                choices.push((0..texts).map(|text| text % 7 == 2).collect());
                for chosen in choices {
                    let found = extract.games(column, &chosen, u64::MAX)?.expect("listed");
                    let expected = values.games(|text| chosen.get(text as usize) == Some(&true));
                    assert_eq!(found, expected, "{column:?}");
                }
                assert_eq!(extract.games(column, &vec![true; texts], 10)?, None, "more than may be read");
            }
            assert_eq!(extract.games(TextColumn::Site, &[true], u64::MAX)?, None, "not listed");
            for kind in [NameKind::Player, NameKind::Event] {
                let tallies = segment.tallies(kind, &pdn_names::letters_of_person, None, &Stop::new())?;
                assert_eq!(extract.tallies(kind, tallies.len())?.expect("there"), tallies, "{kind:?}");
                assert!(tallies.iter().any(|tally| tally.first_year < tally.last_year), "{kind:?}");
                extract.tallies(kind, tallies.len() + 1).expect_err("so many names are not there");
            }
            assert!(extract.tallies(NameKind::Site, 1)?.is_none(), "not counted");
            let kinds = segment.column(Section::Kind)?;
            for (kind, &games) in (0u64..).zip(extract.kind_games()) {
                assert_eq!(kinds.games(|other| other == kind).len(), u64::from(games), "kind {kind}");
            }
            assert_eq!(extract.kind_games().len(), segment.kinds()?.len());
        }
        Ok::<_, pdn::Error>(())
    });
    compared.expect("sound");
}

#[test]
fn columns_are_not_read_where_an_extract_is() {
    let (_place, dir) = imported(400);
    add_extracts(&dir);
    let whole = Index::open(&dir).expect("opened");
    let mut files = files(&dir);
    // No column of an extract is left in the segments.
    for segment in whole.segments() {
        let name = segment.path().file_name().expect("a name").to_string_lossy().into_owned();
        let (_, bytes) = files.iter_mut().find(|(other, _)| *other == name).expect("there");
        let sections = TextColumn::ALL.iter().map(|column| column.section());
        for section in sections.chain(NumberColumn::OF_ROWS.iter().map(|column| column.section())) {
            if let Some((_, entry)) = segment.table.find(section) {
                bytes[entry.offset as usize..][..entry.len as usize].fill(0);
            }
        }
    }
    let ranged = RangedIndex::open(CountingSource::of(files)).expect("opened");
    // So late that the book does not have it.
    let position = whole.game(100).expect("it is there").position(30).expect("sound");
    let questions: [Question; 5] = [
        Box::new(|index| Ok(format!("{:?}", variant_counts(index, None)?))),
        Box::new(|index| names_of(index, NameKind::Player)),
        Box::new(|index| names_of(index, NameKind::Event)),
        Box::new(|index| {
            let query = Query::parse("player : wiersma or event = \"Event 3\"").expect("a query");
            let (hits, _) = Search::new(index, &query, NonZeroUsize::MIN)?.hits(usize::MAX)?;
            let table = RowTable::with_texts(index, &TextColumn::ALL, 0, NonZeroUsize::MIN)?;
            table.fetch_rows(hits.iter().map(|hit| hit.game))?;
            let rows: Vec<_> = hits.iter().map(|hit| table.row(hit.game).expect("sound")).collect();
            assert!(!rows.is_empty());
            Ok(format!("{rows:?}"))
        }),
        Box::new(move |index| {
            let mut found = tree(index, &position, &TreeOptions::new().examples(3).transpositions(true))?;
            assert!(found.all.games > 0);
            found.looked_at = 0;
            Ok(format!("{found:?}"))
        }),
    ];
    for question in questions {
        assert_eq!(ranged.ask(&question).expect("not needed"), question(&whole).expect("sound"));
    }
}

#[test]
fn files_of_a_segment_are_opened_in_one_wait() {
    let (_place, dir) = imported(24_000);
    add_extracts(&dir);
    let source = CountingSource::of(files(&dir));
    let ranged = RangedIndex::open(source.clone()).expect("opened");
    let opened = ranged.ask(|index| {
        index.segments()[0].kinds()?;
        source.take_reads();
        assert!(index.readable_keys(0)?.is_some());
        let keys = source.take_reads();
        assert!(index.extract(0)?.is_some());
        let extract = source.take_reads();
        for reads in [keys, extract] {
            assert_eq!((reads.requests, reads.waits), (2, 1), "the header and the end together: {reads:?}");
        }
        Ok::<_, pdn::Error>(())
    });
    opened.expect("sound");
}

#[test]
fn rows_that_were_fetched_are_not_read_again() {
    const GAMES: u64 = 24_000;
    let (_place, dir) = imported(GAMES);
    for has_extracts in [false, true] {
        if has_extracts {
            add_extracts(&dir);
        }
        let source = CountingSource::of(files(&dir));
        let ranged = RangedIndex::open(source.clone()).expect("opened");
        // Some in each segment, far from each other.
        let games = || (0..GAMES).step_by(3000);
        let rows = ranged.ask(|index| {
            let table = RowTable::with_texts(index, &TextColumn::ALL, 0, NonZeroUsize::MIN)?;
            source.take_reads();
            table.fetch_rows(games())?;
            // Of each segment the values of all rows together, and then their texts.
            let (reads, segments) = (source.take_reads(), index.segments().len());
            assert!(reads.requests > 2 * segments, "{reads:?}: the rows are not far from each other");
            assert!(reads.waits <= 2 * segments, "{reads:?}, extracts: {has_extracts}");
            let rows = games().filter_map(|game| table.row(game)).count();
            assert_eq!(source.take_reads(), Reads::default(), "extracts: {has_extracts}");
            Ok::<_, pdn::Error>(rows)
        });
        assert_eq!(rows.expect("sound"), games().count());
    }
}

#[test]
fn tallies_of_names_are_those_of_the_rows_that_are_not_retired() {
    let temp = TestFolder::new();
    let paths = [80, 20, 60].map(|games| {
        let text = archive(games, games, &[Variant::International, Variant::Italian]);
        temp.file(&format!("{games}.pdn"), text)
    });
    let dir = temp.path("index");
    index(&paths, &dir, &options(1, 70));
    std::fs::remove_file(&paths[1]).expect("removed");
    let mut pruning = options(1, 70);
    (pruning.append, pruning.prune) = (true, true);
    index(&[&paths[0], &paths[2]].map(Clone::clone), &dir, &pruning);
    add_extracts(&dir);
    let whole = Index::open(&dir).expect("opened");
    assert_eq!((whole.segments().len(), whole.len(), whole.game_count()), (3, 160, 140));
    let ranged = RangedIndex::open(CountingSource::of(files(&dir))).expect("opened");
    type Tallies = BTreeMap<String, Tally>;
    let found = |index: &Index, kind| {
        let mut found = Tallies::new();
        index.each_name(kind, None, &Stop::new(), |name, tally| {
            *found.entry(name.to_owned()).or_default() += tally;
        })?;
        Ok::<_, pdn::Error>(found)
    };
    let (mut players, mut events) = (Tallies::new(), Tallies::new());
    for game in whole.games().filter(|game| !game.is_retired()) {
        let row = game.row().expect("sound");
        let rating = |place: usize| row.ratings[place];
        // A game against oneself counts for nobody.
        let is_of_two = row.white != row.black || row.white.is_empty();
        for (place, name) in [row.white, row.black].into_iter().enumerate().filter(|_| is_of_two) {
            let is = |outcome: Option<Colour>| u64::from(outcome == Some(Colour::ALL[place]));
            let (won, lost) = (is(row.winner()), is(row.winner().map(|winner| !winner)));
            let drawn = u64::from(row.outcome == Outcome::Draw);
            let score = Score { games: 1, won, drawn, lost, both_lost: 0 };
            *players.entry(name.to_owned()).or_default() +=
                Tally::of_year(score, row.date.year(), rating(place));
        }
        let score = Score { games: 1, ..Score::default() };
        *events.entry(row.event.to_owned()).or_default() += Tally::of_year(score, row.date.year(), 0);
    }
    assert!(players.values().all(|tally| tally.score.won * tally.score.drawn * tally.score.lost > 0));
    for (kind, expected) in [(NameKind::Player, players), (NameKind::Event, events)] {
        assert_eq!(found(&whole, kind).expect("sound"), expected, "{kind:?}");
        assert_eq!(ranged.ask(|index| found(index, kind)).expect("sound"), expected, "{kind:?}");
    }
}

#[test]
fn damaged_lists_and_summaries_of_extracts_are_not_used() {
    let (_place, dir) = imported(100);
    add_extracts(&dir);
    let whole = Index::open(&dir).expect("opened");
    let sound = files(&dir);
    let query = Query::parse("player : wiersma or event : \"event 3\"").expect("a query");
    let asked = |index: &Index| {
        let hits = Search::new(index, &query, NonZeroUsize::MIN)?.hits(usize::MAX)?.0;
        let names = [names_of(index, NameKind::Player)?, names_of(index, NameKind::Event)?];
        Ok::<_, pdn::Error>((format!("{hits:?} {names:?}"), variant_counts(index, None)?))
    };
    let expected = asked(&whole).expect("sound");
    for number in (0..sound.len()).filter(|&number| sound[number].0.ends_with(".extract")) {
        for at in 0..sound[number].1.len() {
            let mut files = sound.clone();
            files[number].1[at] ^= 0x11;
            let ranged = RangedIndex::open(CountingSource::of(files)).expect("not needed");
            assert_eq!(ranged.ask(asked).expect("without it"), expected, "byte {at}");
        }
    }
}

#[test]
fn extracts_of_segments_that_are_gone_are_removed() {
    let (_place, dir) = imported(100);
    add_extracts(&dir);
    let extracts = || files(&dir).into_iter().filter(|(name, _)| name.ends_with(".extract")).count();
    let segments = Index::open(&dir).expect("opened").segments().len();
    assert!(segments > 1 && extracts() == segments);
    merge(&dir, &crate::internal::SegmentOptions::default()).expect("merged");
    assert_eq!(extracts(), 0);
}

#[test]
fn single_values_are_read_without_the_rest_of_their_sections() {
    let (_place, dir) = imported(6000);
    let source = CountingSource::of(files(&dir));
    let all: usize = source.files.iter().map(|(_, bytes)| bytes.len()).sum();
    let index = RangedIndex::open(source.clone()).expect("opened");
    let segments = index.ask(|index| Ok::<_, pdn::Error>(index.segments().len())).expect("opened");
    let Reads { requests, bytes, .. } = source.take_reads();
    assert!(
        requests <= 1 + 2 * segments && bytes * 5 < all,
        "opening: {requests} requests, {bytes} of {all} bytes"
    );
    let moves = |index: &Index| index.game(2000).expect("it is there").moves().map(<[u8]>::to_vec);
    index.ask(moves).expect("sound");
    let Reads { requests, bytes, .. } = source.take_reads();
    assert!(requests <= 5 && bytes * 10 < all, "moves: {requests} requests, {bytes} of {all} bytes");
    index.ask(moves).expect("sound");
    assert_eq!(source.take_reads(), Reads::default(), "what was read stays");
}

#[test]
fn answer_counts_only_if_every_part_was_read() {
    let (_place, dir) = imported(100);
    add_extracts(&dir);
    let whole = Index::open(&dir).expect("opened");
    let source = CountingSource::of(files(&dir));
    for (name, question) in questions().into_iter().skip(2).step_by(3) {
        let expected = question(&whole).expect("sound");
        for request in 0.. {
            source.take_reads();
            *source.failing.lock().expect("no panic") = Some(request);
            let asked = RangedIndex::open(source.clone()).and_then(|index| {
                let answer = index.ask(&question);
                *source.failing.lock().expect("no panic") = None;
                assert_eq!(index.ask(&question).expect("the line is there again"), expected, "{name}");
                answer
            });
            match asked {
                Ok(answer) => {
                    assert_eq!(answer, expected, "{name}, without request {request}");
                    break;
                }
                Err(error) => assert!(error.to_string().contains("the line is cut"), "{name}: {error}"),
            }
        }
    }
}

#[test]
fn files_that_were_cut_or_changed_are_errors_when_they_are_read_by_ranges() {
    let (_place, dir) = imported(100);
    add_extracts(&dir);
    let sound = files(&dir);
    let expected: Vec<_> = questions()
        .into_iter()
        .map(|(_, question)| question(&Index::open(&dir).expect("opened")).expect("sound"))
        .collect();
    for number in 0..sound.len() {
        let (name, bytes) = &sound[number];
        for cut in [0, 8, bytes.len() / 2, bytes.len().saturating_sub(1)] {
            let mut files = sound.clone();
            files[number].1.truncate(cut);
            let Ok(index) = RangedIndex::open(CountingSource::of(files)) else { continue };
            // The answers do not need this file.
            assert!(!name.ends_with(".pdns") && name != "manifest", "{name} cut to {cut}");
            for ((asked, question), expected) in questions().iter().zip(&expected).skip(2) {
                assert_eq!(&index.ask(question).expect("sound"), expected, "{asked}: {name} cut to {cut}");
            }
        }
        // Some parts are not verified; no change of them may end the program.
        for at in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
            let mut files = sound.clone();
            files[number].1[at] ^= 0xff;
            if let Ok(index) = RangedIndex::open(CountingSource::of(files)) {
                for (_, question) in questions().iter().step_by(4) {
                    let _ = index.ask(question);
                }
            }
        }
    }
}

#[test]
fn index_in_memory_has_the_bytes_of_the_one_in_a_folder() {
    let temp = TestFolder::new();
    let text = archive(72, 150, &[Variant::International, Variant::Russian]);
    let options = options(1, 60);
    let opened = || Archive::from_bytes(Bytes::from(text.clone().into_bytes()), "games", &OpenOptions::new());
    let dir = temp.path("index");
    import_archives([opened()], &dir, &options, |_| ControlFlow::Continue(())).expect("imported");
    let on_disk: BTreeMap<_, _> =
        files(&dir).into_iter().map(|(name, bytes)| (name, Bytes::from(bytes))).collect();
    let expected = contents(&Index::open(&dir).expect("opened")).expect("sound");
    assert_eq!(contents(&Index::from_files(on_disk).expect("opened")).expect("sound"), expected);
    let (index, summary) =
        import_in_memory([opened()], &options, |_| ControlFlow::Continue(())).expect("imported");
    assert_eq!(contents(&index).expect("sound"), expected);
    assert_eq!((summary.games, index.segments().len()), (150, 3));
    assert_eq!(index.digest(), Index::open(&dir).expect("opened").digest());
}
