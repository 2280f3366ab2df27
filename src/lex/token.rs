//! The kinds of tokens and the grammar that recognises them.

use logos::{Lexer, Logos};

use crate::limits::Limits;
use crate::span::Span;
use crate::syntax::{
    CommentClosing, CommentFinder, is_play, line_end, opens_setup, prose_end, result_len, result_may_start,
    setup_end, starts_line,
};
use crate::value::separator_len;

/// A token of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The bytes of the token, relative to the start of the record.
    pub span: Span,
}

const _: () = assert!(size_of::<Token>() == 12, "a token consists of a kind and a span");

/// The state that the callbacks of the automaton need.
#[derive(Debug)]
pub struct Bodies {
    /// Finds the ends of comments.
    pub(super) comments: CommentFinder,
    /// The greatest length of a comment in bytes.
    pub(super) reach: usize,
    /// The way in which the last comment ended.
    pub(super) closing: CommentClosing,
}

impl Default for Bodies {
    fn default() -> Self {
        Self::new(CommentFinder::new(), &Limits::DEFAULT)
    }
}

impl Bodies {
    /// Creates the state for one record.
    pub(super) const fn new(comments: CommentFinder, limits: &Limits) -> Self {
        Self { comments, reach: limits.comment_bytes, closing: CommentClosing::Simple }
    }
}

/// The kind of a token. Examples are in code font.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[logos(utf8 = false, extras = Bodies)]
#[logos(skip(br"[\t-\r\x20]+"))]
#[logos(skip(b"\xC2\xA0"))]
#[logos(skip(b"\xEF\xBB\xBF"))]
pub enum TokenKind {
    /// A move: `32-28`, `26x17x10`, `c3-d4`, `c7:e5:c3`, `a3b4`, `ab4`, also with spaces around its
    /// separators.
    #[regex(br"[0-9][0-9]?[-xX:][0-9][0-9]?", chain, priority = 20)]
    #[regex(br"[0-9][0-9]?(\xE2\x80[\x90-\x95]|\xE2\x88\x92|\xC3\x97|\xD1\x85|\xD7|\x96)[0-9][0-9]?", chain)]
    #[regex(br"[a-lA-L][0-9][0-9]?(\xE2\x80[\x90-\x95]|\xE2\x88\x92|\xC3\x97|\xD1\x85|\xD7|\x96)[a-lA-L][0-9][0-9]?", chain)]
    #[regex(br"[0-9][0-9]? *[-xX:] +[0-9][0-9]?", spaced_chain, priority = 19)]
    #[regex(br"[0-9][0-9]? +[-xX:][0-9][0-9]?", spaced_chain, priority = 18)]
    #[regex(br"[a-lA-L][0-9][0-9]?[-xX:]?[a-lA-L][0-9][0-9]?", chain, priority = 20)]
    #[regex(br"[a-lA-L][0-9][0-9]? *[-xX:] +[a-lA-L][0-9][0-9]?", spaced_chain, priority = 19)]
    #[regex(br"[a-lA-L][0-9][0-9]? +[-xX:][a-lA-L][0-9][0-9]?", spaced_chain, priority = 18)]
    #[regex(br"[a-l][:x]?[a-l][1-9]", chain, priority = 15)]
    Move,

    /// A number with dots: `1.`, `23...`.
    #[regex(br"[0-9]+\.+")]
    #[regex(b"[0-9]+\xE2\x80\xA6")]
    MoveNumber,

    /// A number alone: `1`, but also the move `3228`.
    #[regex(br"[0-9]+", priority = 3)]
    Number,

    /// A result that cannot be a move: `1-0`, `1 : 0`, `1/2-1/2`, `½-½`, `1+ - 1-`, `1.02-0.98`. The automaton takes those of
    /// whole points for moves; [`Automaton`](super::Automaton) tells them apart.
    #[regex(br"-?[0-2]\.[0-9][0-9] *- *-?[0-2]\.[0-9][0-9]")]
    Result,

    /// `*`: a terminator or a move strength.
    #[token(b"*")]
    Star,

