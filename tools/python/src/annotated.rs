//! The lines of a game with what is written about their moves, flat: `pdn._tree` makes a tree of them.

use pdn::parse::Comment;
use pdn::replay::{AnnotatedGame, AnnotatedLine, AnnotatedPly};
use pdn::rules::Variant;
use pdn::value::{CommandValue, CommentParts};

use crate::position::{Move, Position};

/// Where a line leaves another one: the number of the other line, the number of the ply in it, both from 0, and whether the line
/// continues after this ply instead of replacing it.
type Branch = (usize, usize, bool);
/// A ply: the move, its text, its strength such as `!`, its glyphs, the comments after it, and the clock and the evaluation in them.
type Ply = (Move, String, Option<String>, Vec<u32>, Vec<String>, Option<u32>, Option<i32>);
/// A line: where it leaves another one, the comments before its first move, and its plies.
pub(crate) type Line = (Option<Branch>, Vec<String>, Vec<Ply>);

/// Returns the lines of a game, the main line first, each after the one that it leaves. `decode` decodes a part of the record.
pub(crate) fn lines(
    game: &AnnotatedGame<'_>,
    variant: Variant,
    decode: impl Fn(&[u8]) -> String,
) -> Vec<Line> {
    let mut found: Vec<(Option<Branch>, &AnnotatedLine<'_>)> = vec![(None, &game.main)];
    // Without recursion, because variations may be nested deeply.
    let mut next = 0;
    while let Some(&(_, line)) = found.get(next) {
        for (number, ply) in line.plies.iter().enumerate() {
            for variation in &ply.variations {
                let Some(first) = variation.plies.first() else { continue };
                let continues = first.position.key() != ply.position.key();
                found.push((Some((next, number, continues)), variation));
            }
        }
        next += 1;
    }
    let texts = |comments: &[Comment<'_>]| comments.iter().map(|comment| decode(comment.text)).collect();
    let ply = |ply: &AnnotatedPly<'_>| {
        let (clock, eval) = commands(ply);
        let strength = ply.strength.map(&decode);
        let mv = Move::new(Position::of(ply.position, variant), ply.mv);
        (mv, decode(ply.text), strength, ply.nags.clone(), texts(&ply.comments), clock, eval)
    };
    let line = |(branch, line): (Option<Branch>, &AnnotatedLine<'_>)| {
        (branch, texts(&line.comments), line.plies.iter().map(ply).collect())
    };
    found.into_iter().map(line).collect()
}

/// Returns the time left to the side that moved, in milliseconds, and the evaluation in hundredths of a man; the last of each counts.
fn commands(ply: &AnnotatedPly<'_>) -> (Option<u32>, Option<i32>) {
    let (mut clock, mut eval) = (None, None);
    for comment in &ply.comments {
        for command in CommentParts::new(comment.text).commands() {
            match command.value {
                Ok(CommandValue::Remaining(clocks)) => {
                    // A clock without the letter of a side belongs to the side that just moved.
                    let unnamed = Some(clocks.first).filter(|clock| clock.side.is_none());
                    let own = clocks.of(ply.position.turn()).or(unnamed);
                    clock = own.map(|clock| clock.time.milliseconds());
                }
                _ => eval = command.evaluation(comment.text).or(eval),
            }
        }
    }
    (clock, eval)
}
