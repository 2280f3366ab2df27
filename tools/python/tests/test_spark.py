"""The tables as data frames of Spark. They take PySpark and Java; without them the tests are skipped."""

import gzip
import os
import shutil
import signal
import sys
import time
import zipfile

import pytest
from conftest import ARCHIVE

import pdn
import pdn.spark

pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("no Java", allow_module_level=True)

import pyarrow  # noqa: E402
from pyspark.errors import PySparkException  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

FUNCTIONS = {
    "games": pdn.games,
    "moves": pdn.moves,
    "positions": pdn.positions,
    "comments": pdn.comments,
    "diagnostics": pdn.diagnostics,
}


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """A session with two executors in processes of their own."""
    folder = tmp_path_factory.mktemp("spark")
    os.environ.update(
        SPARK_LOCAL_IP="127.0.0.1",
        SPARK_LOCAL_DIRS=str(folder),
        SPARK_WORKER_DIR=str(folder / "work"),
        PYSPARK_PYTHON=sys.executable,
        PYSPARK_DRIVER_PYTHON=sys.executable,
    )
    builder = SparkSession.builder.master(os.environ.get("PDN_SPARK_MASTER", "local-cluster[2,1,1024]"))
    builder = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
    builder = builder.config("spark.sql.session.timeZone", "UTC")
    session = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse")).getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def games_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.pdn"
    path.write_bytes(b"\n".join([ARCHIVE] * 1_500))
    return path


