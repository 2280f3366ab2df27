"""The data sources of Spark. They take PySpark and Java; without them the tests are skipped."""

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
    pdn.spark.register(session)
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
    frame = spark.read.format(f"pdn.{table}").option("partitions", 3).load(str(path))
    assert frame.rdd.getNumPartitions() == 3
    assert frame.columns == FUNCTIONS[table](path).columns
    rows = collected(frame)
    assert sorted(rows, key=order) == sorted(expected(table, path), key=order)


@pytest.mark.parametrize("n", [1, 2, 8])
def test_any_number_of_partitions_gives_the_same_rows(spark, games_file, n):
    moves = spark.read.format("pdn.moves").option("partitions", n).load(f"file://{games_file}")
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


def test_columns_are_chosen_by_the_schema(spark, games_file):
    reader = spark.read.format("pdn.games")
    frame = reader.schema("white string, record bigint, tags map<string,string>").load(str(games_file))
    assert frame.columns == ["white", "record", "tags"]
    assert tuple(frame.orderBy("record").first())[:2] == ("Ames, Ann", 1)
    with pytest.raises(PySparkException, match="`?record`?'? has the type bigint, not int"):
        reader.schema("record int").load(str(games_file)).count()
    with pytest.raises(PySparkException, match="colour"):
        reader.schema("colour string").load(str(games_file)).count()


FILTERS = [
    "white = 'Ames, Ann'",
    "white = 'ames ann'",
    "white = '?' or black = 'Dunn'",
    "black = 'Dunn' and plies > 3",
    "year >= 1997",
    "white_rating > 2215",
    "variant = 'russian'",
    "status = 'illegal'",
    "winner = 'white'",
    "white is null",
    "not white = 'Cole'",
]


def test_filters_of_a_data_frame_do_not_stay_with_the_table(spark, archive):
    """Every filter is evaluated on all rows, whatever other filters the same relation was asked for before."""
    frame = spark.read.format("pdn.games").load(str(archive))
    rows = expected("games", archive)
    columns = pdn.games(archive).columns
    assert frame.count() == len(rows) == 3
    plain = spark.createDataFrame(
        [tuple(row[columns.index(name)] for name in ["record", "white", "black", "year", "plies", "white_rating"]) for row in rows],
        "record long, white string, black string, year int, plies int, white_rating int",
    )
    for condition in FILTERS:
        if not {"variant", "status", "winner"} & set(condition.split()):
            wanted = sorted(collected(plain.filter(condition).select("record")))
            assert sorted(collected(frame.filter(condition).select("record"))) == wanted, condition
        frame.filter(condition).count()
        assert frame.count() == 3, condition
    both = frame.filter("white = 'Cole'").union(frame.filter("year = 1996"))
    assert sorted(row["record"] for row in both.collect()) == [1, 2]
    assert frame.groupBy("status").count().count() == 2


def test_default_partitions_follow_the_length_of_all_files(tmp_path, monkeypatch):
    monkeypatch.setattr(pdn.spark, "_PART_BYTES", 4 * len(ARCHIVE))
    for name in ["a.pdn", "b.pdn"]:
        (tmp_path / name).write_bytes(b"\n".join([ARCHIVE] * 8))
    recipe = pdn.spark._Recipe("games", None, None, None, "raise", "u64", False, False, False)
    reader = pdn.spark._TableReader(recipe, None, [str(tmp_path)], None)
    assert 4 <= len(reader.partitions()) <= 6


def test_options_are_those_of_the_functions(spark, tmp_path):
    path = tmp_path / "games.pdn"
    path.write_bytes(ARCHIVE)
    moves = spark.read.format("pdn.moves").option("main_line", "true").option("where", "white : ames").load(str(path))
    assert moves.count() == len(expected("moves", path, main_line=True, where="white : ames")) == 5
    strict = spark.read.format("pdn.diagnostics").option("strict", True).load(str(path))
    assert strict.count() == len(expected("diagnostics", path, strict=True))
    wide = spark.read.format("pdn.positions").option("squares", "wide").load(str(path))
    first = wide.orderBy("record", "ply").first()
    assert len(first["white_men"]) == 16


