//! Options of `pdn solve`.

use clap::Args;
use pdn::internal::replay::CandidateGame;
use pdn_app::solve::SolveRequest;
use pdn_solve::SolveOptions;

use super::help;
use super::number::number;
use super::shared::{FormatArgs, InputArgs};
use pdn_app::values::parse_game;

pub(super) const AFTER_HELP: &str = "\
A problem is a record with a position of its own, and its solution is the main line. Its first move is the key, and its goal is what \
it reaches: the end of the game, or a lead in pieces that cannot be lessened within four plies. A man counts as 1, a king as 3 \
if kings move over any distance and as 2 if not. Every other first move that reaches the same goal, whatever is replied, is a second \
solution and is listed with the moves that prove it. Where replies that the solution does not have lead to less, that is the goal.

Verdicts: `unique`, no other first move reaches the goal within the plies; `second-solutions`; `undecided`, none is found, \
but the limits leave some open; `unproven`, the key is not proved to reach the goal; `no-goal`, the solution wins neither the \
game nor a piece; `no-solution`, the record has no moves; `not-replayed`, the solution is not legal to its end.

Half of the nodes of a first move go to lines in which each move leaves the other side a capture or two moves at most, so that shots are \
found at any length; the rest go to all moves. The answer says how far each search came. It does not depend on the number of threads.

Exit codes: 0 if all problems are unique, 1 if any is not or there is none, 2 if an input cannot be read.";

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Longest way to the goal in plies, with the first move and without captures that are pending at its end [default: as many as
    /// the solution needs, and 4 more]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=u64::from(SolveOptions::MAX_PLIES)))]
    max_plies: Option<u32>,

    /// Most positions to look at for each first move
    #[arg(long, value_name = "N", default_value_t = SolveOptions::DEFAULT_NODES, value_parser = number::<u64>(1..=u64::MAX))]
    nodes: u64,

    /// Goal of all problems: this lead, whatever the solution reaches. Problems without a solution are searched, too, for as many plies
    /// as --max-plies says
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    lead: Option<i32>,

    #[arg(long, value_name = "VARIANT", value_parser = parse_game, help = help::UNTAGGED_VARIANT)]
    untagged: Option<CandidateGame>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl SolveArgs {
    /// Returns what the options ask for.
    pub(crate) fn read(&self) -> SolveRequest {
        SolveRequest {
            inputs: self.input.read(),
            variant: self.untagged,
            plies: self.max_plies,
            nodes: self.nodes,
            lead: self.lead,
        }
    }
}
