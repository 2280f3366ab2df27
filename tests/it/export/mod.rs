//! Tables equal what the public readers say of each record, in every variant and on damaged files.

mod sources;

use std::path::Path;

use pdn::archive::Archive;
use pdn::check::{CheckOptions, Checker};
use pdn::diag::{Code, Severity};
use pdn::internal::replay::FilePrior;
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::parse::{Comment, Flow, VariationAction, VariationMark, Visitor};
use pdn::position::Position;
use pdn::replay::{AnnotatedLine, ReplayOptions, Replayer, VariantBasis};
use pdn::rules::Variant;
use pdn::value::{CommandValue, GameResult, Outcome, Rating};
use pdn_tables::{ColumnSelection, ExportOptions, JsonlWriter, RowMaker, Table, TableBatch};
use serde_json::{Map, Value, json};

use crate::common;

/// Returns the rows of an archive as JSON.
fn rows(path: &Path, table: Table, options: &ExportOptions) -> Vec<Value> {
    let names: Vec<_> = table.columns().iter().map(|column| column.name).collect();
    rows_of(path, &ColumnSelection::named(table, names).expect("columns of the table"), options)
}

/// Returns the rows of an archive with these columns as JSON.
fn rows_of(path: &Path, columns: &ColumnSelection, options: &ExportOptions) -> Vec<Value> {
    let mut maker = RowMaker::new(columns, options);
    let mut text = Vec::new();
    // Small batches, so that numbers and lines have to be carried from one to the next.
    for batch in Archive::open(path).expect("opened").batch_bytes(200).batches() {
        let batch = batch.expect("readable");
        write_json(columns, &maker.rows(&batch).expect("every batch is given"), &mut text);
    }
    parse_lines(&text)
}

fn write_json(columns: &ColumnSelection, batch: &TableBatch, out: &mut Vec<u8>) {
    assert!(batch.columns.iter().all(|column| column.values.len() == batch.rows), "columns of one length");
    for (column, spec) in batch.columns.iter().zip(columns.specs()) {
        let has_null = (0..batch.rows).any(|row| column.is_null(row));
        assert!(spec.nullable || !has_null, "{}: a null in a column without nulls", spec.name);
    }
    JsonlWriter::new(columns).write(batch, 0..batch.rows, out);
}

fn parse_lines(text: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(text).expect("UTF-8");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// Returns the bytes of the records of a file.
fn records(path: &Path) -> Vec<Vec<u8>> {
    Archive::open(path).expect("opened").games().map(|game| game.expect("readable").raw().to_vec()).collect()
}

/// Returns the test files: one game of every variant, with variations, comments, clocks and a game from a FEN; and the
/// damaged fixtures.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut text = String::new();
    for &variant in Variant::ALL {
        let mut position = Position::start(variant);
        let mut moves = String::new();
        for n in 0..70usize {
            let legal = position.moves().expect("few captures");
            let Some(mv) = legal.get(n * n % legal.len().max(1)) else { break };
            let style = if n % 2 == 0 { MoveStyle::Shortest } else { MoveStyle::Chain };
            moves += &format!("{} ", position.move_text(mv, style));
            if n % 5 == 1 {
                moves += &format!(
                    "$3 {{[%clk 0:{:02}:00] [%emt 0:00:{:02}.5] [%eval -0.{n:02}] Ñ}} ",
                    n % 60,
                    n % 60
                );
            }
            if n % 7 == 3
                && let Some(other) = legal.get((n + 1) % legal.len())
            {
                moves += &format!("({} {{in a variation}}) ", position.move_text(other, MoveStyle::Shortest));
            }
            position = position.after_unchecked(mv);
        }
        text += &format!(
            "[Event \"Cup \\\"{variant}\\\"\"]\n[Date \"1996.12.28\"]\n[Round \"2.1\"]\n[White \"Ames, A.\"]\n[Black \"B &amp; Co\"]\n\
             [Result \"1-1\"]\n[GameType \"{}\"]\n[WhiteRating \"2100\"]\n\n{moves}1-1\n\n",
            variant.tag()
        );
        text += &format!("[GameType \"{}\"]\n[FEN \"{}\"]\n\n*\n\n", variant.tag(), position.fen());
    }
    text += "[White \"X\"]\n1. 32-28 19-23 2. 28x19 14x23 0-2\n\n1. 32-28 (33-28 {deep} 18-23 (18-22 {deeper})) 19-24 2. 28-32 $1 *\n\n\
        [Result \"*\"]\n1. ... 18-23 2. 33-29 23x34 3. 39x30 2-0\n\n[Result \"2-0\"]{before} 1. 32-28 18-23 *\n\n\
        1. 32-28 19-23 2. 28x19 13x24 1. 1-2 {after} 1-1\n\n\
        [Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"??\"]\n1. 32-28 *\n";
    let mixed = folder.join("mixed.pdn");
    std::fs::write(&mixed, text).expect("written");
    let fixtures = walkdir::WalkDir::new(common::root().join("corpora")).sort_by_file_name().into_iter();
    let mut files: Vec<_> = fixtures
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "pdn"))
        .filter(|path| path.metadata().is_ok_and(|metadata| metadata.len() < 64 << 10))
        .collect();
    assert!(files.len() > 10, "{files:?}");
    files.push(mixed);
    files
}

