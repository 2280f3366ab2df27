//! Explains a diagnostic in its record. A diagnostic is plain data; its explanation is computed when it is printed, by
//! reading the value again.

use super::tags;
use crate::archive::InputRecord;
use crate::diag::{Code, Diagnostic, joined};
use crate::parse::{self, Flow, MissingMove, VariationAction, VariationMark, Visitor, WrittenMove, walk};
use crate::source::misread_text;
use crate::value::{
    ClockTime, CommentParts, Date, DateForm, Fen, GameResult, GameType, Rating, ReadDate, ResultFormat,
    Round, TagName, TimeControl, TimeOfDay,
};

/// Explains `diagnostic` in `game` beyond the title of its code: what was expected and found, or how the value was read.
/// Returns `None` if the title is sufficient.
///
/// The text may contain bytes of the record, control characters included: sanitise it before it reaches a terminal.
/// O(bytes of the record); meant for diagnostics that are printed.
///
/// ```
/// use pdn::check::{Checker, CheckOptions, detail};
///
/// let text = b"[Date \"12 Brumaire\"] *";
/// let game = pdn::split::records(text).next().unwrap();
/// let mut checker = Checker::new(&CheckOptions::new());
/// let diagnostic = checker.check(game).diagnostics[0];
/// assert_eq!(diagnostic.code.title(), "a date that cannot be read");
/// assert_eq!(detail(game, &diagnostic).unwrap(), "expected a date such as `1996.12.28`, found `B`");
/// ```
pub fn detail<'g>(game: impl Into<InputRecord<'g>>, diagnostic: &Diagnostic) -> Option<String> {
    detail_of(game.into(), diagnostic)
}

