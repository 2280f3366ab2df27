//! Reads bytes from files, streams and containers: every way gives the same bytes, and damage does not affect the bytes before it.

use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use pdn::Error;
use pdn::error::ErrorKind;
use pdn::internal::source::{Container, InputBytes, SMALL, Stream, from_bytes, from_reader, open};
use pdn::source::{Decoder, OpenOptions, walk};
use tempfile::TempDir;

use crate::common::read_and_mapped;

/// Generates at least `len` bytes of games that pack about as well as real ones.
fn games(len: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(len + 200);
    let mut state = 1_u64;
    while text.len() < len {
        write!(text, "[Event \"{}\"]\n[White \"Player {}\"]\n\n", text.len(), state % 977).unwrap();
        for ply in 1..20 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            write!(
                text,
                "{ply}. {}-{} {}x{} ",
                state >> 59,
                state >> 54 & 31,
                state >> 49 & 31,
                state >> 44 & 31
            )
            .unwrap();
        }
        text.extend_from_slice(b"*\n\n");
    }
    text
}

/// A reader that returns at most the given number of bytes per read, as pipes and sockets do.
struct ShortReads<R>(R, usize);

impl<R: Read> Read for ShortReads<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(self.1);
        self.0.read(&mut out[..len])
    }
}

/// Returns the bytes of all inputs of a path, concatenated, and all errors.
fn read_path(path: &Path, options: &OpenOptions) -> (Vec<u8>, Vec<Error>) {
    collect(open(path, options))
}

fn read_stream(bytes: &[u8], step: usize) -> (Vec<u8>, Vec<Error>) {
    collect(from_reader(ShortReads(Cursor::new(bytes.to_vec()), step), "test", &OpenOptions::new()))
}

fn collect(inputs: pdn::Result<pdn::internal::source::Inputs>) -> (Vec<u8>, Vec<Error>) {
    let (mut text, mut errors) = (Vec::new(), Vec::new());
    match inputs {
        Ok(inputs) => {
            for input in inputs {
                match input {
                    Ok(input) => {
                        let (bytes, error) = input.source.into_bytes();
                        text.extend_from_slice(&bytes);
                        errors.extend(error);
                    }
                    Err(error) => errors.push(error),
                }
            }
        }
        Err(error) => errors.push(error),
    }
    (text, errors)
}

fn write_file(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

/// Checks that `file` gives exactly `text`: mapped, read, in memory, and streamed in chunks of several sizes.
fn check(name: &str, file: &[u8], text: &[u8]) {
    let folder = TempDir::new().unwrap();
    let path = write_file(&folder, "any name", file);
    for options in read_and_mapped() {
        let (bytes, errors) = read_path(&path, &options);
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert!(bytes == text, "{name}: {} bytes for {}", bytes.len(), text.len());
    }
    let (bytes, errors) = collect(from_bytes(file.to_vec().into(), "test", &OpenOptions::new()));
    assert!(errors.is_empty() && bytes == text, "{name}: {} bytes, {errors:?}", bytes.len());
    for step in [1, 7, 4096, usize::MAX] {
        let (bytes, errors) = read_stream(file, step);
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert!(bytes == text, "{name} by {step}: {} bytes for {}", bytes.len(), text.len());
    }
}

#[test]
fn plain_bytes_are_unchanged() {
    check("empty", b"", b"");
    check("one byte", b"[", b"[");
    check("one NUL", b"\0", b"\0");
    // Not from 255 down: `FF FE` is the byte order mark of UTF-16.
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    check("binary", &binary, &binary);
    check("byte order mark", b"\xEF\xBB\xBF[Event \"\"]", b"\xEF\xBB\xBF[Event \"\"]");
    for len in [SMALL - 1, SMALL, SMALL + 1, 3 * SMALL, Stream::CHUNK + 1] {
        let mut text = games(len);
        text.truncate(len);
        check("games", &text, &text);
    }
}

#[test]
fn inputs_can_be_sent_to_threads() {
    fn check<T: Send>() {}
    check::<pdn::internal::source::Inputs>();
    check::<pdn::internal::source::Input>();
    check::<pdn::source::PathWalk>();
    fn shared<T: Send + Sync>() {}
    shared::<pdn::source::Bytes>();
    shared::<pdn::internal::source::TextOffsets>();
    shared::<Decoder>();
}

#[test]
fn dash_is_a_file_unless_it_is_said_to_be_standard_input() {
    // There is no file of this name; as standard input, it would open and might block.
    let error = open("-", &OpenOptions::new()).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound),
        "{error}"
    );
    let input = open("-", &OpenOptions::new().dash_is_stdin(true)).unwrap().next();
    assert!(input.is_none_or(|input| input.unwrap().name == Path::new("-")));
}