/// A record as the public readers see it, and its rows.
struct Naive {
    summary: pdn::replay::ReplaySummary,
    place: Map<String, Value>,
}

/// Calls `check` for each record of each file, with its rows.
fn compare(table: Table, check: impl Fn(&pdn::archive::ArchiveGame, &mut Replayer, &Naive, &[Value])) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut all = 0;
    for path in files(folder.path()) {
        let options = ExportOptions::new().style(true);
        let rows = rows(&path, table, &options);
        let prior = FilePrior::of(records(&path).iter().map(Vec::as_slice), &ReplayOptions::new());
        let mut replayer = Replayer::new(&ReplayOptions::new().prior(prior));
        let mut next = 0;
        for game in Archive::open(&path).expect("opened") {
            let game = game.expect("readable");
            let number = json!(game.number());
            let end = next + rows[next..].iter().take_while(|row| row["record"] == number).count();
            let summary = replayer.summary(game.raw());
            let mut place = Map::new();
            place.insert("game".to_owned(), Value::Null);
            place.insert("file".to_owned(), json!(path.to_string_lossy()));
            place.insert("record".to_owned(), number);
            check(&game, &mut replayer, &Naive { summary, place }, &rows[next..end]);
            next = end;
        }
        assert_eq!(next, rows.len(), "{}: rows of no record", path.display());
        all += rows.len();
    }
    assert!(all > 100, "{all} rows of {table}");
}

/// Returns the offset in the input of an offset in a record.
fn original(game: &pdn::archive::ArchiveGame, at: u32) -> u64 {
    let offset = game.offset() + u64::from(at);
    game.offsets().map_or(offset, |offsets| offsets.original_offset(offset))
}

/// Compares some columns of a row.
#[track_caller]
fn assert_columns(row: &Value, expected: &Value) {
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(row[name], *value, "{name} of {row}");
    }
}

fn winner(outcome: Outcome, start: pdn::value::Colour) -> Value {
    match (outcome, outcome.winner(start)) {
        (Outcome::Draw, _) => json!("draw"),
        (_, Some(colour)) => json!(format!("{colour:?}").to_lowercase()),
        (_, None) => Value::Null,
    }
}

