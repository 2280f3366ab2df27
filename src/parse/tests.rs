use crate::internal::parse::Numbered;
use proptest::prelude::*;

use super::*;
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::span::Span;
use crate::value::Nag;

/// Writes down every call, one line each.
#[derive(Default)]
struct Trace {
    lines: Vec<String>,
    skip_variations: bool,
    /// The number of the call that breaks off, from 1.
    stop_at: Option<usize>,
}

impl Trace {
    fn record(&mut self, call: &str, text: &[u8]) -> Flow {
        self.lines.push(format!("{call} {}", String::from_utf8_lossy(text)).trim_end().to_owned());
        if self.stop_at == Some(self.lines.len()) { Flow::Break(()) } else { Flow::Continue(()) }
    }
}

impl<'g> Visitor<'g> for Trace {
    const STYLE: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.record("tag", &[tag.name, b"=", tag.value].concat())
    }
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.record(
            "number",
            format!("{}{}", number.number, if number.second { "..." } else { "" }).as_bytes(),
        )
    }
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.record("move", mv.text)
    }
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.record("captures", list.text)
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.record("missing", format!("{:?}", missing.kind).as_bytes())
    }
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.record("strength", strength.text)
    }
    fn nag(&mut self, nag: Nag, _: Span) -> Flow {
        self.record("nag", nag.0.to_string().as_bytes())
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.record("comment", comment.text)
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.record("setup", setup.fen)
    }
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        let _ = self.record("(", variation.depth.to_string().as_bytes());
        if self.skip_variations { VariationAction::Skip } else { VariationAction::Enter }
    }
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.record(")", variation.depth.to_string().as_bytes())
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.record("end", terminator.text)
    }
    fn text(&mut self, text: &'g [u8], _: Span) -> Flow {
        self.record("text", text)
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.record("!", diagnostic.code.id().as_bytes())
    }
}

/// Returns the calls of a walk over `text`.
fn trace(text: &str) -> Vec<String> {
    let mut trace = Trace::default();
    walk(text.as_bytes(), &mut trace);
    trace.lines
}

/// Compares the calls of a walk with `expected`, which lists them separated by ` | `.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(trace(text).join(" | "), expected, "{text:?}");
}

#[test]
fn walk_reads_standard_pdn() {
    check("", "! P106");
    check(
        "[White \"a\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n",
        "tag White=a | number 1 | move 32-28 | move 19-23 | number 2 | move 28x19 | move 14x23 | end *",
    );
    check(
        "32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 28x19 14x23 *",
        "move 32-28 | move 19-23 | ( 1 | move 18-23 | move 38-32 | ( 2 | move 37-32 | strength ? | move 23-29 | strength ! | comment  Black wins | ) 2 | move 12-18 | ) 1 | move 28x19 | move 14x23 | end *",
    );
    check(
        "1.32-28!? 19-23(!?!!!) 2.28x19 $1 *",
        "number 1 | move 32-28 | strength !? | move 19-23 | strength (!?!!!) | number 2 | move 28x19 | nag 1 | end *",
    );
    check("/FEN \"W:W31-50:B1-20\"/ 1... 14-19 *", "setup W:W31-50:B1-20 | number 1... | move 14-19 | end *");
    check("47x36 <42,29,14,31> *", "move 47x36 | captures <42,29,14,31> | ! P113 | end *");
    check(
        "% board\n[Date \"2012.02.01\"]\n1. a3b4 *",
        "comment  board | tag Date=2012.02.01 | number 1 | move a3b4 | end *",
    );
}

#[test]
fn walk_reports_breaches_of_writing_grammar() {
    check("1- 7 *", "move 1- 7 | ! P101 | end *");
    check("32-28 ! *", "move 32-28 | ! P102 | strength ! | end *");
    check("32-28* 19-23 *", "move 32-28 | ! P103 | strength * | move 19-23 | end *");
    check("32-28 1/2-1/2", "move 32-28 | end 1/2-1/2 | ! P104");
    check("01-07 *", "move 01-07 | ! P105 | end *");
    check("32-28", "move 32-28 | ! P106");
    check("1 . 32-28 *", "number 1 | ! P107 | move 32-28 | end *");
    check(
        "1. ... 7-12 2. 32-28 *",
        "number 1 | missing Ellipsis | ! P107 | move 7-12 | number 2 | move 32-28 | end *",
    );
    check("3228 1823 *", "move 3228 | ! P108 | move 1823 | ! P108 | end *");
    check("A3-B4 *", "move A3-B4 | ! P109 | end *");
    check("32-28 ; so\n*", "move 32-28 | comment  so | ! P110 | end *");
    check("[ Event  \"x\" ] *", "tag Event=x | ! P111 | end *");
    check("32-28□ *", "move 32-28 | ! P112 | strength □ | end *");
    check("32-28 () *", "move 32-28 | ( 1 | ! P114 | ) 1 | end *");
}

