//! Input made to hurt: time stays linear, nothing panics, nothing is lost.
//!
//! Times are those of the thread where the system tells them, the best of a few tries, and compared with each other,
//! so that a busy machine does not matter; beside that stands a bound of a microsecond a byte, which no constant
//! factor may hide behind.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use pdn::diag::Diagnostic;
use pdn::limits::Limits;
use pdn::parse::{Flow, VariationAction, VariationMark, Visitor, WrittenMove, walk_with};
use pdn::span::Span;
use pdn::split::{Records, Splitter};

/// Counts, so that no work is optimised away, and wants everything.
#[derive(Default)]
struct Count(usize);

impl<'g> Visitor<'g> for Count {
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

/// Splits and walks `text`, and walks it as one game too.
fn read(text: &[u8], limits: Limits) -> Duration {
    let start = now();
    let mut count = Count::default();
    let mut bytes = 0;
    for game in Records::new(text, limits) {
        bytes += game.bytes.len();
        let _ = walk_with(game.bytes, &limits, &mut count);
    }
    assert_eq!(bytes, text.len(), "slices join to the input");
    let _ = walk_with(text, &limits, &mut count);
    now().saturating_sub(start)
}

/// What this thread has computed so far, or else a clock.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let computed = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = computed.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn small_games() -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.game_bytes = 1 << 16;
    limits.comment_bytes = 1 << 14;
    limits
}

/// `make(n)` is a text of about `n` bytes; twice as much may take little more than twice as long.
fn linear(name: &str, make: impl Fn(usize) -> Vec<u8>) {
    const SIZE: usize = 1 << 17;
    let (once, twice) = (make(SIZE), make(2 * SIZE));
    for limits in [Limits::DEFAULT, small_games()] {
        let mut times = (Duration::MAX, Duration::MAX);
        for attempt in 0..6 {
            times = (times.0.min(read(&once, limits)), times.1.min(read(&twice, limits)));
            let slow = times.1 > Duration::from_micros(1) * twice.len() as u32;
            let grows = times.1 > Duration::from_millis(60) && times.1 > times.0.mul_f64(2.6);
            if !slow && !grows {
                break;
            }
            assert!(attempt < 5, "{name}: {times:?} for {} and {} bytes", once.len(), twice.len());
        }
    }
}

fn repeated(piece: &str) -> impl Fn(usize) -> Vec<u8> {
    move |n| piece.repeat(n / piece.len() + 1).into_bytes()
}

#[test]
fn one_piece_again_and_again() {
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
        "{ (",
        "[(",
        "[%clk 1:00]",
        "{[%clk 1:00]}",
        "1. 32-28 19-23 ",
        "1. 32-28 1-0\n",
    ] {
        linear(piece, repeated(piece));
    }
}

#[test]
fn one_thing_and_then_very_many() {
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
        linear(&format!("{first} then {piece}"), |n| [first.as_bytes(), &repeated(piece)(n)].concat());
    }
}

#[test]
fn pieces_that_are_all_different() {
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
    linear("names", |n| numbered(n, &|i| format!("[A{i} \"x\"]\n")));
    linear("names apart", |n| numbered(n, &|i| format!("[A{i} \"x\"]\n\n")));
    linear("bare names apart", |n| numbered(n, &|i| format!("[A{i}]\n\n")));
    linear("lost brackets", |n| numbered(n, &|i| format!("A{i} \"x\"]\n\n")));
    // One record with very many names, then many with more than few.
    linear("many names, then some often", |n| {
        let mut text = numbered(n / 4, &|i| format!("[A{i} \"x\"]\n\n"));
        text.extend(numbered(n - n / 4, &|i| format!("[A{} \"x\"]\n\n", i % 40)));
        text
    });
    linear("numbers", |n| numbered(n, &|i| format!("{i}. 32-28 ")));
    linear("deeper and deeper", |n| [b"(".repeat(n / 2), b")".repeat(n / 2)].concat());
    linear("nested comments", |n| [b"{".repeat(n / 2), b"}".repeat(n / 2)].concat());
    linear("nested comments, one short", |n| [b"{".repeat(n / 2), b"}".repeat(n / 2 - 1)].concat());
    linear("unclosed comments with tags", |n| {
        [b"{ [A \"x\"]\n".repeat(n / 20), b"\n[A \"x\"]\n".repeat(n / 20)].concat()
    });
    linear("every byte", |n| (0..n).map(|i| (i * 7 + i / 251) as u8).collect());
    linear("a generator's bytes", |n| {
        let mut state = 1u64;
        let next = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            b" \n[]{}()\"\\*-/;%0123456789.xAab&<!"[(state >> 58) as usize % 32]
        };
        (0..n).map(next).collect()
    });
}

/// Hears everything and counts what it hears.
#[derive(Default)]
struct Calls(usize);

impl Calls {
    fn call(&mut self) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for Calls {
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.call()
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.0 += 1;
        VariationAction::Enter
    }

    fn text(&mut self, _: &'g [u8], _: Span) -> Flow {
        self.call()
    }

    fn diagnostic(&mut self, _: Diagnostic) -> Flow {
        self.call()
    }
}

/// Nothing is told of each of very many equal bytes that mean nothing.
#[test]
fn many_equal_bytes_are_told_at_once() {
    for byte in 0..=u8::MAX {
        for rest in ["", " 32-28 *\n", "32-28"] {
            let text = [&vec![byte; 1 << 17][..], rest.as_bytes()].concat();
            let mut calls = Calls::default();
            for game in Records::new(&text, Limits::DEFAULT) {
                let _ = walk_with(game.bytes, &Limits::DEFAULT, &mut calls);
            }
            let depth = Limits::DEFAULT.variation_depth as usize;
            assert!(calls.0 < depth + 10, "{} calls for {:?}", calls.0, byte as char);
        }
    }
}

/// A gigabyte would do no more than this does; the size is what a test can afford.
#[test]
fn large_ones() {
    for piece in ["(", "{", "\"", "[", "[A \"", "x", "{{}", "1-", "\0", "A-"] {
        let text = piece.repeat((6 << 20) / piece.len()).into_bytes();
        let time = read(&text, Limits::DEFAULT);
        assert!(time < Duration::from_secs(30), "{piece}: {time:?}");
    }
}

#[test]
fn the_empty_and_the_tiny() {
    assert_eq!(pdn::split::games(b"").count(), 0);
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
            let mut none = Limits::DEFAULT;
            (none.game_bytes, none.comment_bytes, none.variation_depth) = (0, 0, 0);
            read(&text, none);
            let mut all = Limits::DEFAULT;
            (all.game_bytes, all.comment_bytes, all.variation_depth) = (usize::MAX, usize::MAX, u32::MAX);
            read(&text, all);
        }
    }
}

/// A splitter over a stream forgets: what it holds does not grow with what it has read.
#[test]
fn a_splitter_fed_in_pieces_stays_linear() {
    let text = "{{}{{}}[A \"x\"]\n(1-0 ".repeat(40_000);
    let limits = small_games();
    let mut splitter = Splitter::new(limits);
    let (mut at, mut asked) = (0, 0);
    while at < text.len() {
        let part = &text.as_bytes()[at..text.len().min(at + (1 << 18))];
        splitter.moved();
        let end = splitter
            .next(part, 0, part.len() + at == text.len())
            .expect("the limit is far smaller than the part");
        at += end.end;
        asked += 1;
    }
    assert!(asked <= text.len() / 8);
}
