//! Positions, their legal moves, and pictures of them.

use pdn_app::ask::options::GivenOptions;
use pdn_app::ask::position::PlaceRequest;
use pdn_app::ask::values::{NamedRules, parse_rules};
use pdn_app::draw::board::{self, DrawOptions};
use pdn_app::draw::moves::{DrawnPosition, PositionRequest};
use pdn_app::{AppError, ErrorCode, Result};
use serde_json::json;

use crate::answer::Answer;

/// Takes the fields that name a position.
fn request(fields: &mut GivenOptions) -> Result<PositionRequest> {
    let variant = fields.value::<String>("variant")?.unwrap_or_else(|| "international".to_owned());
    let rules: NamedRules =
        parse_rules(&variant).map_err(|wrong| AppError::field("variant", wrong).value(variant))?;
    let place = PlaceRequest { fen: fields.value("fen")?, moves: fields.value("moves")? };
    Ok(PositionRequest { rules, place })
}

/// Describes a position with its legal moves, and what is unusual about it.
pub(crate) fn position(mut fields: GivenOptions) -> Result<Answer> {
    let request = request(&mut fields)?;
    fields.end()?;
    let mut warnings = Vec::new();
    let position = request.position(&mut warnings)?;
    let mut drawn = json!(DrawnPosition::of(&request.rules.name, &position)?);
    drawn["game_type"] = request.rules.candidate.variant.tag_with(position.game().numbering).into();
    drawn["warnings"] = warnings.iter().map(|warning| warning.message.clone()).collect();
    Answer::new(&drawn, Vec::new())
}

/// Draws a position as SVG.
pub(crate) fn board(mut fields: GivenOptions) -> Result<Answer> {
    let request = request(&mut fields)?;
    let (flip, plain, last) =
        (fields.value("flip")?, fields.value("plain")?, fields.value::<String>("move")?);
    fields.end()?;
    let mut position = request.position(&mut Vec::new())?;
    let mut options = DrawOptions {
        square_names: !plain.unwrap_or(false),
        flip: flip.unwrap_or(false),
        ..DrawOptions::default()
    };
    if let Some(text) = last {
        let mv = position.parse_move(&text).map_err(|wrong| {
            AppError::plain(ErrorCode::InvalidValue, wrong.to_string()).in_field("move").value(&text)
        })?;
        options.last_move = Some((mv.from, mv.to));
        position = position.after_unchecked(&mv);
    }
    Answer::new(&json!({ "fen": position.fen() }), board::svg(&position, &options).into_bytes())
}
