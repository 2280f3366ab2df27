use super::*;
use crate::error::ErrorKind;
use crate::source::LineCounter;
use crate::view::RecordView;

/// A reader that returns at most the given number of bytes per read.
struct ShortReads(std::io::Cursor<Vec<u8>>, usize);

impl Read for ShortReads {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(self.1);
        self.0.read(&mut out[..len])
    }
}

fn archive(text: &[u8], chunk: usize) -> Archive {
    let reader = ShortReads(std::io::Cursor::new(text.to_vec()), chunk);
    Archive::from_reader(reader, "test", &OpenOptions::new()).unwrap()
}

fn sample() -> Vec<u8> {
    let mut text = Vec::new();
    for n in 0..400 {
        text.extend(format!("[White \"{n}\"]\n\n1. 32-28 19-23 {{ {} }} *\n\n", "x".repeat(n)).bytes());
    }
    text
}

#[test]
fn streamed_games_equal_split_games_for_any_chunk_and_batch() {
    let text = sample();
    let whole: Vec<_> = crate::split::records(&text).map(|game| game.bytes.to_vec()).collect();
    assert_eq!(whole.len(), 400);
    for chunk in [1, 7, 4096, usize::MAX] {
        for batch in [1, 100, 10_000, Stream::CHUNK] {
            let games: Vec<_> =
                archive(&text, chunk).batch_bytes(batch).games().map(Result::unwrap).collect();
            assert!(
                games.iter().map(ArchiveGame::raw).eq(whole.iter().map(Vec::as_slice)),
                "{chunk} {batch}"
            );
            assert_eq!(games[399].number(), 400);
            assert_eq!(games[399].text("White").as_deref(), Some("399"));
        }
    }
}

#[test]
fn batches_of_a_stream_do_not_depend_on_its_reads() {
    let text = sample();
    let batches = |read: usize, batch: usize| -> Vec<usize> {
        archive(&text, read).batch_bytes(batch).batches().map(|batch| batch.unwrap().bytes().len()).collect()
    };
    for batch in [1, 100, 10_000, 40_000] {
        let one_by_one = batches(1, batch);
        assert_eq!(one_by_one.iter().sum::<usize>(), text.len());
        let [others @ .., _] = &one_by_one[..] else { panic!("no batches") };
        assert!(others.iter().all(|&len| len >= batch), "{one_by_one:?}");
        for read in [7, 999, 4096, 10_001, usize::MAX] {
            assert_eq!(batches(read, batch), one_by_one, "{read} bytes in a read, batches of {batch}");
        }
    }
}

#[test]
fn results_are_equal_on_any_number_of_threads() {
    let text = sample();
    let count = |game: RecordView<'_>| (game.offset(), game.moves().count());
    let one: Vec<_> = crate::split::records(&text).map(|game| count(game.into())).collect();
    for threads in [1, 2, 3, 16] {
        let threads = NonZeroUsize::new(threads).unwrap();
        let archive = || archive(&text, 999).batch_bytes(500);
        let results = archive().par_games(threads, || (), move |(), game| count(game.view()));
        assert_eq!(results.map(Result::unwrap).collect::<Vec<_>>(), one);
        let mut scoped = Vec::new();
        let work = |(): &mut (), game: GameRef<'_>| count(game.view());
        let consume = |result| {
            scoped.push(result);
            if scoped.len() == 399 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        archive().par_each(threads, || (), work, consume).unwrap();
        assert_eq!(scoped, one[..399]);
    }
}

#[test]
fn mapped_games_equal_split_games_for_any_batch() {
    let text = sample().repeat(3);
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), &text).unwrap();
    let bytes = |game: RecordView<'_>| (game.offset(), game.raw().to_vec());
    let one: Vec<_> = crate::split::records(&text).map(|game| bytes(game.into())).collect();
    for batch in [1, 1000, 70_000, 1 << 20] {
        let open = || Archive::open(path.path()).unwrap().batch_bytes(batch);
        for threads in [1, 2, 3, 16] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let results = open().par_games(threads, || (), move |(), game| bytes(game.view()));
            assert!(results.map(Result::unwrap).eq(one.iter().cloned()), "{threads} threads, {batch}");
        }
        let numbers = open().games().map(|game| game.unwrap().number());
        assert!(numbers.eq(1..=one.len() as u64), "{batch}");
        // Records are found in any order of access to the batches.
        let batches: Vec<_> = open().batches().map(Result::unwrap).collect();
        assert!(batches[0].begins_input() && !batches[1..].iter().any(Batch::begins_input));
        let records: usize = batches.iter().rev().map(Batch::len).sum();
        assert_eq!(records, one.len());
        assert_eq!(batches.iter().map(Batch::bytes).collect::<Vec<_>>().concat(), text);
    }
}

