//! Value parsers for choices that the questions define.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pdn_app::named::Named;

/// Creates a value parser for the names of a choice, with their help.
pub(super) fn choice<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|(_, name, help)| {
        let help = help.trim();
        let value = PossibleValue::new(*name);
        if help.is_empty() { value } else { value.help(help) }
    });
    PossibleValuesParser::new(values).try_map(|text| T::parse(&text))
}
