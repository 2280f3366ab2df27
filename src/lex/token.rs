//! The token kinds and the automaton that finds them.

use logos::{Lexer, Logos};

use super::automaton::Bodies;
use crate::span::Span;
use crate::syntax::{line_end, plain_result, result_may_start, setup_end, starts_line};

/// A token: what it is and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes, counted from the start of the game.
    pub span: Span,
}

const _: () = assert!(size_of::<Token>() == 12, "a token is a kind and a span");

/// What a token is. Examples are in code font.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[logos(utf8 = false, extras = Bodies)]
#[logos(skip(br"[\t-\r\x20]+"))]
#[logos(skip(b"\xC2\xA0"))]
#[logos(skip(b"\xEF\xBB\xBF"))]
pub enum TokenKind {
    /// A move: `32-28`, `26x17x10`, `c3-d4`, `c7:e5:c3`, `a3b4`, `ab4`, also with blanks at its separators.
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

    /// A result that is no move: `1-0`, `1/2-1/2`, `½-½`, `1+ - 1-`, `1.02-0.98`.
    #[regex(br"-?[0-2]\.[0-9][0-9] *- *-?[0-2]\.[0-9][0-9]")]
    Result,

    /// `*`, wherever it stands and whatever it means.
    #[token(b"*")]
    Star,

    /// `!`, `??`, `(!)`, `□`.
    #[regex(br"[!?]+")]
    #[regex(br"\([!?]+\)")]
    #[token(b"\xE2\x96\xA1")]
    Strength,

    /// `$1`.
    #[regex(br"\$[0-9]+")]
    Nag,

    /// `(`
    #[token(b"(")]
    OpenVariation,
    /// `)`
    #[token(b")")]
    CloseVariation,

    /// A whole comment in braces, also one that nests or never closes.
    #[token(b"{", comment)]
    Comment,

    /// `; ...` up to the end of the line; `% ...` at its start.
    #[token(b";", line_comment)]
    LineComment,

    /// `-` and `--`: no move.
    #[regex(br"-+", priority = 2)]
    Dashes,

    /// `.` and `...`, apart from a number.
    #[regex(br"\.+")]
    #[token(b"\xE2\x80\xA6")]
    Dots,

    /// `/FEN "W:W31-50:B1-20"/`, with or without its closing slash.
    #[token(b"/", setup)]
    Setup,

    /// `<42,29,14,31>`: the captured squares (PDN 3.1 proposal, 6.1).
    #[regex(br"<[0-9a-lA-L, ]*>")]
    CaptureList,

    /// `[`: perhaps a tag.
    #[token(b"[")]
    OpenBracket,
    /// `]`
    #[token(b"]")]
    CloseBracket,
    /// `"`
    #[token(b"\"")]
    Quote,
    /// `}` that closes no comment.
    #[token(b"}")]
    StrayBrace,

    /// A backslash and `r` or `n`: a line end that some program typed instead of writing it.
    #[regex(br"\\[rn]")]
    TypedEscape,

    /// Control characters other than tabs and line ends.
    #[regex(br"[\x00-\x08\x0E-\x1F]+")]
    Control,

    /// A run of letters or bytes beyond ASCII.
    #[regex(br"[A-Za-z_\x80-\xFF]+", priority = 1)]
    Word,

    /// A byte that no other token starts with, and the starts of results and line comments until looked at.
    #[regex(br"1/2|1 1/2|\xC2\xBD|\xBD|&|1\+|1- +-", odd_result, priority = 30)]
    #[regex(br"1-0|0-1|2-0|0-2|1-1|0-0", result, priority = 40)]
    #[token(b"%", percent)]
    Unknown,
}

type Lex<'g> = Lexer<'g, TokenKind>;

/// A capital or foreign separator is still one.
fn separator(rest: &[u8]) -> usize {
    match rest {
        [b'-' | b'x' | b'X' | b':' | 0xD7 | 0x96, ..] => 1,
        [0xC3, 0x97, ..] | [0xD1, 0x85, ..] => 2,
        // Hyphens and dashes of all lengths, and the minus sign.
        [0xE2, 0x80, 0x90..=0x95, ..] | [0xE2, 0x88, 0x92, ..] => 3,
        _ => 0,
    }
}

/// Length of the square that starts `rest`: `7`, `07`, `c3`, `l12`.
fn square(rest: &[u8]) -> usize {
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

/// Takes the further squares of a capture into the move.
#[inline]
fn chain(lex: &mut Lex<'_>) {
    let rest = lex.remainder();
    let mut end = 0;
    loop {
        let to = separator(&rest[end..]);
        if to == 0 {
            break;
        }
        let square = square(&rest[end + to..]);
        if square == 0 {
            break;
        }
        end += to + square;
    }
    if end > 0 {
        lex.bump(end);
    }
}

/// As [`chain`], for captures with blanks between their squares.
#[cold]
fn spaced_chain(lex: &mut Lex<'_>) {
    let rest = lex.remainder();
    let blanks = |at: usize| rest[at..].iter().take_while(|&&b| b == b' ').count();
    let mut end = 0;
    loop {
        let mut to = end + blanks(end);
        match rest.get(to) {
            Some(b'x' | b'X' | b':') => to += 1,
            _ => break,
        }
        to += blanks(to);
        let square = square(&rest[to..]);
        if square == 0 {
            break;
        }
        end = to + square;
    }
    lex.bump(end);
}

/// One of the six results that look like a move: it is one if more squares follow.
#[inline]
fn result(lex: &mut Lex<'_>) -> TokenKind {
    let (source, start) = (lex.source(), lex.span().start);
    match plain_result(source, start) {
        Some(_) if result_may_start(source, 0, start) => TokenKind::Result,
        _ => {
            chain(lex);
            TokenKind::Move
        }
    }
}

/// What may be a result in one of the rarer writings.
#[cold]
fn odd_result(lex: &mut Lex<'_>) -> TokenKind {
    let span = lex.span();
    match plain_result(lex.source(), span.start) {
        Some(len) if len >= span.len() && result_may_start(lex.source(), 0, span.start) => {
            lex.bump(len - span.len());
            TokenKind::Result
        }
        _ => TokenKind::Unknown,
    }
}

fn comment(lex: &mut Lex<'_>) {
    let at = lex.span().start;
    let reach = lex.extras.reach;
    let source = lex.source();
    let found = lex.extras.comments.end(source, at, reach);
    lex.extras.shape = found.shape;
    lex.bump(found.end - lex.span().end);
}

fn line_comment(lex: &mut Lex<'_>) {
    let end = line_end(lex.source(), lex.span().end);
    lex.bump(end - lex.span().end);
}

fn percent(lex: &mut Lex<'_>) -> TokenKind {
    if !starts_line(lex.source(), 0, lex.span().start) {
        return TokenKind::Unknown;
    }
    line_comment(lex);
    TokenKind::LineComment
}

fn setup(lex: &mut Lex<'_>) {
    let end = setup_end(lex.source(), lex.span().start).end;
    lex.bump(end - lex.span().end);
}
