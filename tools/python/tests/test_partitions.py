"""Partitions of `pdn export`, as other programs read them: as one table, equal to the single file."""

import functools
import subprocess

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest
from conftest import ARCHIVE, ROOT


@pytest.fixture(scope="module")
def partitioned(command, tmp_path_factory):
    """Exports a table of all fixtures as a single file and by partitions. Returns both paths."""
    folder = tmp_path_factory.mktemp("partitioned")
    (folder / "several.pdn").write_bytes(b"\n".join([ARCHIVE] * 20))
    paths = [folder / "several.pdn", ROOT / "corpora" / "specs"]

    @functools.cache
    def run(table, keys, form="parquet"):
        single, divided = folder / f"{table}-{keys}.{form}", folder / f"{table}-{keys}-{form}"
        for options in [["-o", single], ["-o", divided, "--partition", keys]]:
            done = subprocess.run(
                [command, "export", *paths, "--table", table, "--format", form, "--squares", "wide", "--quiet", *options],
                capture_output=True,
                check=False,
                text=True,
            )
            if "this build of pdn has no" in done.stderr:
                pytest.skip(done.stderr)
            assert done.returncode == 0, done.stderr
        return single, divided

    return run


def plain(table, columns):
    """Returns the rows of a table as dictionaries, sorted; maps and lists as text."""
    rows = [{name: row[name] for name in columns} for row in table.select(columns).to_pylist()]
    return sorted(rows, key=repr)


CASES = [("games", "variant,year"), ("games", "winner,status,month"), ("positions", "variant"), ("diagnostics", "code,severity")]


@pytest.mark.parametrize(("table", "keys"), CASES)
def test_pyarrow_reads_partitions_as_the_single_file(partitioned, table, keys):
    single, divided = partitioned(table, keys)
    expected = pyarrow.parquet.read_table(single, read_dictionary=[])
    types = {"year": pyarrow.int16(), "month": pyarrow.int16()}
    schema = pyarrow.schema([(key, types.get(key, pyarrow.string())) for key in keys.split(",")])
    partitioning = pyarrow.dataset.partitioning(schema, flavor="hive")
    found = pyarrow.dataset.dataset(divided, partitioning=partitioning).to_table()
    assert found.num_rows == expected.num_rows > 40
    assert set(found.column_names) == set(expected.column_names)
    assert plain(found, expected.column_names) == plain(expected, expected.column_names)


@pytest.mark.parametrize(("table", "keys"), CASES)
def test_polars_and_duckdb_read_partitions_as_the_single_file(partitioned, table, keys):
    single, divided = partitioned(table, keys)
    expected = polars.read_parquet(single)
    texts = [polars.col(key).cast(polars.String) for key in keys.split(",")]
    columns = expected.columns
    wanted = sorted(expected.with_columns(texts).rows(), key=repr)
    with_polars = polars.read_parquet(f"{divided}/**/*.parquet", hive_partitioning=True)
    assert sorted(with_polars.select(columns).with_columns(texts).rows(), key=repr) == wanted
    files = f"read_parquet('{divided}/**/*.parquet', hive_partitioning = true)"
    names = ", ".join(f'cast("{name}" as varchar) as "{name}"' if name in keys.split(",") else f'"{name}"' for name in columns)
    with_duckdb = duckdb.sql(f"select {names} from {files}").fetchall()
    single_rows = duckdb.sql(f"select {names} from '{single}'").fetchall()
    assert sorted(with_duckdb, key=repr) == sorted(single_rows, key=repr)


def test_missing_year_is_a_null_and_years_are_numbers(partitioned):
    single, divided = partitioned("games", "variant,year")
    assert (divided / "variant=international" / "year=__HIVE_DEFAULT_PARTITION__").is_dir()
    files = f"read_parquet('{divided}/**/*.parquet', hive_partitioning = true)"
    question = "select count(*), count(year), min(year) from "
    assert duckdb.sql(question + files).fetchall() == duckdb.sql(f"{question} '{single}'").fetchall()
    years = polars.read_parquet(f"{divided}/**/*.parquet", hive_partitioning=True)["year"]
    assert years.dtype.is_integer() and 0 < years.null_count() < len(years)


def test_a_partition_has_its_rows_in_the_order_of_the_archive(partitioned):
    _, divided = partitioned("positions", "variant")
    rows = pyarrow.parquet.read_table(divided / "variant=international" / "part-00000.parquet", partitioning=None)
    assert "variant" not in rows.column_names
    of_several = [(row["record"], row["ply"]) for row in rows.to_pylist() if row["file"].endswith("several.pdn")]
    assert len(of_several) > 100 and of_several == sorted(of_several)


def test_arrow_partitions_are_read_by_pyarrow(partitioned):
    single, divided = partitioned("games", "variant,year", "arrow")
    expected = pyarrow.ipc.open_file(single).read_all()
    schema = pyarrow.schema([("variant", pyarrow.string()), ("year", pyarrow.int16())])
    partitioning = pyarrow.dataset.partitioning(schema, flavor="hive")
    rows = [
        row
        for fragment in pyarrow.dataset.dataset(divided, format="ipc", partitioning=partitioning).get_fragments()
        for row in fragment.to_table(schema=pyarrow.unify_schemas([fragment.physical_schema, schema])).to_pylist()
    ]
    assert sorted(({name: row[name] for name in expected.column_names} for row in rows), key=repr) == plain(
        expected, expected.column_names
    )
