"""The tables as data frames of Spark.

    games = pdn.spark.load(spark, "games", "games.pdn", where="date 1990..")

This takes PySpark 4, and the module `pdn` on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from . import _pdn, _remote
from ._errors import Error
from ._polars import _TABLES

__all__ = ["load"]

_PART_BYTES = 64 << 20
"""The length of a part, unless `partitions` says how many there are."""


def load(spark: Any, table: str, source: Any, *, partitions: int | None = None, **options: Any) -> Any:
    """Returns a table as a data frame of Spark, each partition of which is read by a task of its own.

    `table` is `games`, `moves`, `positions`, `comments` or `diagnostics`, and `source` a path, a pattern, a folder, a URL or a list of these, which
    every machine sees at the same place. `options` are those of the function `pdn.games` and so on: `columns` chooses columns, and `where`
    leaves games out before they are replayed.

    `pdn.split_points` divides the source into about `partitions` parts, by default one for each 64 MiB. It passes each file of several parts
    once, here. A file that cannot be read is an error unless `errors="skip"` leaves it out, and what follows a damaged place; Spark has no list
    of what was skipped, so `skip` is not the default for folders here.

    >>> import pdn.spark
    >>> games = pdn.spark.load(spark, "games", "s3://bucket/*.pdn", columns=["white", "winner"])   # doctest: +SKIP
    >>> games.groupBy("winner").count().show()                                                     # doctest: +SKIP
    """
    try:
        import pyarrow
        from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
    except ImportError as error:
        raise ImportError("this takes PySpark 4 and pyarrow: `pip install pyspark pyarrow`") from error
    make = _TABLES.get(table)
    if make is None:
        raise Error(f"table: expected one of {', '.join(_TABLES)}, not {table!r}")
    errors: Any = options.get("errors") or "raise"
    options |= {"errors": errors, "strings": "plain", "threads": 1}
    # Spark has neither unsigned integers nor bytes of a fixed length.
    types = {pyarrow.uint64(): pyarrow.int64(), pyarrow.binary(16): pyarrow.binary()}
    fields = pyarrow.schema(make(b"", **options))
    schema = from_arrow_schema(pyarrow.schema([field.with_type(types.get(field.type, field.type)) for field in fields]))
    target = to_arrow_schema(schema, timezone="UTC")
    archive = _pdn.open(source, errors=errors)
    if partitions is None:
        partitions = -(-sum(_size(file, errors) for file in archive.files) // _PART_BYTES)
    elif partitions < 1:
        raise Error("partitions: at least 1")
    parts = _pdn.split_points(archive, max(1, partitions), encoding=options.get("encoding"), errors=errors)

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for rows in make(parts[number], **options):
                    # The 64 bits of an integer stay as they are. Spark gives other names to the items of lists.
                    yield pyarrow.record_batch(rows).cast(target, safe=False)

    return spark.range(0, len(parts), 1, len(parts)).mapInArrow(read, schema)


def _size(file: str, errors: str) -> int:
    """Returns the length of a file in bytes; 0 if it cannot be told and the file may be skipped."""
    try:
        return _remote.size(file) if "://" in file else os.path.getsize(file)
    except OSError:
        if errors != "skip":
            raise
        return 0
