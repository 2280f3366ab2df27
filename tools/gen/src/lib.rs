//! Generator.
mod damage;
mod event;
mod generate;
mod line;
mod manifest;
mod measure;
mod options;
mod people;
mod play;
mod random;
mod remarks;
mod search;
mod style;
mod temper;
mod write;

pub use damage::{Damage, DamageKind};
pub use generate::generate;
pub use manifest::{Counts, Manifest};
pub use measure::{Figures, measure};
pub use options::{Amount, Dialect, Options};
pub use random::Share;