#[test]
fn walk_separates_results_and_moves() {
    check("1. 1-18 *", "number 1 | move 1-18 | end *");
    check("1. 2-0", "number 1 | end 2-0 | ! P104");
    check("[Result \"4-6\"] 32-28 4-6", "tag Result=4-6 | move 32-28 | end 4-6 | ! P104");
    check("[Result \"4-6\"] 4-6 32-28 *", "tag Result=4-6 | move 4-6 | move 32-28 | end *");
    check(
        "[Result \"1.02-0.98\"] 32-28 1.02-0.98",
        "tag Result=1.02-0.98 | move 32-28 | end 1.02-0.98 | ! P104",
    );
    check("41. - - 2-0", "number 41 | missing Dash | ! P010 | missing Dash | ! P010 | end 2-0 | ! P104");
    check("32-28 -", "move 32-28 | end - | ! P104");
    check("32-28 (18-23 1-0) *", "move 32-28 | ( 1 | move 18-23 | text 1-0 | ! P016 | ) 1 | end *");
    check("32-28 1-0 *", "move 32-28 | end 1-0 | ! P104 | ! P118");
    check("32-28 * 1-0", "move 32-28 | ! P118 | end 1-0 | ! P104");
    check("32-28 1-0\n2-0", "move 32-28 | end 1-0 | ! P104 | ! P118");
    check("32-28 1-0 0-1", "move 32-28 | end 1-0 | ! P104 | text 0-1 | ! P005");
    check("32-28 1-1 1+ - 1-", "move 32-28 | end 1-1 | ! P104 | text 1+ - 1- | ! P005");
}

#[test]
fn walk_keeps_readable_parts_of_damage() {
    check(
        "8-11Redoversteppedthetime. 1-0",
        "move 8-11 | text Redoversteppedthetime. | ! P004 | end 1-0 | ! P104",
    );
    check(
        "32-28 lost braces here 19-23 *",
        "move 32-28 | text lost braces here | ! P003 | move 19-23 | end *",
    );
    check(
        "32-28 in time-trouble. 19-23 *",
        "move 32-28 | text in time-trouble. | ! P003 | move 19-23 | end *",
    );
    check("Words 32-28 *", "text Words | ! P003 | move 32-28 | end *");
    check("32-28 time* 19-23", "move 32-28 | text time | ! P003 | end * | ! P015 | move 19-23");
    check(
        "32-28 (see [Event \"x\"]) *",
        "move 32-28 | ( 1 | text see | ! P003 | text [Event \"x\"] | ! P009 | ! P114 | ) 1 | end *",
    );
    check("[White \"a\"]\\r\n[Black \"b\"] *", "tag White=a | ! L007 | tag Black=b | end *");
    check("32-28\0\0 19-23\0 *\x1a", "move 32-28 | ! L008 | move 19-23 | end *");
    check("32-28 1-0\u{a0}", "move 32-28 | end 1-0 | ! P104");
    check("32-28 } 19-23 ) *", "move 32-28 | ! L004 | move 19-23 | ! P002 | end *");
    check("32-28 ( 19-23 *", "move 32-28 | ( 1 | move 19-23 | ! P001 | ) 1 | end *");
    check("32-28 { never", "move 32-28 | ! L002 | comment  never | ! P106");
    check("32-28 { a { b } c } *", "move 32-28 | ! L005 | comment  a { b } c | end *");
    check("Event \"x\"]\n[Site \"y\"] *", "tag Event=x | ! P006 | tag Site=y | end *");
    check("[Empty] 1. 32-28 *", "tag Empty= | ! P007 | number 1 | move 32-28 | end *");
    check("[Event \"x\"\n[Site \"y\"] *", "tag Event=x | ! P008 | tag Site=y | end *");
    check("[Event \"The \"Big\" one\"] *", "tag Event=The \"Big\" one | ! P017 | end *");
    check("32-28 [Event \"x\"] *", "move 32-28 | tag Event=x | ! P009 | end *");
    check("32-28 [ 19-23 ] *", "move 32-28 | ! P013 | move 19-23 | ! P013 | end *");
    check(
        "1. 32-28 19-23 3. 28x19 14x23 4. 33-28 *",
        "number 1 | move 32-28 | move 19-23 | ! P011 | number 3 | move 28x19 | move 14x23 | number 4 | move 33-28 | end *",
    );
    check("1. 2. 32-28 *", "number 1 | ! P014 | ! P011 | number 2 | move 32-28 | end *");
    check("32-28\\r\n19-23 *", "move 32-28 | ! L007 | move 19-23 | end *");
    check("32-28 /FEN \"W:W1\n\n*", "move 32-28 | ! L006 | setup W:W1 | end *");
    check("32-28 # 19-23 *", "move 32-28 | text # | ! L001 | move 19-23 | end *");
}

