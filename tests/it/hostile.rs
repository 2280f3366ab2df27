//! Hostile input: time stays linear, nothing panics, no byte is lost.
//!
//! Times are the CPU time of the thread where the system provides it, the best of a few attempts. They are compared
//! with each other, so that a busy machine does not matter. Besides, a limit of one microsecond per byte holds, so
//! that no constant factor grows unnoticed.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use pdn::diag::Diagnostic;
use pdn::internal::split::Splitter;
use pdn::limits::Limits;
use pdn::parse::{Flow, VariationAction, VariationMark, Visitor, WrittenMove, walk_with};
use pdn::span::Span;
use pdn::split::Records;

/// Counts moves and diagnostics, so that no work is optimised away. Wants style diagnostics too.
#[derive(Default)]
struct PartCounter(usize);

impl<'g> Visitor<'g> for PartCounter {
    const STYLE: bool = true;

    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }

    fn diagnostic(&mut self, _: pdn::diag::Diagnostic) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

/// Splits `text` and walks over its records, then walks over it as one record. Returns the time taken.
fn read(text: &[u8], limits: Limits) -> Duration {
    let start = now();
    let mut count = PartCounter::default();
    let mut bytes = 0;
    for game in Records::new(text, limits) {
        bytes += game.bytes.len();
        let _ = walk_with(game.bytes, &limits, &mut count);
    }
    assert_eq!(bytes, text.len(), "records join to the input");
    let _ = walk_with(text, &limits, &mut count);
    now().saturating_sub(start)
}

/// Returns the CPU time of this thread, or the time of a clock if the system does not provide it.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = schedstat.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Returns limits at which records and comments of a more than 64 and 16 KiB are cut.
fn small_limits() -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.record_bytes = 1 << 16;
    limits.comment_bytes = 1 << 14;
    limits
}

/// Checks that eight times as many bytes take less than sixteen times as long; work that grows with the square takes 64 times as long. A
/// byte may take three microseconds, which unoptimised code on a slow machine does not need.
/// `make(n)` returns a text of about `n` bytes.
fn check_linear(name: &str, make: impl Fn(usize) -> Vec<u8>) {
    let (short, long) = (make(1 << 15), make(1 << 18));
    for limits in [Limits::DEFAULT, small_limits()] {
        let mut times = (Duration::MAX, Duration::MAX);
        for attempt in 0..6 {
            times = (times.0.min(read(&short, limits)), times.1.min(read(&long, limits)));
            let is_slow = times.1 > Duration::from_micros(3) * long.len() as u32;
            let is_superlinear = times.1 > Duration::from_millis(200) && times.1 > times.0 * 16;
            if !is_slow && !is_superlinear {
                break;
            }
            assert!(attempt < 5, "{name}: {times:?} for {} and {} bytes", short.len(), long.len());
        }
    }
}

/// Returns a function that repeats `piece` up to a given number of bytes.
fn repeated(piece: &str) -> impl Fn(usize) -> Vec<u8> {
    move |n| piece.repeat(n / piece.len() + 1).into_bytes()
}

