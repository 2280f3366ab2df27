//! Value parsers for whole numbers, with messages that say what is expected.

use std::ops::RangeInclusive;

use pdn_app::numbers::parse_number;

/// Creates a value parser for whole numbers within a range. A range up to [`u64::MAX`] is named without its end.
pub(super) fn number<T>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + Send + Sync + Clone + 'static,
{
    move |text| parse_number(text, &range).map_err(String::from)
}