    /// A move strength: `!`, `??`, `(!)`, `□`.
    #[regex(br"[!?]+")]
    #[regex(br"\([!?]+\)")]
    #[token(b"\xE2\x96\xA1")]
    Strength,

    /// A numeric annotation glyph: `$1`.
    #[regex(br"\$[0-9]+")]
    Nag,

    /// `(`
    #[token(b"(", parenthesis)]
    OpenVariation,
    /// `)`
    #[token(b")")]
    CloseVariation,

    /// A whole comment in braces, also one with nested comments or without a closing brace.
    #[token(b"{", comment)]
    Comment,

    /// Words in parentheses, read as a comment: `(see game 5)`.
    Prose,

    /// A comment up to the end of its line: `; ...`, or `% ...` at the start of a line.
    LineComment,

    /// A sign that may separate moves: a comma, a bar, a slash that opens no setup, or a `;` before moves, numbers and results only, or
    /// before nothing, up to the next one or the end of the line.
    #[token(b";", semicolon)]
    #[token(b",")]
    #[token(b"|")]
    Separator,

    /// `-` and `--`: a missing move.
    #[regex(br"-+", priority = 2)]
    Dashes,

    /// `.` and `...` that do not touch a number.
    #[regex(br"\.+")]
    #[token(b"\xE2\x80\xA6")]
    Dots,

    /// `/FEN "W:W31-50:B1-20"/`, with or without its closing slash.
    #[token(b"/", setup)]
    Setup,

    /// The captured squares, `<42,29,14,31>` (PDN 3.1 proposal, section 6.1).
    #[regex(br"<[0-9a-lA-L, ]*>")]
    CaptureList,

    /// `[`: perhaps the start of a tag.
    #[token(b"[")]
    OpenBracket,
    /// `]`
    #[token(b"]")]
    CloseBracket,
    /// `"`
    #[token(b"\"")]
    Quote,
    /// `}` that does not close a comment.
    #[token(b"}")]
    StrayBrace,

    /// A backslash and `r` or `n`: a line end that a program typed as two characters.
    #[regex(br"\\[rn]")]
    TypedEscape,

    /// Control characters other than tabs and line ends.
    #[regex(br"[\x00-\x08\x0E-\x1F]+")]
    Control,

    /// A run of letters or bytes beyond ASCII.
    #[regex(br"[A-Za-z_\x80-\xFF]+", priority = 1)]
    Word,

    /// A byte that no other token starts with. Results and line comments start with this kind until a callback has
    /// examined them.
    #[regex(br"1/2|1 1/2|\xC2\xBD|\xBD|&|1\+|1- +-", rare_result, priority = 30)]
    // `½–½` has no byte of ASCII, so without this pattern all of it would match `Word`.
    #[regex(
        br"(\xC2\xBD|\xBD)(\xE2\x80[\x90-\x95]|\xE2\x88\x92|\x96)(\xC2\xBD|\xBD)",
        rare_result,
        priority = 30
    )]
    #[token(b"%", percent)]
    Unknown,
}

type Lex<'g> = Lexer<'g, TokenKind>;

/// Returns the length in bytes of the square name that `rest` starts with, or 0: `7`, `07`, `c3`, `l12`.
fn square_len(rest: &[u8]) -> usize {
    let digits = |from: usize| rest[from..].iter().take(2).take_while(|b| b.is_ascii_digit()).count();
    match rest.first() {
        Some(b'0'..=b'9') => digits(0),
        Some(b'a'..=b'l' | b'A'..=b'L') => match digits(1) {
            0 => 0,
            n => 1 + n,
        },
        _ => 0,
    }
}

/// Extends a move by the further squares of a capture. Spaces may pad a square of one digit: `28x17x 8`.
#[inline]
fn chain(lex: &mut Lex<'_>) -> TokenKind {
    if let [b'-', year @ ..] = lex.remainder() {
        let is_date = year.len() >= 4
            && year[..4].iter().all(u8::is_ascii_digit)
            && !year.get(4).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
            && lex.slice()[0].is_ascii_digit();
        if is_date {
            // `12-07-2025`
            lex.bump(5);
            return TokenKind::Word;
        }
    }
    extend(lex, false);
    TokenKind::Move
}