#[test]
fn skipped_variation_reports_no_parts() {
    let mut trace = Trace { skip_variations: true, ..Trace::default() };
    walk(b"32-28 (19-23 ! {x} (18-23) $1) 18-22 *", &mut trace);
    assert_eq!(trace.lines, ["move 32-28", "( 1", "move 18-22", "end *"]);
}

#[test]
fn variations_below_depth_limit_are_skipped() {
    let text = format!("32-28 {} 19-23 {} *", "(18-23 ".repeat(5), ")".repeat(5));
    let mut limits = Limits::DEFAULT;
    limits.variation_depth = 2;
    let mut trace = Trace::default();
    let _ = walk_with(text.as_bytes(), &limits, &mut trace);
    assert_eq!(
        trace.lines,
        ["move 32-28", "( 1", "move 18-23", "( 2", "move 18-23", "! P012", ") 2", ") 1", "end *"]
    );
}

#[test]
fn run_of_equal_bytes_is_reported_once() {
    check("32-28 ]] }}} ) *", "move 32-28 | ! P013 | ! L004 | ! P002 | end *");
    check("32-28 ))))(!) *", "move 32-28 | ! P002 | ! P102 | strength (!) | end *");
    check("32-28 [[[White \"a\"] *", "move 32-28 | ! P013 | tag White=a | ! P009 | end *");
    check("32-28 \"\"\"\" 19-23 *", "move 32-28 | text \"\"\"\" | ! P003 | move 19-23 | end *");
    check(
        "32-28 $$$1 <<<42>>> *",
        "move 32-28 | text $$ | ! L001 | nag 1 | text << | ! L001 | captures <42> | ! P113 | text >> | ! L001 | end *",
    );
    check("32-28 \\\\\\r *", "move 32-28 | text \\\\ | ! L001 | ! L007 | end *");
    check("32-28 /////FEN \"W\"/ *", "move 32-28 | text //// | ! P003 | setup W | end *");
    check("32-28 **** x", "move 32-28 | end * | ! P118 | text x | ! P015");
}

/// Returns the calls for parentheses and moves between whitespace, computed one by one. Each piece is a character that
/// stands for a parenthesis or a move, and how often it is repeated.
fn naive_depths(pieces: &[(char, usize)], limit: u32) -> Vec<String> {
    let mut calls = Vec::new();
    let (mut depth, mut skipping) = (0, 0);
    let close = |depth: &mut u32, skipping: &mut u32, calls: &mut Vec<String>| {
        if *skipping == 0 {
            calls.push(format!(") {depth}"));
        }
        *depth -= 1;
        if *skipping > *depth {
            *skipping = 0;
            calls.push("! P012".into());
        }
    };
    for &(kind, count) in pieces {
        for n in 0..count {
            match kind {
                '(' => {
                    depth += 1;
                    if skipping == 0 && depth > limit {
                        skipping = depth;
                    } else if skipping == 0 {
                        calls.push(format!("( {depth}"));
                    }
                }
                ')' if depth > 0 => close(&mut depth, &mut skipping, &mut calls),
                ')' if n == 0 || calls.last().is_none_or(|last| last != "! P002") => {
                    calls.push("! P002".into())
                }
                ')' => {}
                _ if skipping == 0 => calls.push("move 32-28".into()),
                _ => {}
            }
        }
    }
    if depth > 0 {
        calls.push("! P001".into());
    }
    while depth > 0 {
        close(&mut depth, &mut skipping, &mut calls);
    }
    calls
}

