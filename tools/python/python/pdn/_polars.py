"""`scan`: a table as a lazy frame of Polars, which asks for the columns and rows that it needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from . import _pdn
from ._errors import Error

if TYPE_CHECKING:
    import polars

_TABLES = {
    "games": _pdn.games,
    "moves": _pdn.moves,
    "positions": _pdn.positions,
    "comments": _pdn.comments,
    "diagnostics": _pdn.diagnostics,
}


def scan(
    source: Any,
    table: Literal["games", "moves", "positions", "comments", "diagnostics"] = "games",
    *,
    where: str | None = None,
    **options: Any,
) -> polars.LazyFrame:
    """Returns a table as a `polars.LazyFrame`.

    Polars reads the columns that a query uses, and no others, and stops after the rows that it needs. `where` is a query of
    pdn, which chooses games before they are replayed. `options` are those of the function of the table. If files of a folder could not be
    read, a `pdn.IncompleteWarning` lists them; `errors="raise"` makes them errors.

    >>> import pdn, polars
    >>> archive = b'[White "Ames"] 1. 32-28 * [White "Bell"] 1. 33-29 19-23 *'
    >>> pdn.scan(archive).filter(polars.col("plies") > 1).select("white").collect()["white"].to_list()
    ['Bell']
    """
    try:
        import polars
        from polars.io.plugins import register_io_source
    except ImportError:
        raise ImportError("this takes polars: `pip install polars`") from None

    make = _TABLES.get(table)
    if make is None:
        raise Error(f"table: expected one of {', '.join(_TABLES)}, not {table!r}")
    whole = make(source, where=where, **options)

    def frames(
        columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        wanted = whole.columns if columns is None else columns
        needed = list(wanted)
        if predicate is not None:
            needed += [name for name in predicate.meta.root_names() if name not in needed]
        # Without a column there would be no rows to count.
        rows = whole.select(needed or whole.columns[:1])
        # Polars counts rows before the predicate.
        for batch in rows if n_rows is None else rows.limit(n_rows):
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame.select(wanted)

    return register_io_source(frames, schema=polars.DataFrame(whole.empty()).schema)
