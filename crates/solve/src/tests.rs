use super::search::Search;
use super::*;
use pdn::error::ErrorKind;
use pdn::position::{Move, Position};
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::Colour;
use pdn_rules::internal::position::{State, split_mix};
use pdn_rules::internal::rules::Ending;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The search by its definition: all moves, no table, no order.
struct NaiveSearch {
    solver: Colour,
    goal: Goal,
    forcing: bool,
}

impl NaiveSearch {
    fn lead(&self, position: &Position) -> i32 {
        let counts = position.counts();
        let king = if position.rules().movement.flying { 3 } else { 2 };
        let value = |side: usize| i32::from(counts.men[side]) + king * i32::from(counts.kings[side]);
        let side = self.solver as usize;
        value(side) - value(1 - side)
    }

    fn reaches(&self, position: &Position, plies: u32) -> bool {
        if let Some(end) = position.end() {
            return end.winner == self.solver;
        }
        let moves = position.moves().unwrap();
        let is_own = position.turn() == self.solver;
        if !moves[0].is_capture() {
            if let Goal::Lead(goal) = self.goal
                && self.lead(position) >= goal
                && self.holds(position, goal, 4)
            {
                return true;
            }
            if plies == 0 || self.forcing && !is_own && moves.len() > 2 {
                return false;
            }
        }
        let mut after = moves.iter().map(|mv| position.after_unchecked(mv));
        let rest = plies.saturating_sub(1);
        if is_own {
            after.any(|next| self.reaches(&next, rest))
        } else {
            after.all(|next| self.reaches(&next, rest))
        }
    }

    fn holds(&self, position: &Position, goal: i32, plies: u32) -> bool {
        if let Some(end) = position.end() {
            return end.winner == self.solver;
        }
        let moves = position.moves().unwrap();
        if plies == 0 && !moves[0].is_capture() {
            return self.lead(position) >= goal;
        }
        let mut after = moves.iter().map(|mv| position.after_unchecked(mv));
        let rest = plies.saturating_sub(1);
        if position.turn() == self.solver {
            after.any(|next| self.holds(&next, goal, rest))
        } else {
            after.all(|next| self.holds(&next, goal, rest))
        }
    }
}

/// Searches one position, without a limit; returns whether the goal is reached and the way to it.
fn reach(position: &Position, naive: &NaiveSearch, plies: u32) -> (bool, Vec<Move>) {
    let stop = Stop::new();
    let mut search = Search::new(position.game(), naive.solver, naive.goal, u64::MAX, &stop);
    search.forcing = naive.forcing;
    // The table has entries of a search of another depth then.
    for plies in 0..plies {
        search.reaches(position.state(), plies).unwrap();
    }
    let reaches = search.reaches(position.state(), plies).unwrap();
    (reaches, search.line().to_vec())
}

/// Returns a position with a few pieces on random squares; `None` if one side would have none.
fn random_position(variant: Variant, seed: u64) -> Option<Position> {
    let number = |n: u64| split_mix(seed, n);
    let valid = variant.board().valid();
    let squares: Vec<u128> = (0..128).map(|at| 1 << at).filter(|bit| valid & bit != 0).collect();
    let start = Position::start(variant);
    let mut state = State::<u128>::empty(Colour::ALL[(number(0) % 2) as usize]);
    let pieces = 3 + number(1) % 5;
    for n in 0..pieces {
        let bit = squares[(number(10 + n) % squares.len() as u64) as usize];
        if state.occupied() & bit == 0 {
            state.pieces[(number(30 + n) % 2) as usize] |= bit;
            let is_king = number(50 + n).is_multiple_of(9) && variant.rules().ending != Ending::FirstKingWins;
            state.kings |= if is_king { bit } else { 0 };
        }
    }
    let has_both = state.pieces.iter().all(|&pieces| pieces != 0);
    has_both.then(|| Position::from_state(*start.game(), state))
}