#[test]
fn games_equal_tags_and_replays() {
    compare(Table::Games, |game, replayer, naive, rows| {
        let [row] = rows else { panic!("one row: {rows:?}") };
        let summary = &naive.summary;
        assert_columns(row, &Value::Object(naive.place.clone()));
        let known = |text: &str| GameResult::parse(text.as_bytes()).outcome() != Outcome::Unknown;
        let find = |name: &str| {
            let named = |tag: &pdn::parse::TagPair<'_>| {
                let is_meant = tag.recognised().is_some_and(|found| found.tag.name() == name);
                is_meant && !tag.value.trim_ascii().is_empty()
            };
            let all: Vec<_> = game.view().tags().filter(named).collect();
            let counts = |tag: &&pdn::parse::TagPair<'_>| match name {
                "Result" => GameResult::parse(tag.value).outcome() != Outcome::Unknown,
                name => tag.name == name.as_bytes(),
            };
            all.iter().find(counts).or(all.first()).copied()
        };
        let text = |name: &str| -> Option<String> {
            // P1 is the player who starts.
            let other = match name {
                "White" => "Black",
                "Black" => "White",
                "WhiteRating" => "BlackRating",
                "BlackRating" => "WhiteRating",
                name => name,
            };
            let is_seat = |name: &str| find(name).is_none_or(|tag| tag.name.starts_with(b"P"));
            let is_seated =
                summary.numbering.start == pdn::value::Colour::Black && is_seat(name) && is_seat(other);
            // Red is the side that starts, or the only one that no other tag names.
            let is_red = |tag: &pdn::parse::TagPair<'_>| tag.name.starts_with(b"R");
            let (white, black) = match name {
                "White" | "Black" => (find("White"), find("Black")),
                "WhiteRating" | "BlackRating" => (find("WhiteRating"), find("BlackRating")),
                _ => (None, None),
            };
            let red = game.view().tags().find(|tag| {
                let meaning = tag.recognised().map(|found| found.tag.name());
                is_red(tag) && meaning == Some(if name.starts_with("White") { other } else { name })
            });
            let is_white = white.is_none()
                && red.is_some()
                && (black.is_some_and(|tag| !is_red(&tag))
                    || summary.numbering.start == pdn::value::Colour::White);
            let tag = match name {
                "White" | "WhiteRating" if is_white => red,
                "Black" | "BlackRating" if is_white => black.filter(|tag| !is_red(tag)),
                name => find(if is_seated { other } else { name }),
            }?;
            let decoded = game.decode(&pdn::parse::unescape(tag.value)).into_owned();
            Some(pdn::value::decode_entities(&decoded).trim().to_owned()).filter(|text| !text.is_empty())
        };
        let end = game.view().terminator().map(|end| game.decode(end.text).into_owned());
        let tag = text("Result");
        let result = match (&tag, &end) {
            (Some(tag), Some(end)) if !known(tag) && known(end) => {
                Some(pdn::value::decode_entities(end).into_owned())
            }
            (Some(tag), _) => Some(tag.clone()),
            (None, end) => end.as_ref().map(|end| pdn::value::decode_entities(end).into_owned()),
        };
        // What words at the end mean is tested with replays.
        let is_words = tag.is_none() && end.as_ref().is_some_and(|end| end != "*" && !known(end));
        let outcome = match &result {
            Some(_) if is_words => summary.outcome(),
            Some(text) if replayer.summary(game).scores == pdn::value::ScoreOrder::White => {
                GameResult::parse(text.as_bytes()).swapped().for_start(summary.numbering.start).outcome()
            }
            Some(text) => GameResult::parse(text.as_bytes()).for_start(summary.numbering.start).outcome(),
            None => Outcome::Unknown,
        };
        let start = summary.start_position();
        let annotated = replayer.replay_annotated(game.raw());
        let moves: Vec<_> = annotated
            .main
            .plies
            .iter()
            .map(|ply| ply.position.move_text(&ply.mv, MoveStyle::Shortest))
            .collect();
        let mut tags = Map::new();
        for tag in game.view().tags() {
            let value = game.decode(&pdn::parse::unescape(tag.value)).into_owned();
            let value = pdn::value::decode_entities(value.trim_ascii()).trim().to_owned();
            tags.entry(game.decode(tag.name).into_owned()).or_insert(json!(value));
        }
        let rating = |name| {
            text(name)
                .and_then(|text| Rating::read(text.as_bytes()).ok().flatten())
                .map(|rating| rating.value)
        };
        let known = |name: &str| text(name).filter(|text| !text.starts_with('?'));
        // The day in UTC where no other is written.
        let date_text = known("Date").or_else(|| known("UTCDate"));
        let date = date_text.as_ref().and_then(|date| pdn::value::Date::read(date.as_bytes()).ok());
        let date = date.map(|read| read.date);
        let whole = date.filter(|date| date.year().and(date.month()).and(date.day()).is_some());
        assert_columns(
            row,
            &json!({
                "status": summary.status.name(),
                "variant": summary.variant.name(),
                "variant_from": match summary.basis {
                    VariantBasis::Tag => "tag",
                    VariantBasis::Guess => "assumed",
                    _ => "inferred",
                },
                "offset": original(game, 0),
                "length": original(game, game.raw().len() as u32) - original(game, 0),
                "event": known("Event"),
                "site": known("Site"),
                "date_text": date_text,
                "white": known("White"),
                "black": known("Black"),
                "round": known("Round"),
                "opening": known("Opening"),
                "date": whole.map(|date| date.to_string().replace('.', "-")),
                "year": date.and_then(|date| date.year()),
                "white_rating": rating("WhiteRating"),
                "black_rating": rating("BlackRating"),
                "result": result,
                "result_tag": tag,
                "result_end": end,
                "winner": winner(outcome, summary.numbering.start),
                "start_fen": (start != Position::start(summary.game())).then(|| start.fen()),
                "final_fen": summary.last_position().fen(),
                "plies": summary.plies,
                "plies_written": summary.written,
                "moves": (!moves.is_empty()).then(|| moves.join(" ")),
                "tags": tags,
            }),
        );
    });
}