#[test]
fn lines_of_batches_are_known_unless_one_before_them_was_dropped() {
    let text = sample();
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), &text).unwrap();
    let mapped = || Archive::open(path.path()).unwrap().batch_bytes(1000).batches().map(Result::unwrap);
    let stream = || {
        let archive = Archive::from_reader(std::io::Cursor::new(sample()), "text", &OpenOptions::new());
        archive.unwrap().batch_bytes(1000).batches().map(Result::unwrap)
    };
    for batches in [mapped().collect::<Vec<_>>(), stream().collect()] {
        // No batch waits for another one, in whatever order they are asked.
        for batch in batches.iter().rev() {
            let before = &text[..batch.offset() as usize];
            let expected = LineCounter::new().position_after(before, Encoding::UTF_8);
            assert_eq!(batch.line_counter().unwrap().position(), expected);
        }
    }
    fn drops_one(mut batches: impl Iterator<Item = Batch>) {
        let first = batches.next().unwrap();
        assert!(first.lines().is_ok());
        drop(first);
        // Every batch that was asked may be dropped.
        assert!(batches.next().unwrap().lines().is_ok());
        drop(batches.next());
        for batch in batches.take(200) {
            let error = batch.line_counter().unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::SkippedBatch), "{error}");
        }
    }
    drops_one(mapped());
    drops_one(stream());
}

#[test]
fn binary_inputs_have_no_games_and_the_next_ones_follow() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.pdn", "b.pdn", "c.pdn"].map(|name| folder.path().join(name));
    let program = b"\x7fELF\x02\x01\x01\0\0\0 1. 32-28 *\n";
    for (path, text) in paths.iter().zip([&b"1. 32-28 *\n"[..], program, b"1. 33-28 *\n\x1a\0\0\0"]) {
        std::fs::write(path, text).unwrap();
    }
    let games = |options: &OpenOptions| Archive::open_all(paths.clone(), options).games().collect::<Vec<_>>();
    let read = games(&OpenOptions::new());
    assert_eq!((read.len(), read[0].is_ok(), read[2].is_ok()), (3, true, true));
    let error = read[1].as_ref().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Binary { .. }) && error.path() == Some(&*paths[1]), "{error}");
    let read = games(&OpenOptions::new().binary(true));
    assert!(read.len() == 3 && read.iter().all(Result::is_ok));
    // A reader is judged as a file is, however little it gives at once.
    let reader = ShortReads(std::io::Cursor::new(program.to_vec()), 1);
    let mut streamed = Archive::from_reader(reader, "test", &OpenOptions::new()).unwrap().games();
    assert!(streamed.next().unwrap().is_err() && streamed.next().is_none());
}