#[test]
fn inputs_are_mapped_read_or_streamed_as_documented() {
    let folder = TempDir::new().unwrap();
    let small = write_file(&folder, "small.pdn", b"\xEF\xBB\xBF[Event \"\"]");
    let large = write_file(&folder, "large.pdn", &games(2 * SMALL));
    let source = |path: &Path, options| open(path, options).unwrap().next().unwrap().unwrap().source;
    let [reads, maps] = &read_and_mapped();
    let is = |source: &InputBytes| match source {
        InputBytes::Whole(bytes) if bytes.is_mapped() => "mapped",
        InputBytes::Whole(_) => "read",
        InputBytes::Stream(_) => "stream",
    };
    assert_eq!(is(&source(&small, maps)), "read");
    assert_eq!(is(&source(&small, reads)), "read");
    assert_eq!(is(&source(&large, maps)), "mapped");
    assert_eq!(is(&source(&large, reads)), "stream");
    assert!(source(&small, maps).bom());
    assert!(!source(&large, maps).bom());
    let len = fs::metadata(&large).unwrap().len();
    assert_eq!(source(&large, reads).len_hint(), Some(len));

    let mut input = open(&large, reads).unwrap().next().unwrap().unwrap();
    assert_eq!(
        (input.name.as_path(), input.kind, input.progress.total()),
        (&*large, Container::Plain, Some(len))
    );
    let progress = input.progress.clone();
    let InputBytes::Stream(stream) = &mut input.source else { panic!("a stream") };
    let mut buffer = b"kept".to_vec();
    assert!(stream.fill(&mut buffer, 10).unwrap() >= 10);
    assert!(buffer.starts_with(b"kept[Event"));
    while stream.fill(&mut buffer, 1).unwrap() > 0 {}
    assert_eq!((buffer.len() as u64, progress.read()), (4 + len, len));
    assert_eq!(stream.fill(&mut buffer, Stream::CHUNK).unwrap(), 0);
}

#[test]
fn utf16_arrives_as_utf8() {
    let text = "[White \"Иванов 😀\"]\r\n[Black \"é\"]\r\n\r\n1. 32-28 *\r\n";
    let long = text.repeat(3000);
    for text in [text, &long] {
        for (name, mark, unit) in [
            ("LE with mark", true, u16::to_le_bytes as fn(u16) -> [u8; 2]),
            ("LE", false, u16::to_le_bytes),
            ("BE with mark", true, u16::to_be_bytes),
            ("BE", false, u16::to_be_bytes),
        ] {
            let marked = format!("{}{text}", if mark { "\u{FEFF}" } else { "" });
            let file: Vec<u8> = marked.encode_utf16().flat_map(unit).collect();
            check(name, &file, marked.as_bytes());
        }
    }
}

#[test]
fn errors_of_open_name_the_reason_and_the_path() {
    let folder = TempDir::new().unwrap();
    let options = OpenOptions::new();
    let directory = open(folder.path(), &options).unwrap_err();
    assert!(matches!(directory.kind(), ErrorKind::IsDirectory), "{directory}");
    assert_eq!(directory.path(), Some(folder.path()));
    let missing = folder.path().join("missing.pdn");
    let error = open(&missing, &options).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::NotFound), "{error}");
    assert_eq!(error.path(), Some(&*missing));
    let packed = write_file(&folder, "x.xz", b"\xFD7zXZ\0 and so on");
    let error = open(&packed, &options).unwrap_err();
    assert!(
        error.to_string().ends_with("is packed with xz, which is not supported; unpack it first"),
        "{error}"
    );
}

