//! Takes games out of JSON, a page or a post of a forum while it is read.

use super::excerpts::{Excerpts, LOOK_AHEAD};
use super::json::{Json, is_json};
use super::markup::{Markup, is_utf8, markup_of};
use super::position_list::BOM;
use super::pull::{Pull, PullBuffer, hand_out};
use super::text_offsets::TextOffsets;
use crate::error::{Error, ErrorKind, Result};

/// A text that is no PDN and may have some in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carrier {
    /// JSON: a value, or one on each line.
    Json,
    /// A page of HTML.
    Html {
        /// The characters of entities can be written in its encoding.
        is_utf8: bool,
    },
    /// A text with marks of forums, such as `[pdn]`.
    Forum,
}

impl Carrier {
    /// Recognises a text that begins with `head`.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        if is_json(head) {
            return Some(Self::Json);
        }
        let is_page = markup_of(head)?;
        Some(if is_page { Self::Html { is_utf8: is_utf8(head) } } else { Self::Forum })
    }

    /// Returns what messages call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Html { .. } => "HTML",
            Self::Forum => "a text with marks of a forum",
        }
    }
}

/// The stage that takes out the games. What stands between them is left out and counted.
// Twin: the games on their own; tests: `games_are_those_of_the_carried_texts`, `carried_games_are_equal_in_any_reads`.
pub(super) struct ExcerptStage {
    carrier: Carrier,
    reader: Reader,
    out: Excerpts,
    /// Number of bytes of the text of `out` that have been returned.
    returned: usize,
    /// Bytes read and not looked at yet.
    input: PullBuffer,
    /// Offset of the first of them.
    at: u64,
    /// An error that is returned after the last bytes.
    failed: Option<Error>,
}

enum Reader {
    Json(Json),
    Markup(Markup),
}

impl ExcerptStage {
    const INPUT_BYTES: usize = 64 << 10;

    pub(super) fn new(pull: Box<dyn Pull>, carrier: Carrier) -> Self {
        let reader = match carrier {
            Carrier::Json => Reader::Json(Json::new(false)),
            Carrier::Html { is_utf8 } => Reader::Markup(Markup::new(true, is_utf8)),
            Carrier::Forum => Reader::Markup(Markup::new(false, true)),
        };
        Self {
            carrier,
            reader,
            out: Excerpts::new(),
            returned: 0,
            input: PullBuffer::new(pull, Self::INPUT_BYTES + LOOK_AHEAD),
            at: 0,
            failed: None,
        }
    }

    /// Returns the map from offsets in the output to offsets in the input.
    pub(super) fn offsets(&self) -> TextOffsets {
        self.out.offsets().clone()
    }

    /// Reads some bytes and takes the games out of them.
    fn read(&mut self) {
        self.out.clear();
        self.returned = 0;
        self.input.refill(&mut self.failed);
        if self.at == 0 && self.input.rest().starts_with(BOM) {
            self.input.take(BOM.len());
            self.at = BOM.len() as u64;
        }
        let has_ended = self.input.has_ended();
        while !self.input.rest().is_empty() {
            let rest = self.input.rest();
            let len = match &mut self.reader {
                Reader::Json(json) => json.step(rest, self.at, has_ended, &mut self.out),
                Reader::Markup(markup) => markup.step(rest, self.at, has_ended, &mut self.out),
            };
            if len == 0 {
                break;
            }
            self.input.take(len);
            self.at += len as u64;
        }
        if has_ended {
            match &mut self.reader {
                Reader::Json(json) => json.end(self.at, &mut self.out),
                Reader::Markup(markup) => markup.end(self.at, &mut self.out),
            }
            self.out.end(self.at);
            if self.out.is_empty() && self.failed.is_none() {
                self.failed = Some(ErrorKind::NoPdn(self.carrier.name()).into());
            }
        }
    }
}

impl Pull for ExcerptStage {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        while self.returned == self.out.text().len() && !self.input.has_ended() {
            self.read();
        }
        hand_out(out, self.out.text(), &mut self.returned, &mut self.failed)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use proptest::prelude::*;

    use super::super::{OpenOptions, TextForm, from_reader};
    use super::*;

    /// A reader that returns at most the given number of bytes per read.
    struct ShortReads(Cursor<Vec<u8>>, usize);