#[test]
fn search_equals_its_naive_twin() {
    let (mut reached, mut missed) = (0, 0);
    for &variant in Variant::ALL {
        for seed in 0..60 {
            let Some(position) = random_position(variant, seed * 64 + variant as u64) else { continue };
            let goal = match seed % 3 {
                0 => Goal::End,
                lead => {
                    let naive = NaiveSearch { solver: position.turn(), goal: Goal::End, forcing: false };
                    Goal::Lead(naive.lead(&position) + lead as i32)
                }
            };
            let solver = if seed % 5 == 0 { !position.turn() } else { position.turn() };
            let naive = NaiveSearch { solver, goal, forcing: seed % 2 == 0 };
            let plies = seed as u32 % 4;
            let expected = naive.reaches(&position, plies);
            let (reaches, line) = reach(&position, &naive, plies);
            let place = format!("{variant} {position} {goal:?} {solver:?} {plies}");
            assert_eq!(reaches, expected, "{place}");
            if reaches {
                let mut end = position;
                line.iter().for_each(|mv| end.play(mv).unwrap());
                assert!(naive.reaches(&end, 0), "the line leads to the goal: {place}");
                reached += 1;
            } else {
                missed += 1;
            }
        }
    }
    assert!(reached > 100 && missed > 100, "{reached} reached, {missed} missed");
}

/// Solves a position, with the texts of its solution.
fn solved(variant: Variant, fen: &str, solution: &str, options: &SolveOptions) -> Option<Solved> {
    let start = Position::parse_fen(variant, fen).unwrap();
    let mut position = start;
    let moves: Vec<Move> = solution
        .split_whitespace()
        .map(|text| {
            let mv = position.parse_move(text).unwrap();
            position.play(&mv).unwrap();
            mv
        })
        .collect();
    solve(&start, &moves, options).unwrap()
}

/// Returns the lines of the second solutions as texts.
fn second_lines(variant: Variant, fen: &str, solved: &Solved) -> Vec<String> {
    let line = |first: &FirstMove| {
        let MoveAnswer::Reaches { line, .. } = &first.answer else { panic!("a second solution has a line") };
        let mut position = Position::parse_fen(variant, fen).unwrap();
        let texts = line.iter().map(|mv| {
            let text = position.move_text(mv, Default::default());
            position.play(mv).unwrap();
            text
        });
        texts.collect::<Vec<_>>().join(" ")
    };
    solved.second_solutions().map(line).collect()
}

#[test]
fn made_problems_have_the_known_answers() {
    use Goal::{End, Lead};
    use Variant::{Antidraughts, International};
    use Verdict::{SecondSolutions, Unique, Unproven};
    type Row = (Variant, &'static str, &'static str, (Goal, Goal), Verdict, &'static [&'static str]);
    let rows: &[Row] = &[
        // The man on 30 is given, and the new king takes both black men. After 30-24 they run.
        (International, "W:W6,30:B12,25", "6-1 25x34 1x45", (End, End), Unique, &[]),
        (International, "W:W7,11:B9,16", "7-1 16x7 1x4", (End, End), Unique, &[]),
        // Either man takes the last piece.
        (International, "W:W28,29:B23", "28x19", (End, End), SecondSolutions, &["29x18"]),
        // The solution expects 25x34. After 9x20 it wins nothing, but another move does.
        (
            International,
            "W:W10,20,30:B9,15,25",
            "20-14 25x34 14x3",
            (Lead(1), Lead(1)),
            SecondSolutions,
            &["10-4 15x35 4x13"],
        ),
        // The solution ends the game because Black walks into the king. Black may also keep its last man.
        (International, "W:W7,11:B1,39", "11-6 1x12 6-1 12-18 1x48", (Lead(2), End), Unique, &[]),
        // After 6x8 Black is not without moves for a long time.
        (International, "W:W11,12,14:B6,42", "14-9 6x8 9-3 8-12 3x48", (End, End), Unproven, &[]),
        // In the losing game, the side without pieces wins, however it loses them.
        (Antidraughts, "W:W28:B18", "28-22 18x27", (End, End), SecondSolutions, &["28-23 18x29"]),
    ];
    for &(variant, fen, solution, goals, verdict, seconds) in rows {
        let solved = solved(variant, fen, solution, &SolveOptions::new()).expect(fen);
        assert_eq!(((solved.goal, solved.reached), solved.verdict()), (goals, verdict), "{fen}");
        assert_eq!(second_lines(variant, fen, &solved), seconds, "{fen}");
    }
}

