//! What a worker does: replays the games of a batch and makes rows of them.

use std::borrow::Cow;

use super::Options;
use super::feed::Job;
use super::pack::{Packer, Packing};
use super::reject::Reject;
use crate::error::Error;
use crate::index::row::{Kind, Material, Row};
use crate::index::rows::Rows;
use crate::limits::Limits;
use crate::parse::{
    Comment, Flow, Missing, Move, Setup, Tag, Terminator, Variation, Variations, Visitor, unescape, walk_with,
};
use crate::replay::{Replayer, Status, Summary};
use crate::source::Decoder;
use crate::span::Span;
use crate::value::{self, Date, Rating};
use crate::view;

/// What has become of a job.
pub(super) enum Batch {
    /// Games, in order.
    Games {
        job: Box<Job>,
        rows: Box<Rows>,
        rejects: Vec<Reject>,
        /// Line ends in the text.
        lines: u64,
        plies: u64,
        statuses: [u64; Status::ALL.len()],
    },
    /// A file that the index knows as it is.
    Unchanged,
    /// A file, or the rest of one, that cannot be read.
    Failed(Error),
}

/// A worker's memory.
pub(super) struct Worker {
    replayer: Replayer,
    packer: Packer,
    tags: Tags,
    limits: Limits,
    /// Which prior the replayer has.
    prior: usize,
}

impl Worker {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            replayer: Replayer::new(options.replay.clone()),
            packer: Packer::new(),
            tags: Tags::default(),
            limits: options.replay.limits,
            prior: 0,
        }
    }
}
