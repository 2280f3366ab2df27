//! Draws some moves as one SVG picture that plays them again and again, in a browser and wherever a picture may stand.
//!
//! It moves by itself: it has neither script nor style sheet, so that it also moves in a page that allows neither. A program that does not
//! know animations shows the first position.

use std::collections::HashMap;
use std::fmt::Write;

use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Piece, Position};

use super::DrawOptions;
use super::diagram::Diagram;
use super::svg::{GRADIENTS, centre, draw_board, draw_piece, size};
use crate::ask::error::Result;

/// Seconds before the first move.
const BEGIN: f64 = 1.0;
/// Seconds of a step: a quiet move, or a jump of a capture.
const STEP: f64 = 0.35;
/// Seconds between two moves.
const PAUSE: f64 = 0.65;
/// Seconds after the last move.
const END: f64 = 2.0;

/// What happens to a piece.
struct Track {
    piece: Piece,
    /// Times in seconds with the point where it is.
    points: Vec<(f64, (usize, usize))>,
    /// When it becomes a king.
    crowned: Option<f64>,
    /// When it is taken off the board.
    captured: Option<f64>,
}

/// Draws moves that follow each other, each with the position in which it is played, as an animated SVG picture.
///
/// # Errors
///
/// If the path of a capture cannot be told.
pub fn animated_svg(moves: &[(Position, Move)], options: &DrawOptions) -> Result<String> {
    let Some((start, _)) = moves.first() else { return Ok(String::new()) };
    let mut board = Diagram::of(start, &DrawOptions { last_move: None, ..*options });
    let mut tracks: Vec<Track> = Vec::new();
    // The track of the piece on each square.
    let mut on: HashMap<String, usize> = HashMap::new();
    let mut points: HashMap<String, (usize, usize)> = HashMap::new();
    for (y, row) in board.rows.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            let Some(name) = &cell.square else { continue };
            points.insert(name.clone(), centre(x, y));
            if let Some(piece) = cell.piece.take() {
                on.insert(name.clone(), tracks.len());
                tracks.push(Track {
                    piece,
                    points: vec![(0.0, centre(x, y))],
                    crowned: None,
                    captured: None,
                });
            }
        }
    }
    let mut now = BEGIN;
    for (position, mv) in moves {
        let names = position.names();
        let name = |square| names.name(square).to_string();
        let chain = move_text(position, mv, MoveStyle::Chain)?;
        let mover = on.remove(&name(mv.from));
        if let Some(track) = mover.and_then(|at| tracks.get_mut(at)) {
            // It stays where it was until now.
            let last = track.points.last().map_or((0, 0), |last| last.1);
            track.points.push((now, last));
            for square in chain.split(['-', 'x']).skip(1) {
                now += STEP;
                track.points.extend(points.get(square).map(|point| (now, *point)));
            }
            if mv.promotes {
                track.crowned = Some(now);
            }
        }
        for square in mv.captured_squares() {
            if let Some(track) = on.remove(&name(square)).and_then(|at| tracks.get_mut(at)) {
                track.captured = Some(now);
            }
        }
        on.extend(mover.map(|at| (name(mv.to), at)));
        now += PAUSE;
    }
    let total = now - PAUSE + END;
    let (width, height) = size(&board);
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="Helvetica, Arial, sans-serif">"#
    );
    let description = Diagram::of(start, options).description();
    let _ = write!(svg, "\n<title>{description}</title>\n{GRADIENTS}");
    draw_board(&board, options, &mut svg);
    // Pieces that move are drawn last, so that they pass over the others.
    tracks.sort_by_key(|track| track.points.len());
    tracks.iter().for_each(|track| track.draw(total, &mut svg));
    svg.push_str("</svg>\n");
    Ok(svg)
}

