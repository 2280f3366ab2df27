//! The `pdn` command.
#[cfg_attr(not(test), expect(dead_code, reason = "no command shows a board yet"))]
mod board;

fn main() {}
