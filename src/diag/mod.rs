//! Diagnostics: what is wrong in a record, where, and how severe it is. Plain `Copy` data until it is printed.
//!
//! A code never changes its meaning. Its letter names the layer that reports it: `L` lexing and splitting, `P`
//! parsing, `T` tags and other typed values, `N` notation, `R` rules. The long text of each code is on the page [`codes`];
//! `pdn explain CODE` prints it.
//!
//! ```
//! use pdn::check::{CheckOptions, Checker};
//! use pdn::diag::{Code, Severity};
//!
//! let record = b"[Date \"2003.13.01\"]\n1. 32-28 *\n";
//! let mut checker = Checker::new(&CheckOptions::new());
//! let diagnostic = checker.check(record).diagnostics[0];
//! assert_eq!((diagnostic.code, diagnostic.severity), (Code::BadDate, Severity::Warning));
//! assert_eq!(diagnostic.span.of(record), b"2003.13.01");
//! assert_eq!(diagnostic.to_string(), "warning[T002]: a date that cannot be read");
//! ```

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownName;
use crate::span::{LineColumn, Span};

/// The meaning of each code, how the reader goes on, and a fix.
pub mod codes {
    #![doc = include_str!("diagnostics.md")]
}

/// How severe a diagnostic is, the least severe first.
///
/// ```
/// use pdn::diag::{Code, Severity};
///
/// let least: Severity = "warning".parse()?;
/// assert!(Code::IllegalMove.severity() >= least);
/// assert!(Code::SpacedMove.severity() < least);
/// # Ok::<(), pdn::error::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Text that is understood without doubt but not written as PDN 3.0 requires.
    Style,
    /// Text whose meaning was inferred, or that is inconsistent.
    Warning,
    /// Text that is not understood; part of it has no meaning to the reader.
    Error,
}

impl Severity {
    /// Every severity, the least severe first.
    pub const ALL: [Self; 3] = [Self::Style, Self::Warning, Self::Error];

    /// Returns `style`, `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Style => "style",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Writes the [name](Severity::name).
impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the [name](Severity::name), in either case.
impl FromStr for Severity {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = Self::ALL.into_iter().find(|severity| severity.name().eq_ignore_ascii_case(text));
        named.ok_or(UnknownName { expected: "a severity: `style`, `warning` or `error`" })
    }
}

/// A code, its severity and the bytes that it concerns.
///
/// Spans are relative to the first byte of the record.
///
/// ```
/// use pdn::diag::{Code, Diagnostic};
/// use pdn::span::{LineColumn, Span};
///
/// let diagnostic = Diagnostic::new(Code::IllegalMove, Span::new(40, 45));
/// let at = LineColumn { line: 3, column: 19 };
/// assert_eq!(diagnostic.display(at).to_string(), "3:19: error[R001]: an illegal move");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Diagnostic {
    /// The code.
    pub code: Code,
    /// The severity, by default [`Code::severity`].
    pub severity: Severity,
    /// The bytes concerned.
    pub span: Span,
    /// A second span that explains the first, such as the opening brace or the earlier tag.
    pub related: Option<Span>,
}

impl Diagnostic {
    /// Creates a diagnostic with the default severity of its code.
    #[cold]
    pub const fn new(code: Code, span: Span) -> Self {
        Self { code, severity: code.severity(), span, related: None }
    }

    /// Sets the second span.
    #[must_use]
    pub const fn with_related(mut self, related: Span) -> Self {
        self.related = Some(related);
        self
    }

    /// Returns the diagnostic in one line, with the line and column at which its span starts.
    pub fn display(&self, at: LineColumn) -> impl fmt::Display + use<> {
        DisplayedDiagnostic { code: self.code, severity: self.severity, at }
    }
}

/// Writes `severity[code]: title`, without a place.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.code.title())
    }
}

/// A diagnostic to be written with its line and column.
struct DisplayedDiagnostic {
    code: Code,
    severity: Severity,
    at: LineColumn,
}