/// Extends a move as [`chain`] does, for captures with spaces before their separators: `28 x 17 x 8`.
#[cold]
fn spaced_chain(lex: &mut Lex<'_>) {
    extend(lex, true);
}

/// Extends a move by the further squares of a capture; with `spaced`, spaces may stand before their separators.
#[inline]
fn extend(lex: &mut Lex<'_>, spaced: bool) {
    let rest = lex.remainder();
    let mut end = 0;
    loop {
        let mut to = end;
        if spaced && rest.get(end) == Some(&b' ') {
            to += spaces(&rest[end..]);
            if !matches!(rest.get(to), Some(b'x' | b'X' | b':')) {
                break;
            }
        }
        match separator_len(&rest[to..]) {
            0 => break,
            len => to += len,
        }
        if rest.get(to) == Some(&b' ') {
            // A dash before a space belongs to no capture.
            if rest[to - 1] == b'-' {
                break;
            }
            to += spaces(&rest[to..]);
        }
        let square = square_len(&rest[to..]);
        if square == 0 {
            break;
        }
        end = to + square;
    }
    if end > 0 {
        lex.bump(end);
    }
}

/// Returns the number of spaces at the start of `rest`.
#[cold]
fn spaces(rest: &[u8]) -> usize {
    rest.iter().take_while(|&&b| b == b' ').count()
}

/// Decides about what may be a result in one of its rarer spellings.
#[cold]
fn rare_result(lex: &mut Lex<'_>) -> TokenKind {
    let span = lex.span();
    match result_len(lex.source(), span.start) {
        Some(len) if len >= span.len() && result_may_start(lex.source(), 0, span.start) => {
            lex.bump(len - span.len());
            TokenKind::Result
        }
        _ => TokenKind::Unknown,
    }
}

/// Extends a comment in braces up to its end.
fn comment(lex: &mut Lex<'_>) {
    let at = lex.span().start;
    let reach = lex.extras.reach;
    let source = lex.source();
    let comment = lex.extras.comments.end(source, at, reach);
    lex.extras.closing = comment.closing;
    lex.bump(comment.end - lex.span().end);
}

/// Decides about a parenthesis: it opens a variation or a comment. Extends a comment up to its end.
fn parenthesis(lex: &mut Lex<'_>) -> TokenKind {
    match prose_end(lex.source(), lex.span().start) {
        Some(end) => {
            lex.bump(end - lex.span().end);
            TokenKind::Prose
        }
        None => TokenKind::OpenVariation,
    }
}

/// Extends a line comment up to the end of its line.
fn line_comment(lex: &mut Lex<'_>) {
    let end = line_end(lex.source(), lex.span().end);
    lex.bump(end - lex.span().end);
}

/// Decides about a semicolon: it opens a comment up to the end of its line unless what follows may be played.
fn semicolon(lex: &mut Lex<'_>) -> TokenKind {
    let rest = lex.remainder();
    let piece = memchr::memchr3(b';', b'\n', b'\r', rest).unwrap_or(rest.len());
    if is_play(&rest[..piece]) && (rest.get(piece) != Some(&b';') || piece > 0) {
        return TokenKind::Separator;
    }
    line_comment(lex);
    TokenKind::LineComment
}

/// Decides about a percent sign: it opens a comment at the start of a line only.
fn percent(lex: &mut Lex<'_>) -> TokenKind {
    if !starts_line(lex.source(), 0, lex.span().start) {
        return TokenKind::Unknown;
    }
    line_comment(lex);
    TokenKind::LineComment
}

/// Decides about a slash: it opens a setup or separates moves. Extends a setup up to its end.
fn setup(lex: &mut Lex<'_>) -> TokenKind {
    if !opens_setup(lex.source(), lex.span().start) {
        return TokenKind::Separator;
    }
    let end = setup_end(lex.source(), lex.span().start).end;
    lex.bump(end - lex.span().end);
    TokenKind::Setup
}
