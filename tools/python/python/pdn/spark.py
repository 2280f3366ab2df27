"""The tables as data sources of Spark: `pdn.games`, `pdn.moves`, `pdn.positions`, `pdn.comments` and `pdn.diagnostics`.

    pdn.spark.register(spark)
    spark.read.format("pdn.games").load("games.pdn")

This takes PySpark 4, and the module `pdn` on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from . import _pdn
from ._errors import Error

try:
    from pyspark.sql import datasource as _datasource
    from pyspark.sql import types as _types

    _Source: Any = _datasource.DataSource
    _Reader: Any = _datasource.DataSourceReader
    _missing: ImportError | None = None
except ImportError as _error:
    _Source = _Reader = object
    _missing = _error

__all__ = ["load", "register"]

_PART_BYTES = 64 << 20
"""The length of a part, unless the option `partitions` says how many there are."""

_OPTIONS = {
    "path",
    "paths",
    "partitions",
    "parts",
    "where",
    "variant",
    "encoding",
    "errors",
    "squares",
    "main_line",
    "strict",
    "mmap",
}


def register(spark: Any) -> None:
    """Registers the tables with a session of Spark, as formats of `spark.read`.

    >>> import pdn.spark
    >>> pdn.spark.register(spark)                                           # doctest: +SKIP
    >>> games = spark.read.format("pdn.games").option("where", "date 1990..").load("games.pdn")   # doctest: +SKIP
    >>> games.groupBy("winner").count().show()                              # doctest: +SKIP

    The option `where` leaves games out before they are replayed. Filters of Spark are evaluated on all rows: with PySpark 4, a source that
    takes filters would keep those of one data frame for every other that is made of it.

    `.schema("record bigint, white string")` chooses columns, with the types that `printSchema` shows. `load` takes paths,
    patterns and folders that every machine sees at the same place, and URLs that fsspec opens on every machine. One process
    passes every file to find the parts; `pdn.spark.load` lets tasks do that. Options:

    - `partitions`: the number of parts that the files are divided into; by default, one for each 64 MiB
    - `where`: a query in the language of `pdn find`, such as `white ~ wiersma and date 1970..`
    - `variant`, `encoding`, `squares`, `mmap`: as in `pdn.games` and `pdn.positions`
    - `errors`: `raise`, the default, or `skip`, which leaves out files that cannot be read, and what follows a damaged place; Spark has no
      list of what was skipped, so `skip` is not the default for folders here
    - `main_line`: true leaves variations out of `pdn.moves`; `strict`: true adds style to `pdn.diagnostics`
    """
    if _missing is not None:
        raise ImportError("this takes PySpark 4: `pip install pyspark`") from _missing
    for source in (_Games, _Moves, _Positions, _Comments, _Diagnostics):
        spark.dataSource.register(source)


def load(spark: Any, table: str, path: str | Sequence[str], *, partitions: int | None = None, **options: Any) -> Any:
    """Returns a table as a data frame of Spark, with parts of the files that tasks have found.

    It is like `spark.read.format("pdn.games").load(path)`, where one process passes all files first. Here, each task of a job
    passes a chunk of at most 64 MiB, and the results are chained: for files that no single machine should read as a whole.
    `path` is a path, a pattern, a folder, a URL or a list of these. `options` are those of `register`.

    >>> import pdn.spark
    >>> games = pdn.spark.load(spark, "games", "s3://bucket/games.pdn", partitions=1000)   # doctest: +SKIP
    """
    register(spark)
    context = spark.sparkContext
    encoding = options.get("encoding")
    paths = [path] if isinstance(path, str) else list(path)
    errors = options.get("errors", "raise")
    files = [(file, _size(file, errors)) for file in _pdn.open([_local(path) for path in paths], errors=errors).files]
    shares = _shares([length for _, length in files], partitions)
    heads = context.parallelize(files, len(files)).map(lambda item: _head(item, encoding, errors)).collect()
    # The chunks of files that can be divided; all of them are scanned at once.
    chunks = [
        (*file, start, end)
        for file, share, head in zip(files, shares, heads, strict=True)
        if head is not None and share > 1
        for start, end in _pdn.chunks(file[1], share)
    ]
    scanned = context.parallelize(chunks, len(chunks)).map(lambda chunk: _pdn.scan_chunk(*chunk)).collect() if chunks else []
    scans = iter(scanned)
    parts: list[tuple[Any, ...]] = []
    for (file, length), share, head in zip(files, shares, heads, strict=True):
        if head is None:
            # It is packed, or cannot be divided.
            parts.append((file, 0, None, 1, 1, length, ""))
            continue
        if share == 1:
            parts.append((file, 0, length, 1, 1, length, head))
            continue
        ranges = _pdn.chunks(length, share)
        own = [next(scans) for _ in ranges]

        def rescan(number: int, record: int) -> Any:
            chunk = (file, length, *ranges[number], record)
            return context.parallelize([chunk], 1).map(lambda chunk: _pdn.scan_chunk(*chunk)).collect()[0]

        chained = _pdn.chain_chunks(file, length, share, head, own, rescan)
        parts.extend(part.__getnewargs__() for part in chained)
    reader = spark.read.format(f"pdn.{table}").option("parts", json.dumps(parts))
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load()


def _head(item: tuple[str, int], encoding: str | None, errors: Any) -> str | None:
    """Returns the head of a file; None if it cannot be divided, and if it cannot be read but may be skipped."""
    try:
        return _pdn.file_head(item[0], item[1], encoding)
    except Error:
        if errors != "skip":
            raise
        return None


def _size(file: str, errors: Any) -> int:
    """Returns the length of a file in bytes; 0 if it cannot be told and the file may be skipped."""
    import os

    from . import _remote

    try:
        return _remote.size(file) if "://" in file else os.path.getsize(file)
    except OSError:
        if errors != "skip":
            raise
        return 0


def _shares(lengths: Sequence[int], partitions: int | None) -> list[int]:
    """Returns the number of parts of each file: by its length, at least one."""
    total = max(1, sum(lengths))
    number = partitions or max(1, -(-total // _PART_BYTES))
    return [max(1, length * number // total) for length in lengths]


class _Table(_Source):
    """A table of archives."""

    table: str

    def __init__(self, options: Any) -> None:
        self.options = options
        unknown = sorted(name for name in options if name.lower() not in _OPTIONS)
        if unknown:
            raise Error(f"option {unknown[0]!r}: expected one of {', '.join(sorted(_OPTIONS))}")

    @classmethod
    def name(cls) -> str:
        return f"pdn.{cls.table}"

    def schema(self) -> Any:
        return _spark_schema(self._recipe().arrow_schema(None))

    def reader(self, schema: Any) -> Any:
        recipe = self._recipe()
        known = _spark_schema(recipe.arrow_schema([field.name for field in schema.fields]))
        for ours, asked in zip(known.fields, schema.fields, strict=True):
            if ours.dataType.simpleString() != asked.dataType.simpleString():
                raise Error(
                    f"column {ours.name!r} has the type {ours.dataType.simpleString()}, not {asked.dataType.simpleString()}"
                )
        partitions, parts = _number(self.options.get("partitions")), self.options.get("parts")
        if parts is not None:
            return _TableReader(recipe, schema, [], partitions, json.loads(parts))
        return _TableReader(recipe, schema, _files(self.options), partitions)

    def _recipe(self) -> _Recipe:
        text = self.options.get
        return _Recipe(
            self.table,
            text("where"),
            text("variant"),
            text("encoding"),
            text("errors") or "raise",
            text("squares") or "u64",
            _flag("main_line", text("main_line")),
            _flag("strict", text("strict")),
            _flag("mmap", text("mmap")),
        )


class _Games(_Table):
    table = "games"


class _Moves(_Table):
    table = "moves"


class _Positions(_Table):
    table = "positions"


class _Comments(_Table):
    table = "comments"


class _Diagnostics(_Table):
    table = "diagnostics"


class _Recipe:
    """What is read of each part: the table and its options."""

    def __init__(
        self,
        table: str,
        where: str | None,
        variant: str | None,
        encoding: str | None,
        errors: Any,
        squares: str,
        main_line: bool,
        strict: bool,
        mmap: bool,
    ) -> None:
        self.table = table
        self.encoding = encoding
        self.errors = errors
        self.options = {"where": where, "variant": variant, "encoding": encoding, "errors": errors, "mmap": mmap}
        self.options |= {"squares": squares, "main_line": main_line, "strict": strict}

    def of(self, source: Any, columns: Sequence[str] | None) -> _pdn.Table:
        """Returns the table of a part."""
        return _pdn.spark_table(self.table, source, columns=columns, **self.options)

    def arrow_schema(self, columns: Sequence[str] | None) -> Any:
        """Returns the Arrow schema of columns, and checks the options."""
        import pyarrow

        return pyarrow.schema(self.of(b"", columns))


class _TableReader(_Reader):
    """Reads the parts of the files, each in a task of its own."""

    def __init__(
        self, recipe: _Recipe, schema: Any, files: list[str], partitions: int | None, parts: list[Any] | None = None
    ) -> None:
        self.recipe = recipe
        self.schema = schema
        self.files = files
        self.number = partitions
        self.parts = parts

    def partitions(self) -> Sequence[Any]:
        if self.parts is not None:
            return [_datasource.InputPartition(tuple(part)) for part in self.parts]
        # The files that paths, patterns, folders and URLs lead to.
        archive = _pdn.open(self.files, errors=self.recipe.errors)
        number = self.number or max(1, -(-sum(_size(file, self.recipe.errors) for file in archive.files) // _PART_BYTES))
        parts = _pdn.split_points(archive, number, encoding=self.recipe.encoding, errors=self.recipe.errors)
        return [_datasource.InputPartition(part.__getnewargs__()) for part in parts]

    def read(self, partition: Any) -> Iterator[Any]:
        import pyarrow

        target = _arrow_schema(self.schema)
        rows = self.recipe.of(_pdn.Part(*partition.value), [field.name for field in self.schema.fields])
        for batch in pyarrow.RecordBatchReader.from_stream(rows):
            # Spark gives other names to the items of lists.
            columns = [
                column if column.type == field.type else column.cast(field.type)
                for column, field in zip(batch.columns, target, strict=True)
            ]
            yield pyarrow.RecordBatch.from_arrays(columns, schema=target)


def _files(options: Any) -> list[str]:
    """Returns the paths that `load` was given."""
    many, one = options.get("paths"), options.get("path")
    paths = json.loads(many) if many else [one] if one else []
    if not paths:
        raise Error("no archive is named: `.load(PATH)`")
    return [_local(path) for path in paths]


def _local(path: str) -> str:
    """Returns a path of the file system for a path or a URL of a file of this machine; other URLs as they are."""
    from . import _remote

    return _remote.local_path(path) or path


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or int(text) == 0:
        raise Error(f"option 'partitions': expected a number from 1, not {text!r}")
    return int(text)


def _flag(name: str, text: str | None) -> bool:
    if text is None or text.lower() == "false":
        return False
    if text.lower() == "true":
        return True
    raise Error(f"option {name!r}: expected true or false, not {text!r}")


def _spark_schema(schema: Any) -> Any:
    """Returns the schema of Spark for one of Arrow."""
    return _types.StructType([_types.StructField(field.name, _spark_type(field.type), True) for field in schema])


def _spark_type(arrow: Any) -> Any:
    import pyarrow.types

    if pyarrow.types.is_list(arrow):
        return _types.ArrayType(_spark_type(arrow.value_type), True)
    if pyarrow.types.is_map(arrow):
        return _types.MapType(_spark_type(arrow.key_type), _spark_type(arrow.item_type), True)
    return {
        "bool": _types.BooleanType,
        "int16": _types.ShortType,
        "int32": _types.IntegerType,
        "int64": _types.LongType,
        "date32[day]": _types.DateType,
        "string": _types.StringType,
        "binary": _types.BinaryType,
    }[str(arrow)]()


def _arrow_schema(schema: Any) -> Any:
    """Returns the schema of Arrow that Spark expects for one of its own."""
    from pyspark.sql.pandas.types import to_arrow_schema

    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        return to_arrow_schema(schema)

