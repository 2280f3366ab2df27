//! The openings that have names.

use pdn::rules::Variant;
use pdn_index::internal::query::OpeningNames;
use serde::Serialize;

/// The openings that have names.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpeningsAnswer {
    /// The openings, those of a variant in the order in which they are defined.
    pub openings: Vec<NamedOpening>,
}

/// An opening that has a name.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedOpening {
    /// The variant.
    pub variant: &'static str,
    /// The name.
    pub name: &'static str,
    /// The query for its games. Their hits are where what defines the name first stands.
    pub query: String,
}

impl OpeningsAnswer {
    /// Returns the openings of a variant, or of all.
    pub fn of(variant: Option<Variant>) -> Self {
        let variants = Variant::ALL.iter().filter(|&&one| variant.is_none_or(|variant| variant == one));
        let names = variants.filter_map(|&variant| Some((variant, OpeningNames::of(variant)?)));
        let openings = names.flat_map(|(variant, names)| {
            names.queries().map(move |(name, query)| NamedOpening {
                variant: variant.name(),
                name,
                query: query.to_string(),
            })
        });
        Self { openings: openings.collect() }
    }
}

/// Returns the names of the opening that moves from the start position show; `None` without one.
pub(crate) fn names_of_moves(variant: Variant, moves: &str) -> Option<String> {
    let names = OpeningNames::of(variant)?;
    Some(names.text(names.of_moves(moves)?)).filter(|text| !text.is_empty())
}