#[test]
fn failing_reader_gives_the_bytes_before_the_error() {
    struct Fails(usize);
    impl Read for Fails {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let len = self.0.min(out.len()).min(100);
            if len == 0 {
                return Err(io::Error::other("unplugged"));
            }
            out[..len].fill(b'x');
            self.0 -= len;
            Ok(len)
        }
    }
    for len in [1, 99, 1024, 1025, 100_000] {
        let (bytes, errors) = collect(from_reader(Fails(len), "stick", &OpenOptions::new()));
        assert_eq!((bytes.len(), errors.len()), (len, 1));
        assert_eq!(errors[0].to_string(), "stick: unplugged");
    }
    let (bytes, errors) = collect(from_reader(Fails(0), "stick", &OpenOptions::new()));
    assert_eq!((bytes.len(), errors.len()), (0, 1));
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_report_no_length_are_read() {
    let (bytes, errors) = read_path(Path::new("/proc/self/status"), &OpenOptions::new());
    assert!(errors.is_empty() && bytes.starts_with(b"Name:"), "{errors:?}");
}

#[test]
fn folders_are_expanded_in_order() {
    let folder = TempDir::new().unwrap();
    let names =
        ["b/2.PDN", "a.pdn", "b/1.pdn.gz", "b/c/x.zip", "b/._1.pdn", "b/notes.txt", "z.pdn.zst", "B.pdn"];
    for name in names {
        write_file(&folder, name, b"");
    }
    let expand = |paths: &[&Path]| -> Vec<String> {
        walk(paths.iter().copied())
            .map(|row| match row {
                Ok(path) => {
                    path.strip_prefix(folder.path()).unwrap_or(&path).display().to_string().replace('\\', "/")
                }
                Err(error) => format!("error: {error}").replace(&folder.path().display().to_string(), ""),
            })
            .collect()
    };
    let all = ["B.pdn", "a.pdn", "b/1.pdn.gz", "b/2.PDN", "b/c/x.zip", "z.pdn.zst"];
    assert_eq!(expand(&[folder.path()]), all);
    let notes = folder.path().join("b/notes.txt");
    let missing = folder.path().join("missing");
    let rows = expand(&[&notes, Path::new("-"), &missing, &folder.path().join("b/c")]);
    assert_eq!((rows.len(), &*rows[0], &*rows[1], &*rows[3]), (4, "b/notes.txt", "-", "b/c/x.zip"));
    assert!(rows[2].starts_with("error: /missing: "), "{}", rows[2]);
}

