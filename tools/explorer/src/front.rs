//! The page itself: its HTML with what it would ask for first, and with what programs show that preview links.

use axum::http::{HeaderMap, header};
use form_urlencoded::Serializer;
use pdn_app::ask::numbers::count;
use serde_json::Value;

use crate::params::Params;

/// Greatest number of moves that a preview shows.
const MAX_MOVES: usize = 12;

/// What a program shows of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Preview {
    pub(crate) title: String,
    pub(crate) description: String,
    /// Address of the picture, relative to the page; `None` on a site of files, whose own address is not known.
    pub(crate) image: Option<String>,
}

/// Returns the address of an answer about an index, relative to the page.
fn address(index: &str, path: &str, parameters: &[(&str, Option<&str>)]) -> String {
    let mut query = Serializer::new(String::new());
    for (name, value) in parameters {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    let query = query.finish();
    let index: String = form_urlencoded::byte_serialize(index.as_bytes()).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("api/v1/{}/{path}{mark}{query}", index.replace('+', "%20"))
}

/// Returns moves with their numbers, from the start of a game: `1. 32-28 19-23`.
fn numbered<'m>(moves: impl Iterator<Item = &'m str>) -> String {
    let words = moves.take(MAX_MOVES).enumerate();
    let words = words.map(|(ply, text)| match ply % 2 {
        0 => format!("{}. {text}", ply / 2 + 1),
        _ => text.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Preview {
    /// Describes the address of a game, by the answer about the game.
    pub(crate) fn of_game(index: &str, params: &Params, game: &Value) -> Self {
        let tag = |name: &str| game["tags"][name].as_str().filter(|text| !text.is_empty() && *text != "?");
        let name = |colour: &str| tag(colour).unwrap_or("?");
        // As the page writes it, whatever the record has.
        let result = match game["winner"].as_str() {
            Some("white") => "1\u{2013}0",
            Some("black") => "0\u{2013}1",
            Some("draw") => "\u{bd}\u{2013}\u{bd}",
            _ => "*",
        };
        let facts = ["Event", "Date"].into_iter().filter_map(tag).map(str::to_owned);
        let moves = game["moves"].as_array().into_iter().flatten().filter_map(|mv| mv["written"].as_str());
        let moves = if game["tags"]["FEN"].is_string() { String::new() } else { numbered(moves) };
        let parts: Vec<String> = facts.chain([moves]).filter(|part| !part.is_empty()).collect();
        let number = game["game"].as_u64().unwrap_or(0);
        let ply = params.get("ply").filter(|ply| ply.parse::<u32>().is_ok());
        let flip = params.get("flip").filter(|flip| *flip == "1");
        Self {
            title: format!("{} \u{2013} {} {result}", name("White"), name("Black")),
            description: parts.join(" \u{b7} "),
            image: Some(address(index, &format!("games/{number}.png"), &[("ply", ply), ("flip", flip)])),
        }
    }

    /// Describes any other address of an index that is described by `json`, on a page with this title.
    pub(crate) fn of_place(index: &str, page: Option<&str>, params: &Params, json: &Value) -> Self {
        let page = page.unwrap_or(index);
        let moves = params.get("moves").unwrap_or_default();
        let title = match params.get("view") {
            Some("players") => params.get("p").map(str::to_owned),
            Some("event") => params.get("e").map(str::to_owned),
            _ if params.get("fen").is_some() => None,
            _ => Some(numbered(moves.split_whitespace())).filter(|moves| !moves.is_empty()),
        };
        let games = json["games"].as_u64().unwrap_or(0);
        let named = ["variant", "fen", "moves"].map(|name| (name, params.get(name)));
        let flip = params.get("flip").filter(|flip| *flip == "1");
        let [variant, fen, moves] = named;
        Self {
            title: title.map_or_else(|| page.to_owned(), |title| format!("{title} \u{2013} {page}")),
            description: description(games),
            image: Some(address(index, "position.png", &[variant, fen, moves, ("flip", flip)])),
        }
    }

    /// Describes a site of files.
    pub(crate) fn of_site(title: &str, games: u64) -> Self {
        Self { title: title.to_owned(), description: description(games), image: None }
    }
}

/// Returns the description of an archive with this number of games.
fn description(games: u64) -> String {
    format!("Openings, players and {} of draughts", count(games, "game"))
}

/// Returns the address of the page as a browser requests it. A proxy says in `X-Forwarded-Proto` whether that is HTTPS.
pub(crate) fn origin(request: &HeaderMap) -> String {
    let field = |name: &str| request.get(name).and_then(|value| value.to_str().ok());
    let scheme = if field("x-forwarded-proto") == Some("https") { "https" } else { "http" };
    format!("{scheme}://{}/", field(header::HOST.as_str()).unwrap_or("localhost"))
}

/// Escapes a text for an attribute of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the HTML of the page with the indexes, which it needs first, and with a preview.
pub(crate) fn html(template: &str, indexes: &Value, preview: Option<&Preview>, origin: &str) -> String {
    let (mut head, mut page) = (String::new(), template.to_owned());
    if let Some(Preview { title, description, image }) = preview {
        let image = image.as_ref().map(|image| format!("{origin}{image}"));
        for (attribute, name, content) in [
            ("name", "description", Some(description.as_str())),
            ("property", "og:type", Some("website")),
            ("property", "og:title", Some(title)),
            ("property", "og:description", Some(description)),
            ("property", "og:image", image.as_deref()),
            ("property", "og:image:type", image.is_some().then_some("image/png")),
            ("name", "twitter:card", Some("summary")),
        ] {
            if let Some(content) = content.map(escaped) {
                head.push_str(&format!("<meta {attribute}=\"{name}\" content=\"{content}\">\n"));
            }
        }
        page = page.replacen("<title>pdn</title>", &format!("<title>{}</title>", escaped(title)), 1);
    }
    if !indexes.is_null() {
        // No text ends the element: every `<` is written as an escape.
        let json = indexes.to_string().replace('<', "\\u003c");
        head.push_str(&format!("<script type=\"application/json\" id=\"indexes\">{json}</script>\n"));
    }
    page.replacen("</head>", &(head + "</head>"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    #[test]
    fn names_of_an_archive_stay_text_in_the_page() {
        let game = json!({
            "game": 7, "result": "2-0", "winner": "white", "moves": [{ "written": "32-28" }, { "written": "19x23" }, { "written": "37-32" }],
            "tags": { "White": "<b>\"Berg\"", "Black": "?", "Event": "A & B", "Date": "1999.01.02" },
        });
        let params = Params::parse("view=game&g=7&ply=2&flip=1").unwrap();
        let preview = Preview::of_game("my games", &params, &game);
        assert_eq!(preview.title, "<b>\"Berg\" \u{2013} ? 1\u{2013}0");
        assert_eq!(preview.description, "A & B \u{b7} 1999.01.02 \u{b7} 1. 32-28 19x23 2. 37-32");
        assert_eq!(preview.image.as_deref(), Some("api/v1/my%20games/games/7.png?ply=2&flip=1"));
        let html = html(
            "<head>\n<title>pdn</title>\n</head>",
            &json!([{ "name": "</script><b>" }]),
            Some(&preview),
            "https://a.example/",
        );
        assert!(html.contains("content=\"&lt;b&gt;&quot;Berg&quot; \u{2013} ? 1\u{2013}0\""), "{html}");
        assert!(html.contains("<title>&lt;b&gt;&quot;Berg&quot; \u{2013} ? 1\u{2013}0</title>"), "{html}");
        assert!(
            html.contains("content=\"https://a.example/api/v1/my%20games/games/7.png?ply=2&amp;flip=1\""),
            "{html}"
        );
        assert!(html.contains("[{\"name\":\"\\u003c/script>\\u003cb>\"}]</script>\n</head>"), "{html}");
    }

    #[test]
    fn position_of_an_address_is_its_picture() {
        let params = Params::parse("variant=russian&moves=c3-d4+d6-c5&player=x").unwrap();
        let preview = Preview::of_place("games", None, &params, &json!({ "games": 1234 }));
        assert_eq!(preview.title, "1. c3-d4 d6-c5 \u{2013} games");
        assert_eq!(preview.description, "Openings, players and 1,234 games of draughts");
        assert_eq!(
            preview.image.as_deref(),
            Some("api/v1/games/position.png?variant=russian&moves=c3-d4+d6-c5")
        );
        let params = Params::parse("view=players&p=Berg").unwrap();
        let preview = Preview::of_place("games", Some("Club"), &params, &json!({ "games": 1 }));
        assert_eq!(
            (preview.title.as_str(), preview.image.as_deref()),
            ("Berg \u{2013} Club", Some("api/v1/games/position.png"))
        );
    }
}
