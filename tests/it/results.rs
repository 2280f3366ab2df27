//! The result that counts and the winner, against a naive twin: a table of what every text means, and the first of the Result
//! tags and the terminator that means anything.

use std::num::NonZeroUsize;

use pdn::check::{CheckOptions, Checker};
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::replay::Replayer;
use pdn::rules::{GameRules, Variant};
use pdn::value::{Colour, GameType, Outcome};
use pdn::view::RecordView;
use pdn_index::query::{Query, Search, TreeOptions, tree};
use pdn_index::{ImportOptions, Index, import};

/// What a text says for the side that starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Is(Outcome),
    /// `*` or words.
    Open,
    /// An unknown value.
    Missing,
}

use Meaning::{Is, Missing, Open};
use Outcome::{BothLose, Draw, FirstWins, SecondWins};

/// Values of Result tags.
const TAGS: &[(&str, Meaning)] = &[
    ("2-0", Is(FirstWins)),
    ("1-0", Is(FirstWins)),
    (" 0-1", Is(SecondWins)),
    ("0-2", Is(SecondWins)),
    ("1-1", Is(Draw)),
    ("1/2-1/2", Is(Draw)),
    ("½-½", Is(Draw)),
    ("½–½", Is(Draw)),
    ("1+ - 1-", Is(Draw)),
    ("1- - 1+", Is(Draw)),
    ("1 1/2 - 1/2", Is(Draw)),
    ("0.98-1.02", Is(Draw)),
    ("4-6", Is(Draw)),
    ("9-1", Is(FirstWins)),
    ("1-9", Is(SecondWins)),
    ("0-0", Is(BothLose)),
    ("*", Open),
    ("adjourned", Open),
    ("?", Missing),
    ("-", Missing),
];

/// Terminators; an empty text for none.
const TERMINATORS: &[(&str, Meaning)] = &[
    ("", Missing),
    ("*", Open),
    ("-", Missing),
    ("2-0", Is(FirstWins)),
    ("0-1", Is(SecondWins)),
    ("1-1", Is(Draw)),
    ("1/2-1/2", Is(Draw)),
    ("½-½", Is(Draw)),
    ("½–½", Is(Draw)),
    ("0-0", Is(BothLose)),
];

/// Values of GameType tags, and the side that starts by the standard's table or by the value itself.
const GAME_TYPES: &[(&str, Colour)] = &[
    ("20", Colour::White),
    ("21", Colour::Black),
    ("21,W,8,8,A0,0", Colour::White),
    ("22", Colour::White),
    ("23", Colour::Black),
    ("23,W,8,8,A0,0", Colour::White),
    ("23,W,8,8,A1,1", Colour::White),
    ("24", Colour::White),
    ("25", Colour::White),
    ("26", Colour::White),
    ("27", Colour::White),
    ("28", Colour::White),
    ("29", Colour::White),
    ("30", Colour::White),
    ("31", Colour::Black),
    ("40", Colour::White),
    ("41", Colour::White),
    ("96", Colour::White),
    ("97", Colour::White),
    ("98", Colour::White),
];

/// A generated record and what the twin expects of it.
struct Game {
    record: String,
    rules: GameRules,
    start: Colour,
    /// The text that counts; `None` if the record gives no result of any kind.
    text: Option<&'static str>,
    outcome: Outcome,
}

impl Game {
    fn new(
        game_type: (&str, Colour),
        tags: &[(&'static str, (&'static str, Meaning))],
        terminator: (&'static str, Meaning),
    ) -> Self {
        let value: GameType = game_type.0.parse().expect("a game type");
        let rules = GameRules::from_attributes(value.number, value.attributes.as_ref()).expect("a game");
        let mut position = Position::start(rules);
        let mut record = format!("[GameType \"{}\"]\n", game_type.0);
        for (name, (value, _)) in tags {
            record += &format!("[{name} \"{value}\"]\n");
        }
        record += "\n1. ";
        let mut list = MoveList::new();
        for _ in 0..2 {
            position.legal_moves(&mut list).expect("few captures");
            let mv = list[0];
            record += &move_text(&position, &mv, MoveStyle::Chain).expect("few captures");
            record += " ";
            position.play_unchecked(&mv);
        }
        record += terminator.0;
        record += "\n\n";

        let end = Some(terminator).filter(|(text, _)| !text.is_empty());
        let written: Vec<_> = tags.iter().map(|&(_, tag)| tag).chain(end).collect();
        let known = written.iter().find(|(_, meaning)| matches!(meaning, Is(_)));
        let open = written.iter().find(|(_, meaning)| *meaning == Open);
        let (text, meaning) = match known.or(open).or(written.first()) {
            Some(&(text, meaning)) => (Some(text), meaning),
            None => (None, Missing),
        };
        let outcome = if let Is(outcome) = meaning { outcome } else { Outcome::Unknown };
        Self { record, rules, start: game_type.1, text, outcome }
    }

