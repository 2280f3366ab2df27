use super::super::{RecordWriter, WriteOptions};
use super::*;
use crate::diag::Code;
use crate::movegen::MoveList;
use crate::position::Position;
use crate::replay::Replayer;
use crate::rules::Variant;

/// Returns records of random games of every variant, with annotations.
fn records() -> Vec<String> {
    let mut records = Vec::new();
    for seed in 0..6u64 {
        for &variant in Variant::ALL {
            let mut random = fastrand::Rng::with_seed(seed << 8 | u64::from(variant.number()));
            let mut position = Position::start(variant);
            let mut list = MoveList::new();
            let mut record = match seed % 3 {
                0 => format!("[Event \"x\"] [Result \"*\"] [GameType \"{}\"] ", variant.number()),
                1 => format!("[Date \"????.??.??\"] [GameType \"{}\"] {{first}} ", variant.tag()),
                _ => String::new(),
            };
            for _ in 0..random.usize(1..120) {
                if position.legal_moves(&mut list).is_err() {
                    break;
                }
                let Some(mv) = random.choice(list.iter().copied()) else { break };
                record += &position.move_text(&mv, crate::notation::MoveStyle::Shortest);
                position = position.after_unchecked(&mv);
                record += match random.u32(..20) {
                    0 => " {a comment} ",
                    1 => "! ",
                    2 => " $3 ",
                    3 => " {over\nlines} $1 {of text that is longer than a line, so that it stands alone} ",
                    _ => " ",
                };
            }
            records.push(record + "*");
        }
    }
    records
}

fn writer(line_end: LineEnd, width: usize) -> RecordWriter {
    RecordWriter::new(&WriteOptions::new().line_end(line_end).width(width))
}

#[test]
fn written_records_are_canonical() {
    for (line_end, width) in [(LineEnd::Lf, 79), (LineEnd::CrLf, 30), (LineEnd::Lf, 0), (LineEnd::Lf, 5)] {
        let mut writer = writer(line_end, width);
        let (mut written, mut recognised) = (0, 0);
        for record in records() {
            let mut text = Vec::new();
            if writer.write(record.as_bytes(), &mut text).is_ok() {
                written += 1;
                recognised += u32::from(writer.is_canonical(&text));
            }
        }
        // Not recognised are captures that are written with their path.
        assert!(recognised * 10 > written * 7, "{recognised} of {written}");
    }
}

/// Returns `true` if two texts differ only where only a replay helps: in a capture without the path that it needs, or in
/// the separators of long moves, which are moves of kings.
fn needs_replay(record: &[u8], written: &[u8]) -> bool {
    let plain = |text: &[u8]| {
        text.iter().map(|&b| if matches!(b, b'x' | b':') { b'-' } else { b }).collect::<Vec<_>>()
    };
    if plain(record) == plain(written) {
        let game = Replayer::default().replay_annotated(record);
        return game.main.plies.iter().any(|ply| {
            let is_king = ply.position.piece(ply.mv.from).is_some_and(|piece| piece.king);
            is_king && ply.span.of(record) != ply.span.of(written)
        });
    }
    let mut replayer = Replayer::default();
    replayer.summary(record);
    let codes = [Code::CaptureForm, Code::SettledMove];
    let game = replayer.replay_annotated(record);
    game.diagnostics.iter().any(|found| codes.contains(&found.code))
}

#[test]
fn canonical_records_are_written_as_they_are() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut changed = 0;
    for line_end in [LineEnd::Lf, LineEnd::CrLf] {
        let mut writer = writer(line_end, 79);
        for record in records() {
            let mut text = Vec::new();
            if writer.write(record.as_bytes(), &mut text).is_err() {
                continue;
            }
            for _ in 0..20 {
                // A byte is changed, added or removed.
                let mut other = text.clone();
                let at = random.usize(..other.len());
                let byte = *random.choice(b" \n\r09-x:.!?$*1a{}[]\"\\A;%(".as_slice()).unwrap();
                match random.u32(..3) {
                    0 => other[at] = byte,
                    1 => other.insert(at, byte),
                    _ => _ = other.remove(at),
                }
                if !writer.is_canonical(&other) {
                    continue;
                }
                changed += 1;
                let mut again = Vec::new();
                // What cannot be written stays as it is, too.
                if writer.write(&other[..], &mut again).is_ok() && again != other {
                    assert!(
                        needs_replay(&other, &again),
                        "{}\n{}",
                        other.escape_ascii(),
                        again.escape_ascii()
                    );
                }
            }
        }
    }
    assert!(changed > 200, "{changed}");
}

/// Says of a record whether it is canonical, with runs of moves and without them.
fn verdicts(record: &[u8], line_end: LineEnd, width: usize) -> [bool; 2] {
    static NUMBERS: OnceLock<NumberTexts> = OnceLock::new();
    let numbers = NUMBERS.get_or_init(NumberTexts::new);
    let mut tags = TagSectionWriter::default();
    [
        recognise::<true>(record, &mut tags, numbers, line_end, width),
        recognise::<false>(record, &mut tags, numbers, line_end, width),
    ]
}