impl fmt::Display for DisplayedDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, severity, at } = self;
        write!(f, "{at}: {severity}[{code}]: {}", code.title())
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $id:literal, $severity:ident, $title:literal;)*) => {
        /// The stable code of a diagnostic.
        ///
        /// `Display` and `FromStr` use the [id](Code::id), such as `L002`.
        ///
        /// ```
        /// use pdn::diag::Code;
        ///
        /// let code: Code = "L002".parse()?;
        /// assert_eq!(code, Code::UnclosedComment);
        /// assert_eq!((code.id(), code.title()), ("L002", "a comment that is never closed"));
        /// # Ok::<(), pdn::error::UnknownName>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Code {
            $(
                $(#[$doc])*
                #[doc = concat!("`", $id, "`: ", $title, ".")]
                #[cfg_attr(feature = "serde", serde(rename = $id))]
                $variant,
            )*
        }

        impl Code {
            /// Every code, in the order of the guide.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the code as printed, such as `L002`.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// Returns the summary: a noun phrase of one line.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// Returns the default severity.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    UnknownBytes = "L001", Error, "characters that have no meaning in PDN";
    UnclosedComment = "L002", Error, "a comment that is never closed";
    UnclosedString = "L003", Error, "a tag value without its closing quote";
    StrayBrace = "L004", Warning, "a closing brace without an opening one";
    NestedComment = "L005", Warning, "a comment inside a comment";
    UnclosedSetup = "L006", Error, "a setup without its closing slash";
    TypedEscape = "L007", Warning, "a line break written as backslash and letter";
    ControlBytes = "L008", Warning, "control characters in the text";
    GameTooLong = "L009", Error, "a record longer than the limit, cut there";

    UnclosedVariation = "P001", Error, "a variation that is never closed";
    StrayParenthesis = "P002", Warning, "a closing parenthesis without an opening one";
    UnexpectedText = "P003", Error, "text where a move or a comment was expected";
    GluedText = "P004", Warning, "text glued to a move";
    SecondTerminator = "P005", Warning, "a second terminator after the end of the game";
    LostBracket = "P006", Warning, "a tag without its opening bracket";
    TagWithoutValue = "P007", Warning, "a tag without a value";
    UnclosedTag = "P008", Error, "a tag without its closing bracket";
    TagInMoves = "P009", Warning, "a tag in the movetext";
    MissingMove = "P010", Warning, "a mark for a missing or unknown move";
    MoveNumber = "P011", Warning, "a move number that does not follow the previous one";
    VariationTooDeep = "P012", Error, "variations nested beyond the limit, skipped";
    StrayBracket = "P013", Error, "a bracket that opens or closes no tag";
    NumberWithoutMove = "P014", Warning, "a move number without a move";
    TextAfterEnd = "P015", Warning, "text after the end of the game";
    ResultInVariation = "P016", Warning, "a result inside a variation";
    TagQuotes = "P017", Warning, "a tag value with unescaped quotes or without any";
    MovesInComment = "P018", Warning, "a comment whose moves may continue the game";

    SpacedMove = "P101", Style, "whitespace inside a move";
    SpacedStrength = "P102", Style, "whitespace between a move and its strength";
    StarStrength = "P103", Style, "`*` as the strength of a move";
    ResultAsTerminator = "P104", Style, "a terminator other than `*`";
    LeadingZero = "P105", Style, "a square with a leading zero";
    MissingTerminator = "P106", Style, "a game without the terminator `*`";
    MoveNumberForm = "P107", Style, "a move number not written as `1.` or `1...`";
    MissingSeparator = "P108", Style, "a move without a separator";
    CapitalInMove = "P109", Style, "a capital letter in a move";
    LineComment = "P110", Style, "a comment from `;` to the end of the line";
    TagForm = "P111", Style, "a tag not written as `[Name \"value\"]`";
    StrengthForm = "P112", Style, "a strength other than `!` and `?`";
    CaptureList = "P113", Style, "captured squares in `<>`, a proposal for PDN 3.1";
    EmptyVariation = "P114", Style, "a variation without a move";
    ProseInParentheses = "P115", Style, "a comment in parentheses";
    SeparatorForm = "P116", Style, "a separator other than `-`, `x` and `:`";
    MoveSeparator = "P117", Style, "a sign that separates moves";
    RepeatedTerminator = "P118", Style, "a terminator that says nothing new";
    BareComment = "P119", Style, "a comment without braces";
    EvaluationSign = "P120", Style, "a position judged by a sign";

    DuplicateTag = "T001", Warning, "a tag given twice";
    BadDate = "T002", Warning, "a date that cannot be read";
    BadFen = "T003", Error, "a position that cannot be read";
    BadGameType = "T004", Error, "a game type that cannot be read";
    ResultMismatch = "T005", Warning, "the Result tag and the end of the game disagree";
    UnknownResult = "T006", Warning, "a result of no known result format";
    BadTimeControl = "T007", Warning, "a time control that cannot be read";
    BadRound = "T008", Style, "a round that is neither a number nor dotted numbers";
    TagName = "T009", Style, "a tag name that does not start with a capital";
    ForeignTagName = "T010", Style, "a tag name in another language or from another program";
    MissingTag = "T011", Style, "a missing required tag";
    UnsupportedGame = "T012", Warning, "a game that is not draughts";
    SetUpMismatch = "T013", Warning, "SetUp and FEN disagree";
    NotUtf8 = "T014", Style, "text that is not UTF-8";
    HtmlEntity = "T015", Style, "an HTML entity in a value or a comment";
    BadCommand = "T016", Warning, "an embedded command without the form of the standard";
    BadTime = "T017", Warning, "a time that cannot be read";
    BadRating = "T018", Warning, "a rating that is not a number";
    ResultForGameType = "T019", Style, "a result in another format than the game type's";
    BadNag = "T020", Style, "a numeric annotation glyph without a meaning";
    FenForm = "T021", Style, "a FEN value in a non-standard form";
    PlyCountMismatch = "T022", Warning, "PlyCount and the number of moves disagree";
    UnknownGameType = "T023", Warning, "an unknown game type";
    BadPlyCount = "T024", Warning, "a PlyCount that is not a number";
    DateForm = "T025", Style, "a date not written as `YYYY.MM.DD`";
    ClockBackwards = "T026", Warning, "a clock that runs backwards";
    RatingRange = "T027", Style, "a rating outside the plausible range";
    DateOrder = "T028", Warning, "dates in an impossible order";
    GameTypeBoard = "T029", Style, "a game type on a board of another size";
    MisreadText = "T030", Warning, "text in UTF-8 that was read in another encoding";
    ResultForm = "T031", Style, "a result not written as `1-0`, `1-1` or `1/2-1/2`";
    UnreadableText = "T032", Warning, "text with control characters in every likely encoding";
    VariantMismatch = "T033", Warning, "GameType and Variant name different games";

    UnreadableMove = "N001", Error, "a move that cannot be read";
    CaptureSquares = "N002", Warning, "a capture written with squares off its path";
    SplitCapture = "N003", Style, "one capture written as several moves";
    SettledMove = "N004", Warning, "an ambiguous move, resolved by the moves after it";
    MoveNotation = "N106", Style, "moves in another notation than the game type's";
    CaptureSeparator = "N107", Style, "captures with another separator than the game type's";
    CaptureForm = "N108", Style, "an ambiguous capture not written in full, or a full one without need";
    CapturePath = "N109", Style, "a capture written with other squares than PDN 3.0 requires";
    CaptureOrder = "N110", Style, "a capture with its squares in another order";
    ReplyInParentheses = "N111", Style, "a move of the other side in parentheses";
    DrawnStart = "N112", Style, "men that the draw of the opening puts on other squares";

    IllegalMove = "R001", Error, "an illegal move";
    AmbiguousMove = "R002", Error, "an ambiguous move: several legal moves match it";
    MissedCapture = "R003", Error, "a quiet move where a capture is compulsory";
    CapturePrecedence = "R004", Error, "a capture of lower precedence than another one";
    UnfinishedCapture = "R005", Error, "an unfinished capture";
    UnknownPosition = "R006", Error, "moves after a missing move, where the position is unknown";
    BadPosition = "R007", Error, "a position that is impossible on this board";
    OtherVariant = "R008", Warning, "moves of another game type than the tag or the file indicates";
    CaptureLimit = "R009", Error, "a position with more captures than the search limit allows";
    OddPosition = "R010", Warning, "a position that no game can reach";
    OtherSideMoves = "R011", Warning, "a side to move that the position leaves open, inferred from the moves";
    ResultAgainstBoard = "R012", Warning, "a result that the last position contradicts";
    ScoresOfWhite = "R013", Warning, "scores of a file that give the number of White first, though Black starts";
    ResultAgainstTables = "R014", Style, "a result that tables of endings contradict";
}

impl Code {
    /// Returns the code whose [id](Self::id) is `id`, in either case; `None` if there is none.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Code {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::from_id(text).ok_or(UnknownName { expected: "a diagnostic code such as `L002`" })
    }
}

