//! Properties of whole replays.

use pdn::internal::replay::{CandidateGame, FilePrior, PlySink};
use pdn::limits::Limits;
use pdn::position::Move;
use pdn::replay::{AnnotatedLine, GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::{replay, split};
use pdn_rules::internal::board::Bits;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Ruleset};

use crate::pick;

/// A replay of any bytes plays legal moves only, with the same result for every sink and replayer.
pub fn replay(data: &[u8]) {
    let mut inferred = options();
    let games: Vec<&[u8]> = split::records(data).map(|game| game.bytes).collect();
    of_games(&games, &inferred);
    inferred.prior = FilePrior::of(games.iter().copied(), &inferred);
    of_games(&games, &inferred);
    let mut forced = options();
    forced.variant = Some((*pick(Variant::ALL, data)).into());
    of_games(&games, &forced);
}

/// Search budget of a fuzz run, against crafted captures.
fn options() -> ReplayOptions {
    let mut options = ReplayOptions::default();
    options.limits = Some(Limits::new().capture_nodes(20_000));
    options
}

fn of_games(games: &[&[u8]], options: &ReplayOptions) {
    let mut replayer = Replayer::new(options);
    for &game in games {
        let mut played = Played::default();
        let summary = replayer.replay_into(game, &mut played);
        for finding in replayer.diagnostics() {
            assert!(finding.span.end as usize <= game.len(), "{finding:?} outside of the game");
        }
        let findings = replayer.move_diagnostics().to_vec();
        // Without a sink, with one, and with a new replayer: the same result.
        let mut moves: Vec<Move> = Vec::new();
        assert_eq!(replayer.summary(game), summary);
        assert_eq!(Replayer::new(options).replay(game, &mut moves), summary);
        assert_eq!(replayer.move_diagnostics(), findings);
        assert_eq!(moves, played.moves);
        assert_eq!(moves.len(), summary.plies as usize);
        assert_eq!(played.last.unwrap_or(summary.start), summary.last, "the moves lead to the last position");
        if let Some(stop) = summary.stop {
            assert!(stop.span.end as usize <= game.len() && stop.ply == summary.plies, "{stop:?}");
        }
        assert!(summary.status != GameStatus::Legal || summary.stop.is_none());
        let tree = replayer.replay_annotated(game);
        assert_eq!(tree.summary, summary);
        assert!(tree.main.plies.iter().map(|ply| ply.mv).eq(moves.iter().copied()), "the tree's main line");
        legal(&tree.main);
        for finding in &tree.diagnostics {
            assert!(finding.span.end as usize <= game.len(), "{finding:?} outside of the game");
        }
        let _ = (summary.outcome(), summary.winner(), replay::suggest(&summary.last_position(), game));
    }
}

/// Checks that every ply of a line and its variations is legal in its position.
fn legal(line: &AnnotatedLine<'_>) {
    let mut lines = vec![line];
    while let Some(line) = lines.pop() {
        for ply in &line.plies {
            assert_ne!(ply.position.is_legal(&ply.mv), Ok(false), "{:?} in {}", ply.mv, ply.position.fen());
            let _ = ply.times().count();
            lines.extend(&ply.variations);
        }
    }
}

/// Plays the plies that a replayer reports.
#[derive(Default)]
struct Played {
    moves: Vec<Move>,
    last: Option<State<u128>>,
}

impl PlySink for Played {
    fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, start: &State<BitsOf<R>>) {
        self.moves.clear();
        self.last = Some(start.resized());
    }

    fn ply<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>, mv: &pdn::position::Move<BitsOf<R>>) {
        assert_eq!(self.last, Some(before.resized()), "each ply is played where the last one led");
        assert!((before.side(before.turn) & Bits::one(mv.from.0)).any());
        let mut after = *before;
        after.play(rules, mv);
        self.last = Some(after.resized());
        self.moves.push(mv.resized());
    }

    fn setup<R: Ruleset>(&mut self, _: R, position: &State<BitsOf<R>>) {
        self.last = Some(position.resized());
    }
}
