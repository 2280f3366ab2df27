//! Results that tables of endings contradict.

use pdn::archive::GameRef;
use pdn::diag::{Code, Diagnostic};
use pdn::replay::{GameStatus, ReplaySummary};
use pdn::value::Outcome;
use pdn_index::internal::query::{ProvenValue, ProvenValues};

use crate::ask::endings::EndingTables;
use crate::ask::error::Result;
use crate::ask::numbers::plies;
use crate::ask::values::colour_title;

/// Returns the diagnostic that the result of a game contradicts the proven value of its last position, and what is proved. The result of a
/// game that ended on time or was broken off says nothing of the position.
///
/// # Errors
///
/// If a table cannot be read.
pub(super) fn judge(
    tables: &EndingTables,
    game: GameRef<'_>,
    summary: &ReplaySummary,
) -> Result<Option<(Diagnostic, String)>> {
    let Some(result) = summary.result() else { return Ok(None) };
    let winner = result.outcome.winner(summary.numbering.start);
    let counts = summary.last_counts();
    let pieces: u32 = counts.men.iter().chain(&counts.kings).map(|&pieces| u32::from(pieces)).sum();
    if (winner.is_none() && result.outcome != Outcome::Draw)
        || pieces > tables.most_pieces(summary.variant)
        || summary.status != GameStatus::Legal
        || summary.plies == 0
        || !ended_normally(game)
    {
        return Ok(None);
    }
    let position = summary.last_position();
    // A game that is over has a diagnostic of its own.
    let value = if position.end().is_none() { tables.value(summary.variant, &position)? } else { None };
    let Some(ProvenValue { value, plies: distance }) = value else { return Ok(None) };
    let proven = match value {
        0 => None,
        1.. => Some(position.turn()),
        _ => Some(!position.turn()),
    };
    let distance = distance.unwrap_or_default().into();
    let proved = match proven {
        Some(winner) => format!("won for {} in {}", colour_title(winner), plies(distance)),
        None => "drawn".to_owned(),
    };
    let diagnostic = Diagnostic::new(Code::ResultAgainstTables, result.span);
    Ok((winner != proven).then(|| (diagnostic, format!("the last position is {proved}"))))
}

/// Returns `true` unless a tag says that the game ended on time or was broken off.
fn ended_normally(game: GameRef<'_>) -> bool {
    let end = game.view().tag("Termination").unwrap_or_default().trim_ascii();
    end.is_empty() || end.eq_ignore_ascii_case(b"normal")
}