    impl Read for ShortReads {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let len = out.len().min(self.1);
            self.0.read(&mut out[..len])
        }
    }

    /// Reads a text in reads of `step` bytes, and returns it with the original offset of each of its bytes, and what was left out.
    fn read(text: &str, step: usize) -> (String, Vec<u64>, u64, Option<Error>) {
        let reader = ShortReads(Cursor::new(text.into()), step);
        let input = from_reader(reader, "x", &OpenOptions::new()).unwrap().next().unwrap().unwrap();
        assert!(matches!(input.source.form(), Some(TextForm::Carrier(_))), "{text}");
        let offsets = input.source.offsets().unwrap();
        let (bytes, error) = input.source.into_bytes();
        let places = (0..=bytes.len()).map(|at| offsets.original_offset(at as u64)).collect();
        (String::from_utf8(bytes.to_vec()).unwrap(), places, offsets.outside(), error)
    }

    /// Checks the games of a text, and that each of `parts`, which stand in both texts once, has its place.
    #[track_caller]
    fn check(text: &str, expected: &str, parts: &[&str]) {
        let (found, places, ..) = read(text, 7);
        assert_eq!(found, expected, "{text}");
        for part in parts {
            let at = found.find(part).unwrap();
            assert_eq!(places[at], text.find(part).unwrap() as u64, "{part} in {text}");
        }
        assert_eq!(places.last(), Some(&(text.len() as u64)));
    }

    const GAME: &str = "[White \"Jan\"]\n\n1. 32-28 19-23 1-1";

    fn quoted(text: &str) -> String {
        format!("\"{}\"", text.replace('"', "\\\"").replace('\n', "\\n"))
    }

    #[test]
    fn strings_of_json_are_taken_out() {
        let game = quoted(GAME);
        let both = format!("{GAME}\n\n{GAME}\n\n");
        for text in [
            format!("{{\"a\": {game}, \"b\": {{\"c\": [{game}]}}}}"),
            format!("[\n{{\"pdn\":{game},\"moves\":\"32-28 19-23\"}},\n{{\"pgn\" : {game}}}]"),
            format!("[{game},{game}]"),
            format!("{{\"n\":-1.5e3,\"pdn\":{game}}}\r\n{{\"n\":null,\"pdn\":{game}}}\r\n"),
            // Unclosed, and closed too often.
            format!("{{\"a\":[[{game}, {{\"b\":{game}"),
            format!("{{\"a\":1}}}}]]]{{\"b\":{game}}}]{{\"b\":{game}"),
        ] {
            check(&text, &both, &[]);
        }
        let text = "\u{feff}{\"a\": \"[White \\\"Ren\\u00e9 \\uD83D\\uDE00\\\"]\\r\\n1. 32-28 \\/ \\t 1-1\", \"rest\": 3}";
        let expected = "[White \"René 😀\"]\r\n1. 32-28 / \t 1-1\n\n";
        check(text, expected, &["White", "32-28", "1-1"]);
        let (.., outside, error) = read(text, 1000);
        assert_eq!((outside, error.is_none()), (23, true));
    }

    #[test]
    fn objects_with_moves_are_games() {
        let text = r#"{"id":"ab","rated":true,"variant":"standard","perf":"blitz","createdAt":1572047951353,"status":"resign",
            "players":{"white":{"user":{"id":"jan","name":"Jan \"J\""},"rating":1839},"black":{"aiLevel":3}},
            "winner":"white","moves":"32-28 18-23 34-29","clock":{"initial":300,"increment":2,"totalTime":380}}"#;
        let expected = concat!(
            "[Black \"Lidraughts AI level 3\"]\n[Event \"Rated blitz game\"]\n[Date \"2019.10.25\"]\n[GameId \"ab\"]\n",
            "[TimeControl \"300+2\"]\n[Termination \"Normal\"]\n[Result \"2-0\"]\n[Variant \"standard\"]\n",
            "[White \"Jan \\\"J\\\"\"]\n[WhiteRating \"1839\"]\n\n32-28 18-23 34-29 2-0\n\n",
        );
        check(text, expected, &["standard", "Jan", "32-28"]);
        let text = r#"[{"tags":{"White":"Jan","Club":"DC"},"game_type":20,"moves":["32-28","19-23"]},{"result":"0-2","movetext":"1. 33-29"},
            {"zet":"1. 34-30 *","wit":"Piet"}, {"moves":"e4 e5"}, {"name":"1. no move"}]"#;
        let expected = concat!(
            "[White \"Jan\"]\n[Club \"DC\"]\n[GameType \"20\"]\n\n32-28 19-23 *\n\n[Result \"0-2\"]\n\n1. 33-29 0-2\n\n",
            "[White \"Piet\"]\n\n1. 34-30 * \n\n",
        );
        check(text, expected, &["Jan", "33-29"]);
    }

    #[test]
    fn elements_of_pages_are_taken_out() {
        let page = concat!(
            "<!doctype html>\n<p>1. 32-28</p><!-- <pre>1. 1-1\n</pre> --><pre id='a>b'>\nA game:\n<b>[White</b> &quot;Ren&eacute; &amp; co&quot;]<br>",
            "1. 32-28 &lt;b&gt; *</pre><p>x</p>\n<TEXTAREA>1. 33-29 <b> 19-23</TEXTAREA>\n<script type=\"text/x-pdn\">[Site \"a&amp;b\"] 1. 34-30</script>",
            "<script>let a = '[Site \\'x\\']', it = \"don't\";\n// it's\nb('[Round \"3\"]\\n1. 35-30 *')</script>\n<code>x = 1;\n</code><pre>none</pre>",
        );
        let expected = concat!(
            "\n\n\n\n[White \"René & co\"]\n1. 32-28 <b> *\n1. 33-29 <b> 19-23\n[Site \"a&amp;b\"] 1. 34-30\n",
            "[Round \"3\"]\n1. 35-30 *\n\n\n\n",
        );
        check(page, expected, &["33-29", "Site", "34-30", "Round"]);
        let open = "<script>a = {b: {\"moves\": \"32-28 19-23\", white: 'Jan \\u00e9'";
        check(open, "[White \"Jan é\"]\n\n32-28 19-23 *\n\n", &["32-28", "Jan"]);
        let latin = "<html><meta charset=\"windows-1252\"><pre>[White \"Ren&eacute;&quot;]</pre>";
        check(latin, "[White \"Ren&eacute;\"]", &["White"]);
    }

    #[test]
    fn marks_of_forums_are_taken_out() {
        let post = concat!(
            "Hello,\nsee [quote=\"Jan\"]nice[/quote] this: [PDN]\n[White \"a\"]\n1. 32-28 [quote] 19-23 [/Pdn] and that\n",
            "[fen]W:W31:B1[/fen] [fen]no[/fen]\n[code:1a]\n1. 33-29[/code:1a]\nbut\n[White \"b\"] [x] *\n[pdn]{all} 34-30[/pdn] end",
        );
        let expected = "\n\n[White \"a\"]\n1. 32-28  19-23 \n[FEN \"W:W31:B1\"] *\n\n1. 33-29\n\n[White \"b\"] [x] *\n{all} 34-30";
        check(post, expected, &["White \"a\"", "W:W31", "33-29", "{all}"]);
    }

    #[test]
    fn games_are_those_of_the_carried_texts() {
        let games: Vec<String> =
            (0..300).map(|n| format!("[Round \"{n}\"]\n\n1. 32-28 {{{}}} *", "é".repeat(n))).collect();
        let joined = |by: &dyn Fn(&String) -> String| games.iter().map(by).collect::<String>();
        let json = joined(&|game| format!("{{\"x\":{{}},\"pdn\":{}}}\n", quoted(game)));
        assert_eq!(read(&json, 5000).0, joined(&|game| format!("{game}\n\n")));
        let post = joined(&|game| format!("[pdn]{game}[/pdn]\n"));
        assert_eq!(read(&post, 5000).0, joined(&|game| format!("{game}\n")));
        let page =
            "<html>".to_owned() + &joined(&|game| format!("<pre>{}</pre>\n", game.replace('"', "&quot;")));
        assert_eq!(read(&page, 5000).0, joined(&|game| format!("{game}\n")));
    }

    #[test]
    fn text_without_games_is_an_error_that_names_it() {
        for (text, message) in [
            ("{\"a\": [1, \"x\"]}", "x: is JSON, and no part of it is PDN"),
            ("<html><pre>x</pre>\n", "x: is HTML, and no part of it is PDN"),
            ("[code]x[/code]\n", "x: is a text with marks of a forum, and no part of it is PDN"),
        ] {
            let (found, .., error) = read(text, 3);
            assert_eq!((found.as_str(), error.unwrap().to_string().as_str()), ("", message));
        }
    }

    #[test]
    fn carriers_are_recognised_and_pdn_is_not() {
        for text in ["{\"a\":1", " [ {\"a\": null", "[[\"a\",\"b\"", "[{}]", "{ \"a\\\"b\" : [", "[\"[Event"]
        {
            assert_eq!(Carrier::of(text.as_bytes()), Some(Carrier::Json), "{text}");
        }
        for text in [
            "<!DOCTYPE html>",
            "\n<html",
            "<?xml version",
            "<!-- x",
            "Text <pre>",
            "<br> x",
            "a <b> <script>",
        ] {
            assert_eq!(Carrier::of(text.as_bytes()), Some(Carrier::Html { is_utf8: true }), "{text}");
        }
        for text in ["[pdn]", "Hi [FEN]W", "[Quote=\"x\"]", "[code]", "<a@b.c> [b]x[/b] [pdn:1]"] {
            assert_eq!(Carrier::of(text.as_bytes()), Some(Carrier::Forum), "{text}");
        }
        for text in [
            "",
            "{",
            "{}",
            "[",
            "{a comment}",
            "{\"quoted\"} 1. 32-28",
            "{\"a\": b}",
            "[Event \"x\"]\n<pre>",
            "[Empty]\n1. 32-28",
            "{[pdn]}",
            "1. 32-28 [pdn]",
            "[White \"[pdn]\"]",
            "W:W31:B1",
            "; <pre>\n1. 32-28",
            "% [pdn]\n[Event \"x\"]",
            "Jan <jan@x.nl>",
            "[FEN \"W:W31:B1\"]",
            "[pdn",
            "[/pdn]",
            "[codes]",
            "[[",
            "[ ]",
            "x < y",
            "A match<br>\n[Event \"x\"]",
        ] {
            assert_eq!(Carrier::of(text.as_bytes()), None, "{text}");
        }
    }

    /// Returns texts of the parts of carriers, in any order.
    fn texts() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "{\"a\":",
            "\"pdn\":",
            "\"moves\":",
            "\"32-28 19-23\"",
            "\"1. 32-28\\n\"",
            "\"[White \\\"é\\\"] *\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\\u00e9",
            "\\ud83d\\ude00",
            "\\",
            "\"",
            "'",
            "null ",
            "12 ",
            "<pre>",
            "</pre>",
            "<script>",
            "</script>",
            "<textarea>",
            "</textarea>",
            "<br>",
            "<b x=\"",
            "<!--",
            "-->",
            "&eacute;",
            "&quot;",
            "&",
            "[pdn]",
            "[/pdn]",
            "[fen]W:W31:B1",
            "[/fen]",
            "[quote=é]",
            "[code]",
            "\n",
            "\r\n",
            " ",
            "[White \"x\"]",
            "1. 32-28 ",
            "1-1 ",
            "é",
            "{x}",
            "players.white",
            "`",
        ]);
        let start =
            prop::sample::select(vec!["{\"a\":1,", "[{\"x\":[", "<html>", "<pre>", "[pdn]", "x [quote]"]);
        (start, prop::collection::vec(word, 0..60))
            .prop_map(|(start, words)| start.to_owned() + &words.concat())
    }

    proptest! {
        #[test]
        fn carried_games_are_equal_in_any_reads(text in texts(), step in 1usize..40) {
            let (found, places, outside, error) = read(&text, step);
            let (whole, whole_places, whole_outside, whole_error) = read(&text, usize::MAX);
            prop_assert_eq!(&found, &whole);
            prop_assert_eq!(&places, &whole_places);
            prop_assert_eq!(outside, whole_outside);
            prop_assert_eq!(error.is_some(), whole_error.is_some());
            prop_assert!(outside <= text.len() as u64);
            prop_assert!(places.iter().all(|&at| at <= text.len() as u64));
        }
    }
}
