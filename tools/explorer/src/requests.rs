//! Reads the parameters of a request as the fields of a question.

use std::sync::Arc;

use pdn_app::ask::endings::EndingTables;
use pdn_app::ask::filter::{Filter, FilterPart};
use pdn_app::ask::options::{Form, Given, GivenOptions, OptionField, OptionGroups, Options};
use pdn_app::find::games::{FindOrder, FindRequest, FindSample};
use pdn_app::find::tree::TreeRequest;
use pdn_app::report::event::{EventOptions, EventRequest};
use pdn_app::report::groups::GroupRequest;
use pdn_app::report::player::{PlayerOptions, PlayerRequest};
use pdn_app::{AppError, ErrorCode};
use pdn_names::NameMap;

use crate::params::Params;
use crate::problem::Problem;
use crate::route_options::{Grouping, NameAsked};

/// Number of opponents, events, and openings with each colour of a player, unless another is asked for.
const DEFAULT_ROWS: usize = 30;
/// Events with more games have standings without a list of games, which nobody could read.
const MOST_LISTED_GAMES: u64 = 2000;

/// What the server read of files that its options name, for all questions.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The names that spellings of players and events become.
    pub names: Option<Arc<NameMap>>,
    /// The tables of endings that queries and trees ask.
    pub tables: Option<Arc<EndingTables>>,
}

/// Returns the conditions that the parameters name: on games, and on positions too if `with_positions`.
fn filter(params: &Params, files: &Files, with_positions: bool) -> Result<Filter, Problem> {
    let fields = params.pairs().iter().filter_map(|(name, value)| {
        let field = Filter::field(name)?;
        let is_asked = with_positions || field.part != FilterPart::Position;
        is_asked.then_some((field.name, value.as_str()))
    });
    let mut filter = Filter::default();
    filter.set_all(fields)?;
    Ok(filter.tables(files.tables.clone()))
}

/// Returns the options that are parameters: a client names no files.
pub(crate) fn parameters(options: OptionGroups) -> impl Iterator<Item = &'static OptionField> {
    options.iter().copied().flatten().filter(|option| !matches!(option.form, Form::Path))
}

/// Reads the options of a question.
fn asked<T>(
    params: &Params,
    options: OptionGroups,
    take: impl FnOnce(&mut GivenOptions) -> pdn_app::Result<T>,
) -> Result<T, Problem> {
    let mut given = GivenOptions::default();
    for field in parameters(options) {
        if let Some(value) = params.get(field.name) {
            given.push(field.name, Given::Written(value.to_owned()));
        }
    }
    let question = take(&mut given)?;
    given.end()?;
    Ok(question)
}

/// Reads a group of options.
///
/// # Errors
/// If a parameter is wrong.
pub(crate) fn options<O: Options>(params: &Params) -> Result<O, Problem> {
    asked(params, &[O::FIELDS], GivenOptions::group)
}

/// Reads the question for an opening tree.
///
/// # Errors
/// If a parameter is wrong.
pub(crate) fn tree(params: &Params, files: &Files) -> Result<TreeRequest, Problem> {
    let filter = filter(params, files, false)?;
    asked(params, TreeRequest::OPTIONS, |given| TreeRequest::take(filter, given))
}

/// Reads the question for games.
///
/// # Errors
/// If a parameter is wrong.
pub(crate) fn find(params: &Params, files: &Files) -> Result<FindRequest, Problem> {
    Ok(FindRequest {
        filter: filter(params, files, true)?,
        order: options::<FindOrder>(params)?,
        all_plies: false,
        choice: FindSample::default(),
    })
}

/// Reads the question for groups of games. A file of names decides which spellings are one.
///
/// # Errors
/// If a parameter is wrong or missing.
pub(crate) fn groups(params: &Params, files: &Files, max_positions: usize) -> Result<GroupRequest, Problem> {
    let by = needed("by", options::<Grouping>(params)?.by)?;
    let names = files.names.clone();
    Ok(GroupRequest { filter: filter(params, files, true)?, by, names, limit: 0, max_positions })
}

/// Returns the value of a parameter that is needed.
fn needed<T>(name: &'static str, value: Option<T>) -> Result<T, Problem> {
    let missing =
        || AppError::new(ErrorCode::Missing, message!("missing", "expected a name")).in_field(name).into();
    value.ok_or_else(missing)
}

