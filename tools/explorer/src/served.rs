//! Tests of the routes on a real archive, without a network.

use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use pdn::stop::Stop;
use pdn_app::Context;
use pdn_app::read::searched::index_archives;
use pdn_index::ImportOptions;
use serde_json::{Value, json};

use crate::archives::Archives;
use crate::description::open_api;
use crate::probe;
use crate::requests::Files;
use crate::route_table::{API_VERSION, IMPORT, ROUTES, Route};
use crate::served_archive::ServedArchive;

const GAMES: &str = "\
[White \"Berg, Lotte\"]\n[Black \"Duin\"]\n[Event \"Club\"]\n[Date \"1999.01.02\"]\n[Round \"1\"]\n[WhiteRating \"2300\"]\n\
[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 {good [%eval 0.3]} 19-23 (1... 18-22 $1 {why}) 2. 28x19! 14x23 2-0\n
[White \"Cornel\"]\n[Black \"Berg, Lotte\"]\n[Event \"Club\"]\n[Date \"2003\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. 32-28 19-23 1-1\n
[White \"Cornel\"]\n[Black \"\u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432} <b>\"]\n[Result \"0-2\"]\n[GameType \"20\"]\n1. 33-28 18-22 2. 44-11 0-2\n
[White \"Eik\"]\n[Black \"Fjord\"]\n[GameType \"25\"]\n1. c3-d4 b6-a5 *\n";

/// Returns the routes of a server of [`GAMES`].
pub(crate) fn served() -> Router {
    served_to(false)
}

/// Returns the routes of a server of [`GAMES`] that pages of other sites may ask if `cors` is set.
fn served_to(cors: bool) -> Router {
    served_by(ROUTES, cors)
}

/// Returns these routes of a server of [`GAMES`].
fn served_by(routes: &'static [Route], cors: bool) -> Router {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    std::fs::write(&archive, GAMES).unwrap();
    let mut import = ImportOptions::default();
    import.segments.embed = true;
    let (stop, mut events) = (Stop::new(), pdn_app::CollectedEvents::default());
    let index = index_archives(&[archive], &import, &mut Context::new(&stop, &mut events)).unwrap();
    let archives = Archives {
        archives: vec![ServedArchive::new("games".to_owned(), index, None, None)],
        threads: NonZeroUsize::MIN,
        tree_games: 0,
        files: Files::default(),
    };
    probe::routes_of(Arc::new(archives), probe::address(cors), true, routes)
}

/// An answer: status, header and body.
pub(crate) struct Answered {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answered {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn field(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// Sends a request with these fields of the header.
pub(crate) fn send(
    routes: &Router,
    method: &str,
    path: &str,
    fields: &[(&str, &str)],
    body: &str,
) -> Answered {
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body.to_owned())).unwrap();
    let service = hyper_util::service::TowerToHyperService::new(routes.clone());
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
    runtime.block_on(async {
        use hyper::service::Service;
        let response = service.call(request).await.unwrap();
        let (head, body) = response.into_parts();
        let (mut body, mut bytes) = (Box::pin(body), Vec::new());
        while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
            bytes.extend_from_slice(&frame.unwrap().into_data().unwrap());
        }
        Answered { status: head.status, headers: head.headers, body: bytes }
    })
}

pub(crate) fn get(routes: &Router, path: &str) -> Answered {
    send(routes, "GET", path, &[], "")
}

/// Says where a value differs from its schema: types, needed members, and members that the schema does not describe.
fn differences(value: &Value, schema: &Value, schemas: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        assert!(schemas[name].is_object(), "{at}: there is no schema {name}");
        return differences(value, &schemas[name], schemas, at, found);
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let mut all = Vec::new();
        for choice in choices {
            let mut wrong = Vec::new();
            differences(value, choice, schemas, at, &mut wrong);
            if wrong.is_empty() {
                return;
            }
            all.append(&mut wrong);
        }
        return found.push(format!("{at}: fits no choice: {all:?}"));
    }
    if let Some(parts) = schema["allOf"].as_array() {
        parts.iter().for_each(|part| differences(value, part, schemas, at, found));
    }
    if *schema == json!(true) {
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    };
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = types.iter().any(|wanted| *wanted == is || (*wanted == "number" && is == "integer"));
    if types.is_empty() && schema["allOf"].is_null() && schema["enum"].is_null() && schema["const"].is_null()
    {
        return found.push(format!("{at}: the schema has no type: {schema}"));
    }
    if !types.is_empty() && !fits {
        return found.push(format!("{at}: {is} in place of {types:?}"));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
        found.push(format!("{at}: {value} is not among {}", schema["enum"]));
    }
    match value {
        Value::Array(items) => {
            if schema["items"].is_null() {
                return found.push(format!("{at}: the schema says nothing of the items"));
            }
            for (place, item) in items.iter().enumerate() {
                differences(item, &schema["items"], schemas, &format!("{at}/{place}"), found);
            }
        }
        Value::Object(members) => {
            for name in schema["required"].as_array().into_iter().flatten() {
                if members.get(name.as_str().unwrap()).is_none() {
                    found.push(format!("{at}: {name} is missing"));
                }
            }
            for (name, member) in members {
                let own = &schema["properties"][name];
                let others = &schema["additionalProperties"];
                let described = if own.is_null() { others } else { own };
                if described.is_null() || *described == json!(false) {
                    // The description and its parts are free, as those of JSON Schema are.
                    if schema["properties"].is_object() || others.is_boolean() {
                        found.push(format!("{at}: {name} is not described"));
                    }
                    continue;
                }
                differences(member, described, schemas, &format!("{at}/{name}"), found);
            }
        }
        _ => (),
    }
}

#[test]
fn answers_of_all_routes_are_as_the_description_says() {
    let routes = served();
    let description = get(&routes, "/api/v1/openapi.json").json();
    assert_eq!(description, open_api(ROUTES, true));
    let schemas = &description["components"]["schemas"];
    let asked = [
        ("/api/v1/", "/api/v1/"),
        ("/api/v1/indexes", "/api/v1/indexes"),
        ("/api/v1/{index}/tree", "/api/v1/games/tree?games=2"),
        ("/api/v1/{index}/tree", "/api/v1/games/tree?moves=32-28+19-23&transpositions=true&player=berg"),
        ("/api/v1/{index}/find", "/api/v1/games/find?query=move+takes+%3E%3D+1&sort=date"),
        ("/api/v1/{index}/find", "/api/v1/games/find"),
        ("/api/v1/{index}/groups", "/api/v1/games/groups?by=player&query=ply+0"),
        ("/api/v1/{index}/groups", "/api/v1/games/groups?by=year&limit=2"),
        ("/api/v1/{index}/find.ndjson", "/api/v1/games/find.ndjson"),
        ("/api/v1/{index}/find.pdn", "/api/v1/games/find.pdn"),
        ("/api/v1/{index}/find.csv", "/api/v1/games/find.csv"),
        ("/api/v1/{index}/stats", "/api/v1/games/stats"),
        ("/api/v1/{index}/players", "/api/v1/games/players"),
        ("/api/v1/{index}/player", "/api/v1/games/player?name=berg"),
        ("/api/v1/{index}/player", "/api/v1/games/player?name=berg&against=cornel"),
        ("/api/v1/{index}/events", "/api/v1/games/events"),
        ("/api/v1/{index}/event", "/api/v1/games/event?name=club"),
        ("/api/v1/{index}/openings", "/api/v1/games/openings?variant=russian"),
        ("/api/v1/{index}/position", "/api/v1/games/position?variant=russian&moves=c3-d4"),
        ("/api/v1/{index}/games/{game}", "/api/v1/games/games/1"),
        ("/api/v1/{index}/games/{game}", "/api/v1/games/games/3"),
        ("/api/v1/{index}/games/{game}", "/api/v1/games/games/1.pdn"),
        ("/api/v1/{index}/games/{game}", "/api/v1/games/games/1.svg"),
        ("/api/v1/{index}/games/{game}", "/api/v1/games/games/1.svg?animate=1-4"),
        ("/api/v1/{index}/games/{game}", "/api/v1/games/games/1.png?ply=2"),
        ("/api/v1/{index}/position.png", "/api/v1/games/position.png?moves=32-28"),
        ("/api/v1/check", "1. 32-28 19-23 2. 44-11 *"),
        ("/api/v1/check", "[Event \"a\"]\n[Date \"2003-5-1\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 1-1"),
        ("/api/v1/openapi.json", "/api/v1/openapi.json"),
        ("/masters", "/masters?play=32-28"),
        ("/masters/pgn/{game}", "/masters/pgn/2"),
        ("/master/pgn/{game}", "/master/pgn/2"),
        ("/master", "/master"),
        ("/lichess", "/lichess?speeds=blitz"),
        ("/lidraughts", "/lidraughts"),
        ("/player", "/player?player=berg"),
        ("/personal", "/personal?player=berg&color=white"),
        ("/health", "/health"),
        ("/metrics", "/metrics"),
    ];
    for route in ROUTES.iter().filter(|route| route.path != IMPORT) {
        assert!(asked.iter().any(|(asked, _)| *asked == route.path), "{} is not asked for", route.path);
    }
    for (route, what) in asked {
        let (method, path) = if route.ends_with("/check") { ("POST", route) } else { ("GET", what) };
        let answer = send(&routes, method, path, &[], what);
        assert_eq!(answer.status, 200, "{what}: {}", answer.text());
        let operation = &description["paths"][route][method.to_lowercase()];
        let content = operation["responses"]["200"]["content"].as_object().unwrap();
        let media_type = answer.field("content-type").split(';').next().unwrap().to_owned();
        let schema = &content.get(&media_type).unwrap_or_else(|| panic!("{what}: {media_type}"))["schema"];
        assert!(
            schema["type"].is_string() || schema["$ref"].is_string() || schema["anyOf"].is_array(),
            "{what}"
        );
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let values: Vec<Value> = match media_type.as_str() {
            "application/json" => vec![answer.json()],
            "application/x-ndjson" => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            _ => vec![Value::from(text)],
        };
        let mut found = Vec::new();
        for value in &values {
            differences(value, schema, schemas, "", &mut found);
        }
        assert!(found.is_empty(), "{what}: {found:#?}");
    }
    let mut found = Vec::new();
    let wrong = json!({ "title": 1, "status": 400, "reason": "a", "arguments": {}, "more": 2 });
    differences(&wrong, &schemas["Problem"], schemas, "", &mut found);
    assert_eq!(found.len(), 3, "a wrong type, a missing member and an unknown one: {found:#?}");
    for (path, status) in
        [("/api/v1/games/find?query=w%3E%3E1", 400), ("/api/v1/games/games/99", 404), ("/nothing", 404)]
    {
        let answer = get(&routes, path);
        assert_eq!(answer.status, status);
        let mut found = Vec::new();
        differences(&answer.json(), &schemas["Problem"], schemas, "", &mut found);
        assert!(found.is_empty(), "{path}: {found:#?}");
    }
}

#[test]
fn route_that_the_table_lacks_is_missing_everywhere() {
    const STATS: &str = "/api/v1/{index}/stats";
    let without: Vec<Route> = ROUTES.iter().copied().filter(|route| route.path != STATS).collect();
    for (routes, is_there) in [(ROUTES, true), (without.leak(), false)] {
        let routes = served_by(routes, false);
        let status = get(&routes, "/api/v1/games/stats").status.as_u16();
        assert_eq!(status, if is_there { 200 } else { 404 });
        let description = get(&routes, "/api/v1/openapi.json").json();
        assert_eq!(description["paths"][STATS].is_object(), is_there);
        let contents = get(&routes, "/api/v1/").json();
        let mut listed = contents["routes"].as_array().unwrap().iter();
        assert_eq!(listed.any(|route| route["path"] == STATS), is_there);
        assert_eq!(get(&routes, "/metrics").text().contains(STATS), is_there);
    }
}

#[test]
fn contents_of_the_interface_name_every_route_and_its_version() {
    let routes = served();
    let contents = get(&routes, "/api/v1/").json();
    assert_eq!((&contents["version"], &contents["indexes"]), (&API_VERSION.into(), &json!(["games"])));
    assert_eq!(contents["routes"].as_array().unwrap().len(), ROUTES.len());
    assert_eq!(get(&routes, "/api/v1").json(), contents);
    assert_eq!(get(&routes, "/api/v1/openapi.json").json()["info"]["version"], API_VERSION);
    let nothing = get(&routes, "/api/v1/games/nothing").json();
    assert_eq!(nothing["help"], "`/api/v1/` lists what there is");
}

#[test]
fn address_that_does_not_exist_is_a_page_for_people_and_json_for_programs() {
    let routes = served();
    let browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let page = send(&routes, "GET", "/games/of/mine", &browser, "");
    assert_eq!((page.status.as_u16(), page.field("content-type")), (404, "text/html; charset=utf-8"));
    assert!(page.text().contains("src=\"../../page-"), "{}", page.text());
    assert!(send(&routes, "GET", "/mine", &browser, "").text().contains("href=\"./page-"));
    for fields in [&[][..], &[("accept", "*/*")]] {
        let problem = send(&routes, "GET", "/games/of/mine", fields, "");
        assert_eq!(
            (problem.status.as_u16(), problem.field("content-type")),
            (404, "application/problem+json")
        );
    }
    assert_eq!(send(&routes, "GET", "/", &browser, "").status, 200);
}

#[test]
fn games_are_counted_by_group_and_each_group_is_found_by_its_query() {
    let routes = served();
    let encoded = |query: &str| form_urlencoded::byte_serialize(query.as_bytes()).collect::<String>();
    for by in ["year", "player", "event", "opening_played", "winner", "variant", "move", "tag:Round"] {
        let address =
            format!("/api/v1/games/groups?by={by}&query={}", encoded("ply 0..1 and not event : none"));
        let answer = get(&routes, &address).json();
        assert_eq!(answer["games"], 4, "{by}");
        let groups = answer["groups"].as_array().unwrap();
        assert_eq!(groups.len(), answer["total"].as_u64().unwrap() as usize, "{by}");
        for group in groups {
            let query = encoded(group["query"].as_str().unwrap());
            let found = get(&routes, &format!("/api/v1/games/find?query={query}")).json();
            assert_eq!(found["total"], group["games"], "{by}: {group}");
        }
    }
    let players = get(&routes, "/api/v1/games/groups?by=player&variant=international&limit=1").json();
    assert_eq!((&players["games"], &players["total"]), (&3.into(), &4.into()));
    let first = &players["groups"][0];
    assert_eq!(
        (&first["value"], &first["games"], &first["score"]),
        (&"Berg, Lotte".into(), &2.into(), &75.0.into())
    );
    assert_eq!(players["groups"].as_array().unwrap().len(), 1);
    let none = get(&routes, "/api/v1/games/groups?by=year&player=nobody").json();
    assert_eq!(none, json!({ "games": 0, "total": 0, "groups": [] }));
    for (query, code) in [
        ("", "missing"),
        ("by=colour", "invalid_value"),
        ("by=move&query=aside+move", "contradiction"),
        ("by=year&limit=1001", "invalid_value"),
    ] {
        let problem = get(&routes, &format!("/api/v1/games/groups?{query}"));
        assert_eq!((problem.status.as_u16(), problem.json()["code"].as_str()), (400, Some(code)), "{query}");
    }
}

#[test]
fn every_route_with_a_query_takes_definitions_as_text() {
    let routes = served();
    let address = |route: &str, params: &[(&str, &str)]| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(params);
        let join = if route.contains('?') { '&' } else { '?' };
        format!("/api/v1/games/{route}{join}{}", query.finish())
    };
    let definitions = "# The archive of the club\nlate = date 2000..\nclub = event : club and\n  @late";
    for route in [
        "find",
        "find.ndjson",
        "find.csv",
        "find.pdn",
        "groups?by=player",
        "tree",
        "stats",
        "player?name=berg",
        "event?name=club",
    ] {
        let defined = get(&routes, &address(route, &[("query", "@club"), ("define", definitions)]));
        let written = get(&routes, &address(route, &[("query", "event : club and date 2000..")]));
        assert_eq!(defined.status, 200, "{route}: {}", defined.text());
        let all = get(&routes, &address(route, &[]));
        assert_ne!(written.text(), all.text(), "{route}");
        assert_eq!(defined.text(), written.text(), "{route}");
    }
    let parts =
        [("define", "late = date 2000.."), ("query", "@club"), ("define", "club = event : club and @late")];
    assert_eq!(get(&routes, &address("find", &parts)).json()["total"], 1);
    let refused = |params: &[(&str, &str)]| {
        let answer = get(&routes, &address("find", params));
        assert_eq!(answer.status, 400, "{params:?}");
        answer.json()
    };
    let problem = refused(&[("query", "@late"), ("define", "early = date ..2000\nlate = nonsense")]);
    assert_eq!(
        (&problem["parameter"], &problem["at"], &problem["span"]),
        (&"define".into(), &27.into(), &8.into())
    );
    assert_eq!(refused(&[("query", "@late")])["parameter"], "query");
    // A definition is never the name of a file.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("definitions");
    std::fs::write(&file, "late = date 2000..").unwrap();
    for path in [file.display().to_string(), format!("@{}", file.display())] {
        let problem = refused(&[("query", "@late"), ("define", &path)]);
        assert_eq!((&problem["parameter"], &problem["reason"]), (&"define".into(), &"definition".into()));
    }
    // Definitions whose texts are short and whose meaning is long take no more memory than they may.
    let mut text = "a0 = wk=1 or bk=1\n".to_owned();
    (1..12).for_each(|number| text += &format!("a{number} = @a{0} or @a{0}\n", number - 1));
    (0..20).for_each(|number| text += &format!("b{number} = @a11\n"));
    let problem = refused(&[("query", "all"), ("define", &text)]);
    assert_eq!(
        (&problem["parameter"], &problem["reason"]),
        (&"define".into(), &"too_many_conditions".into())
    );
    assert_eq!(problem["arguments"], json!({ "most": 100_000 }));
}

#[test]
fn problems_have_the_reason_and_the_values_of_their_sentence() {
    let routes = served();
    for (query, reason, arguments) in [
        (
            "find?query=date+soon",
            "expected_such",
            json!({ "examples": ["1999", "1999.12", "1999.12.31"], "found": "soon" }),
        ),
        ("find?query=wk=1+and", "condition", json!({ "found": "" })),
        ("find?limit=1001", "whole_number_to", json!({ "min": 0, "max": 1000 })),
        ("find?query=w+%3E+-9999999", "number_range", json!({ "min": -999_999, "max": 999_999 })),
        ("games/99", "no_game", json!({ "number": 99, "games": 4 })),
        ("find?query=pattern+%22../..%22", "rows_of_board", json!({ "found": 2 })),
        ("find?query=wk=1+shifted", "nothing_to_shift", json!({})),
        ("find?query=wk=1+and+wk=2", "contradicts", json!({ "earlier": "wk=1" })),
        (
            "position?variant=international&moves=32-29",
            "illegal_move",
            json!({ "written": "32-29", "meant": ["32-27", "32-28", "33-29", "34-29"], "legal": [] }),
        ),
        (
            "find?pattern=w28",
            "ambiguous_squares",
            json!({ "condition": "pattern \"w28\"", "variants": ["international", "russian"] }),
        ),
    ] {
        let problem = get(&routes, &format!("/api/v1/games/{query}")).json();
        assert_eq!((&problem["reason"], &problem["arguments"]), (&reason.into(), &arguments), "{query}");
    }
}

#[test]
fn table_has_the_byte_order_mark_that_excel_needs_where_it_is_asked_for() {
    let routes = served();
    let plain = get(&routes, "/api/v1/games/find.csv");
    let marked = get(&routes, "/api/v1/games/find.csv?bom=true");
    assert_eq!(marked.body, [b"\xEF\xBB\xBF", plain.body.as_slice()].concat());
    assert!(plain.text().starts_with("game,"));
    assert_eq!(get(&routes, "/api/v1/games/find.csv?bom=x").json()["parameter"], "bom");
}

#[test]
fn answer_as_of_lichess_has_the_members_that_clients_read() {
    let routes = served();
    let answer = get(&routes, "/lidraughts").json();
    let game = |id: &str, winner: Value, white: Value, black: Value, year: Value, month: Option<&str>| {
        let mut game = json!({ "id": id, "winner": winner, "white": white, "black": black, "year": year });
        if let Some(month) = month {
            game["month"] = month.into();
        }
        game
    };
    let player = |name: &str, rating: Value| json!({ "name": name, "rating": rating });
    let none = Value::Null;
    let (berg, duin) = (player("Berg, Lotte", 2300.into()), player("Duin", none.clone()));
    let first = game("1", "white".into(), berg, duin, 1999.into(), Some("1999-01"));
    let berg = player("Berg, Lotte", none.clone());
    let second = game("2", none.clone(), player("Cornel", none.clone()), berg, 2003.into(), None);
    let other = player("\u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432} <b>", none.clone());
    let third = game("3", "black".into(), player("Cornel", none.clone()), other, none.clone(), None);
    assert_eq!(
        answer["moves"][0],
        json!({
            "uci": "3228", "san": "32-28", "averageRating": 2300, "white": 1, "draws": 1, "black": 0,
            "game": null, "opening": null,
        })
    );
    assert_eq!((&answer["moves"][1]["uci"], &answer["moves"][1]["game"]), (&json!("3328"), &third));
    assert_eq!(answer["topGames"], json!([first, second, third]));
    assert_eq!(answer["recentGames"], json!([second, first, third]));
    assert_eq!([&answer["white"], &answer["draws"], &answer["black"]], [1, 1, 1]);
    assert_eq!((answer.get("exact"), answer.get("ignored"), &answer["opening"]), (None, None, &none));
    let reply = get(&routes, "/lidraughts?play=32-28").json();
    assert_eq!(reply["moves"][0]["opening"], json!({ "eco": "", "name": "Symmetrical Variation" }));
    let some = get(&routes, "/lichess?topGames=1&recentGames=0&speeds=blitz").json();
    assert_eq!((&some["topGames"], some.get("recentGames")), (&json!([first]), None));
    assert_eq!(some["ignored"], json!(["speeds"]));
    assert!(get(&routes, "/masters").json().get("recentGames").is_none());
}

#[test]
fn game_of_a_tree_is_fetched_by_its_id_as_from_lichess() {
    let routes = served();
    let tree = get(&routes, "/masters?play=33-28").json();
    let id = tree["topGames"][0]["id"].as_str().unwrap();
    let record = get(&routes, &format!("/masters/pgn/{id}"));
    assert!(record.text().contains("1. 33-28 18-22"), "{}", record.text());
    for path in ["/masters/pgn/0", "/masters/pgn/x", "/masters/pgn/99"] {
        assert_eq!(get(&routes, path).status, 404, "{path}");
    }
}

#[test]
fn headers_of_more_than_32_kib_are_refused() {
    let routes = served();
    let with =
        |bytes: usize| send(&routes, "GET", "/health", &[("x", &"a".repeat(bytes))], "").status.as_u16();
    assert_eq!((with(31 << 10), with(33 << 10)), (200, 431));
}

#[test]
fn pages_of_other_sites_may_send_texts_to_check_if_they_may_read_answers() {
    let (open, closed) = (served_to(true), served());
    let ask = |routes: &Router| {
        let fields = [("origin", "https://other.example"), ("access-control-request-method", "POST")];
        send(routes, "OPTIONS", "/api/v1/check", &fields, "")
    };
    let allowed = ask(&open);
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.field("access-control-allow-origin"), "*");
    assert!(allowed.field("access-control-allow-methods").contains("POST"));
    assert!(allowed.field("access-control-allow-headers").contains("content-type"));
    assert_eq!((ask(&closed).status.as_u16(), ask(&closed).field("access-control-allow-origin")), (405, ""));
    assert_eq!(send(&open, "OPTIONS", "/api/v1/check", &[], "").status, 405);
}