#[test]
fn moves_equal_those_of_an_annotated_replay() {
    compare(Table::Moves, |game, replayer, naive, rows| {
        let annotated = replayer.replay_annotated(game.raw());
        let names = annotated.main.last.names();
        let mut lines: Vec<(u32, &AnnotatedLine<'_>)> = vec![(0, &annotated.main)];
        let mut next = 0;
        while let Some(&(_, line)) = lines.get(next) {
            next += 1;
            lines.extend(line.plies.iter().flat_map(|ply| &ply.variations).map(|line| (1, line)));
        }
        let expected: usize = lines.iter().map(|(_, line)| line.plies.len()).sum();
        assert_eq!(rows.len(), expected, "{}", game.raw().escape_ascii());
        let mut plies: Vec<_> =
            lines.iter().flat_map(|(n, line)| line.plies.iter().map(move |ply| (n, ply))).collect();
        // Lines begin in the order of their first moves, but for a line within a line.
        plies.sort_by_key(|(_, ply)| ply.span.start);
        let mut sorted: Vec<&Value> = rows.iter().collect();
        sorted.sort_by_key(|row| {
            let at = plies.iter().position(|(_, ply)| {
                row["key"] == json!(ply.position.key().to_string())
                    && row["written"] == json!(game.decode(ply.text))
                    && (row["line"] == 0) == (annotated.main.plies.iter().any(|own| own.span == ply.span))
            });
            at.unwrap_or_else(|| panic!("no such ply: {row}"))
        });
        assert!(
            rows.windows(2).all(|pair| pair[0]["line"].as_u64() <= pair[1]["line"].as_u64()),
            "ordered by line"
        );
        // Two numbers of a clock are minutes and seconds if a time of the game has seconds.
        let mut times = plies.iter().flat_map(|(_, ply)| ply.times());
        let unit = if times.any(|value| value != CommandValue::Other) { 1_000 } else { 60_000 };
        for (n, ply) in annotated.main.plies.iter().enumerate() {
            let row = &rows[n];
            assert_columns(row, &Value::Object(naive.place.clone()));
            let number = |square| names.number(square);
            let mut captured: Vec<u8> = ply.mv.captured_squares().map(number).collect();
            captured.sort_unstable();
            let paths: Vec<Vec<u8>> = ply
                .position
                .paths(&ply.mv)
                .expect("few captures")
                .iter()
                .map(|path| path.squares.iter().copied().map(number).collect())
                .collect();
            let mut legal = MoveList::new();
            ply.position.legal_moves(&mut legal).expect("few captures");
            let side = ply.position.turn();
            let two_numbers = |names: &[&str]| {
                let commands = ply.commands().filter(|(_, command)| command.value.is_err());
                let mut texts = commands.filter_map(|(comment, command)| {
                    let name = std::str::from_utf8(command.name.of(comment.text)).ok()?;
                    let text = std::str::from_utf8(command.text.of(comment.text)).ok()?;
                    let (first, second) = text.split_once(':').filter(|_| names.contains(&name))?;
                    let minutes: u32 = first.parse().ok()?;
                    Some((minutes * 60 + second.parse::<u32>().ok()?) * unit)
                });
                texts.next()
            };
            let clock = ply.times().filter_map(|value| match value {
                CommandValue::Remaining(clocks) => clocks.of(side).or(Some(clocks.first)),
                _ => None,
            });
            let clock = clock.last().map(|clock| clock.time.milliseconds());
            let time = ply.times().filter_map(|value| match value {
                CommandValue::MoveTime(time) => Some(time),
                _ => None,
            });
            let time = time.last().map(|time| time.milliseconds());
            let eval = ply.commands().filter(|(comment, command)| command.name.of(comment.text) == b"eval");
            let eval = eval.filter_map(|(comment, command)| {
                let text = String::from_utf8_lossy(command.text.of(comment.text)).into_owned();
                text.parse::<f64>().ok().map(|men| (men * 100.0).round() as i64)
            });
            let is_last = n + 1 == annotated.main.plies.len();
            assert_columns(
                row,
                &json!({
                    "line": 0,
                    "ply": n,
                    "by": format!("{side:?}").to_lowercase(),
                    "text": ply.position.move_text(&ply.mv, MoveStyle::Shortest),
                    "written": game.decode(ply.text),
                    "from": number(ply.mv.from),
                    "to": number(ply.mv.to),
                    "captured": captured,
                    "man": !ply.position.piece(ply.mv.from).expect("a piece").king,
                    "promotes": ply.mv.promotes,
                    "legal_moves": legal.len(),
                    "key": ply.position.key().to_string(),
                }),
            );
            let path: Vec<u8> = serde_json::from_value(row["path"].clone()).expect("numbers");
            assert!(paths.contains(&path), "{path:?} is none of {paths:?}");
            // An annotated replay gives the last ply everything that follows it, unplayed moves included.
            if !is_last || annotated.main.stop.is_none() {
                assert_columns(
                    row,
                    &json!({
                        "clock_ms": clock.or_else(|| two_numbers(&["clk", "clock"])),
                        "emt_ms": time.or_else(|| two_numbers(&["emt"])),
                        "eval_cp": eval.last(),
                        "nags": (!ply.nags.is_empty()).then(|| ply.nags.iter().map(|nag| nag.0).collect::<Vec<_>>()),
                    }),
                );
            }
        }
    });
}

#[test]
fn variations_have_numbers_and_plies() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pdn");
    let text = "1. 32-28 (33-28 18-23 (18-22 38-33) 39-33) 19-23 (19-24) 2. 28x19 14x23 *\n";
    std::fs::write(&path, text).expect("written");
    let columns = ColumnSelection::named(Table::Moves, ["line", "ply", "written"]).expect("columns");
    let all = rows_of(&path, &columns, &ExportOptions::new());
    let expected = [
        (0, 0, "32-28"),
        (0, 1, "19-23"),
        (0, 2, "28x19"),
        (0, 3, "14x23"),
        (1, 0, "33-28"),
        (1, 1, "18-23"),
        (1, 2, "39-33"),
        (2, 1, "18-22"),
        (2, 2, "38-33"),
        (3, 1, "19-24"),
    ];
    let expected = expected.map(|(line, ply, written)| json!({"line": line, "ply": ply, "written": written}));
    assert_eq!(all, expected);
    let main = rows_of(&path, &columns, &ExportOptions::new().main_line(true));
    assert_eq!(main, expected[..4]);
}

