//! The codecs of all boards, for a board that is known only at run time.

use super::codes::MoveCodec;
use pdn_rules::internal::board::{BoardFamily, Geometry, PerBoard};

/// The codecs of all boards, each built when it is first needed.
#[derive(Debug, Default)]
pub struct Codecs(PerBoard<LazyCodecs>);

/// The family of the codecs that are built when they are needed.
#[derive(Debug)]
struct LazyCodecs;

impl BoardFamily for LazyCodecs {
    type Of<G: Geometry> = Option<MoveCodec<G>>;
}

impl Codecs {
    /// Returns the codec of the board `G`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn on<G: Geometry>(&mut self) -> &MoveCodec<G> {
        G::entry_mut(&mut self.0).get_or_insert_with(MoveCodec::new)
    }
}
