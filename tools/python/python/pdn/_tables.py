"""The methods of `Table` that read it into an object of another library, and those of `Game` that make trees.

Tables are read batch by batch, not as one stream of Arrow: so Ctrl-C is KeyboardInterrupt, which a library that reads a stream would turn into
an error of its own.
"""

from ._errors import Error
from ._pdn import Game, Table

# As in `typing`, which takes longer to import than the module `pdn`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._pdn import Position
    from ._tree import GameTree


def to_polars(self: Table) -> object:
    """Reads the table into a `polars.DataFrame`."""
    try:
        import polars
    except ImportError as error:
        raise ImportError("this takes polars: `pip install polars`") from error
    return polars.concat([polars.DataFrame(self.empty()), *map(polars.DataFrame, self)])


def to_arrow(self: Table) -> object:
    """Reads the table into a `pyarrow.Table`. Dictionaries are unified."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("this takes pyarrow: `pip install pyarrow`") from error
    batches = [pyarrow.record_batch(batch) for batch in self]
    return pyarrow.Table.from_batches(batches, pyarrow.schema(self)).unify_dictionaries()


def to_pandas(self: Table, *, columns: "Sequence[str] | None" = None, strings: str = "dictionary") -> object:
    """Reads the table into a `pandas.DataFrame`; takes pyarrow. Dates are `datetime64`, tags are dictionaries.

    `columns` chooses columns. Words are categories, those that occur; `strings="plain"` gives texts.
    """
    if strings not in ("dictionary", "plain"):
        raise Error('strings: expected "dictionary" or "plain"')
    frame = (self if columns is None else self.select(columns)).to_arrow().to_pandas(date_as_object=False)
    for name, values in frame.items():
        if values.dtype == "category":
            frame[name] = values.cat.remove_unused_categories() if strings == "dictionary" else values.astype(values.cat.categories.dtype)
        elif name == "tags":
            # Of several tags with one name the first counts.
            frame[name] = [None if pairs is None else dict(pairs) | dict(reversed(pairs)) for pairs in values]
    return frame


def _repr_html_(self: Table) -> str:
    """Shows the first five rows in a notebook."""
    from html import escape

    def line(tag: str, cells: "Iterable[object]") -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    rows = self.head(6)
    body = "".join(line("td", ["" if value is None else value for value in row.values()]) for row in rows[:5])
    more = "<br>…" if len(rows) > 5 else ""
    return f"<div style='overflow-x:auto'><table>{line('th', self.schema)}{body}</table>{more}</div>"


def tree(self: Game) -> "GameTree":
    """Returns the game as a tree: its main line and variations with comments, clocks, evaluations and glyphs. Replays the game."""
    from ._tree import tree

    return tree(self)


def from_board(position: "Position") -> "GameTree":
    """Returns a game without moves that begins with a position, as a tree: moves can be added, and `print` writes it as PDN."""
    from ._tree import GameTree

    return GameTree(position)


def add_methods() -> None:
    """Adds these functions to `Table` and `Game` as their methods."""
    for function, method in [(tree, tree), (from_board, staticmethod(from_board))]:
        function.__qualname__, function.__module__ = f"Game.{function.__name__}", "pdn"
        setattr(Game, function.__name__, method)
    for method in (to_polars, to_arrow, to_pandas, _repr_html_):
        method.__qualname__ = f"Table.{method.__name__}"
        method.__module__ = "pdn"
        setattr(Table, method.__name__, method)
