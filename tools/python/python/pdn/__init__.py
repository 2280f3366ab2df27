"""Archives of draughts games (PDN) as games, positions and Arrow tables.

>>> import pdn
>>> archive = b'[White "Ames"] 1. 32-28 19-23 2. 28x19 14x23 2-0'
>>> for game in pdn.open(archive):
...     print(game.white, game.result, game.moves)
Ames 2-0 ['32-28', '19-23', '28x19', '14x23']
>>> for position, move in game.replay():
...     print(move.text, move.captured)
32-28 []
19-23 []
28x19 [23]
14x23 [19]

Tables are streams of Arrow for DuckDB, Polars, pandas and PyArrow:

>>> import polars
>>> polars.DataFrame(pdn.games(archive, columns=["white", "plies"])).rows()
[('Ames', 4)]
"""

from ._errors import Error, IncompleteWarning, MissingFileError
from ._pdn import (
    Archive,
    Batch,
    Diagnostic,
    Endgame,
    Game,
    Hit,
    Index,
    Move,
    Part,
    Position,
    Replay,
    Table,
    Tree,
    TreeMove,
    check,
    comments,
    diagnostics,
    games,
    index,
    moves,
    open,
    perft,
    positions,
    split_points,
    variants,
)
from ._tables import add_methods as _add_methods

_add_methods()

# As in `typing`, which takes longer to import than this module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._dataset import Dataset, DatasetPart, dataset
    from ._polars import scan
    from ._tree import GameTree, Node, new_game
    from ._writing import convert, dedup, fix

    __version__: str

__all__ = [
    "Archive",
    "Batch",
    "Dataset",
    "DatasetPart",
    "Diagnostic",
    "Endgame",
    "Error",
    "Game",
    "GameTree",
    "Hit",
    "IncompleteWarning",
    "Index",
    "MissingFileError",
    "Move",
    "Node",
    "Part",
    "Position",
    "Replay",
    "Table",
    "Tree",
    "TreeMove",
    "check",
    "comments",
    "convert",
    "dataset",
    "dedup",
    "diagnostics",
    "fix",
    "games",
    "index",
    "moves",
    "new_game",
    "open",
    "perft",
    "positions",
    "scan",
    "split_points",
    "variants",
]


# Functions whose modules are imported when they are first asked for, because they load more of the standard library than the
# rest of this module does.
_LATER = {
    "Dataset": "_dataset",
    "DatasetPart": "_dataset",
    "GameTree": "_tree",
    "Node": "_tree",
    "convert": "_writing",
    "dataset": "_dataset",
    "dedup": "_writing",
    "fix": "_writing",
    "new_game": "_tree",
    "scan": "_polars",
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            value = version("pdn")
        elif name == "types":
            from importlib import import_module

            value = import_module(".types", __name__)
        elif name in _LATER:
            from importlib import import_module

            value = getattr(import_module(f".{_LATER[name]}", __name__), name)
        else:
            raise AttributeError(f"module 'pdn' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, "__version__"} - {"TYPE_CHECKING"})