proptest! {
    #[test]
    fn parentheses_equal_naive_count(
        pieces in prop::collection::vec((prop::sample::select(&['(', ')', 'm'][..]), prop_oneof![1..4usize, 60..200usize]), 0..12),
        limit in prop_oneof![0..3u32, Just(70)],
    ) {
        let piece = |&(kind, count): &(char, usize)| match kind {
            'm' => "32-28 ".repeat(count),
            _ => kind.to_string().repeat(count) + " ",
        };
        let text = pieces.iter().map(piece).collect::<String>();
        let limits = Limits { variation_depth: limit, ..Limits::DEFAULT };
        let mut trace = Trace::default();
        let _ = walk_with(text.as_bytes(), &limits, &mut trace);
        // Diagnostics of empty variations and missing terminators are not compared.
        trace.lines.retain(|line| !matches!(line.as_str(), "! P114" | "! P106"));
        prop_assert_eq!(trace.lines, naive_depths(&pieces, limit), "{}", text);
    }
}

#[test]
fn walk_ends_at_call_that_breaks_off() {
    let text = "[White \"a\"] 1. 32-28! 19-23 (18-23 {x}) $3 /FEN \"B:::\"/ rubbish *";
    let all = trace(text);
    for stop in 1..=all.len() {
        let mut trace = Trace { stop_at: Some(stop), ..Trace::default() };
        walk(text.as_bytes(), &mut trace);
        // A variation cannot be broken off as it opens, only at the next call.
        let opened = all[stop - 1].starts_with('(');
        assert!(opened || trace.lines == all[..stop], "{stop}: {:?}", trace.lines);
    }
}

/// Writes down moves, terminators and diagnostics with their spans, and numbers and style diagnostics as its parameters
/// say.
struct SpanRecorder<const NUMBERS: bool, const STYLE: bool, const NUMBER_CHECKS: bool = true> {
    /// Whether variations are entered.
    variations: VariationAction,
    calls: Vec<(String, Span)>,
    /// The number of parts that came in runs.
    in_runs: usize,
}

impl<const NUMBERS: bool, const STYLE: bool, const NUMBER_CHECKS: bool>
    SpanRecorder<NUMBERS, STYLE, NUMBER_CHECKS>
{
    fn new(variations: VariationAction) -> Self {
        Self { variations, calls: Vec::new(), in_runs: 0 }
    }

    fn record(&mut self, call: impl Into<String>, span: Span) -> Flow {
        self.calls.push((call.into(), span));
        Flow::Continue(())
    }
}

impl<'g, const NUMBERS: bool, const STYLE: bool, const NUMBER_CHECKS: bool> Visitor<'g>
    for SpanRecorder<NUMBERS, STYLE, NUMBER_CHECKS>
{
    const NUMBERS: bool = NUMBERS;
    const STYLE: bool = STYLE;
    const NUMBER_CHECKS: bool = NUMBER_CHECKS;

    fn move_number(&mut self, number: MoveNumber) -> Flow {
        assert!(NUMBERS);
        self.record(format!("{} {}", number.number, number.second), number.span)
    }
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.record(mv.text.escape_ascii().to_string(), mv.span)
    }
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        assert!(!NUMBERS && moves.len() > 0);
        let before = self.calls.len();
        let len = moves.len();
        self.in_runs += len;
        moves.for_each(|mv| assert!(self.written_move(mv).is_continue()));
        assert_eq!(self.calls.len() - before, len);
        Flow::Continue(())
    }
    fn numbered_move_run(&mut self, parts: NumberedMoveRun<'g>) -> Flow {
        assert!(NUMBERS);
        let (before, len) = (self.calls.len(), parts.len());
        let mut moves = parts.moves();
        for part in parts {
            match part {
                Numbered::Number(number) => self.move_number(number)?,
                Numbered::Move(mv) => {
                    assert_eq!(moves.next(), Some(mv));
                    self.written_move(mv)?;
                }
            }
            self.in_runs += 1;
        }
        assert_eq!(moves.next(), None);
        assert_eq!(self.calls.len() - before, len);
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.variations
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.record("end", terminator.span)
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.record(format!("{:?}", diagnostic.code), diagnostic.span)
    }
}

