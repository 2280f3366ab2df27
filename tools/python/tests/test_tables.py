"""Tables, as every library reads them."""

import gzip
import json
import subprocess
import sys
import zipfile

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import ARCHIVE, CANADIAN, FIXTURES

import pdn

TABLES = {
    "games": pdn.games,
    "moves": pdn.moves,
    "positions": pdn.positions,
    "comments": pdn.comments,
    "diagnostics": pdn.diagnostics,
}

READERS = {
    "pyarrow": lambda table: pyarrow.table(table).num_rows,
    "polars": lambda table: polars.DataFrame(table).height,
    "duckdb": lambda rows: duckdb.sql("select * from rows").df().shape[0],
    "pandas": lambda table: pandas.DataFrame.from_arrow(table).shape[0],
    "numpy": lambda table: numpy.asarray(polars.DataFrame(table.select(["record"]))["record"]).shape[0],
    "batches": lambda table: sum(len(batch) for batch in table),
}

ROWS = {"games": 3, "moves": 14, "positions": 15, "comments": 1}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", TABLES)
def test_every_library_reads_every_table_twice(name, reader, archive):
    table = TABLES[name](archive)
    expected = ROWS.get(name, len(list(pdn.check(archive))))
    assert [READERS[reader](table) for _ in range(2)] == [expected, expected]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", TABLES)
def test_an_empty_archive_has_no_rows_and_all_columns(name, reader):
    table = TABLES[name](b"")
    assert READERS[reader](table) == 0
    assert pyarrow.schema(table).names == table.columns


@pytest.mark.parametrize("reader", READERS)
def test_columns_and_games_are_chosen(reader, archive):
    table = pdn.moves(archive, columns=["record", "text"], where="black : dunn")
    assert READERS[reader](table) == 5
    assert pyarrow.table(table).to_pydict() == {
        "record": [2] * 5,
        "text": ["c3-d4", "b6-a5", "d4-c5", "d6:b4", "a3:c5"],
    }


