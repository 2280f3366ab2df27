//! The page `crates/app/src/guide/json.md`: its tables are made of the schemas of the answers.
//!
//! A test of the command compares the page with what is printed, so that a wrong schema fails there.

#[path = "../../../tests/support/snapshot.rs"]
mod snapshot;
#[path = "../../../tests/support/json_tables.rs"]
mod json_tables;

use std::collections::HashMap;
use std::path::Path;

use schemars::{JsonSchema, Schema};

use json_tables::{schema_of, with_tables};
use pdn_app::ask::endings::WithProven;
use pdn_app::ask::fields::{FoundField, chosen_fields};
use pdn_app::ask::rows::rows_schema;
use pdn_app::check::explain::{ExplainedCode, ListedCode};
use pdn_app::check::solve::{ProblemAnswer, SolveTotals};
use pdn_app::check::{CheckSummary, CodeGroup, FileGroup, Finding};
use pdn_app::draw::moves::{LegalMoves, PositionSummary};
use pdn_app::draw::sheet::SheetAnswer;
use pdn_app::find::games::FindCount;
use pdn_app::find::novelty::NoveltyRow;
use pdn_app::find::show::GameAnswer;
use pdn_app::find::tree::TreeAnswer;
use pdn_app::read::indexing::{Indexed, Merged};
use pdn_app::report::endings::EndingGames;
use pdn_app::report::event::EventReport;
use pdn_app::report::groups::GameGroup;
use pdn_app::report::player::PlayerReport;
use pdn_app::report::stats::Statistics;
use pdn_app::write::convert::ConvertAnswer;
use pdn_app::write::dedup::{DedupTotals, KeptGame, OtherGame};
use pdn_app::write::fix::{FixAnswer, RepairLine};
use pdn_app::write::names::NameGroupLine;
use pdn_index::internal::RejectLine;
use pdn_tables::{DatasetManifest, GameField};

/// The totals of a command, in its last line.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct LastLine<T> {
    /// The totals.
    summary: T,
}

/// A group of duplicates, which the command prints game by game.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct DuplicateGroup {
    /// The class of the group: `exact`, `prefix`, `near`, `same-position`, `same-moves` or `shifted-position`.
    class: &'static str,
    /// The game that stays; in the classes `same-moves` and `shifted-position`, where all stay, the first one.
    keeper: KeptGame,
    /// The other games of the group.
    others: Vec<OtherGame>,
}

/// Returns all fields that `pdn find --fields` knows.
fn all_fields() -> Vec<FoundField> {
    let games = GameField::OF_MATCHES.iter().copied().map(FoundField::Game);
    games.chain([FoundField::Line, FoundField::Tags, FoundField::Tag("WhiteRating".to_owned())]).collect()
}

/// Returns the schemas of the answers by the headings of their sections.
fn schemas() -> HashMap<&'static str, Schema> {
    HashMap::from([
        ("`pdn check --json`", schema_of::<Finding>()),
        ("`pdn check --json`: last line", schema_of::<LastLine<CheckSummary>>()),
        ("`pdn check --by code --json`", schema_of::<CodeGroup>()),
        ("`pdn check --by file --json`", schema_of::<FileGroup>()),
        ("`pdn fix --json`", schema_of::<RepairLine<'static>>()),
        ("`pdn fix --json`: last line", schema_of::<LastLine<FixAnswer>>()),
        ("`pdn names --json`", schema_of::<NameGroupLine<'static>>()),
        ("`pdn convert --json`", schema_of::<ConvertAnswer>()),
        ("`pdn stats --json`", schema_of::<Statistics>()),
        ("`pdn index --json`", schema_of::<Indexed>()),
        ("`rejects.jsonl`", schema_of::<RejectLine<'static>>()),
        ("`pdn dedup --json`", schema_of::<DuplicateGroup>()),
        ("`pdn dedup --json`: last line", schema_of::<LastLine<DedupTotals>>()),
        (
            "`pdn find --json`",
            rows_schema(&chosen_fields(None, false), &[FoundField::Line, FoundField::Distance]),
        ),
        ("`pdn find --fields ... --json`", rows_schema(&[], &all_fields())),
        ("`pdn find --by ... --json`", schema_of::<GameGroup>()),
        ("`pdn find --count --json`", schema_of::<FindCount>()),
        ("`pdn novelty --json`", schema_of::<NoveltyRow<'static>>()),
        ("`pdn tree --json`", schema_of::<TreeAnswer>()),
        ("`pdn player --json`", schema_of::<PlayerReport>()),
        ("`pdn event --json`", schema_of::<EventReport>()),
        ("`pdn endgame report --json`: a line for each ending", schema_of::<EndingGames>()),
        ("`pdn show FILE GAME --json`", schema_of::<WithProven<GameAnswer>>()),
        ("`pdn show --json`: a position", schema_of::<WithProven<PositionSummary>>()),
        ("`pdn solve --json`", schema_of::<ProblemAnswer>()),
        ("`pdn solve --json`: last line", schema_of::<LastLine<SolveTotals>>()),
        ("`pdn sheet --json`", schema_of::<SheetAnswer>()),
        ("`pdn moves --json`", schema_of::<LegalMoves>()),
        ("`pdn explain CODE --json`", schema_of::<ExplainedCode>()),
        ("`pdn explain --json`: a line for each code", schema_of::<ListedCode>()),
        ("`manifest.json`", schema_of::<DatasetManifest<'static>>()),
        ("`pdn merge --json`", schema_of::<Merged>()),
    ])
}

/// The answers that the command makes itself; a test there makes their tables.
const OF_THE_COMMAND: [&str; 6] = [
    "`pdn endgame build --json` and `verify --json`: two lines for each number of men and kings",
    "`pdn endgame probe --json`: a line for each position",
    "`pdn perft --json`",
    "`pdn perft --divide --json`: a line for each move",
    "`pdn verify --json`",
    "`pdn bench --json`",
];

#[test]
fn tables_of_the_page_are_those_of_the_schemas() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide/json.md");
    let page = std::fs::read_to_string(&path).expect("the page is part of the library");
    let (made, others) = with_tables(&page, schemas());
    assert_eq!(others, OF_THE_COMMAND, "every other table is made of a schema");
    snapshot::compare(&path, &made).unwrap();
}