    fn winner(&self) -> Option<Colour> {
        let other = if self.start == Colour::White { Colour::Black } else { Colour::White };
        match self.outcome {
            FirstWins => Some(self.start),
            SecondWins => Some(other),
            _ => None,
        }
    }
}

/// Returns every combination of game type, Result tag and terminator, then of two Result tags of different names.
fn games() -> Vec<Game> {
    let mut games = Vec::new();
    for &game_type in GAME_TYPES {
        for &terminator in TERMINATORS {
            games.push(Game::new(game_type, &[], terminator));
            games.extend(TAGS.iter().map(|&tag| Game::new(game_type, &[("Result", tag)], terminator)));
        }
    }
    for names in [["Result", "Result"], ["Uitslag", "Result"], ["Result", "R&eacute;sultat"]] {
        for &first in TAGS {
            for &second in TAGS {
                for &terminator in &TERMINATORS[..4] {
                    let tags = [(names[0], first), (names[1], second)];
                    games.push(Game::new(("20", Colour::White), &tags, terminator));
                }
            }
        }
    }
    games
}

#[test]
fn result_that_counts_is_same_for_replay_view_and_check() {
    let mut replayer = Replayer::default();
    let mut checker = Checker::new(&CheckOptions::new());
    for game in games() {
        let record = game.record.as_bytes();
        let summary = replayer.summary(record);
        assert_eq!(summary.plies, 2, "{}", game.record);
        let text = summary.result().map(|result| String::from_utf8_lossy(result.span.of(record)));
        assert_eq!(text.as_deref(), game.text, "{}", game.record);
        assert_eq!((summary.outcome(), summary.winner()), (game.outcome, game.winner()), "{}", game.record);
        let view = RecordView::new(record).result().map(String::from_utf8_lossy);
        assert_eq!(view.as_deref(), game.text, "{}", game.record);
        let checked = checker.check(record).summary.outcome_text().map(|result| result.outcome());
        assert_eq!(checked.unwrap_or(Outcome::Unknown), game.outcome, "{}", game.record);
    }
}

#[test]
fn result_that_counts_is_same_for_index_find_and_tree() {
    let games = games();
    let location = tempfile::tempdir().expect("a folder");
    let (archive, dir) = (location.path().join("games.pdn"), location.path().join("index"));
    std::fs::write(&archive, games.iter().map(|game| game.record.as_str()).collect::<String>())
        .expect("written");
    import(&[archive], &dir, &ImportOptions::default()).expect("built");
    let index = Index::open(&dir).expect("opened");
    assert_eq!(index.len(), games.len() as u64);

    for (game, indexed) in games.iter().zip(index.games()) {
        let row = indexed.row().expect("sound");
        assert_eq!(row.result, game.text.unwrap_or_default().trim(), "{}", game.record);
        assert_eq!((row.outcome, row.winner()), (game.outcome, game.winner()), "{}", game.record);
        assert_eq!(row.kind.numbering.start, game.start, "{}", game.record);
    }

    let threads = NonZeroUsize::MIN;
    let found = |query: &str| -> Vec<u64> {
        let query: Query = query.parse().expect("a query");
        let search = Search::new(&index, &query, threads).expect("sound");
        search.hits(usize::MAX).expect("sound").0.iter().map(|hit| hit.game).collect()
    };
    let expected = |holds: &dyn Fn(&Game) -> bool| -> Vec<u64> {
        (0..).zip(&games).filter(|(_, game)| holds(game)).map(|(number, _)| number).collect()
    };
    for outcome in Outcome::ALL {
        assert_eq!(
            found(&format!("result {outcome}")),
            expected(&|game| game.outcome == outcome),
            "{outcome}"
        );
    }
    for (name, winner) in [("white", Some(Colour::White)), ("black", Some(Colour::Black)), ("nobody", None)] {
        assert_eq!(found(&format!("winner {name}")), expected(&|game| game.winner() == winner), "{name}");
    }
    for (text, _) in TAGS {
        let text = text.trim();
        let has_text = |game: &Game| game.text.is_some_and(|counting| counting.trim() == text);
        if text.chars().any(char::is_alphanumeric) {
            let hits = found(&format!("result = \"{text}\""));
            assert!(expected(&has_text).iter().all(|number| hits.contains(number)), "{text}");
        }
    }

    for &variant in Variant::ALL {
        let position = Position::start(variant);
        let all = tree(&index, &position, &TreeOptions::new()).expect("sound").all;
        let same = |game: &&Game| game.rules.rules == variant.rules() && game.start == position.turn();
        let count = |winner: Option<Colour>, outcome: Option<Outcome>| {
            let counts = |game: &&Game| match outcome {
                Some(outcome) => game.outcome == outcome,
                None => game.winner() == winner,
            };
            games.iter().filter(same).filter(counts).count() as u64
        };
        assert_eq!(all.games, games.iter().filter(same).count() as u64, "{variant}");
        assert_eq!(all.white, count(Some(Colour::White), None), "{variant}");
        assert_eq!(all.black, count(Some(Colour::Black), None), "{variant}");
        assert_eq!(all.draws, count(None, Some(Draw)), "{variant}");
    }
}