#[cfg(unix)]
#[test]
fn links_give_each_file_once() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = TempDir::new().unwrap();
    write_file(&folder, "a/1.pdn", b"");
    let at = |name: &str| folder.path().join(name);
    symlink(folder.path(), at("a/loop")).unwrap();
    symlink(at("a"), at("b")).unwrap();
    symlink(at("a/1.pdn"), at("c.pdn")).unwrap();
    symlink(at("nowhere"), at("d.pdn")).unwrap();
    symlink(at("nowhere"), at("e.txt")).unwrap();
    // Two links to each of thirty folders: without a check, that would be 2^30 paths.
    for i in 0..30 {
        fs::create_dir_all(at(&format!("deep/{i}"))).unwrap();
        for side in ["l", "r"] {
            symlink(at(&format!("deep/{}", i + 1)), at(&format!("deep/{i}/{side}"))).unwrap();
        }
    }
    write_file(&folder, "deep/30/2.pdn", b"");
    write_file(&folder, "locked/3.pdn", b"");
    fs::set_permissions(at("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    // For root, the folder is readable all the same.
    let locked = fs::read_dir(at("locked")).is_err();
    let rows: Vec<_> = walk([folder.path()]).collect();
    fs::set_permissions(at("locked"), fs::Permissions::from_mode(0o755)).unwrap();
    let (paths, errors): (Vec<_>, Vec<_>) = rows.into_iter().partition(Result::is_ok);
    let names: Vec<_> = paths.into_iter().map(|path| path.unwrap().file_name().unwrap().to_owned()).collect();
    let expected: &[&str] = if locked { &["1.pdn", "2.pdn"] } else { &["1.pdn", "2.pdn", "3.pdn"] };
    assert_eq!(names, expected);
    let errors: Vec<_> =
        errors.into_iter().map(|error| error.unwrap_err().path().unwrap().to_owned()).collect();
    let expected = if locked { vec![at("d.pdn"), at("locked")] } else { vec![at("d.pdn")] };
    assert_eq!(errors, expected);
}

mod packed {
    use pdn::source::SourceLimits;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ::zstd::encode_all(text, 3).unwrap()
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut writer = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    fn zip(entries: &[(&str, &[u8])], method: ::zip::CompressionMethod) -> Vec<u8> {
        let mut writer = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = ::zip::write::SimpleFileOptions::default().compression_method(method);
        for (name, text) in entries {
            writer.start_file(*name, options).unwrap();
            writer.write_all(text).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    type Pack = fn(&[u8]) -> Vec<u8>;
    const PACKERS: [(&str, Pack); 3] = [("gzip", gzip), ("zstd", zstd), ("bzip2", bzip2)];

    #[test]
    fn all_members_are_unpacked() {
        let text = games(300_000);
        let (a, b) = text.split_at(100_000);
        for (name, pack) in PACKERS {
            check(name, &pack(&text), &text);
            check(name, &pack(b""), b"");
            check(name, &[pack(a), pack(b)].concat(), &text);
            check(name, &[pack(b""), pack(a), pack(b""), pack(b), pack(b"")].concat(), &text);
            check(name, &[pack(a), vec![0; 700], pack(b), vec![0; 1000]].concat(), &text);
            check(name, &pack(b"\xFF\xFE[\0E\0"), b"\xEF\xBB\xBF[E");
        }
        let skipped = b"\x53\x2A\x4D\x18\x05\0\0\0hello";
        check("zstd, skippable", &[skipped, &*zstd(a), skipped, &*zstd(b), skipped].concat(), &text);
    }

    /// A truncated file gives all bytes that can be unpacked, then one error with their number.
    #[test]
    fn truncated_files_give_the_bytes_before_the_cut() {
        let text = games(1_200_000);
        for (name, pack) in PACKERS {
            let file = [pack(&text[..1_000_000]), pack(&text[1_000_000..])].concat();
            let first = pack(&text[..1_000_000]).len();
            let mut previous = 0;
            let mut cuts: Vec<usize> = (5..file.len()).step_by(file.len() / 40 + 1).collect();
            cuts.extend([10, first - 1, first, first + 1, first + 5, file.len() - 1]);
            cuts.sort_unstable();
            for cut in cuts {
                let (bytes, errors) = read_stream(&file[..cut], 4096);
                assert!(text.starts_with(&bytes), "{name} cut at {cut}");
                assert!(bytes.len() >= previous, "{name} cut at {cut} gives less than before");
                previous = bytes.len();
                if cut == first {
                    assert!(errors.is_empty() && bytes.len() == 1_000_000, "{name}: {errors:?}");
                    continue;
                }
                assert_eq!(errors.len(), 1, "{name} cut at {cut}");
                let ErrorKind::Compressed { container, readable, .. } = errors[0].kind() else {
                    panic!("{name} cut at {cut}: {}", errors[0])
                };
                assert_eq!((*container, *readable), (name, bytes.len() as u64), "cut at {cut}");
            }
            assert!(previous > 1_000_000, "{name}");
        }
    }

    #[test]
    fn damage_is_reported_and_earlier_bytes_are_kept() {
        let text = games(3_000_000);
        for (name, pack) in PACKERS {
            let mut file = pack(&text);
            let at = file.len() * 3 / 4;
            file[at..at + 64].fill(0xA5);
            let (bytes, errors) = read_stream(&file, 1 << 20);
            assert_eq!(errors.len(), 1, "{name}");
            assert!(matches!(errors[0].kind(), ErrorKind::Compressed { .. }), "{}", errors[0]);
            // Deflate detects damage after a few bytes, the others at the end of a block.
            assert!(bytes.len() > text.len() / 3, "{name}: {}", bytes.len());
            let same = bytes.iter().zip(&text).take_while(|(a, b)| a == b).count();
            assert!(same > text.len() / 3, "{name}: {same}");

            let mut file = pack(&text);
            file.extend_from_slice(b"[Event \"appended by hand\"]");
            let (bytes, errors) = read_stream(&file, 1 << 20);
            assert!(bytes == text, "{name}");
            assert!(errors[0].to_string().contains("other bytes follow"), "{}", errors[0]);
        }
    }

    #[test]
    fn zstd_windows_are_limited() {
        let text = games(100_000);
        let pack = |log| {
            let mut writer = ::zstd::Encoder::new(Vec::new(), 3).unwrap();
            writer.long_distance_matching(true).unwrap();
            writer.window_log(log).unwrap();
            writer.write_all(&text).unwrap();
            writer.finish().unwrap()
        };
        check("window 27", &pack(27), &text);
        let file = pack(28);
        let (bytes, errors) = read_stream(&file, 4096);
        assert!(bytes.is_empty());
        assert!(errors[0].to_string().contains("zstd_window_log"), "{}", errors[0]);
        let options = OpenOptions::new().limits(SourceLimits::TRUSTED);
        let (bytes, errors) = collect(from_reader(Cursor::new(file), "x", &options));
        assert!(errors.is_empty() && bytes == text, "{errors:?}");
    }

    #[test]
    fn zip_gives_its_pdn_entries() {
        let (a, b) = (games(150_000), games(40_000));
        let methods = [
            ::zip::CompressionMethod::Stored,
            ::zip::CompressionMethod::Deflated,
            ::zip::CompressionMethod::Bzip2,
            ::zip::CompressionMethod::Zstd,
        ];
        for method in methods {
            let entries: [(&str, &[u8]); 6] = [
                ("a.pdn", &a),
                ("readme.txt", b"no games"),
                ("sub/B.PDN", &b),
                ("__MACOSX/._a.pdn", b"\0\x05\x16\x07"),
                ("empty.pdn", b""),
                ("wide.pdn", b"[\0E\0v\0"),
            ];
            let file = zip(&entries, method);
            check("zip", &file, &[&*a, &*b, b"[Ev"].concat());
            let inputs = from_reader(Cursor::new(file), "x.zip", &OpenOptions::new()).unwrap();
            let names: Vec<_> = inputs.map(|input| input.unwrap().name.display().to_string()).collect();
            assert_eq!(names, ["x.zip/a.pdn", "x.zip/sub/B.PDN", "x.zip/empty.pdn", "x.zip/wide.pdn"]);
        }
        let (_, errors) = read_stream(&zip(&[("a.txt", b"")], ::zip::CompressionMethod::Stored), 4096);
        assert!(matches!(errors[0].kind(), ErrorKind::NoEntry), "{}", errors[0]);
        let (_, errors) = read_stream(&zip(&[], ::zip::CompressionMethod::Stored), 4096);
        assert!(matches!(errors[0].kind(), ErrorKind::NoEntry), "{}", errors[0]);
    }

    #[test]
    fn truncated_zips_are_rescued() {
        let (a, b) = (games(1_500_000), games(700_000));
        let text = [&*a, &*b].concat();
        let file =
            zip(&[("x.bin", &a[..9_999]), ("a.pdn", &a), ("b.pdn", &b)], ::zip::CompressionMethod::Deflated);
        let mut previous = 0;
        for cut in (40..file.len()).step_by(file.len() / 60).chain([file.len() - 1]) {
            let (bytes, errors) = read_stream(&file[..cut], 1 << 20);
            assert!(text.starts_with(&bytes), "cut at {cut}");
            assert!(bytes.len() >= previous, "cut at {cut}");
            previous = bytes.len();
            assert!(!errors.is_empty(), "cut at {cut}");
            assert!(
                errors.iter().all(|error| matches!(error.kind(), ErrorKind::Compressed { .. })),
                "{errors:?}"
            );
        }
        assert_eq!(previous, text.len());
    }

    #[test]
    fn rescue_takes_no_header_without_a_name() {
        let entry = zip(&[("a.pdn", b"1. 32-28 *\n")], ::zip::CompressionMethod::Stored);
        let end = entry.windows(4).position(|mark| mark == b"PK\x01\x02").unwrap();
        // Its data would be all that follows.
        let mut nameless = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
        nameless.extend([(end as u32).to_le_bytes(), (end as u32).to_le_bytes(), [0; 4]].concat());
        let (bytes, errors) = read_stream(&[&nameless, &entry[..end]].concat(), 4096);
        assert_eq!(bytes.escape_ascii().to_string(), "1. 32-28 *\\n");
        assert_eq!(errors.len(), 1, "{errors:?}");
    }

    /// In a zip that was written to a pipe, the lengths of the entries follow the entries.
    #[test]
    fn zips_from_pipes_are_read_and_rescued() {
        let (a, b) = (games(300_000), games(200_000));
        let mut writer = ::zip::ZipWriter::new_stream(Vec::new());
        for (name, text) in [("a.pdn", &a), ("b.pdn", &b)] {
            let options = ::zip::write::SimpleFileOptions::default();
            writer.start_file(name, options.compression_method(::zip::CompressionMethod::Deflated)).unwrap();
            writer.write_all(text).unwrap();
        }
        let file = writer.finish().unwrap().into_inner();
        let text = [&*a, &*b].concat();
        check("zip from a pipe", &file, &text);
        let (bytes, errors) = read_stream(&file[..file.len() - 10], 4096);
        assert!(bytes == text, "{}", bytes.len());
        assert!(matches!(errors[..], [ref error] if error.to_string().contains("500")), "{errors:?}");
    }

    #[test]
    fn damaged_zip_entry_does_not_affect_others() {
        let (a, b) = (games(200_000), games(100_000));
        let mut file = zip(&[("a.pdn", &a), ("b.pdn", &b)], ::zip::CompressionMethod::Stored);
        file[50_000] ^= 1;
        let (bytes, errors) = read_stream(&file, 4096);
        assert!(bytes.len() == a.len() + b.len() && bytes.ends_with(&b));
        assert_eq!(errors.len(), 1);
        let text = errors[0].to_string();
        assert!(
            text.starts_with("test/a.pdn: damaged zip data after") && text.ends_with("checksum differ"),
            "{text}"
        );
    }

    #[test]
    fn zip_bombs_are_stopped() {
        let zeros = vec![b'('; 80 << 20];
        let file = zip(&[("bomb.pdn", &zeros)], ::zip::CompressionMethod::Deflated);
        assert!(file.len() < 100_000, "{}", file.len());
        let (bytes, errors) = read_stream(&file, 1 << 20);
        assert!(matches!(errors[0].kind(), ErrorKind::TooLarge { limit: 400, .. }), "{}", errors[0]);
        assert!(bytes.len() < 64 << 20, "{}", bytes.len());

        let small = games(500_000);
        let file = zip(&[("a.pdn", &small), ("b.pdn", &small)], ::zip::CompressionMethod::Deflated);
        let limits = SourceLimits::new().unpacked_bytes(600_000);
        let (bytes, errors) =
            collect(from_reader(Cursor::new(file), "x", &OpenOptions::new().limits(limits)));
        // The limit is checked once per read, so at most one read exceeds it.
        assert!(bytes.len() >= 600_000 && bytes.len() < 600_000 + 2 * Stream::CHUNK, "{}", bytes.len());
        assert!(matches!(errors[0].kind(), ErrorKind::TooLarge { limit: 600_000, .. }), "{}", errors[0]);

        let file = zip(&[("a.pdn", &small)], ::zip::CompressionMethod::Stored);
        let limits = SourceLimits::new().zip_spool(100_000);
        let error = from_reader(Cursor::new(file), "x", &OpenOptions::new().limits(limits)).unwrap_err();
        assert!(error.to_string().contains("give it as a file instead"), "{error}");

        // A stream is limited in memory, not in size. The buffer is emptied after each read, as a splitter does.
        let file = gzip(&zeros);
        let mut input =
            from_reader(Cursor::new(file), "x", &OpenOptions::new().limits(SourceLimits::TRUSTED))
                .unwrap()
                .next()
                .unwrap()
                .unwrap();
        let InputBytes::Stream(stream) = &mut input.source else { panic!("a stream") };
        let (mut buffer, mut total) = (Vec::new(), 0);
        loop {
            buffer.clear();
            match stream.fill(&mut buffer, Stream::CHUNK).unwrap() {
                0 => break,
                more => total += more,
            }
        }
        assert_eq!(total, zeros.len());
        assert!(buffer.capacity() <= 2 * Stream::CHUNK, "{}", buffer.capacity());
    }

    #[test]
    fn bombs_of_every_container_are_stopped() {
        let zeros = vec![b'('; 40 << 20];
        let small = games(500_000);
        for pack in [gzip, zstd, bzip2] {
            let file = pack(&zeros);
            assert!(file.len() < 100_000, "{}", file.len());
            let (bytes, errors) = read_stream(&file, 1 << 20);
            assert!(matches!(errors[0].kind(), ErrorKind::TooLarge { limit: 400, .. }), "{}", errors[0]);
            assert!(bytes.len() < 39 << 20, "{}", bytes.len());
            assert_eq!(errors.len(), 1);

            let limits = SourceLimits::new().unpacked_bytes(100_000);
            let options = OpenOptions::new().limits(limits);
            let (bytes, errors) = collect(from_reader(Cursor::new(pack(&small)), "x", &options));
            assert!(matches!(errors[0].kind(), ErrorKind::TooLarge { limit: 100_000, .. }), "{}", errors[0]);
            assert!(bytes.len() >= 100_000 && small.starts_with(&bytes), "{}", bytes.len());

            // What an archive gives before the error are games.
            let archive = pdn::Archive::from_reader(Cursor::new(pack(&small)), "x", &options).unwrap();
            let read: Vec<_> = archive.games().collect();
            assert!(read.len() > 10 && read.last().is_some_and(Result::is_err));
        }
    }

    #[test]
    fn long_texts_are_stopped_in_every_container() {
        let text = games(100_000);
        let options = |bytes| OpenOptions::new().limits(SourceLimits::new().max_bytes(bytes));
        let packed = zip(&[("a.pdn", &text)], ::zip::CompressionMethod::Deflated);
        for file in [text.clone(), gzip(&text), zstd(&text), bzip2(&text), packed] {
            let open = |bytes| from_reader(Cursor::new(file.clone()), "x", &options(bytes));
            assert_eq!(collect(open(text.len() as u64)).0, text);
            let (bytes, errors) = collect(open(50_000));
            assert!(matches!(errors[0].kind(), ErrorKind::TooLarge { limit: 50_000, .. }), "{}", errors[0]);
            assert_eq!(bytes, text[..50_000]);
        }
        let whole = |bytes| pdn::internal::source::from_bytes(text.clone().into(), "x", &options(bytes));
        assert!(whole(text.len() as u64).is_ok());
        assert_eq!(
            whole(50_000).unwrap_err().to_string(),
            "x: the length of this text, in bytes, exceeds the limit of 50000"
        );
    }

    #[test]
    fn false_zip_headers_are_searched_in_linear_time() {
        let mut files: Vec<Vec<u8>> = vec![
            b"PK\x03\x04".repeat(100_000),
            b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.pdn".repeat(20_000),
            b"PK\x05\x06".to_vec(),
            b"PK\x03\x04".to_vec(),
        ];
        files.push(zip(&[("a.pdn", b"x")], ::zip::CompressionMethod::Stored).repeat(3));
        for file in files {
            let (bytes, errors) = read_stream(&file, 1 << 20);
            assert!(bytes.len() <= file.len());
            assert!(!errors.is_empty() || bytes == b"x", "{}", bytes.escape_ascii());
        }
    }
}
