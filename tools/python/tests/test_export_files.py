"""The files of `pdn export`, as other programs read them: every format has the same cells."""

import json
import sqlite3
import subprocess

import duckdb
import polars
import pyarrow.ipc
import pyarrow.parquet
import pytest
from conftest import ARCHIVE, CANADIAN, FIXTURES

TABLES = ["games", "moves", "positions", "comments", "diagnostics"]
SQUARES = {"white_men", "white_kings", "black_men", "black_kings"}
KINDS = {"key": "key", "tags": "map"} | dict.fromkeys(SQUARES, "squares")


@pytest.fixture(scope="module")
def export(command, tmp_path_factory):
    """Exports a table of archives to a file and returns its path. Skips where the command was built without the format."""
    folder = tmp_path_factory.mktemp("exported")

    def run(table, extension, paths, *options):
        path = folder / f"{table}.{extension}"
        path.unlink(missing_ok=True)
        done = subprocess.run(
            [command, "export", "--table", table, "-o", path, "--quiet", *options, *paths],
            capture_output=True,
            check=False,
            text=True,
        )
        if "this build of pdn has no" in done.stderr:
            pytest.skip(done.stderr)
        assert path.exists(), done.stderr
        return path

    return run


def of_arrow(name, value):
    """Turns a value of Arrow or Parquet into that of JSON Lines."""
    if value is None:
        return None
    match KINDS.get(name):
        case "key":
            return f"{value:016x}"
        case "squares":
            number = value if isinstance(value, int) else int.from_bytes(value, "little")
            return f"{number:016x}" if number < 1 << 64 else f"{number:032x}"
        case "map":
            pairs = value.items() if isinstance(value, dict) else value
            return dict((pair["key"], pair["value"]) if isinstance(pair, dict) else pair for pair in pairs)
    return value.isoformat() if hasattr(value, "isoformat") else value


def of_json(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def of_rows(rows):
    return [{name: of_arrow(name, value) for name, value in row.items()} for row in rows]


def with_duckdb(path):
    relation = duckdb.sql(f"select * from '{path}'")
    return of_rows(dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall())


def with_sqlite(path):
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    return [dict(row) for row in connection.execute(f"select * from {path.stem} order by rowid")]


def with_csv(path):
    """Reads CSV with the difference between a null and an empty text."""
    rows, row, field, quoted, inside = [], [], "", False, False
    text = path.read_bytes().decode()
    at = 0
    while at < len(text):
        c = text[at]
        at += 1
        if inside and c == '"' and text[at : at + 1] == '"':
            field += c
            at += 1
        elif c == '"':
            inside, quoted = not inside, True
        elif inside or c not in ",\r":
            field += c
        else:
            row.append(field if field or quoted else None)
            field, quoted = "", False
            if c == "\r":
                assert text[at] == "\n"
                at += 1
                rows.append(row)
                row = []
    assert (row, field) == ([], "")
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def as_csv(value):
    """Turns a value of JSON Lines into that of CSV."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case list():
            return " ".join(map(str, value)) or None
        case dict():
            return value
    return value


def of_sqlite(name, cell, model):
    """Reads a cell whose value is a list or an object from its JSON, as the model is one, and a set of squares from its numbers."""
    if name in SQUARES and model is not None:
        return format(sum(1 << number - 1 for number in json.loads(cell)), f"0{len(model)}x")
    return json.loads(cell) if isinstance(model, (list, dict)) else cell


READERS = {
    "arrow": lambda path: of_rows(pyarrow.ipc.open_file(path).read_all().to_pylist()),
    "arrows": lambda path: of_rows(pyarrow.ipc.open_stream(path).read_all().to_pylist()),
    "arrow, polars": lambda path: of_rows(polars.read_ipc(path).to_dicts()),
    "arrows, polars": lambda path: of_rows(polars.read_ipc_stream(path).to_dicts()),
    "parquet": lambda path: of_rows(pyarrow.parquet.read_table(path).to_pylist()),
    "parquet, polars": lambda path: of_rows(polars.read_parquet(path).to_dicts()),
    "parquet, duckdb": with_duckdb,
}


def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    for name, text in {"several": ARCHIVE, "wide": CANADIAN, "empty": b""}.items():
        (folder / f"{name}.pdn").write_bytes(text)
    (folder / "odd.pdn").write_bytes(b'[White ""]\n[Event " spaces, \\"quotes\\" "]\n1. 32-28 {a\nb, "c"} 19-23 $1 $3 *\n')
    return [folder, *sorted({path.parent for path in FIXTURES})]


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return archives(tmp_path_factory)


@pytest.mark.parametrize("table", TABLES)
def test_all_formats_have_the_same_cells(table, export, paths):
    """Archives of every variant, damaged ones, zips, and many files, whose names are a dictionary that grows."""
    expected = of_json(export(table, "jsonl", paths))
    assert len(expected) > 40
    assert len({row["file"] for row in expected}) > 10
    for reader, read in READERS.items():
        rows = read(export(table, reader.split(",")[0], paths, "--squares", "wide"))
        assert len(rows) == len(expected), reader
        for row, wanted in zip(rows, expected, strict=True):
            assert row == wanted, reader
            assert list(row) == list(wanted)
    for row, wanted in zip(with_csv(export(table, "csv", paths)), expected, strict=True):
        row = {name: json.loads(value) if name == "tags" else value for name, value in row.items()}
        assert row == {name: as_csv(value) for name, value in wanted.items()}


@pytest.mark.parametrize("table", TABLES)
def test_sqlite_has_the_same_cells(table, export, paths):
    expected = of_json(export(table, "jsonl", paths))
    for row, wanted in zip(with_sqlite(export(table, "sqlite", paths)), expected, strict=True):
        assert {name: of_sqlite(name, row[name], value) for name, value in wanted.items()} == wanted


@pytest.mark.parametrize("extension", ["arrow", "parquet"])
def test_columns_filters_and_limits_are_those_of_csv(extension, export, large):
    options = ["--columns", "text,record,ply", "--player", "cole", "--limit", "20001", "--main-line"]
    expected = with_csv(export("moves", "csv", [large], *options))
    rows = READERS[extension](export("moves", extension, [large], *options))
    assert len(rows) == 20_001
    assert [{name: str(value) for name, value in row.items()} for row in rows] == expected


def test_parquet_says_where_its_rows_come_from_and_finds_keys(export, large):
    path = export("positions", "parquet", [large])
    metadata = dict(duckdb.sql(f"select key, value from parquet_kv_metadata('{path}')").fetchall())
    assert metadata[b"pdn.table"] == b"positions"
    assert metadata[b"pdn.source"] == str(large).encode()
    key = duckdb.sql(f"select * from parquet_metadata('{path}') where path_in_schema = 'key'").df().iloc[0]
    assert key["bloom_filter_length"] > 0
    assert "DICTIONARY" not in key["encodings"]
    first = polars.read_parquet(path)["key"][0]
    found = duckdb.sql(f"select count(*) from '{path}' where key = {first}").fetchall()
    assert found == [(12_000,)]


@pytest.mark.parametrize("extension", ["arrow", "parquet"])
def test_empty_archive_gives_a_file_with_all_columns(extension, export, tmp_path):
    path = tmp_path / "empty.pdn"
    path.write_bytes(b"")
    read = {"arrow": lambda path: pyarrow.ipc.open_file(path).read_all(), "parquet": pyarrow.parquet.read_table}
    table = read[extension](export("games", extension, [path]))
    assert table.num_rows == 0
    assert table.column_names[:3] == ["game", "file", "record"]
