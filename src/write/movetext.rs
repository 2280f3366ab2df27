//! Writes the parts of the movetext that regular and irregular records share.

use std::borrow::Cow;

use super::filter::{Strip, without_clocks};
use super::layout::{Lines, MoveWord, NumberTexts, SHORT, ShortText, SquareTexts};
use super::options::WriteOptions;
use super::parts::MarkKind;
use super::plies::{PlyText, PlyTexts};
use super::recheck::WrittenCounts;
use super::unwritten::Unwritten;
use super::values::push_text;
use crate::notation::MoveStyle;
use crate::source::Encoding;
use crate::span::Span;
use crate::value::{MoveStrength, Nag};

/// How the moves of a game are written.
pub(super) struct MoveTexts<'w> {
    pub(super) squares: &'w SquareTexts,
    pub(super) numbers: &'w NumberTexts,
    pub(super) style: MoveStyle,
    /// The separator of captures.
    pub(super) capture: u8,
}

impl MoveTexts<'_> {
    /// Writes plies from the start of `plies`, none of them after anything but a ply, and returns how many were written: up to
    /// one with a path or a long number. `number` is that of the first ply, which belongs to the second side if `second`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write_run(
        &self,
        plies: &[PlyText],
        mut number: u32,
        mut second: bool,
        lines: &mut Lines<'_>,
    ) -> usize {
        lines.moves(plies.iter().map(|ply| {
            let text = if second { ShortText::EMPTY } else { self.numbers.short(number)? };
            if ply.path != 0 {
                return None;
            }
            number += u32::from(second);
            second = !second;
            let separator = if ply.captures { self.capture } else { b'-' };
            Some(MoveWord { number: text, squares: self.squares.short(ply.from, separator, ply.to) })
        }))
    }

    /// Writes a ply of any kind, after a number of a move of the first or the second side.
    #[inline(never)]
    pub(super) fn write_ply(
        &self,
        number: Option<(u32, bool)>,
        ply: PlyText,
        plies: &PlyTexts,
        lines: &mut Lines<'_>,
    ) {
        let mut word = [0; SHORT];
        let start = number.map_or(0, |(number, second)| self.numbers.number(&mut word, number, second));
        if ply.path == 0 {
            let separator = if ply.captures { self.capture } else { b'-' };
            let len = self.squares.pair(&mut word, start, ply.from, separator, ply.to);
            lines.short_word(&word, len);
        } else {
            self.write_path(&word[..start], ply, plies, lines);
        }
    }

    /// Writes a capture with its path, after `number`.
    #[cold]
    fn write_path(&self, number: &[u8], ply: PlyText, plies: &PlyTexts, lines: &mut Lines<'_>) {
        let Some(path) = plies.path(ply) else { return };
        let mut word = number.to_vec();
        if self.style == MoveStyle::Captured {
            word.extend_from_slice(self.squares.name(ply.from));
            word.push(self.capture);
            word.extend_from_slice(self.squares.name(ply.to));
            for (place, square) in path.captured.iter().enumerate() {
                word.extend_from_slice(if place == 0 { b" <" } else { b"," });
                word.extend_from_slice(self.squares.name(square.0));
            }
            word.push(b'>');
        } else {
            for (place, square) in path.squares.iter().enumerate() {
                if place > 0 {
                    word.push(self.capture);
                }
                word.extend_from_slice(self.squares.name(square.0));
            }
        }
        lines.word(&[&word]);
    }
}

/// Writes the strengths of a move, which has at most one. `has_move` is `false` before the first move.
pub(super) fn write_strength(
    record: &[u8],
    mut strengths: impl Iterator<Item = Span>,
    has_move: bool,
    options: &WriteOptions,
    lines: &mut Lines<'_>,
    counts: &mut WrittenCounts,
) -> Result<(), Unwritten> {
    let Some(strength) = strengths.next() else { return Ok(()) };
    if options.strip.contains(Strip::NAGS) {
        return Ok(());
    }
    if strengths.next().is_some() || !has_move {
        return Err(Unwritten::Strength);
    }
    let text = strength.of(record);
    let marks = text.strip_prefix(b"(").and_then(|text| text.strip_suffix(b")")).unwrap_or(text);
    if !marks.is_empty() && marks.iter().all(|mark| matches!(mark, b'!' | b'?')) {
        lines.glue(text);
        counts.strengths += 1;
        return Ok(());
    }
    match MoveStrength::parse(text) {
        Some(MoveStrength::Forced) => {
            lines.word(&[b"$7"]);
            counts.nags += 1;
            Ok(())
        }
        _ => Err(Unwritten::Strength),
    }
}

/// Writes a NAG, given as text: `$` and a number, or a sign with the meaning of one.
pub(super) fn write_nag(
    text: &[u8],
    options: &WriteOptions,
    lines: &mut Lines<'_>,
    counts: &mut WrittenCounts,
) {
    if !options.strip.contains(Strip::NAGS) {
        match Nag::of_sign(text) {
            Some(nag) => lines.word(&[nag.to_string().as_bytes()]),
            None => lines.word(&[text]),
        }
        counts.nags += 1;
    }
}

/// Writes a comment. Returns `false` if it is left out.
pub(super) fn write_comment(
    record: &[u8],
    kind: MarkKind,
    span: Span,
    options: &WriteOptions,
    utf8: Option<Encoding>,
    lines: &mut Lines<'_>,
    counts: &mut WrittenCounts,
) -> Result<bool, Unwritten> {
    if options.strip.contains(Strip::COMMENTS) {
        return Ok(false);
    }
    let mut text = Cow::Borrowed(span.of(record));
    if text.trim_ascii().is_empty() {
        return Ok(false);
    }
    if options.strip.contains(Strip::CLOCKS)
        && let Some(kept) = without_clocks(&text)
    {
        if kept.is_empty() {
            return Ok(false);
        }
        text = kept.into();
    }
    if kind == MarkKind::Line {
        counts.comments += 1;
        lines.line(&[b"%", &in_utf8(&text, utf8)?]);
    } else {
        push_comment(&text, utf8, lines, counts)?;
    }
    Ok(true)
}

/// Writes a text in braces.
pub(super) fn push_comment(
    text: &[u8],
    utf8: Option<Encoding>,
    lines: &mut Lines<'_>,
    counts: &mut WrittenCounts,
) -> Result<(), Unwritten> {
    let text = in_utf8(text, utf8)?;
    if text.contains(&b'}') {
        return Err(Unwritten::Comment);
    }
    counts.comments += 1;
    counts.has_brace |= text.contains(&b'{');
    lines.word(&[b"{", &text, b"}"]);
    Ok(())
}

/// Returns a text in UTF-8 if it is wanted, given the encoding of the record.
fn in_utf8(text: &[u8], encoding: Option<Encoding>) -> Result<Cow<'_, [u8]>, Unwritten> {
    if encoding.is_none() || text.is_ascii() {
        return Ok(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(2 * text.len());
    push_text(&mut decoded, text, encoding)?;
    Ok(decoded.into())
}
