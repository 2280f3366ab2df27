//! Finds the first positions of the variations of a game, by playing the lines in which they begin.

use std::ops::ControlFlow;

use crate::format::annotations::StoredLine;
use crate::pack::{CorruptMoves, MoveCodec};
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::State;

/// Returns the first position of each variation of a game that starts in `start`. Each line is played once, up to the last
/// position in which a variation begins: O(plies + variations log variations).
///
/// # Errors
/// [`CorruptMoves`] if moves cannot be unpacked, or a variation begins where its parent has no position.
pub(crate) fn line_starts<G: Geometry>(
    codec: &MoveCodec<G>,
    start: &State<G::Bits>,
    main: &[u8],
    lines: &[StoredLine<'_>],
) -> Result<Vec<State<G::Bits>>, CorruptMoves> {
    let mut starts = vec![*start; lines.len()];
    // By parent, then by first_ply. A parent comes before its variations, so that its own first position is known.
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&line| (lines[line].parent, lines[line].first_ply));
    let mut children = order.chunk_by(|&one, &other| lines[one].parent == lines[other].parent);
    children.try_for_each(|children| {
        let parent = lines[children[0]].parent;
        let (from, base, bytes) = match parent.checked_sub(1) {
            None => (*start, 0, main),
            Some(above) => (starts[above], lines[above].first_ply, lines[above].moves),
        };
        let mut open = children.iter().peekable();
        let mut ply = base;
        let last = codec.scan(&from, bytes, |step| {
            while let Some(&line) = open.next_if(|&&line| lines[line].first_ply == ply) {
                starts[line] = step.before();
            }
            ply += 1;
            if open.peek().is_none() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        for &line in open {
            if lines[line].first_ply != ply {
                return Err(CorruptMoves);
            }
            starts[line] = last;
        }
        Ok(())
    })?;
    Ok(starts)
}