/// Compares a walk with runs and a walk without. Without runs, the Result tag is a word that might be a move, so all
/// moves are reported one by one. Returns the number of parts that came in runs.
#[track_caller]
fn walk_both_ways<const NUMBERS: bool, const STYLE: bool>(text: &[u8]) -> usize {
    let [_, entering] = [VariationAction::Skip, VariationAction::Enter].map(|variations| {
        let mut in_runs = SpanRecorder::<NUMBERS, STYLE>::new(variations);
        let mut one_by_one = SpanRecorder::<NUMBERS, STYLE>::new(variations);
        let _ = resume(text, 0, b"", &mut in_runs);
        let _ = resume(text, 0, b"never", &mut one_by_one);
        assert_eq!(in_runs.calls, one_by_one.calls, "{}", text.escape_ascii());
        // A Result tag in the text, perhaps one that lost its bracket, replaces the given result.
        assert!(text.contains(&b'[') || text.contains(&b'"') || one_by_one.in_runs == 0);
        in_runs.in_runs
    });
    entering
}

/// Compares a walk that checks numbers and one that does not: only diagnostics of wrong numbers may differ.
#[track_caller]
fn walk_unchecked(text: &[u8]) {
    for variations in [VariationAction::Skip, VariationAction::Enter] {
        let mut checked = SpanRecorder::<false, false>::new(variations);
        let mut unchecked = SpanRecorder::<false, false, false>::new(variations);
        walk(text, &mut checked);
        walk(text, &mut unchecked);
        for recorder in [&mut checked.calls, &mut unchecked.calls] {
            recorder.retain(|call| call.0 != "MoveNumber");
        }
        assert_eq!(unchecked.calls, checked.calls, "{}", text.escape_ascii());
        assert!(unchecked.in_runs >= checked.in_runs);
    }
}

#[test]
fn numbers_that_no_visitor_wants_are_not_read() {
    // The first number is read, with the others of its block.
    let text = b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 9. 41-36 10-14 6. 50-46 14-18 2-0\n\n";
    let mut unchecked = SpanRecorder::<false, false, false>::new(VariationAction::Skip);
    walk(text, &mut unchecked);
    assert_eq!(unchecked.calls.iter().filter(|call| call.0 == "MoveNumber").count(), 0);
    assert_eq!(unchecked.in_runs, 14);
    walk_unchecked(text);
}

#[test]
fn what_numbers_decide_is_the_same_without_checks() {
    for text in [
        // A number without a dot continues the count.
        "1. 32-28 19-23 2. 28x19 14x23 3 37-32 10-14 *",
        "1. 32-28 19-23 7. 28x19 14x23 8 37-32 10-14 3 41-37 14-19 *",
        "1. 32-28 19-23 7. 28x19 14x23 3 37-32 10-14 *",
        // So does one after a semicolon.
        "1. 32-28 19-23; 2. 28x19 14x23; 3. 37-32 10-14; 4. 41-37 14-19 *",
        "1. 32-28 19-23 7. 28x19 14x23; 8. 37-32 10-14; 9. 41-37 14-19 *",
        "1. 32-28 19-23 7. 28x19 14x23; 3. 37-32 10-14; 4. 41-37 14-19 *",
        // A reply in parentheses.
        "1. 32-28 (19-23) 2. 28x19 (14x23) 3. 37-32 10-14 4. 41-37 14-19 *",
        "1. 32-28 19-23 2. 28x19 (14x23) 3. 37-32 10-14 4 41-37 14-19 *",
        // One half of a pair is missing, and a number comes before Black's move.
        "1. 32-28 19-23 2. 28x19 3. 37-32 10-14 4. 41-37 5 14-19 *",
        "1. 32-28 19-23 2. 28x19 2. 14x23 3. 37-32 10-14 4 41-37 14-19 *",
        // Numbers that are smaller than the count.
        "5. 32-28 19-23 1. 28x19 14x23 1. 37-32 10-14 1 41-37 14-19 *",
        "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 1. 41-37 14-19 2 37-32 1-7 3: 38-33 7-12*",
    ] {
        walk_unchecked(text.as_bytes());
        // The comment ends the run of the first number, which is read; those of the next run need not be.
        walk_unchecked(text.replacen("19-23", "19-23 {x}", 1).as_bytes());
    }
}