#[test]
fn positions_equal_those_of_a_replay() {
    compare(Table::Positions, |game, replayer, naive, rows| {
        let mut moves: Vec<pdn::position::Move> = Vec::new();
        let annotated = replayer.replay_annotated(game.raw());
        replayer.replay(game.raw(), &mut moves);
        let standard = |position: &Position| Position::from_state(naive.summary.variant, *position.state());
        let mut positions: Vec<Position> = annotated.main.plies.iter().map(|ply| ply.position).collect();
        positions.push(naive.summary.last_position());
        assert_eq!(rows.len(), positions.len());
        for (n, (row, position)) in rows.iter().zip(&positions).enumerate() {
            assert_columns(row, &Value::Object(naive.place.clone()));
            let position = standard(position);
            let mut legal = MoveList::new();
            position.legal_moves(&mut legal).expect("few captures");
            let (mut boards, names) = ([0u128; 4], naive.summary.variant.names());
            for number in 1..=144 {
                let Some(square) = names.of_number(number) else { break };
                if let Some(piece) = position.piece(square) {
                    boards[2 * piece.colour as usize + usize::from(piece.king)] |= 1 << (number - 1);
                }
            }
            let hexadecimal = |set: u128| match set >> 64 {
                0 => format!("{set:016x}"),
                _ => format!("{set:032x}"),
            };
            let mv = moves.get(n);
            assert_columns(
                row,
                &json!({
                    "key": position.key().to_string(),
                    "ply": n,
                    "variant": naive.summary.variant.name(),
                    "status": naive.summary.status.name(),
                    "white_to_move": position.turn() == pdn::value::Colour::White,
                    "white_men": hexadecimal(boards[0]),
                    "white_kings": hexadecimal(boards[1]),
                    "black_men": hexadecimal(boards[2]),
                    "black_kings": hexadecimal(boards[3]),
                    "fen": position.fen(),
                    "quiet": !legal.iter().any(|mv| mv.is_capture()),
                    "legal_moves": legal.len(),
                    "move_from": mv.map(|mv| names.number(mv.from)),
                    "move_to": mv.map(|mv| names.number(mv.to)),
                }),
            );
        }
    });
}

