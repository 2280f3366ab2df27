//! What is wrong, where, and how bad: plain `Copy` data until somebody prints it.
//!
//! A code is stable for ever. Its letter names the layer that finds it: `L` lexing and splitting, `P` parsing,
//! `T` tags and other typed values, `N` notation, `R` rules, `I` index. The long text of each code stands in the
//! guide, and `pdn explain CODE` prints it.

use std::fmt;

use crate::span::Span;

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Well understood, but not how PDN 3.0 says to write it.
    Style,
    /// Understood with a guess, or inconsistent.
    Warning,
    /// Not understood; some of the text has no meaning to the reader.
    Error,
}

impl Severity {
    /// `style`, `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Style => "style",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding in one game.
///
/// Spans count from the first byte of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Diagnostic {
    /// What was found.
    pub code: Code,
    /// How much it matters; usually [`Code::severity`].
    pub severity: Severity,
    /// The bytes concerned.
    pub span: Span,
    /// A second place that explains the first, such as the opening brace or the earlier tag.
    pub related: Option<Span>,
}

impl Diagnostic {
    /// A finding with the severity that its code has by default.
    #[cold]
    pub const fn new(code: Code, span: Span) -> Self {
        Self { code, severity: code.severity(), span, related: None }
    }

    /// The same finding with a second place.
    #[must_use]
    pub const fn with_related(mut self, related: Span) -> Self {
        self.related = Some(related);
        self
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $id:literal, $severity:ident, $title:literal;)*) => {
        /// The stable code of a finding.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Code {
            $($(#[$doc])* #[doc = concat!("`", $id, "`: ", $title, ".")] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the guide.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The code as printed, such as `L002`.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// One line that says what was found.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// How much it matters unless the finder says otherwise.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    UnknownBytes = "L001", Error, "bytes that belong to no token";
    UnclosedComment = "L002", Error, "a comment that is never closed";
    UnclosedString = "L003", Error, "a tag value without its closing quote";
    StrayBrace = "L004", Warning, "a closing brace without an opening one";
    NestedComment = "L005", Warning, "a comment inside a comment";
    UnclosedSetup = "L006", Error, "a setup without its closing slash";
    TypedEscape = "L007", Warning, "a line end typed as backslash and letter";
    ControlBytes = "L008", Warning, "control characters in the text";
    GameTooLong = "L009", Error, "a game longer than the limit, cut there";

    UnclosedVariation = "P001", Error, "a variation that is never closed";
    StrayParenthesis = "P002", Warning, "a closing parenthesis without an opening one";
    UnexpectedText = "P003", Error, "text where a move or a comment was expected";
    GluedText = "P004", Warning, "text glued to a move";
    SecondTerminator = "P005", Warning, "a second result after the end of the game";
    LostBracket = "P006", Warning, "a tag without its opening bracket";
    TagWithoutValue = "P007", Warning, "a tag without a value";
    UnclosedTag = "P008", Error, "a tag without its closing bracket";
    TagInMoves = "P009", Warning, "a tag among the moves";
    MissingMove = "P010", Warning, "a mark that stands for a missing or unknown move";
    MoveNumber = "P011", Warning, "a move number that does not follow from the one before";
    VariationTooDeep = "P012", Error, "variations nested beyond the limit, skipped";
    StrayBracket = "P013", Error, "a bracket that opens or closes no tag";
    NumberWithoutMove = "P014", Warning, "a move number without a move";
    TextAfterEnd = "P015", Warning, "text after the end of the game";
    ResultInVariation = "P016", Warning, "a result inside a variation";
    TagQuotes = "P017", Warning, "a tag value with unescaped quotes or without any";

    SpacedMove = "P101", Style, "blanks inside a move";
    SpacedStrength = "P102", Style, "a blank between a move and its strength";
    StarStrength = "P103", Style, "`*` as the strength of a move";
    ResultAsTerminator = "P104", Style, "a game ended by something else than `*`";
    LeadingZero = "P105", Style, "a square with a leading zero";
    MissingTerminator = "P106", Style, "a game without `*` at its end";
    MoveNumberForm = "P107", Style, "a move number not written as `1.` or `1...`";
    MissingSeparator = "P108", Style, "a move without a separator";
    CapitalInMove = "P109", Style, "a capital letter in a move";
    LineComment = "P110", Style, "a comment from `;` to the end of the line";
    TagForm = "P111", Style, "a tag not written as `[Name \"value\"]`";
    StrengthForm = "P112", Style, "a strength other than `!` and `?`";
    CaptureList = "P113", Style, "captured squares in `<>`, a proposal for PDN 3.1";
    EmptyVariation = "P114", Style, "a variation without a move";

    DuplicateTag = "T001", Warning, "a tag given twice";
    BadDate = "T002", Warning, "a date that cannot be read";
    BadFen = "T003", Error, "a position that cannot be read";
    BadGameType = "T004", Error, "a game type that cannot be read";
    ResultMismatch = "T005", Warning, "the Result tag and the end of the game disagree";
    UnknownResult = "T006", Warning, "a result that no known system has";
    BadTimeControl = "T007", Warning, "a time control that cannot be read";
    BadRound = "T008", Style, "a round that is not a number or numbers with dots";
    TagName = "T009", Style, "a tag name that does not start with a capital";
    ForeignTagName = "T010", Style, "a tag name in another language or from another program";
    MissingTag = "T011", Style, "a tag of the seven is missing";
    UnsupportedGame = "T012", Warning, "a game that is not draughts";
    SetUpMismatch = "T013", Warning, "SetUp and FEN disagree";
    NotUtf8 = "T014", Style, "text that is not UTF-8";
    HtmlEntity = "T015", Style, "an HTML entity in a value";
    BadCommand = "T016", Warning, "an embedded command that cannot be read";
    BadTime = "T017", Warning, "a time that cannot be read";
    BadRating = "T018", Warning, "a rating that is not a number";
    ResultForGameType = "T019", Style, "a result of another system than the game type's";
    BadNag = "T020", Style, "a numeric annotation beyond the known ones";
    FenForm = "T021", Style, "a position not written as PDN 3.0 says";
    PlyCountMismatch = "T022", Warning, "PlyCount and the number of moves disagree";
    UnknownGameType = "T023", Warning, "a game type number without a meaning";
    BadPlyCount = "T024", Warning, "a PlyCount that is not a number";
    DateForm = "T025", Style, "a date not written as `YYYY.MM.DD`";
    ClockBackwards = "T026", Warning, "a clock that runs backwards";
    RatingRange = "T027", Style, "a rating that nobody has";
    DateOrder = "T028", Warning, "dates in an order that cannot be";
    GameTypeBoard = "T029", Style, "a game type on a board of another size";

    UnreadableMove = "N001", Error, "a move that cannot be read";
    CaptureSquares = "N002", Warning, "a capture written over squares that it does not pass";
    SplitCapture = "N003", Style, "one capture written as several moves";
    SettledMove = "N004", Warning, "a move that several legal ones answer to, settled by the moves after it";
    MoveNotation = "N106", Style, "moves in another notation than the game type's";
    CaptureSeparator = "N107", Style, "captures with another separator than the game type's";
    CaptureForm = "N108", Style, "an ambiguous capture not written in full, or a full one without need";
    CapturePath = "N109", Style, "a capture written over other squares than PDN 3.0 says";

    IllegalMove = "R001", Error, "an illegal move";
    AmbiguousMove = "R002", Error, "a move that several legal ones answer to";
    MissedCapture = "R003", Error, "a quiet move where a capture is compulsory";
    CapturePrecedence = "R004", Error, "a capture that another one has precedence over";
    UnfinishedCapture = "R005", Error, "a capture that must go on";
    UnknownPosition = "R006", Error, "moves after a missing one, in a position that nobody knows";
    BadPosition = "R007", Error, "a position that this board cannot have";
    OtherVariant = "R008", Warning, "moves of another game type than the tag or the file says";
    CaptureLimit = "R009", Error, "a position with too many captures to be searched";
    OddPosition = "R010", Warning, "a position that no game leads to";
    OtherSideMoves = "R011", Warning, "the side to move is not given and follows from the moves";
    ResultAgainstBoard = "R012", Warning, "a result that the last position contradicts";
}

impl Code {
    /// The code printed as `id`, in either case.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_found_again() {
        for (i, code) in Code::ALL.iter().enumerate() {
            assert_eq!(Code::from_id(code.id()), Some(*code));
            assert_eq!(Code::from_id(&code.id().to_lowercase()), Some(*code));
            assert!(Code::ALL[..i].iter().all(|earlier| earlier.id() != code.id()), "{code} twice");
        }
    }

    #[test]
    fn a_diagnostic_stays_small() {
        assert!(size_of::<Diagnostic>() <= 24, "{}", size_of::<Diagnostic>());
    }
}