#[test]
fn regular_moves_come_in_runs() {
    let text = b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 2-0\n\n";
    assert_eq!(walk_both_ways::<true, true>(text), 14);
    assert_eq!(walk_both_ways::<true, false>(text), 14);
    assert_eq!(walk_both_ways::<false, true>(text), 9);
    assert_eq!(walk_both_ways::<false, false>(text), 9);
}

#[test]
fn moves_after_long_tokens_come_in_runs() {
    let text = b"1... 19-23 2. 28x19 14x23 3. 37-32 10-14x5 4. 41-37 {x} 4... 14-19 5. 46-41 2-0\n\n";
    assert_eq!(walk_both_ways::<true, true>(text), 5);
    assert_eq!(walk_both_ways::<false, false>(text), 3);
}

#[test]
fn moves_of_entered_variations_come_in_runs() {
    let text = b"1. 32-28 (1. 33-28 18-23 (1... 17-22 2. 28x17 12x21) 2. 38-33 12-18) 1... 19-23 *";
    assert_eq!(walk_both_ways::<false, false>(text), 9);
    // With their numbers, the moves of variations are reported one by one: the others are three tokens.
    assert_eq!(walk_both_ways::<true, false>(text), 3);
}

#[test]
fn numbers_without_moves_are_reported_in_skipped_variations() {
    let text = b"1. 32-28 (1. 2. 33-28 19-23 3. 4. 5. 28x19 6.) 1... 19-23 (7. 38-32 8. (9. 1-6) 8. 9.) 2. *";
    walk_both_ways::<true, true>(text);
    let mut skipping = SpanRecorder::<false, false>::new(VariationAction::Skip);
    let _ = resume(text, 0, b"", &mut skipping);
    let reported = skipping.calls.iter().filter(|call| call.0.contains("NumberWithoutMove")).count();
    assert_eq!(reported, 5);
}

#[test]
fn result_tag_without_bracket_counts() {
    let text = b"\0Result \"1-1\"]\n\n1. 1-3 ";
    walk_both_ways::<true, true>(text);
    walk_both_ways::<false, false>(text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn move_runs_equal_single_moves(text in movetext()) {
        walk_both_ways::<true, true>(&text);
        walk_both_ways::<true, false>(&text);
        walk_both_ways::<false, true>(&text);
        walk_both_ways::<false, false>(&text);
    }

    #[test]
    fn runs_pass_alike_whether_numbers_are_read_or_not(text in prop_oneof![movetext(), numbered_pairs()]) {
        walk_unchecked(&text);
    }
}

/// Generates pairs of moves that are mostly numbered as they should be, between parts whose reading depends on the count.
fn numbered_pairs() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec((0..16, 1..40), 5..60).prop_map(|parts| {
        let (mut text, mut number) = (String::new(), 1);
        for (kind, other) in parts {
            text += &match kind {
                0 => format!("{number}. 32-28 "),
                1 => "19-23 ".to_owned(),
                2 => "(19-23) ".to_owned(),
                3 => format!("{number} 32-28 19-23 "),
                4 => format!("{number}: 32-28 19-23 "),
                5 => format!("{other}. 32-28 19-23 "),
                6 => format!("; {number}. 32-28 19-23; "),
                7 => "{x} ".to_owned(),
                _ => format!("{number}. 32-28 19-23 "),
            };
            number += i32::from(!matches!(kind, 1 | 2 | 5 | 7));
        }
        text.into_bytes()
    })
}

