//! The integration tests of the generator, in one crate, so that they are linked once.

mod archives;
mod command;
mod dialects;
mod openings;
mod write;