#[test]
fn repeated_piece_takes_linear_time() {
    for piece in [
        "(",
        ")",
        "()",
        "( ",
        "(!",
        "{",
        "}",
        "{}",
        "{{}",
        "{{}\n",
        "{}}",
        "\"",
        "\"\n",
        "[",
        "]",
        "[]",
        "[A",
        "[A ",
        "[a [",
        "[a\n",
        "[A \"",
        "[A \" ",
        "[A \"\n",
        "[A \"x",
        "[A \"x\"",
        "[A \"x\" ",
        "[A \"x\"]",
        "[A \"x\"]\n",
        "[A \"x\"]\n\n",
        "[A \"x\"y",
        "[A \"x]",
        "[A \"\\",
        "[A \"\\\"",
        "[A]",
        "[A]\n",
        "[A x]\n",
        "[A b \"",
        "[A b \"x\"",
        "[A b \"x\"]\n",
        "[&#x00c9; b \"x ",
        "[\n",
        "[ \"",
        "\\\"",
        "\\",
        "\\r",
        "\\r\n",
        "{\n[A \"\"]\n",
        "{[A \"\"]\n",
        "{\n[A \"\"]\n}",
        "{ {\n[A \"\"]\n",
        "{{{}{}",
        "{{}{{}}{",
        "/",
        "/\n",
        "/a",
        "/a(",
        "/ [",
        "/FEN \"",
        "/FEN \"\n\n",
        "1/",
        "1/2",
        "1/2 ",
        "1/2-",
        "1 1/2 ",
        "½",
        "½-",
        "\u{bd}",
        "&",
        "&frac12;",
        "&;",
        "*",
        "* ",
        "*\n",
        "1*",
        "x*",
        "**)",
        ")*",
        "!)*",
        "(!)*",
        "-",
        "--",
        "- ",
        "1-",
        "1- ",
        "1-1",
        "1-1-",
        "1-0",
        "1-0 ",
        "1-0x",
        "1-0 x ",
        "1-0 A ",
        "1-0 [",
        "1-0 1",
        "1-0 {",
        "1+",
        "1+ -",
        "1+ - 1",
        "0-",
        "2.00",
        "1.02-",
        "1.02 - ",
        "1",
        "1 ",
        "12",
        "1.",
        "1. ",
        "1 .",
        "1...",
        ".",
        ". ",
        "...",
        "a",
        "a1",
        "a1b",
        "ab",
        "a b",
        "A",
        "A-",
        "A.",
        "A#",
        "A\"",
        "A \"",
        "A \"\n",
        "A \"\"]\n",
        "Event \"x\"]\n",
        "Event \"x\"]",
        "Event \"x",
        "Aé-",
        "x",
        "x ",
        "X",
        "1x",
        "1 x ",
        "1 - 2 x ",
        "<",
        "<1",
        "<1,",
        "<>",
        "$",
        "$1",
        "!",
        "?",
        "! ",
        "%",
        "%\n",
        ";",
        ";\n",
        "#",
        "~ ",
        "\0",
        "\0a",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\t\n",
        "\u{a0}",
        "\u{feff}",
        "\u{a0}x",
        "х",
        "…",
        "1-0\n[",
        "(1-0 [",
        "(1-0\n",
        "( 1-0 {",
        "(1-0{",
        "1-0 (",
        "1. 1-2; ",
        ";\n",
        "1-0\n\n;\n",
        "1-0\nWord\n",
        "\n\nWord 1-2 ",
        "1-2 (3-4) ",
        "1, 2/ | ",
        "1) 1-2 ",
        "[a b] ",
        "* 1-0 ",
        "x[Event \"a\"]\n[",
        "{ (",
        "[(",
        "[%clk 1:00]",
        "{[%clk 1:00]}",
        "1. 32-28 19-23 ",
        "1. 32-28 1-0\n",
    ] {
        check_linear(piece, repeated(piece));
    }
}

#[test]
fn repeated_piece_after_opener_takes_linear_time() {
    for (first, piece) in [
        ("{", "x"),
        ("{", " "),
        ("{", "\n["),
        ("{", "[A \"x\"] "),
        ("{{", "}{"),
        ("{ {", "{}"),
        ("[A \"", "x"),
        ("[A \"", " "),
        ("[A \"", "\n x"),
        ("[A \"", "\\"),
        ("[A \"", "x] "),
        ("[A \"x\"", " "),
        ("[", " "),
        ("[A", " "),
        ("[A", "A"),
        ("[A ", "x "),
        ("A", "-"),
        ("A \"", "x"),
        ("A", " "),
        ("1", " "),
        ("1 -", " "),
        ("1/2", " "),
        ("1-0", " "),
        ("1-0", "\n"),
        ("1-0", ". "),
        ("1-0 (", "( "),
        ("(1-0", " ["),
        ("(1-0 ", " "),
        ("/", "x"),
        ("/", "\n"),
        ("/", " "),
        ("(", "["),
        ("(", "\n[A \"x\"]"),
        ("(", "\n\n[A]"),
        ("", "x"),
        ("*", "*"),
        ("[Result \"4-6\"]", "4-6 "),
        ("[Result \"4-6\"]", "4-6 {} "),
        ("[Result \"-\"]", "- "),
        ("%", " "),
        (";", "{"),
    ] {
        check_linear(&format!("{first} then {piece}"), |n| [first.as_bytes(), &repeated(piece)(n)].concat());
    }
}