def signed(value):
    """Returns a value of an Arrow table as Spark has it."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1 << 63:
        return value - (1 << 64)
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return dict(value)
    return value


def expected(table, path, **options):
    rows = pyarrow.table(FUNCTIONS[table](path, strings="plain", **options))
    return [tuple(map(signed, row.values())) for row in rows.to_pylist()]


def collected(frame):
    return [tuple(row) for row in frame.collect()]


def order(row):
    return repr(row)


@pytest.mark.parametrize("table", FUNCTIONS)
def test_rows_are_those_of_one_machine(spark, tmp_path, table):
    path = tmp_path / "games.pdn"
    path.write_bytes(b"\n".join([ARCHIVE] * 20))
    frame = pdn.spark.load(spark, table, path, partitions=3)
    assert frame.rdd.getNumPartitions() == 3
    assert frame.columns == FUNCTIONS[table](path).columns
    assert sorted(collected(frame), key=order) == sorted(expected(table, path), key=order)


@pytest.mark.parametrize("n", [1, 2, 8])
def test_any_number_of_partitions_gives_the_same_rows(spark, games_file, n):
    moves = pdn.spark.load(spark, "moves", f"file://{games_file}", partitions=n)
    assert moves.rdd.getNumPartitions() == n
    sums = moves.selectExpr("count(*)", "sum(record)", "sum(ply)", "sum(from) - sum(to)", "bit_xor(key)", "sum(size(captured))")
    table = pyarrow.table(pdn.moves(games_file, columns=["record", "ply", "from", "to", "key", "captured"]))
    column = {name: table[name].to_pylist() for name in table.column_names}
    key = 0
    for value in column["key"]:
        key ^= value
    squares = sum(column["from"]) - sum(column["to"])
    captured = sum(map(len, column["captured"]))
    assert collected(sums) == [
        (table.num_rows, sum(column["record"]), sum(column["ply"]), squares, signed(key), captured)
    ]


def test_columns_and_conditions_are_chosen_as_elsewhere(spark, games_file):
    columns = ["white", "record", "tags"]
    frame = pdn.spark.load(spark, "games", games_file, columns=columns, where="white : ames")
    assert frame.columns == columns
    assert sorted(collected(frame), key=order) == sorted(expected("games", games_file, columns=columns, where="white : ames"), key=order)
    assert tuple(frame.orderBy("record").first())[:2] == ("Ames, Ann", 1)


def test_one_frame_is_filtered_in_several_ways(spark, archive):
    frame = pdn.spark.load(spark, "games", archive)
    rows = expected("games", archive)
    columns = pdn.games(archive).columns
    assert frame.count() == len(rows) == 3
    names = ["record", "white", "black", "year", "plies", "white_rating"]
    plain = spark.createDataFrame(
        [tuple(row[columns.index(name)] for name in names) for row in rows],
        "record long, white string, black string, year int, plies int, white_rating int",
    )
    for condition in ["white = 'Ames, Ann'", "black = 'Dunn' and plies > 3", "year >= 1997", "white is null", "not white = 'Cole'"]:
        wanted = sorted(collected(plain.filter(condition).select("record")))
        assert sorted(collected(frame.filter(condition).select("record"))) == wanted, condition
        assert frame.count() == 3, condition
    both = frame.filter("white = 'Cole'").union(frame.filter("year = 1996"))
    assert sorted(row["record"] for row in both.collect()) == [1, 2]


def test_small_files_share_partitions(spark, tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number}.pdn").write_bytes(ARCHIVE)
    frame = pdn.spark.load(spark, "games", folder)
    assert (frame.rdd.getNumPartitions(), frame.count()) == (1, 900)
    monkeypatch.setattr(pdn.spark, "_PART_BYTES", 60 * len(ARCHIVE))
    frame = pdn.spark.load(spark, "games", folder)
    assert 4 <= frame.rdd.getNumPartitions() <= 6
    assert frame.count() == 900


def test_options_are_those_of_the_functions(spark, tmp_path):
    path = tmp_path / "games.pdn"
    path.write_bytes(ARCHIVE)
    moves = pdn.spark.load(spark, "moves", path, main_line=True, where="white : ames")
    assert moves.count() == len(expected("moves", path, main_line=True, where="white : ames")) == 5
    strict = pdn.spark.load(spark, "diagnostics", path, strict=True)
    assert strict.count() == len(expected("diagnostics", path, strict=True))
    wide = pdn.spark.load(spark, "positions", path, squares="wide")
    assert sorted(collected(wide), key=order) == sorted(expected("positions", path, squares="wide"), key=order)
    assert len(wide.orderBy("record", "ply").first()["white_men"]) == 16


def test_unreadable_files_of_a_folder_are_errors_unless_they_may_be_skipped(spark, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.pdn").write_bytes(ARCHIVE)
    with zipfile.ZipFile(folder / "program.zip", "w") as target:
        target.writestr("readme.txt", "no games")
    assert pdn.spark.load(spark, "games", folder).count() == 3
    (folder / "cut.pdn.gz").write_bytes(gzip.compress(ARCHIVE * 9)[:-30])
    (folder / "dead.pdn").symlink_to(folder / "nowhere.pdn")
    with pytest.raises((pdn.Error, OSError, PySparkException), match="cut.pdn.gz|dead.pdn"):
        pdn.spark.load(spark, "games", folder).count()
    for partitions in [None, 1, 3]:
        assert pdn.spark.load(spark, "games", folder, partitions=partitions, errors="skip").count() >= 3


def test_packed_files_folders_and_lists_are_read(spark, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.pdn").write_bytes(ARCHIVE)
    (folder / "b.pdn.gz").write_bytes(gzip.compress(ARCHIVE * 100))
    assert pdn.spark.load(spark, "games", folder, partitions=4).count() == 303
    packed = pdn.spark.load(spark, "games", folder / "b.pdn.gz", partitions=4)
    assert (packed.count(), packed.rdd.getNumPartitions()) == (300, 1)
    assert pdn.spark.load(spark, "games", [folder / "a.pdn", str(folder / "b.pdn.gz")]).count() == 303


@pytest.mark.parametrize("n", [1, 2, 8])
def test_comment_full_of_games_belongs_to_one_record(spark, tmp_path, n):
    games = b"\n".join([ARCHIVE] * 50)
    comment = b"{" + b'\n[White "no"]\n1. 3-4 *\n' * 2_000 + b"} *\n"
    (tmp_path / "a.pdn").write_bytes(games + b"\n1. 32-28 " + comment + games)
    (tmp_path / "b.pdn.gz").write_bytes(gzip.compress(ARCHIVE))
    (tmp_path / "c.pdn").write_bytes(ARCHIVE)
    files = [str(tmp_path / name) for name in ["a.pdn", "b.pdn.gz", "c.pdn"]]
    moves = pdn.spark.load(spark, "moves", files, partitions=n, main_line=True)
    assert moves.rdd.getNumPartitions() == len(pdn.split_points(files, n))
    assert sorted(collected(moves), key=order) == sorted(expected("moves", files, main_line=True), key=order)


def test_urls_are_read_through_fsspec(spark, tmp_path):
    """`local` is a name of fsspec for the file system, which every executor has."""
    path = tmp_path / "games.pdn"
    path.write_bytes(b"\n".join([ARCHIVE] * 40))
    url = f"local://{path}"
    frame = pdn.spark.load(spark, "games", url, partitions=3)
    assert frame.rdd.getNumPartitions() == 3
    rows = collected(frame)
    assert {row[1] for row in rows} == {url}
    wanted = sorted((row[2:] for row in expected("games", path)), key=order)
    assert sorted((row[2:] for row in rows), key=order) == wanted


def test_killed_executor_changes_nothing(spark, games_file, tmp_path):
    """An executor is killed after it has read a part of its rows; a file makes sure that this happens once."""
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("the executors of this master are no processes of their own")
    marker = tmp_path / "killed"

    def kill_once(batches):
        for number, batch in enumerate(batches):
            yield batch
            if number == 0 and not marker.exists():
                marker.touch()
                # This process is a child of the daemon of Python, which is one of the executor.
                with open(f"/proc/{os.getppid()}/stat") as stat:
                    executor = int(stat.read().rpartition(")")[2].split()[1])
                os.kill(executor, signal.SIGKILL)
                time.sleep(60)

    moves = pdn.spark.load(spark, "moves", games_file, partitions=4)
    sums = ["count(*)", "sum(record)", "sum(ply)", "bit_xor(key)"]
    killing = moves.mapInArrow(kill_once, moves.schema)
    wanted = collected(moves.selectExpr(*sums))
    assert collected(killing.selectExpr(*sums)) == wanted
    assert marker.exists()


def test_mistakes_are_explained(spark, tmp_path, archive):
    def load(source=archive, table="games", **options):
        return lambda: pdn.spark.load(spark, table, source, **options)

    for frame, message in [
        (load(tmp_path / "none.pdn"), "none.pdn"),
        (load("strange://bucket/games.pdn"), "strange://bucket/games.pdn: .*[Pp]rotocol"),
        (load(where="white wiersma"), "expected `:`"),
        (load(colour="red"), "colour"),
        (load(partitions=0), "partitions: at least 1"),
        (load(strict="maybe", table="diagnostics"), "strict"),
        (load(columns=["colour"]), "colour"),
        (load(table="people"), "people"),
    ]:
        with pytest.raises((pdn.Error, TypeError, OSError, ValueError), match=message):
            frame()