def cell(value, kind):
    """Turns a value of Arrow into that of the JSON Lines format."""
    if value is None:
        return None
    if kind == "key":
        return f"{value:016x}"
    if kind == "squares":
        return value if isinstance(value, int) else int.from_bytes(value, "little")
    if kind == "map":
        return dict(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def kind_of(name):
    if name == "key":
        return "key"
    if name in ("white_men", "white_kings", "black_men", "black_kings"):
        return "squares"
    return "map" if name == "tags" else "plain"


def rows_of_command(command, name, paths, *options):
    run = subprocess.run(
        [command, "export", "--table", name, "--format", "jsonl", *options, *map(str, paths)],
        capture_output=True,
        check=False,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def same_rows(command, name, paths, **options):
    squares = {"squares": "wide"} if name == "positions" else {}
    table = TABLES[name](paths, **squares, **options)
    rows = pyarrow.table(table).to_pylist()
    rows = [{key: cell(value, kind_of(key)) for key, value in row.items()} for row in rows]
    expected = rows_of_command(command, name, paths)
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        assert row == {key: int(value, 16) if kind_of(key) == "squares" else value for key, value in wanted.items()}


@pytest.mark.parametrize("strings", ["dictionary", "plain"])
@pytest.mark.parametrize("name", TABLES)
def test_cells_are_those_of_the_command(name, strings, archive, command):
    same_rows(command, name, [archive], strings=strings)


@pytest.mark.parametrize("name", TABLES)
def test_cells_of_all_fixtures_are_those_of_the_command(name, command):
    """Damaged files, old encodings, every variant."""
    assert len(FIXTURES) > 50
    readable = []
    for path in FIXTURES:
        try:
            for _ in pdn.games(path, columns=["record"]):
                pass
            readable.append(path)
        except pdn.Error:
            pass
    assert len(FIXTURES) - len(readable) < 5
    same_rows(command, name, readable)


def test_an_index_has_the_rows_of_its_archive(archive, tmp_path):
    index = pdn.index(archive, tmp_path / "games.idx")
    for name, table in TABLES.items():
        of_index = polars.DataFrame(table(index, strings="plain"))
        of_archive = polars.DataFrame(table(archive, strings="plain"))
        assert of_index["game"].null_count() == 0
        assert of_index.drop("game").equals(of_archive.drop("game")), name
    assert pyarrow.table(pdn.games(index, columns=["white"], where="wm = 20 and bm = 19")).num_rows == 3 - 2


@pytest.mark.parametrize("name", TABLES)
def test_queries_about_positions_of_archives(name, archive, tmp_path):
    packed, zipped = tmp_path / "games.pdn.gz", tmp_path / "games.zip"
    packed.write_bytes(gzip.compress(ARCHIVE))
    with zipfile.ZipFile(zipped, "w") as file:
        file.writestr("a.pdn", ARCHIVE)
        file.writestr("b.pdn", CANADIAN)
    wide = {"squares": "wide"} if name == "positions" else {}
    for source in [archive, ARCHIVE, packed, zipped, [ARCHIVE, CANADIAN, archive]]:
        # All games have such a position, so that the rows are those without a query.
        found = polars.DataFrame(TABLES[name](source, where="wm >= 0", strings="plain", **wide))
        expected = polars.DataFrame(TABLES[name](source, strings="plain", **wide))
        assert found.height > 0
        assert found.equals(expected), source
    assert READERS["pyarrow"](TABLES[name](archive, where="wk > 12")) == 0


def test_queries_about_positions_choose_games(archive):
    columns = ["record", "white"]
    games = pdn.games(archive, columns=columns, where="white to move and move takes >= 2 or tag Event : open")
    index_of = {"record": [1], "white": ["Ames, Ann"]}
    assert [pyarrow.table(games).to_pydict() for _ in range(2)] == [index_of, index_of]
    assert pyarrow.table(pdn.games(archive, columns=columns, where="file games.pdn")).num_rows == 3
    with pytest.raises(pdn.Error, match="nothing matches both"):
        pdn.games(archive, where="wk > 1 and wk < 1")


def test_wide_boards_need_sixteen_bytes():
    with pytest.raises(pyarrow.ArrowInvalid, match="squares=.wide."):
        pyarrow.table(pdn.positions(CANADIAN))
    with pytest.raises(pdn.Error, match="squares=.wide."):
        list(pdn.positions(CANADIAN))
    wide = pyarrow.table(pdn.positions(CANADIAN, squares="wide")).to_pylist()
    assert int.from_bytes(wide[0]["black_men"], "little") == (1 << 30) - 1
    assert int.from_bytes(wide[0]["white_men"], "little") == (1 << 72) - (1 << 42)
    assert pyarrow.table(pdn.positions(ARCHIVE + CANADIAN, squares="wide")).num_rows == 17


@pytest.mark.parametrize("name", TABLES)
def test_rows_do_not_depend_on_threads(name, large):
    columns = ["record"] + {"moves": ["ply", "text"], "positions": ["ply", "key"]}.get(name, [])
    one, four = (pyarrow.table(TABLES[name](large, columns=columns, threads=n)) for n in (1, 4))
    assert one.num_rows >= 6_000
    assert one.equals(four)


def test_dictionaries_are_equal_in_all_batches(large):
    table = pyarrow.table(pdn.positions(large, columns=["status", "variant", "file", "ply"]))
    assert table.column("status").num_chunks > 1
    # Fails if they differ.
    counts = table.group_by(["status", "file"]).aggregate([("status", "count")]).to_pydict()
    assert dict(zip(counts["status"], counts["status_count"], strict=True)) == {"legal": 72_000, "illegal": 18_000}
    plain = pyarrow.table(pdn.games(large, columns=["status"], strings="plain"))
    assert plain.schema.field("status").type == pyarrow.string()


def test_question_mark_is_no_value(tmp_path):
    """The most active player of an archive is not `?`. The tags keep what is written."""
    path = tmp_path / "unknown.pdn"
    path.write_bytes(
        b'[Event "?"] [Site "?"] [Date "????.??.??"] [Round "?"] [White "?"] [Black "Bell"] [Annotator "?"] 1. 32-28 *\n\n'
        b'[Date "1990.??.??"] [Round "-"] [White "Ames?"] 1. 33-28 *\n'
    )
    index = pdn.index(path, tmp_path / "unknown.idx")
    columns = ["event", "site", "round", "white", "annotator", "date_text", "black"]
    for source in [path, index]:
        unknown, known = pyarrow.table(pdn.games(source, columns=[*columns, "tags"])).to_pylist()
        assert [unknown[name] for name in columns] == [None] * 6 + ["Bell"]
        assert dict(unknown["tags"])["White"] == "?"
        assert (known["white"], known["round"], known["date_text"]) == ("Ames?", "-", "1990.??.??")
        game = next(iter(pdn.open(path))) if source is path else index.game(1)
        assert [game.event, game.site, game.round, game.white, game.date_text] == [None] * 5
        assert (game.black, game.tags["White"]) == ("Bell", "?")


def test_differences_of_quantities_are_right_in_every_library():
    """The lower value first: an unsigned type would give a great positive number, or an error."""
    game = b'[White "Ames"] [WhiteRating "2100"] [BlackRating "2300"] 1. 32-28 {[%clk 0:01:00]} 19-23 {[%clk 0:02:00]} *'
    games = pdn.games(game, columns=["white_rating", "black_rating", "plies", "record", "month"])
    frame = games.to_pandas()
    assert (frame.white_rating - frame.black_rating).mean() == -200
    assert (games.to_polars()["white_rating"] - games.to_polars()["black_rating"]).mean() == -200
    ratings = games.to_polars().select("white_rating", "black_rating").to_numpy()
    assert (ratings[:, 0] - ratings[:, 1]).tolist() == [-200]
    assert duckdb.sql("select white_rating - black_rating, record - plies from games").fetchall() == [(-200, -1)]
    moves = pdn.moves(game, columns=["from", "to", "clock_ms", "path", "legal_moves", "ply"])
    assert duckdb.sql('select "to" - "from", path[2] - path[1] from moves where ply = 0').fetchall() == [(-4, -4)]
    assert duckdb.sql("select min(clock_ms) - max(clock_ms) from moves").fetchall() == [(-60_000,)]
    assert (moves.to_polars()["to"] - moves.to_polars()["from"]).to_list() == [-4, 4]
    assert numpy.diff(moves.to_pandas()["path"][0]).tolist() == [-4]
    for make in TABLES.values():
        for field in pyarrow.schema(make(game)):
            unsigned = pyarrow.types.is_unsigned_integer(field.type)
            assert unsigned == (kind_of(field.name) in ("key", "squares")), field


def test_duckdb_answers_questions(large):
    games = pdn.games(large, columns=["white", "plies"])
    assert duckdb.sql("select white, count(*), sum(plies) from games group by 1 order by 1").fetchall() == [
        ("Ames, Ann", 6_000, 30_000),
        ("Cole", 6_000, 30_000),
        ("Evans", 6_000, 12_000),
    ]


def test_scan_reads_the_columns_that_polars_needs(archive):
    frame = pdn.scan(archive)
    assert frame.collect_schema().names() == pdn.games(archive).columns
    found = frame.filter(polars.col("plies") > 2).select("white").collect()
    assert found["white"].to_list() == ["Ames, Ann", "Cole"]
    assert frame.head(1).collect().height == 1
    with_many_plies = polars.col("plies") > 2
    assert frame.tail(2).filter(with_many_plies).select("white").collect()["white"].to_list() == ["Cole"]
    assert frame.filter(with_many_plies).head(1).select("white").collect()["white"].to_list() == ["Ames, Ann"]
    assert frame.head(2).filter(polars.col("plies") < 5).select("white").collect()["white"].to_list() == []
    assert frame.select(polars.len()).collect().item() == 3
    moves = pdn.scan(archive, "moves", main_line=True).group_by("record").len().sort("record").collect()
    assert moves["len"].to_list() == [5, 5, 2]
    assert pdn.scan(archive, where="white : evans").collect().height == 1
    with pytest.raises(pdn.Error, match="table: expected one of games"):
        pdn.scan(archive, "gamez")


def test_table_converts_itself(archive):
    table = pdn.games(archive, columns=["white", "status"])
    assert table.to_polars()["white"].to_list() == ["Ames, Ann", "Cole", "Evans"]
    assert table.to_arrow().num_rows == 3
    assert table.to_pandas()["status"].tolist() == ["legal", "legal", "illegal"]
    assert table.select(["plies"]).columns == ["plies"]
    assert "white, status" in repr(table)


def test_pandas_has_its_own_types(archive):
    frame = pdn.games(archive).to_pandas()
    assert frame["date"].dt.year.tolist()[0] == 1996 and frame["date"].isna().tolist() == [False, True, True]
    assert frame["tags"][0]["Site"] == "Amsterdam" and frame["tags"][1] == {"White": "Cole", "Black": "Dunn", "Date": "2003.??.??", "GameType": "25"}
    assert frame["status"].cat.categories.tolist() == ["legal", "illegal"]
    plain = pdn.games(archive).to_pandas(columns=["status", "winner"], strings="plain")
    assert plain.columns.tolist() == ["status", "winner"] and plain["status"].tolist() == ["legal", "legal", "illegal"]
    assert plain["status"].dtype == frame["white"].dtype and plain["winner"].isna().tolist() == [False, True, False]
    assert pdn.games(b'[A "1"] [B "2"] [A "3"] *').to_pandas(columns=["tags"])["tags"][0] == {"A": "1", "B": "2"}
    assert len(pdn.games(b"").to_pandas()) == 0
    with pytest.raises(pdn.Error, match="strings: expected"):
        pdn.games(archive).to_pandas(strings="words")


@pytest.mark.parametrize("method", ["to_polars", "to_arrow", "to_pandas"])
def test_table_of_a_search_converts_itself(method):
    # The stream looks for signals while the temporary index is made. In another process, because a fault there is a crash.
    code = f"""
import pdn
game = b'[White "Ames"] 1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 2-0\\n'
print(len(pdn.games(game * 2000, columns=["white"], where="w-b >= 1").{method}()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == "2000"


def test_table_shows_itself(archive):
    table = pdn.games(archive, columns=["white", "plies", "date", "winner", "tags", "record"])
    assert table.schema == {
        "white": "string",
        "plies": "int32",
        "date": "date32",
        "winner": "dictionary of string",
        "tags": "map of string",
        "record": "int64",
    }
    first, second = table.head(2)
    assert first["date"].isoformat() == "1996-12-28" and first["tags"]["Site"] == "Amsterdam"
    assert (second["white"], second["plies"], second["winner"], second["date"]) == ("Cole", 5, None, None)
    assert table.count() == len(table.head(99)) == 3 and pdn.moves(archive).count() == ROWS["moves"]
    assert table.limit(2).to_arrow().num_rows == table.limit(2).count() == 2
    assert bool(pdn.games(b"")) and list(table.limit(0)) == []
    moves = pdn.moves(archive, columns=["captured", "nags", "key", "man"]).head(3)
    assert moves[2]["captured"] == [23] and moves[0]["man"] is True and isinstance(moves[0]["key"], int)
    assert len(pdn.positions(archive, squares="wide", columns=["white_men"]).head(1)[0]["white_men"]) == 16
    html = pdn.games(b'[White "<b>"] 1. 32-28 *' * 9, columns=["white"])._repr_html_()
    assert html.count("<tr>") == 6 and "&lt;b&gt;" in html


def test_mistaken_uses_of_a_table_say_what_to_do(archive):
    table = pdn.games(archive)
    with pytest.raises(TypeError, match="table.count"):
        len(table)
    with pytest.raises(TypeError, match="to_pandas"):
        pandas.DataFrame(table)
    with pytest.raises(TypeError, match="to_numpy"):
        numpy.asarray(table)
    with pytest.raises(pdn.Error, match="no query asks for the column `month`: filter the rows"):
        pdn.games(archive, where="month = 3")
    with pytest.raises(pdn.Error, match="texts stand in double quotes"):
        pdn.games(archive, where="white = 'Ames, Ann'")
    found = pdn.games(archive, where='year == 1996 and white_rating > 2200 and variant = international and white == "Ames, Ann"')
    assert found.count() == 1


def test_metadata_names_the_version_of_the_tables(archive):
    metadata = pyarrow.schema(pdn.positions(archive)).metadata
    assert metadata[b"pdn.schema"] == b"1"
    assert metadata[b"pdn.table"] == b"positions"


def test_records_too_long_for_variations_are_counted():
    table = pdn.moves(b"1. 32-28 {" + b"x" * 300_000 + b"} (1. 33-28) 19-23 *")
    assert table.incomplete == 0
    assert pyarrow.table(table).num_rows == 2
    assert table.incomplete == 1


def test_a_record_type_becomes_numpy_without_a_copy(archive):
    positions = polars.DataFrame(pdn.positions(archive, columns=["white_men", "black_men"]))
    men = positions["white_men"].to_numpy()
    assert men.dtype == numpy.uint64
    assert int(men[0]) == sum(1 << (square - 1) for square in range(31, 51))