#[test]
fn page_has_a_preview_of_what_its_address_shows() {
    let routes = served();
    let page = |path: &str, fields: &[(&str, &str)]| send(&routes, "GET", path, fields, "").text();
    let game = page("/?view=game&g=3&ply=1", &[("x-forwarded-proto", "https")]);
    assert!(game.contains("<meta property=\"og:title\" content=\"Cornel \u{2013} \u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432} &lt;b&gt; 0\u{2013}1\">"), "{game}");
    assert!(game.contains("content=\"https://localhost/api/v1/games/games/3.png?ply=1\""), "{game}");
    let image = get(&routes, "/api/v1/games/games/3.png?ply=1");
    assert_eq!((image.field("content-type"), &image.body[..4]), ("image/png", &b"\x89PNG"[..]));
    assert!(page("/?moves=32-28", &[]).contains("content=\"1. 32-28 \u{2013} games\""));
    // An address that means nothing has the page all the same.
    for path in ["/?view=game&g=99", "/?view=game&g=x&db=y", "/?=&&", "/index.html"] {
        assert!(page(path, &[]).contains("id=\"indexes\">{\"indexes\":[{\"name\":\"games\""), "{path}");
    }
    let tag = get(&routes, "/").field("etag").to_owned();
    assert_eq!(send(&routes, "GET", "/", &[("if-none-match", &tag)], "").status, 304);
}