#[test]
fn runs_of_moves_are_read_as_single_moves() {
    let seed = std::env::var("PDN_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = fastrand::Rng::with_seed(seed.unwrap_or(2));
    for (line_end, width) in [(LineEnd::Lf, 79), (LineEnd::CrLf, 30), (LineEnd::Lf, 0), (LineEnd::Lf, 5)] {
        let mut writer = writer(line_end, width);
        let (mut canonical, mut others) = (0, 0);
        for record in records() {
            let mut text = Vec::new();
            if writer.write(record.as_bytes(), &mut text).is_err() {
                continue;
            }
            for _ in 0..60 {
                let [runs, single] = verdicts(&text, line_end, width);
                assert_eq!(runs, single, "{}", text.escape_ascii());
                canonical += u32::from(runs);
                others += u32::from(!runs);
                let at = random.usize(..text.len());
                let moved = random.usize(..text.len());
                match random.u32(..5) {
                    // Of the next text, too, some bytes are wrong.
                    0 => text[at] ^= 1 << random.u32(..8),
                    1 => text[at] = *random.choice(b" \n\r09-x:.!?$*1a{}h8".as_slice()).unwrap(),
                    2 => text.swap(at, moved),
                    3 => _ = text.remove(at),
                    _ => {
                        text.clear();
                        assert!(writer.write(record.as_bytes(), &mut text).is_ok());
                    }
                }
            }
        }
        assert!(canonical > 200 && others > 200, "{canonical} {others}");
    }
}

/// A text of words that look like moves, most of them in order.
#[test]
fn damaged_runs_are_read_as_single_moves() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut canonical = 0;
    for round in 0..20_000u32 {
        let algebraic = round % 3 == 0;
        let (mut text, mut len) = (if algebraic { "[GameType \"25\"]\n\n" } else { "" }.to_owned(), 0);
        let words = random.usize(1..12);
        for n in 0..words {
            let mut word = String::new();
            if n % 2 == 0 {
                word += &format!("{}. ", n / 2 + 1 + usize::from(random.u32(..200) == 0));
            }
            let mut square = || match algebraic {
                true => {
                    let file = *random.choice(b"abcdefghhijl`".as_slice()).unwrap() as char;
                    let ranks = if random.u32(..20) > 0 { 1..9 } else { 0..13 };
                    format!("{file}{}", random.u32(ranks))
                }
                false if random.u32(..60) == 0 => format!("{:02}", random.u32(..100)),
                false => {
                    let most = if random.u32(..20) > 0 { 51 } else { 101 };
                    random.u32(1..most).to_string()
                }
            };
            let (from, to) = (square(), square());
            let separator = *random.choice(b"-x:---xx::".as_slice()).unwrap() as char;
            word += &format!("{from}{separator}{to}");
            word += ["!", "", "", "", "", "", "", " {a}"][random.usize(..8)];
            let separator = if len == 0 {
                ""
            } else if (len + 1 + word.len() > 30) != (random.u32(..100) == 0) {
                len = 0;
                "\n"
            } else {
                " "
            };
            len += separator.len() + word.len();
            text += separator;
            text += &word;
        }
        text += " *\n";
        let [runs, single] = verdicts(text.as_bytes(), LineEnd::Lf, 30);
        assert_eq!(runs, single, "{}", text.escape_debug());
        canonical += u32::from(runs);
    }
    assert!(canonical > 100, "{canonical}");
}

#[test]
fn runs_are_equal_with_every_instruction_set() {
    let numbers = NumberTexts::new();
    for (algebraic, value, moves) in [
        (false, "20", " 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 17-22 5. 46-41 11-17 6. 31-26 2x13 *"),
        (true, "25", " 2. d4:b6 a7:c5 3. b2-c3 f6-g5 4. a1-b2 g5-h4 5. c3-d4 d8-e7 6. d4:b6 e7-f6 *"),
    ] {
        let forms = MoveForms::of(value.as_bytes()).expect("a game type");
        let state = RunState { at: 0, line_start: 0, number: 2, second: false, kings: 0 };
        let (text, line_end, width) = (moves.as_bytes(), LineEnd::Lf, 200);
        let (capture, steps, numbers) = (forms.capture, forms.steps.near(), &numbers);
        let ends = match algebraic {
            true => {
                simd::run_on_all(MoveRun::<true> { text, line_end, width, capture, steps, numbers, state })
            }
            false => {
                simd::run_on_all(MoveRun::<false> { text, line_end, width, capture, steps, numbers, state })
            }
        };
        assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
        // The last moves are read one by one, because the words that hold them go beyond the text.
        assert!(ends[0].at > 60 && ends[0].number == 6, "{:?}", ends[0]);
    }
}

#[test]
fn form_of_every_part_is_looked_at() {
    let record = "[Event \"x\"]\n[Date \"1967.01.05\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n\n\
        1. 32-28 19-23 2. 28x19 14x23! {a} 3. 37-32 10-14 $3 *\n";
    let is_canonical = |text: &str| writer(LineEnd::Lf, 79).is_canonical(text.as_bytes());
    assert!(is_canonical(record));
    for (old, new) in [
        ("[Event", " [Event"),
        ("Event", "event"),
        ("Event", "Date"),
        ("Event", "White"),
        ("\"]\n[Date", "\"] [Date"),
        ("1967.01.05", "1967-1-5"),
        ("1-1", "1/2-1/2"),
        ("1-1", "draw"),
        ("\"20\"", "\"25\""),
        ("\"20\"", "\"x\""),
        ("\n\n1.", "\n1."),
        ("1. 32", "1.32"),
        ("1. 32", "01. 32"),
        ("1. 32", "1... 32"),
        ("2. 28", "3. 28"),
        ("28x19", "28:19"),
        ("28x19", "28-19"),
        ("32-28", "32x28"),
        ("32-28", "032-28"),
        ("14x23", "14x23x32"),
        (" 19-23", "  19-23"),
        (" 19-23", "\n19-23"),
        ("{a} 3.", "{a}3."),
        ("{a} 3. ", "{a} "),
        ("! {a}", " ! {a}"),
        ("$3", "$"),
        (" *\n", "*\n"),
        (" *\n", " *"),
        (" *\n", " 1-1\n"),
        (" *\n", " *\n\n"),
    ] {
        assert!(!is_canonical(&record.replacen(old, new, 1)), "{old} to {new}");
    }
}