/// Collects all comments in text order.
#[derive(Default)]
struct Comments<'g>(Vec<Comment<'g>>);

impl<'g> Visitor<'g> for Comments<'g> {
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.0.push(comment);
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Enter
    }
}

#[test]
fn no_comment_is_lost() {
    compare(Table::Comments, |game, _, naive, rows| {
        let mut comments = Comments::default();
        game.view().walk(&mut comments);
        assert_eq!(rows.len(), comments.0.len());
        for (row, comment) in rows.iter().zip(&comments.0) {
            assert_columns(row, &Value::Object(naive.place.clone()));
            let (at, end) = (original(game, comment.span.start), original(game, comment.span.end));
            assert_columns(row, &json!({"text": game.decode(comment.text), "at": at, "length": end - at}));
        }
    });
}

#[test]
fn diagnostics_include_those_of_the_checker() {
    compare(Table::Diagnostics, |game, _, naive, rows| {
        let mut checker = Checker::new(&CheckOptions::new().style(true));
        let report = checker.check(game);
        let draw = rows.iter().find(|row| row["code"] == "N112").map(|row| {
            let at = row["at"].as_u64().expect("an offset");
            at..at + row["length"].as_u64().expect("a length")
        });
        for diagnostic in report.diagnostics {
            // The sign of a side whose men the draw leaves is no missing move.
            let is_drawn =
                draw.as_ref().is_some_and(|draw| draw.contains(&original(game, diagnostic.span.start)));
            if is_drawn && diagnostic.code == pdn::diag::Code::MissingMove {
                continue;
            }
            let (at, end) = (original(game, diagnostic.span.start), original(game, diagnostic.span.end));
            let same = |row: &&Value| row["code"] == diagnostic.code.id() && row["at"] == at;
            let row = rows.iter().find(same).unwrap_or_else(|| panic!("no row for {diagnostic:?}"));
            assert_columns(row, &Value::Object(naive.place.clone()));
            let severity = diagnostic.severity.name();
            assert_columns(row, &json!({"severity": severity, "length": end - at}));
            assert!(row["message"].as_str().is_some_and(|text| text.starts_with(diagnostic.code.title())));
        }
        if let Some(stop) = naive.summary.stop {
            // A position that cannot be read is reported by the diagnostic that has the reason.
            let codes = [stop.reason.code(), Code::BadFen];
            assert!(
                rows.iter().any(|row| codes.iter().any(|code| row["code"] == code.id())),
                "no row for {stop:?}"
            );
        }
        let errors = report.count(Severity::Error) as usize;
        assert!(rows.iter().filter(|row| row["severity"] == "error").count() >= errors);
    });
}

#[test]
fn values_do_not_depend_on_the_columns_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = files(folder.path()).pop().expect("a file");
    for table in Table::ALL {
        let all = rows(&path, table, &ExportOptions::new());
        for column in table.columns() {
            let one = ColumnSelection::named(table, [column.name]).expect("a column");
            let alone = rows_of(&path, &one, &ExportOptions::new());
            let expected: Vec<Value> =
                all.iter().map(|row| json!({ (column.name): row[column.name] })).collect();
            assert_eq!(alone, expected, "{table}.{}", column.name);
        }
    }
}
