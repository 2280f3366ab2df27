use super::*;

/// Gives at most `chunk` bytes at a time.
struct Drip(std::io::Cursor<Vec<u8>>, usize);

impl Read for Drip {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(self.1);
        self.0.read(&mut out[..len])
    }
}

fn archive(text: &[u8], chunk: usize) -> Archive {
    let reader = Drip(std::io::Cursor::new(text.to_vec()), chunk);
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
fn streams_of_any_chunk_and_batch_give_the_same_games() {
    let text = sample();
    let whole: Vec<_> = crate::split::games(&text).map(|game| game.bytes.to_vec()).collect();
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
fn any_number_of_threads_gives_the_same_results() {
    let text = sample();
    let count = |game: view::GameView<'_>| (game.offset(), game.moves().count());
    let one: Vec<_> = crate::split::games(&text).map(|game| count(game.into())).collect();
    for threads in [1, 2, 3, 16] {
        let threads = NonZeroUsize::new(threads).unwrap();
        let results =
            archive(&text, 999).batch_bytes(500).par_games(threads, || (), move |(), game| count(game));
        assert_eq!(results.map(Result::unwrap).collect::<Vec<_>>(), one);
    }
}

#[test]
fn a_file_in_pieces_is_the_file() {
    let text = sample().repeat(3);
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), &text).unwrap();
    let count = |game: view::GameView<'_>| (game.offset(), game.raw().to_vec());
    let one: Vec<_> = crate::split::games(&text).map(|game| count(game.into())).collect();
    for batch in [1, 1000, 70_000, 1 << 20] {
        let open = || Archive::open(path.path()).unwrap().batch_bytes(batch);
        for threads in [1, 2, 3, 16] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let results = open().par_games(threads, || (), move |(), game| count(game));
            assert!(results.map(Result::unwrap).eq(one.iter().cloned()), "{threads} threads, {batch}");
        }
        let numbers = open().games().map(|game| game.unwrap().number());
        assert!(numbers.eq(1..=one.len() as u64), "{batch}");
        // Batches asked from the last to the first.
        let batches: Vec<_> = open().batches().map(Result::unwrap).collect();
        assert!(batches[0].begins_input() && !batches[1..].iter().any(Batch::begins_input));
        let records: usize = batches.iter().rev().map(Batch::len).sum();
        assert_eq!(records, one.len());
        assert_eq!(batches.iter().map(Batch::bytes).collect::<Vec<_>>().concat(), text);
    }
}

#[test]
fn an_error_comes_after_the_games_before_it() {
    struct Fails(std::io::Cursor<Vec<u8>>);
    impl Read for Fails {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(out)? {
                0 => Err(std::io::Error::other("the disk is gone")),
                read => Ok(read),
            }
        }
    }
    let reader = Fails(std::io::Cursor::new(sample()));
    let archive = Archive::from_reader(reader, "test", &OpenOptions::new()).unwrap();
    let results: Vec<_> = archive.games().collect();
    assert_eq!(results.len(), 401);
    assert!(results[..400].iter().all(Result::is_ok));
    assert_eq!(results[400].as_ref().unwrap_err().to_string(), "test: the disk is gone");
}

#[test]
fn an_empty_input_has_no_games() {
    assert_eq!(archive(b"", 1).games().count(), 0);
}