#[test]
fn only_the_board_for_other_sites_may_stand_in_them() {
    let routes = served();
    for (path, framed) in
        [("/embed?g=1", true), ("/embed.html", true), ("/", false), ("/page-0/embed.js", false)]
    {
        let answer = get(&routes, path);
        let policy = answer.field("content-security-policy");
        assert_eq!((answer.status.as_u16(), policy.contains("frame-ancestors *")), (200, framed), "{path}");
        assert!(policy.starts_with("default-src 'self'; base-uri 'none'"), "{path}");
    }
}

#[test]
fn picture_plays_the_plies_that_are_asked_for() {
    let routes = served();
    let picture = get(&routes, "/api/v1/games/games/1.svg?animate=1-4&flip=true");
    assert_eq!(picture.field("content-type"), "image/svg+xml");
    // 19-23, 28x19 and 14x23: three men move, two of them are captured.
    assert_eq!(picture.text().matches("<animateTransform").count(), 3, "{}", picture.text());
    assert_eq!(picture.text().matches("values=\"1;0\"").count(), 2);
    for wrong in ["4-1", "1", "x-2", "1-99", "0-61", "2-2"] {
        let answer = get(&routes, &format!("/api/v1/games/games/1.svg?animate={wrong}"));
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["parameter"]),
            (400, &"animate".into()),
            "{wrong}"
        );
    }
}

#[test]
fn game_is_found_by_its_digest_when_its_number_belongs_to_another() {
    let routes = served();
    let game = |address: &str| get(&routes, &format!("/api/v1/games/games/{address}"));
    let third = game("3").json();
    let digest = third["digest"].as_str().unwrap().to_owned();
    assert_eq!(digest.len(), 6);
    for address in ["3", "1", "2"] {
        let found = game(&format!("{address}?digest={digest}")).json();
        assert_eq!((&found["game"], &found["digest"]), (&third["game"], &third["digest"]), "{address}");
    }
    let text = game(&format!("1.pdn?digest={digest}")).text();
    assert!(text.contains("Cornel"), "{text}");
    assert_ne!(game("1").json()["digest"], third["digest"]);
    let lost = game("1?digest=zzzzzz");
    assert_eq!((lost.status.as_u16(), &lost.json()["reason"]), (404, &"no_digest".into()));
    let page = get(&routes, &format!("/?view=game&g=1.{digest}&ply=1")).text();
    assert!(page.contains("<meta property=\"og:title\" content=\"Cornel"), "{page}");
}