#[test]
fn distinct_pieces_take_linear_time() {
    let numbered = |n: usize, line: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for i in 0.. {
            text += &line(i);
            if text.len() >= n {
                break;
            }
        }
        text.into_bytes()
    };
    check_linear("names", |n| numbered(n, &|i| format!("[A{i} \"x\"]\n")));
    check_linear("names after empty lines", |n| numbered(n, &|i| format!("[A{i} \"x\"]\n\n")));
    check_linear("bare names after empty lines", |n| numbered(n, &|i| format!("[A{i}]\n\n")));
    check_linear("lost brackets", |n| numbered(n, &|i| format!("A{i} \"x\"]\n\n")));
    // One record with a huge number of names, then many records with more than are compared one by one.
    check_linear("many names, then repeated names", |n| {
        let mut text = numbered(n / 4, &|i| format!("[A{i} \"x\"]\n\n"));
        text.extend(numbered(n - n / 4, &|i| format!("[A{} \"x\"]\n\n", i % 40)));
        text
    });
    check_linear("numbers", |n| numbered(n, &|i| format!("{i}. 32-28 ")));
    check_linear("nested variations", |n| [b"(".repeat(n / 2), b")".repeat(n / 2)].concat());
    check_linear("nested comments", |n| [b"{".repeat(n / 2), b"}".repeat(n / 2)].concat());
    check_linear("nested comments, one short", |n| [b"{".repeat(n / 2), b"}".repeat(n / 2 - 1)].concat());
    check_linear("unclosed comments with tags", |n| {
        [b"{ [A \"x\"]\n".repeat(n / 20), b"\n[A \"x\"]\n".repeat(n / 20)].concat()
    });
    check_linear("every byte", |n| (0..n).map(|i| (i * 7 + i / 251) as u8).collect());
    check_linear("pseudo-random bytes", |n| {
        let mut state = 1u64;
        let next = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            b" \n[]{}()\"\\*-/;%0123456789.xAab&<!"[(state >> 58) as usize % 32]
        };
        (0..n).map(next).collect()
    });
}

/// Counts the calls for moves, variations, text and diagnostics.
#[derive(Default)]
struct CallCounter(usize);

impl CallCounter {
    fn count(&mut self) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for CallCounter {
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.count()
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.0 += 1;
        VariationAction::Enter
    }

    fn text(&mut self, _: &'g [u8], _: Span) -> Flow {
        self.count()
    }

    fn diagnostic(&mut self, _: Diagnostic) -> Flow {
        self.count()
    }
}

#[test]
fn runs_of_one_byte_cost_few_visitor_calls() {
    for byte in 0..=u8::MAX {
        for rest in ["", " 32-28 *\n", "32-28"] {
            let text = [&vec![byte; 1 << 17][..], rest.as_bytes()].concat();
            let mut calls = CallCounter::default();
            for game in Records::new(&text, Limits::DEFAULT) {
                let _ = walk_with(game.bytes, &Limits::DEFAULT, &mut calls);
            }
            let depth = Limits::DEFAULT.variation_depth as usize;
            assert!(calls.0 < depth + 10, "{} calls for {:?}", calls.0, byte as char);
        }
    }
}

/// Six megabytes are enough to show what a gigabyte would, and a test can afford them.
#[test]
fn large_hostile_texts_are_read_in_time() {
    for piece in ["(", "{", "\"", "[", "[A \"", "x", "{{}", "1-", "\0", "A-"] {
        let text = piece.repeat((6 << 20) / piece.len()).into_bytes();
        let time = read(&text, Limits::DEFAULT);
        assert!(time < Duration::from_secs(30), "{piece}: {time:?}");
    }
}

#[test]
fn empty_and_tiny_texts_are_read() {
    assert_eq!(pdn::split::records(b"").count(), 0);
    for byte in 0..=u8::MAX {
        for text in [
            vec![byte],
            vec![byte, byte],
            vec![b'[', byte],
            vec![b'{', byte],
            vec![b'1', byte],
            vec![0xC2, byte],
        ] {
            read(&text, Limits::DEFAULT);
            let mut smallest = Limits::DEFAULT;
            (smallest.record_bytes, smallest.comment_bytes, smallest.variation_depth) = (0, 0, 0);
            read(&text, smallest);
            let mut greatest = Limits::DEFAULT;
            (greatest.record_bytes, greatest.comment_bytes, greatest.variation_depth) =
                (usize::MAX, usize::MAX, u32::MAX);
            read(&text, greatest);
        }
    }
}

/// A splitter over a stream forgets the bytes that it has passed, so its memory does not grow with the input.
#[test]
fn splitter_of_stream_stays_linear() {
    let text = "{{}{{}}[A \"x\"]\n(1-0 ".repeat(40_000);
    let limits = small_limits();
    let mut splitter = Splitter::new(limits);
    let (mut at, mut calls) = (0, 0);
    while at < text.len() {
        let part = &text.as_bytes()[at..text.len().min(at + (1 << 18))];
        splitter.moved();
        let end = splitter
            .next(part, 0, part.len() + at == text.len())
            .expect("the limit is much smaller than the part");
        at += end.end;
        calls += 1;
    }
    assert!(calls <= text.len() / 8);
}