#[test]
fn a_solution_that_wins_nothing_has_no_goal() {
    let none = [
        (Variant::International, "W:W31,36:B6,10", "31-27"),
        // One man is given for one.
        (Variant::International, "W:W28,32,37,50:B6,11,16,19", "28-23 19x28 32x23"),
        // In the losing game, fewer pieces are no goal by themselves.
        (Variant::Antidraughts, "W:W28,32,37,50:B6,11,16,19", "28-23 19x28 32x23"),
    ];
    for (variant, fen, solution) in none {
        assert_eq!(solved(variant, fen, solution, &SolveOptions::new()), None, "{fen}");
    }
}

#[test]
fn goal_is_the_lead_at_the_end_of_the_solution() {
    use Variant::{English, Frisian, International};
    let (mut pending, mut more, mut nothing) = (0, 0, 0);
    for variant in [International, English, Frisian] {
        for seed in 0..120 {
            let Some(start) = random_position(variant, 7_000 + seed * 64 + variant as u64) else { continue };
            let mut naive = NaiveSearch { solver: start.turn(), goal: Goal::End, forcing: false };
            let (mut last, mut solution) = (start, Vec::new());
            for ply in 0..1 + seed % 3 {
                let Some(mv) = last.moves().ok().and_then(|list| {
                    list.get(split_mix(seed, 90 + ply) as usize % list.len().max(1)).copied()
                }) else {
                    break;
                };
                last.play(&mv).unwrap();
                solution.push(mv);
            }
            if solution.is_empty() || start.end().is_some() {
                continue;
            }
            let found = solve(&start, &solution, &SolveOptions::new().nodes(2)).unwrap();
            let found = found.map(|solved| solved.reached);
            if found == Some(Goal::End) {
                continue;
            }
            let before = naive.lead(&start);
            let leads = (before + 1..=before + 12).rev().map(Goal::Lead);
            let mut reached = |goal: Goal, plies: u32| {
                naive.goal = goal;
                naive.reaches(&last, plies)
            };
            let expected = leads.clone().find(|&goal| reached(goal, 0));
            assert_eq!(found, expected, "{variant} {start}: {solution:?}");
            pending += u32::from(found.is_some() && solution[0].is_capture());
            more += u32::from(leads.clone().find(|&goal| reached(goal, 2)) != expected);
            nothing += u32::from(found.is_none());
        }
    }
    assert!(pending > 3 && more > 3 && nothing > 3, "{pending} {more} {nothing}");
}

#[test]
fn what_the_limits_leave_open_is_not_claimed() {
    let (fen, solution) = ("W:W15,38:B26,39", "38-33 39x28 15-10 26-31 10-4");
    let verdict =
        |options: SolveOptions| solved(Variant::International, fen, solution, &options).unwrap().verdict();
    let few = SolveOptions::new().nodes(20_000);
    assert_eq!(verdict(few), Verdict::Undecided);
    assert_eq!(
        verdict(SolveOptions::new().plies(7)),
        Verdict::Unique,
        "of at most 7 plies, it is the only way"
    );
    let one =
        solved(Variant::International, fen, solution, &SolveOptions::new().nodes(2).goal(Goal::Lead(1)));
    let one = one.unwrap();
    assert_eq!(one.verdict(), Verdict::Unproven);
    let is_open = |first: &FirstMove| matches!(first.answer, MoveAnswer::Unproven { plies: 0, .. });
    assert!(one.moves.iter().any(is_open), "{one:?}");
}