/// Returns the name that is needed.
fn name(params: &Params) -> Result<String, Problem> {
    needed("name", options::<NameAsked>(params)?.name)
}

/// Reads the question for the results of a player. A file of names decides which spellings are one.
///
/// # Errors
/// If a parameter is wrong or missing.
pub(crate) fn player(params: &Params, files: &Files) -> Result<PlayerRequest, Problem> {
    let options: PlayerOptions = options(params)?;
    let request = PlayerRequest::with(&name(params)?, filter(params, files, false)?, &options, DEFAULT_ROWS)?;
    Ok(PlayerRequest { names: files.names.clone(), ..request })
}

/// Reads the question for an event. A file of names decides which spellings are one.
///
/// # Errors
/// If a parameter is wrong or missing.
pub(crate) fn event(params: &Params, files: &Files) -> Result<EventRequest, Problem> {
    let options: EventOptions = options(params)?;
    let request = EventRequest::with(&name(params)?, filter(params, files, false)?, options)?;
    Ok(EventRequest { names: files.names.clone(), most_listed: Some(MOST_LISTED_GAMES), ..request })
}

#[cfg(test)]
mod tests {
    use pdn_app::ask::position::PlaceRequest;
    use pdn_app::find::tree::TreeShown;

    use super::*;

    /// The options of the questions that are asked below.
    const OPTIONS: OptionGroups = &[
        PlaceRequest::FIELDS,
        TreeShown::FIELDS,
        FindOrder::FIELDS,
        PlayerOptions::FIELDS,
        EventOptions::FIELDS,
    ];
    const VALUES: &[&str] = &[
        "a",
        "=a",
        "~a",
        " ",
        "\0",
        "-",
        "--",
        "--help",
        "-h",
        "--threads=1",
        "@/etc/passwd",
        "@-",
        "((",
        "w28",
        "w:28,32 b:19",
        "w-b >= 2",
        "player : a",
        "1990",
        "1990..",
        "..1990",
        "1990..1980",
        "x..y",
        "0",
        "-1",
        "1",
        "99999999999999999999",
        "true",
        "false",
        "W:W31:B20",
        "W:W",
        "1. 32-28 19-23",
        "1. 1-50",
        "c3-d4",
        "russian",
        "international",
        "2-0",
        "\u{e9}\u{441}",
        "white",
        "takes >= 3",
        "Event=a",
    ];

    #[test]
    fn any_parameters_are_read_or_refused_with_the_name_of_one_of_them() {
        let mut numbers = fastrand::Rng::with_seed(1);
        let mut random = |bound| numbers.usize(..bound);
        let fields = Filter::FIELDS.iter().map(|field| field.name);
        let names: Vec<&str> = fields.chain(parameters(OPTIONS).map(|option| option.name)).collect();
        let (mut read, mut refused) = (0, 0);
        for _ in 0..4000 {
            let mut params = Params::default();
            for _ in 0..=random(3) {
                let value = match random(8) {
                    0 => VALUES[random(VALUES.len())].repeat(1 + random(200)),
                    _ => VALUES[random(VALUES.len())].to_owned(),
                };
                params.push(names[random(names.len())], value);
            }
            let files = Files::default();
            let found = find(&params, &files).map(drop);
            let trees = tree(&params, &files).map(drop);
            let mut named = params.clone();
            named.push("name", VALUES[random(VALUES.len())]);
            let people = player(&named, &files).map(drop);
            let events = event(&named, &files).map(drop);
            for (params, outcome) in [(&params, found), (&params, trees), (&named, people), (&named, events)]
            {
                match outcome {
                    Ok(()) => read += 1,
                    Err(problem) => {
                        refused += 1;
                        assert_eq!(problem.status, 400, "{params:?}: {problem:?}");
                        let is_given = |name: &String| params.get(name).is_some();
                        assert!(problem.parameter.as_ref().is_none_or(is_given), "{params:?}: {problem:?}");
                        let detail = &problem.detail;
                        assert!(
                            !detail.is_empty() && !detail.contains('\n') && !detail.contains("Usage"),
                            "{problem:?}"
                        );
                        assert!(!detail.contains("root:"), "a file was read: {problem:?}");
                    }
                }
            }
        }
        assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
    }
}