/// Joins items for a sentence: `a, b and c` or `a, b or c`, by the conjunction.
#[doc(hidden)]
pub fn joined<S: AsRef<str>>(items: &[S], conjunction: &str) -> String {
    let items: Vec<_> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}

/// The text of the page of codes.
const DIAGNOSTICS: &str = include_str!("diagnostics.md");

/// Returns the section of the [page of codes](self::codes) on a code: its meaning, how the reader goes on, an example and a
/// fix. In Markdown, without the heading.
///
/// ```
/// use pdn::diag::{Code, explain};
///
/// assert!(explain(Code::UnclosedComment).contains("{"));
/// ```
pub fn explain(code: Code) -> &'static str {
    sections().find(|(id, _)| *id == code.id()).map_or("", |(_, text)| text)
}

/// Iterates over the sections on codes: the first word of each heading, which is the code, and the text up to the
/// next heading.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    DIAGNOSTICS.split("\n## ").skip(1).map(|section| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        // A chapter heading ends the section before it.
        let text = text.split("\n# ").next().unwrap_or(text);
        (heading.split_whitespace().next().unwrap_or(""), text.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ids_are_unique_and_parse() {
        for (i, code) in Code::ALL.iter().enumerate() {
            assert_eq!(Code::from_id(code.id()), Some(*code));
            assert_eq!(Code::from_id(&code.id().to_lowercase()), Some(*code));
            assert_eq!(code.to_string().parse(), Ok(*code));
            assert!(Code::ALL[..i].iter().all(|earlier| earlier.id() != code.id()), "{code} twice");
        }
    }

    #[test]
    fn severity_is_displayed_and_parsed_by_name() {
        for severity in Severity::ALL {
            assert_eq!(severity.to_string().to_uppercase().parse(), Ok(severity));
        }
        assert_eq!(format!("{:<8}|", Severity::Error), "error   |");
        let unknown = "fatal".parse::<Severity>().unwrap_err().to_string();
        assert_eq!(unknown, "expected a severity: `style`, `warning` or `error`");
        assert!("X999".parse::<Code>().is_err());
    }

    #[test]
    fn diagnostic_is_displayed_with_and_without_place() {
        let diagnostic = Diagnostic::new(Code::MissingTag, Span::at(0));
        assert_eq!(diagnostic.to_string(), "style[T011]: a missing required tag");
        let at = LineColumn { line: 12, column: 1 };
        assert_eq!(diagnostic.display(at).to_string(), "12:1: style[T011]: a missing required tag");
    }

    #[test]
    fn diagnostic_fits_in_24_bytes() {
        assert!(size_of::<Diagnostic>() <= 24, "{}", size_of::<Diagnostic>());
    }

    #[test]
    fn guide_has_one_section_per_code() {
        let ids: Vec<_> = sections().map(|(id, _)| id).collect();
        let codes: Vec<_> = Code::ALL.iter().map(|code| code.id()).collect();
        assert_eq!(ids, codes, "the guide has the order of the table in `diag/mod.rs`");
        for code in Code::ALL {
            let text = explain(*code);
            assert!(text.contains("```text\n") && text.contains("**Fix**"), "{code}: example and fix");
            let heading = format!("\n## {code} {}\n", code.title());
            assert!(DIAGNOSTICS.contains(&heading), "{code}: the heading is the title of the code");
        }
    }
}