#[test]
fn a_problem_without_a_solution_is_searched_for_a_given_goal() {
    let options = SolveOptions::new().plies(7).goal(Goal::End);
    let found = solved(Variant::International, "W:W6,30:B12,25", "", &options).unwrap();
    assert_eq!((found.key, found.verdict()), (None, Verdict::Unique));
    let both = solved(Variant::International, "W:W28,29:B23", "", &options).unwrap();
    assert_eq!(both.verdict(), Verdict::SecondSolutions);
    assert_eq!(solved(Variant::International, "W:W28,29:B23", "", &SolveOptions::new()), None);
}

#[test]
fn answers_are_equal_on_any_number_of_threads() {
    let solved_on = |threads: usize| {
        let options = SolveOptions::new().nodes(30_000).threads(NonZeroUsize::new(threads).unwrap());
        solved(Variant::International, "W:W8,17,18,47:B9,20,28", "18-13 9x18 8-3 18-22 3x25", &options)
    };
    let one = solved_on(1);
    assert!(one.is_some());
    assert_eq!(one, solved_on(3));
}

#[test]
fn a_stop_ends_the_search() {
    let stop = Stop::new();
    stop.request();
    let start = Position::parse_fen(Variant::International, "W:W8,17,18,47:B9,20,28").unwrap();
    let options = SolveOptions::new().plies(31).nodes(u64::MAX).goal(Goal::End).stop(&stop);
    let error = solve(&start, &[], &options).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Stopped));
}

/// Says of positions with three pieces who wins: White with a piece on the square, in 50 plies; otherwise it is a draw, if that is known.
#[derive(Debug)]
struct MadeUp {
    square: &'static str,
    knows_draws: bool,
}

impl ProvenEnds for MadeUp {
    fn most_pieces(&self) -> u32 {
        3
    }

    fn end(&self, position: &Position) -> Option<ProvenEnd> {
        let names = position.names();
        let is_there = |(square, piece): (_, pdn::position::Piece)| {
            piece.colour == Colour::White && names.name(square).to_string() == self.square
        };
        let winner = position.pieces().any(is_there).then_some(Colour::White);
        let is_known = winner.is_some() || self.knows_draws;
        is_known.then_some(ProvenEnd { winner, plies: if winner.is_some() { 50 } else { 0 } })
    }
}

#[test]
fn what_tables_prove_has_no_limit_of_plies() {
    const FEN: &str = "W:W28,29:B2,23";
    let ask = |tables: Option<MadeUp>| {
        let tables = tables.map(|tables| Arc::new(tables) as Arc<dyn ProvenEnds>);
        let options = SolveOptions::new().plies(3).goal(Goal::End).tables(tables);
        solved(Variant::International, FEN, "28x19", &options).unwrap()
    };
    assert_eq!(ask(None).verdict(), Verdict::Unproven);
    // One capture leads to a win of 50 plies, the other one to a draw, or to what is not known.
    for (knows_draws, verdict) in [(true, Verdict::Unique), (false, Verdict::Undecided)] {
        let solved = ask(Some(MadeUp { square: "19", knows_draws }));
        assert_eq!(solved.verdict(), verdict);
        let [key, other] = &solved.moves[..] else { panic!("two captures") };
        assert_eq!(key.answer, MoveAnswer::Reaches { line: vec![key.mv], proven: Some(50) });
        let MoveAnswer::Unproven { plies, refuted, .. } = other.answer else { panic!("no way") };
        assert_eq!((plies, refuted), (3, knows_draws));
    }
    let solved = ask(Some(MadeUp { square: "18", knows_draws: true }));
    assert_eq!((solved.verdict(), solved.second_solutions().count()), (Verdict::SecondSolutions, 1));
    // What the solution leads to is known to be won at once.
    let tables: Arc<dyn ProvenEnds> = Arc::new(MadeUp { square: "19", knows_draws: true });
    let within = |tables| {
        let options = SolveOptions::new().tables(tables);
        self::solved(Variant::International, FEN, "28x19", &options).unwrap().plies
    };
    assert_eq!(within(Some(tables)), 5);
    assert!(within(None) > 5);
}
