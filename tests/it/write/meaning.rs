//! What a record says, read without the writer: the twin that written records are compared with.

use std::fmt::Write;

use pdn::diag::Code;
use pdn::internal::parse::recognise_tag;
use pdn::internal::value::{DateForm, TagKind};
use pdn::parse::{Flow, SetupCommand, TagPair, Terminator, Visitor, unescape, walk};
use pdn::replay::{AnnotatedLine, Replayer};
use pdn::value::{Colour, Date, Fen, GameResult, MoveStrength, Nag, TagName};

/// What a record says, as lines of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Tags by their meaning, sorted, without the Result tag.
    pub(super) tags: Vec<String>,
    /// The outcome and the advantage of the result that counts.
    pub(super) result: String,
    /// Moves, comments, NAGs, strengths and variations.
    pub(super) lines: String,
    pub(super) setups: Vec<String>,
    pub(super) variant: String,
}

#[derive(Default)]
struct Reader {
    /// The side to move at the start, for a FEN that names both.
    turn: Option<Colour>,
    /// Names in lower case, what they mean, and values.
    tags: Vec<(String, Option<TagName>, String)>,
    result: Option<Vec<u8>>,
    terminator: Option<Vec<u8>>,
    setups: Vec<String>,
}

/// Returns a tag in words, under the side that it is about: player 1 starts, and so does Red unless Black is named, too.
fn tag_in_words(tags: &[(String, Option<TagName>, String)], index: usize, start: Colour) -> String {
    let (name, meaning, value) = &tags[index];
    let is_numbered = |name: &str| name.starts_with("p1") || name.starts_with("p2");
    let is_red = |name: &str| name.starts_with("ro") || name.starts_with("red");
    let names = |side: TagName| {
        tags.iter().any(|(name, meaning, value)| {
            *meaning == Some(side) && !is_numbered(name) && !is_red(name) && !value.is_empty()
        })
    };
    let other = match meaning {
        Some(TagName::White) => Some(TagName::Black),
        Some(TagName::Black) => Some(TagName::White),
        Some(TagName::WhiteRating) => Some(TagName::BlackRating),
        Some(TagName::BlackRating) => Some(TagName::WhiteRating),
        _ => None,
    };
    let (white, black) = (names(TagName::White), names(TagName::Black));
    let exchanged = is_numbered(name) && start == Colour::Black && !white && !black
        || is_red(name) && !white && (black || start == Colour::White);
    let tag = if exchanged && other.is_some() { other } else { *meaning };
    let name = tag.map_or(name.clone(), |tag| tag.name().to_lowercase());
    format!("{name} {value}")
}

/// Returns the score that the words of the fixtures mean, for the side that starts.
fn score_in_words(text: &[u8], start: Colour) -> Option<&'static [u8]> {
    let winner = match text.trim_ascii() {
        b"White wins." | b"W.W." | b"Black resigns" | b"+-" => Colour::White,
        b"White resigns" | b"-+" => Colour::Black,
        b"Drawn." | b"=" => return Some(b"1/2-1/2"),
        _ => return None,
    };
    Some(if winner == start { b"1-0" } else { b"0-1" })
}

fn fen(text: &[u8], shown: Option<Colour>) -> String {
    let Ok(fen) = Fen::parse(text) else { return text.escape_ascii().to_string() };
    let mut pieces: Vec<_> =
        fen.pieces().map(|piece| format!("{:?}", (piece.colour, piece.king, piece.square))).collect();
    pieces.sort();
    pieces.dedup();
    // Of two sides to move the moves show which one is.
    let turn = shown.filter(|_| fen.other_turn().is_some()).or(fen.turn());
    format!("{turn:?} {pieces:?} {}", fen.is_null_move())
}

impl<'g> Visitor<'g> for Reader {
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let meaning = recognise_tag(tag.name).map(|found| found.tag);
        // Blanks at the ends of a value and double ones mean nothing.
        let value = unescape(tag.value);
        let words = value.split(|byte| matches!(byte, b' ' | b'\t')).map(<[u8]>::to_vec);
        let value = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(&b' ');
        if meaning == Some(TagName::Result) {
            if self.result.is_none() && !value.trim_ascii().is_empty() {
                self.result = Some(value);
            }
            return Flow::Continue(());
        }
        let value = match meaning.map(TagName::kind) {
            Some(TagKind::Fen) => fen(&value, self.turn),
            Some(TagKind::Date) => match Date::read(&value) {
                Ok(read) if !matches!(read.form, DateForm::EitherOrder { .. }) => read.date.to_string(),
                _ => value.escape_ascii().to_string(),
            },
            _ => value.escape_ascii().to_string(),
        };
        let name = String::from_utf8_lossy(tag.name).to_lowercase();
        self.tags.push((name, meaning, value));
        Flow::Continue(())
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.terminator.get_or_insert(terminator.text.to_vec());
        Flow::Continue(())
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.setups.push(fen(setup.fen, None));
        Flow::Continue(())
    }
}