/// Generates games in common forms, with rarer parts and damage between the moves and a few random bytes.
pub(crate) fn movetext() -> impl Strategy<Value = Vec<u8>> {
    let after_move = prop::sample::select(
        &[
            "",
            "",
            "",
            "",
            "",
            "",
            "!",
            "?",
            " {x}",
            " (18-23)",
            " (18-23 2. 38-32)",
            " $1",
            "*",
            " *",
            " ...",
            " -",
            " x",
            "\u{a0}",
            " 12x23x34",
            " 1-0",
            " 1-1",
            " 12",
            " 3228",
            " c3-d4",
            " c3d4",
            " 1/2-1/2",
            "\n\n",
            " 7.",
            " 7. 1-7 2-8",
            " 7. 1-7 2-8 8",
            " (7-8)",
            ";",
            " 7...",
            "..",
            " 12.",
            " /FEN \"W\"/",
            " 05-10",
            " 12X23",
            " 4-6",
            " 1 . 2-8",
            ")",
            " [Result \"4-6\"]",
            "\0",
        ][..],
    );
    let ply = (1..60u8, 1..60u8, prop::sample::select(&["-", "-", "x", ":"][..]), after_move);
    let tags = prop::sample::select(
        &[
            "",
            "[Result \"1-1\"]\n\n",
            "[Result \"4-6\"]\n",
            "[Result \"12-8\"]\n",
            "[FEN \"W:W31-50:B1-20\"]\n",
        ][..],
    );
    let first = prop::sample::select(&[1u32, 1, 1, 1, 2, 9, 95][..]);
    let form = prop::sample::select(&[". ", ". ", ".", "", "... ", " "][..]);
    let end = prop::sample::select(&["", " *", " 2-0", " 4-6", " 12-8", "\n1-1\n\n"][..]);
    let noise = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..2);
    (tags, first, form, prop::collection::vec(ply, 0..40), end, noise, any::<bool>()).prop_map(
        |(tags, first, form, plies, end, noise, noisy)| {
            let mut text = tags.to_owned();
            for (n, (from, to, separator, after_move)) in plies.into_iter().enumerate() {
                if n % 2 == 0 && !form.is_empty() {
                    text += &format!("{}{form}", first + n as u32 / 2);
                }
                text += &format!("{from}{separator}{to}{after_move}{}", if n % 9 == 8 { "\n" } else { " " });
            }
            let mut bytes = (text + end).into_bytes();
            for (place, byte) in noise.into_iter().filter(|_| noisy && !bytes.is_empty()).collect::<Vec<_>>()
            {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            bytes
        },
    )
}

#[test]
fn score_under_foreign_result_name_is_terminator() {
    let check_score = |name: &str, is_result: bool| {
        let lines = trace(&format!("[{name} \"4-6\"] 32-28 4-6"));
        let last = if is_result { "end 4-6" } else { "move 4-6" };
        assert!(lines.iter().any(|line| line == last), "{name}: {lines:?}");
    };
    for name in ["Result", "RESULT", "Resultaat", "R&eacute;sultat", "Uitslag"] {
        check_score(name, true);
    }
    for name in ["Round", "Comment", "Results"] {
        check_score(name, false);
    }
    check("[Result \"*\"] [Resultaat \"4-6\"] 4-6 *", "tag Result=* | tag Resultaat=4-6 | move 4-6 | end *");
}

#[test]
fn numbers_after_a_setup_may_begin_with_either_side() {
    #[derive(Default)]
    struct Codes(Vec<Code>);
    impl Visitor<'_> for Codes {
        fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
            self.0.push(diagnostic.code);
            Flow::Continue(())
        }
    }
    let setup = "/FEN \"W:W32,33:B1,2\"/";
    for (text, expected) in [
        (format!("1. 32-28 {setup} 2. 33-29 {{c}} 2... 1-6 3. 32-28 *"), vec![]),
        (format!("1. 32-28 19-23 {setup} 2... 1-6 3. 33-29 2-7 *"), vec![]),
        (format!("1. 32-28 {setup} 21. 33-29 1-6 22. 32-28 2-7 *"), vec![]),
        (format!("1. 32-28 {setup} 21. 33-29 1-6 24. 32-28 2-7 *"), vec![Code::MoveNumber]),
    ] {
        let mut codes = Codes::default();
        walk(text.as_bytes(), &mut codes);
        assert_eq!(codes.0, expected, "{text}");
    }
}
