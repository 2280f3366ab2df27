//! Games that are written: converted, repaired, formatted, joined, with other names, as tables or data sets. The one place that creates files.

pub mod written_form;
#[cfg(not(feature = "index"))]
pub mod without_names;
#[cfg(feature = "index")]
pub mod name_map;
#[cfg(feature = "index")]
pub mod joined;
#[cfg(feature = "index")]
pub mod outputs;
#[cfg(feature = "index")]
pub mod export;
#[cfg(feature = "index")]
pub mod dataset;
#[cfg(feature = "index")]
pub mod convert;
pub mod fix;
#[cfg(feature = "index")]
pub mod fmt;
#[cfg(feature = "index")]
pub mod dedup;
#[cfg(feature = "index")]
pub mod names;