/// Appends the moves of a line with everything that belongs to them, without recursion.
fn line(main: &AnnotatedLine<'_>) -> String {
    enum Step<'l, 'g> {
        Line(&'l AnnotatedLine<'g>, &'static str),
        Text(String),
    }
    let mut text = String::new();
    let mut stack = vec![Step::Line(main, "")];
    while let Some(step) = stack.pop() {
        let (line, end) = match step {
            Step::Line(line, end) => (line, end),
            Step::Text(part) => {
                text += &part;
                continue;
            }
        };
        let mut steps = Vec::new();
        let mut part = String::new();
        // An empty comment says nothing.
        let is_said = |text: &&[u8]| !text.trim_ascii().is_empty();
        for text in line.comments.iter().map(|comment| comment.text).filter(is_said) {
            let _ = write!(part, "{{{}}} ", text.escape_ascii());
        }
        for ply in &line.plies {
            let _ = write!(part, "{}-{}-{:x} ", ply.mv.from.0, ply.mv.to.0, ply.mv.captured);
            let mut nags = ply.nags.clone();
            match ply.strength.map(|strength| (strength, MoveStrength::parse(strength))) {
                Some((_, Some(MoveStrength::Forced))) => nags.push(Nag::FORCED),
                Some((strength, _)) => _ = write!(part, "{} ", strength.escape_ascii()),
                None => {}
            }
            nags.sort_unstable();
            let _ = write!(part, "{nags:?} ");
            for text in ply.comments.iter().map(|comment| comment.text).filter(is_said) {
                let _ = write!(part, "{{{}}} ", text.escape_ascii());
            }
            for variation in &ply.variations {
                // An empty variation says nothing.
                let has_comment = variation.comments.iter().any(|comment| is_said(&comment.text));
                if variation.plies.is_empty() && !has_comment && variation.rest.is_empty() {
                    continue;
                }
                part += "( ";
                steps.push(Step::Text(std::mem::take(&mut part)));
                steps.push(Step::Line(variation, ") "));
            }
        }
        let _ = write!(part, "rest {} {end}", line.rest.len());
        steps.push(Step::Text(part));
        stack.extend(steps.into_iter().rev());
    }
    text
}

impl Meaning {
    pub(super) fn of(record: &[u8], replayer: &mut Replayer) -> Self {
        let game = replayer.replay_annotated(record);
        let mut reader = Reader { turn: Some(game.summary.start.turn), ..Reader::default() };
        walk(record, &mut reader);
        let start = game.summary.numbering.start;
        let parse = |text: &Option<Vec<u8>>| {
            let text = text.clone().unwrap_or_default();
            let result = GameResult::parse(score_in_words(&text, start).unwrap_or(&text));
            match result {
                GameResult::Unknown | GameResult::Unfinished => None,
                GameResult::Text(text) => Some(text.escape_ascii().to_string()),
                result => Some(format!("{} {:?}", result.outcome(), result.advantage())),
            }
        };
        let result = parse(&reader.result).or(parse(&reader.terminator)).unwrap_or_default();
        let words = (0..reader.tags.len()).map(|index| tag_in_words(&reader.tags, index, start));
        let mut tags: Vec<String> = words.collect();
        let mut lines = line(&game.main);
        if let Some(draw) = game.diagnostics.iter().find(|found| found.code == Code::DrawnStart) {
            // By the letter of PDN it is a position and a comment.
            tags.push(format!("fen {}", fen(game.summary.start_position().fen().as_bytes(), None)));
            tags.push("setup 1".to_owned());
            lines = format!("{{{}}} {lines}", draw.span.of(record).escape_ascii());
        }
        tags.sort();
        Self { tags, result, lines, setups: reader.setups, variant: game.summary.variant.to_string() }
    }
}