impl Track {
    /// Appends the piece with what happens to it, in a picture that takes `total` seconds.
    fn draw(&self, total: f64, svg: &mut String) {
        let at = |time: f64| format!("{:.4}", (time / total).min(1.0));
        let repeated = format!(r#"dur="{total:.2}s" repeatCount="indefinite""#);
        let switch = |time: f64, before: u8, after: u8| {
            let time = at(time);
            format!(
                r#"<animate attributeName="opacity" calcMode="discrete" values="{before};{after}" keyTimes="0;{time}" {repeated}/>"#
            )
        };
        let (x, y) = self.points.first().map_or((0, 0), |first| first.1);
        let _ = write!(svg, r#"<g transform="translate({x} {y})">"#);
        if let [_, .., (_, last)] = self.points.as_slice() {
            // It stays where it is until the picture begins again.
            let points: Vec<_> = self.points.iter().copied().chain([(total, *last)]).collect();
            let times: Vec<String> = points.iter().map(|(time, _)| at(*time)).collect();
            let places: Vec<String> = points.iter().map(|(_, (x, y))| format!("{x} {y}")).collect();
            let _ = write!(
                svg,
                r#"<animateTransform attributeName="transform" type="translate" keyTimes="{}" values="{}" {repeated}/>"#,
                times.join(";"),
                places.join(";"),
            );
        }
        svg.extend(self.captured.map(|time| switch(time, 1, 0)));
        let draw = |piece: Piece| draw_piece(piece, (0, 0));
        match self.crowned {
            None => svg.push_str(&draw(self.piece)),
            Some(time) => {
                let king = draw(Piece { king: true, ..self.piece });
                let _ = write!(svg, "<g>{}{}</g>", switch(time, 1, 0), draw(self.piece));
                let _ = write!(svg, r#"<g opacity="0">{}{king}</g>"#, switch(time, 0, 1));
            }
        }
        svg.push_str("</g>\n");
    }
}

#[cfg(test)]
mod tests {
    use pdn::rules::Variant;
    use pdn::value::Fen;

    use super::*;

    /// Returns the moves of a line from a position.
    fn line(fen: &str, moves: &[&str]) -> Vec<(Position, Move)> {
        let fen = Fen::parse(fen.as_bytes()).unwrap();
        let mut position = Position::from_fen(Variant::International, &fen).unwrap();
        let mut line = Vec::new();
        for text in moves {
            let mv = position.parse_move(text).unwrap();
            line.push((position, mv));
            position = position.after_unchecked(&mv);
        }
        line
    }

    #[test]
    fn captured_men_vanish_when_the_capture_is_over_and_a_man_is_crowned_on_the_last_row() {
        let svg =
            animated_svg(&line("W:W32:B28,19,9,45", &["32x3", "45-50"]), &DrawOptions::default()).unwrap();
        // Before the capture 1 s, three jumps of 0.35 s, a pause of 0.65 s, the move, and 2 s at the end: 5.05 s.
        assert_eq!(svg.matches(r#"dur="5.05s" repeatCount="indefinite""#).count(), 2 + 3 + 4, "{svg}");
        // All three are taken off after 2.05 s.
        let vanish = r#"values="1;0" keyTimes="0;0.4059""#;
        assert_eq!(svg.matches(vanish).count(), 3 + 1, "three men, and the man that becomes a king");
        assert!(svg.contains(r#"values="0;1" keyTimes="0;0.4059""#), "{svg}");
        let moved = r#"keyTimes="0.0000;0.1980;0.2673;0.3366;0.4059;1.0000""#;
        assert!(svg.contains(moved), "{svg}");
        assert!(!svg.contains("<style") && !svg.contains("<script"));
    }

    #[test]
    fn pieces_that_do_not_move_are_drawn_once() {
        let moves = line("W:W31,32:B1,20", &["32-28", "20-24", "28-23"]);
        let svg = animated_svg(&moves, &DrawOptions::default()).unwrap();
        assert_eq!(svg.matches("<animateTransform").count(), 2);
        assert_eq!(
            svg.matches(r#"fill="url(#white)""#).count(),
            2 + 1,
            "two men and the mark of the side to move"
        );
        assert!(animated_svg(&[], &DrawOptions::default()).unwrap().is_empty());
    }
}