def test_unreadable_files_of_a_folder_are_errors_unless_they_may_be_skipped(spark, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.pdn").write_bytes(ARCHIVE)
    with zipfile.ZipFile(folder / "program.zip", "w") as target:
        target.writestr("readme.txt", "no games")
    read = spark.read.format("pdn.games")
    assert read.load(str(folder)).count() == 3
    (folder / "cut.pdn.gz").write_bytes(gzip.compress(ARCHIVE * 9)[:-30])
    (folder / "dead.pdn").symlink_to(folder / "nowhere.pdn")
    with pytest.raises(PySparkException, match="cut.pdn.gz|dead.pdn"):
        read.load(str(folder)).count()
    assert spark.read.format("pdn.games").option("errors", "skip").load(str(folder)).count() >= 3
    assert pdn.spark.load(spark, "games", str(folder), partitions=3, errors="skip").count() >= 3


def test_packed_files_folders_and_lists_are_read(spark, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.pdn").write_bytes(ARCHIVE)
    (folder / "b.pdn.gz").write_bytes(gzip.compress(ARCHIVE * 100))
    read = spark.read.format("pdn.games").option("partitions", 4)
    assert read.load(str(folder)).count() == 303
    packed = read.load(str(folder / "b.pdn.gz"))
    assert (packed.count(), packed.rdd.getNumPartitions()) == (300, 1)
    assert read.load([str(folder / "a.pdn"), str(folder / "b.pdn.gz")]).count() == 303


@pytest.mark.parametrize("n", [1, 2, 8])
def test_parts_found_by_tasks_are_those_found_by_one_process(spark, tmp_path, n):
    """A long comment full of games in the middle: a task guesses wrong there, and its chunk is scanned again."""
    games = b"\n".join([ARCHIVE] * 50)
    comment = b"{" + b'\n[White "no"]\n1. 3-4 *\n' * 2_000 + b"} *\n"
    (tmp_path / "a.pdn").write_bytes(games + b"\n1. 32-28 " + comment + games)
    (tmp_path / "b.pdn.gz").write_bytes(gzip.compress(ARCHIVE))
    (tmp_path / "c.pdn").write_bytes(ARCHIVE)
    files = [str(tmp_path / name) for name in ["a.pdn", "b.pdn.gz", "c.pdn"]]
    moves = pdn.spark.load(spark, "moves", files, partitions=n, main_line=True)
    parts = pdn.split_points(files, n)
    assert moves.rdd.getNumPartitions() == len(parts)
    assert sorted(collected(moves), key=order) == sorted(expected("moves", files, main_line=True), key=order)


def test_urls_are_read_through_fsspec(spark, tmp_path):
    """`local` is a name of fsspec for the file system, which every executor has."""
    path = tmp_path / "games.pdn"
    path.write_bytes(b"\n".join([ARCHIVE] * 40))
    url = f"local://{path}"
    wanted = sorted((row[2:] for row in expected("games", path)), key=order)
    by_process = spark.read.format("pdn.games").option("partitions", 3).load(url)
    by_tasks = pdn.spark.load(spark, "games", url, partitions=3)
    for frame in [by_process, by_tasks]:
        assert frame.rdd.getNumPartitions() == 3
        rows = collected(frame)
        assert {row[1] for row in rows} == {url}
        assert sorted((row[2:] for row in rows), key=order) == wanted


def test_killed_executor_changes_nothing(spark, games_file, tmp_path):
    """An executor is killed after it has read a part of its rows; a file makes sure that this happens once."""
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("the executors of this master are no processes of their own")
    marker = tmp_path / "killed"

    class Reader(pdn.spark._TableReader):
        def read(self, partition):
            for number, batch in enumerate(super().read(partition)):
                yield batch
                if number == 0 and not marker.exists():
                    marker.touch()
                    # This process is a child of the daemon of Python, which is one of the executor.
                    with open(f"/proc/{os.getppid()}/stat") as stat:
                        executor = int(stat.read().rpartition(")")[2].split()[1])
                    os.kill(executor, signal.SIGKILL)
                    time.sleep(60)

    class Source(pdn.spark._Moves):
        @classmethod
        def name(cls):
            return "killing.moves"

        def reader(self, schema):
            reader = super().reader(schema)
            return Reader(reader.recipe, reader.schema, reader.files, reader.number, reader.parts)

    spark.dataSource.register(Source)
    sums = ["count(*)", "sum(record)", "sum(ply)", "bit_xor(key)"]

    def answer(form):
        return collected(spark.read.format(form).option("partitions", 4).load(str(games_file)).selectExpr(*sums))

    wanted = answer("pdn.moves")
    assert answer("killing.moves") == wanted
    assert marker.exists()


def test_mistakes_are_explained(spark, tmp_path, archive):
    read = spark.read.format("pdn.games")
    for frame, message in [
        (lambda: read.load(str(tmp_path / "none.pdn")), "none.pdn"),
        (lambda: read.load("strange://bucket/games.pdn"), "strange://bucket/games.pdn: .*[Pp]rotocol"),
        (lambda: read.option("where", "white wiersma").load(str(archive)), "expected `:`"),
        (lambda: spark.read.format("pdn.games").option("colour", "red").load(str(archive)), "'colour'"),
        (lambda: spark.read.format("pdn.games").option("partitions", "0").load(str(archive)), "'partitions'"),
        (lambda: spark.read.format("pdn.games").option("strict", "maybe").load(str(archive)), "'strict'"),
    ]:
        with pytest.raises(PySparkException, match=message):
            frame().count()