#[test]
fn error_follows_the_games_before_it() {
    struct Fails(std::io::Cursor<Vec<u8>>);
    impl Read for Fails {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(out)? {
                0 => Err(std::io::Error::other("the disk is gone")),
                read => Ok(read),
            }
        }
    }
    let open = || {
        let reader = Fails(std::io::Cursor::new(sample()));
        Archive::from_reader(reader, "test", &OpenOptions::new()).unwrap()
    };
    let mut consumed = 0;
    let failed = open().par_each(
        NonZeroUsize::MIN,
        || (),
        |(), _| (),
        |()| {
            consumed += 1;
            ControlFlow::Continue(())
        },
    );
    assert_eq!((consumed, failed.unwrap_err().to_string()), (400, "test: the disk is gone".to_owned()));
    let results: Vec<_> = open().into_iter().collect();
    assert_eq!(results.len(), 401);
    assert!(results[..400].iter().all(Result::is_ok));
    assert_eq!(results[400].as_ref().unwrap_err().to_string(), "test: the disk is gone");
}

#[test]
fn empty_input_has_no_games() {
    assert_eq!(archive(b"", 1).games().count(), 0);
}

#[test]
fn owned_and_borrowed_games_agree() {
    let text = "[White \"Иванов\"]\n[Black \"a \\\"b\\\"\"]\n1. 32-28 *\n\n[White \"c\"]\n1. 33-28 *\n";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, is_utf16) in [(text.as_bytes(), false), (&utf16, true)] {
        let games: Vec<_> = archive(bytes, 7).into_iter().map(Result::unwrap).collect();
        let batches: Vec<_> = archive(bytes, 7).batches().map(Result::unwrap).collect();
        let borrowed: Vec<_> = batches.iter().flat_map(Batch::games).collect();
        assert_eq!((games.len(), borrowed.len()), (2, 2));
        assert_eq!(batches[0].games().len(), 2);
        for (game, other) in games.iter().map(ArchiveGame::as_ref).zip(borrowed) {
            assert_eq!(game.view(), other.view());
            assert_eq!(AsRef::<[u8]>::as_ref(&game), other.raw());
            assert_eq!(
                (game.number(), game.name(), game.offset()),
                (other.number(), other.name(), other.offset())
            );
            assert_eq!((game.text("White"), game.encoding()), (other.text("White"), other.encoding()));
        }
        assert_eq!(games[0].text("White").as_deref(), Some("Иванов"));
        assert_eq!(games[0].text("Black").as_deref(), Some("a \"b\""));
        assert_eq!(games.iter().map(ArchiveGame::begins_input).collect::<Vec<_>>(), [true, false]);
        let second = text.find("[White \"c").unwrap();
        assert_eq!(games[1].offset(), second as u64);
        let original = games[1].offsets().map(|offsets| offsets.original_offset(games[1].offset()));
        assert_eq!(original, is_utf16.then(|| 2 * text[..second].chars().count() as u64));
    }
}

#[test]
fn text_is_encoded_as_the_record_or_its_input_is() {
    let cyrillic = "[White \"Иванов\"]\n[Black \"Петров\"]\n1. c3-d4 *\n\n";
    let mut bytes: Vec<u8> = Encoding::CP866.encode(cyrillic).unwrap().repeat(3);
    bytes.extend(b"[White \"a\"]\n1. c3-d4 *\n");
    for game in archive(&bytes, 100) {
        let game = game.unwrap();
        assert_eq!(game.encode("Иванов").as_deref(), Some(&b"\x88\xA2\xA0\xAD\xAE\xA2"[..]));
        assert_eq!(game.encode("Léman"), None);
    }
}

/// The first records that are kept may have many megabytes each; they must not all be kept in memory.
#[test]
fn few_long_records_of_a_stream_are_kept() {
    let text = format!("1. 32-28 {} *\n", " ".repeat(1 << 20)).repeat(20);
    let archive = Archive::from_reader(std::io::Cursor::new(text), "x", &OpenOptions::new()).unwrap();
    let mut batches = archive.batches();
    let batch = batches.next().unwrap().unwrap();
    let mut records = 0;
    batch.head().each_first_record(|_| {
        records += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(records, 4);
    assert_eq!(batches.count(), 19);
}