fn detail_of(game: InputRecord<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let (dates, game) = (game.dates(), game.raw());
    let marked = diagnostic.span.of(game);
    let related = diagnostic.related.map(|span| span.of(game));
    // Diagnostics inside a value mark the bytes in question and have the whole value as their related span.
    let whole = related.unwrap_or(marked);
    match diagnostic.code {
        Code::UnknownBytes => match marked {
            b"1/2" | b"\xBD" | b"\xC2\xBD" => Some("a draw is written `1/2-1/2` or `1-1`".to_owned()),
            _ => None,
        },
        Code::BadFen => Fen::parse(whole).err().map(|e| e.to_string()),
        Code::FenForm => {
            let fen = Fen::parse(whole).ok()?;
            if let (Some(first), Some(second)) = (fen.other_turn(), fen.turn()) {
                let (first, second) = (first.letter(), second.letter());
                return Some(format!("`{first}` and then `{second}` name the side to move"));
            }
            let forms: Vec<_> = fen.forms().iter().map(|form| form.name()).collect();
            Some(joined(&forms, "and"))
        }
        Code::BadGameType => {
            let error = GameType::parse(whole).err()?;
            match GameType::numbers_of_name(&String::from_utf8_lossy(whole)) {
                [number] => Some(format!("{error}; the number of this game is {number}")),
                _ => Some(error.to_string()),
            }
        }
        Code::UnsupportedGame | Code::UnknownGameType => {
            let Ok(game_type) = GameType::parse(whole) else {
                return Some("no game has this name".to_owned());
            };
            match game_type.name() {
                Some(name) => Some(format!("{} stands for {name}", game_type.number)),
                None => Some(format!("{} stands for nothing", game_type.number)),
            }
        }
        Code::VariantMismatch => {
            let game = |value: &[u8]| {
                let name = GameType::numbers_of_name(&String::from_utf8_lossy(value)).first().copied();
                GameType::of_number(name.or_else(|| GameType::number_in(value))?).name()
            };
            Some(format!(
                "`{}` is {}, `{}` is {}",
                text(related?),
                game(related?)?,
                text(marked),
                game(marked)?
            ))
        }
        Code::BadDate => dates.read(whole).err().map(|e| e.to_string()),
        Code::DateForm => match (dates.read(whole).ok()?, Date::read(whole).ok()?.form) {
            (ReadDate { form: DateForm::EitherOrder { day_first, month_first }, .. }, _) => {
                Some(format!("`{day_first}` or `{month_first}`: no date of the file shows the order"))
            }
            (read, DateForm::EitherOrder { .. }) => {
                Some(format!("read as `{}`, in the order of other dates of the file", read.date))
            }
            (read, _) => Some(format!("read as `{}`", read.date)),
        },
        Code::BadTime => {
            // The tag name decides between the two; both errors have the same span.
            let clock = ClockTime::parse(whole).err().map(|e| e.to_string());
            clock.or_else(|| TimeOfDay::parse(whole).err().map(|e| e.to_string()))
        }
        Code::BadTimeControl => TimeControl::parse(whole).err().map(|e| e.to_string()),
        Code::BadRating => Rating::read(whole).err().map(|e| e.to_string()),
        Code::BadRound => Round::parse(whole).err().map(|e| e.to_string()),
        Code::BadCommand => {
            let command = CommentParts::new(whole).commands().next()?;
            match command.loose_value(whole) {
                Some((value, 0)) => Some(format!("read as `{value}`")),
                // What two numbers are depends on the other times of the game.
                Some(_) => None,
                None => command.value.err().map(|e| e.to_string()),
            }
        }
        Code::ResultMismatch => {
            Some(format!("the Result tag says `{}`, the game ends with `{}`", text(related?), text(marked)))
        }
        Code::ResultForGameType => {
            let result = GameResult::parse(marked);
            if let Some(system) = tag_value(game, TagName::ResultFormat).and_then(ResultFormat::parse) {
                return Some(format!("ResultFormat says {system}, `{result}` is of another system"));
            }
            let game_type =
                tag_value(game, TagName::GameType).and_then(|value| GameType::parse(value).ok())?;
            let system = game_type.result_system()?;
            Some(format!("{} uses the system {system}, `{result}` is of another", game_type.name()?))
        }
        Code::PlyCountMismatch => {
            let mut counter = PlyCounter::default();
            walk(game, &mut counter);
            Some(format!("PlyCount says {}, the game has {}", text(marked.trim_ascii()), counter.plies))
        }
        Code::ClockBackwards => Some(format!("`{}` came before it", text(related?))),
        Code::RatingRange => Some(format!("`{}` is not between 100 and 3500", text(marked.trim_ascii()))),
        Code::DateOrder => Some(format!("`{}` is before `{}`", text(marked), text(related?))),
        Code::GameTypeBoard => {
            let number = GameType::of_number(GameType::parse(whole).ok()?.number);
            let (width, height) = number.details()?.board()?;
            Some(format!("{} is played on {width} by {height} squares", number.name()?))
        }
        Code::DuplicateTag => Some(format!("the first `{}` counts", text(marked))),
        Code::ForeignTagName => Some(format!("PDN 3.0 calls it `{}`", parse::recognise_tag(marked)?.tag)),
        Code::MissingTag => {
            let mut names = TagNames::default();
            walk(game, &mut names);
            let required = TagName::SEVEN.iter().zip(tags::present(names.0.into_iter()));
            let missing: Vec<_> =
                required.filter(|(_, present)| !present).map(|(tag, _)| tag.name()).collect();
            Some(format!("no {}", missing.join(", no ")))
        }
        Code::SetUpMismatch => Some(match diagnostic.related {
            Some(_) => "SetUp says that there is no position, FEN gives one".to_owned(),
            None => "SetUp says that a position follows, and there is none".to_owned(),
        }),
        Code::MoveNotation | Code::CaptureSeparator => {
            let game_type =
                tag_value(game, TagName::GameType).and_then(|value| GameType::parse(value).ok())?;
            let name = game_type.name()?;
            if diagnostic.code == Code::CaptureSeparator {
                return Some(format!("{name} uses `{}`", game_type.capture_separator()?));
            }
            Some(format!("{name} uses {}", game_type.details()?.notation))
        }
        Code::MisreadText => {
            let misread = misread_text(std::str::from_utf8(marked).ok()?)?;
            Some(format!("it was read as {}; before, it was `{}`", misread.encoding, misread.text))
        }
        Code::ControlBytes | Code::NotUtf8 => marked.first().map(|byte| format!("the byte 0x{byte:02X}")),
        _ => None,
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the value of the first tag with this meaning.
fn tag_value(game: &[u8], name: TagName) -> Option<&[u8]> {
    struct FindTag<'g>(TagName, Option<&'g [u8]>);
    impl<'g> Visitor<'g> for FindTag<'g> {
        const COMPACT: bool = true;

        fn tag(&mut self, tag: parse::TagPair<'g>) -> Flow {
            if tag.recognised().is_none_or(|found| found.tag != self.0) {
                return Flow::Continue(());
            }
            self.1 = Some(tag.value);
            Flow::Break(())
        }
    }
    let mut search = FindTag(name, None);
    walk(game, &mut search);
    search.1
}

/// Collects the names of the tags.
#[derive(Default)]
struct TagNames<'g>(Vec<&'g [u8]>);

impl<'g> Visitor<'g> for TagNames<'g> {
    const COMPACT: bool = true;

    fn tag(&mut self, tag: parse::TagPair<'g>) -> Flow {
        self.0.push(tag.name);
        Flow::Continue(())
    }
}

/// Counts the plies of the main line, as the checker does.
#[derive(Default)]
struct PlyCounter {
    plies: u32,
    depth: u32,
}

impl<'g> Visitor<'g> for PlyCounter {
    const COMPACT: bool = true;

    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.plies += u32::from(self.depth == 0);
        Flow::Continue(())
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.plies += u32::from(self.depth == 0 && !super::visit::is_placeholder(&missing, self.plies));
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.depth += 1;
        VariationAction::Enter
    }

    fn end_variation(&mut self, _: VariationMark) -> Flow {
        self.depth -= 1;
        Flow::Continue(())
    }
}
