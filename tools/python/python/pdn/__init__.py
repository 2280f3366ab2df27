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

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version

from ._errors import Error, MissingFileError
from ._pdn import (
    Archive,
    Batch,
    Diagnostic,
    Game,
    Hit,
    Index,
    Move,
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
    variants,
)
from ._polars import scan

try:
    __version__ = _version("pdn")
except PackageNotFoundError:
    __version__ = "0.1.0"

__all__ = [
    "Archive",
    "Batch",
    "Diagnostic",
    "Error",
    "Game",
    "Hit",
    "Index",
    "MissingFileError",
    "Move",
    "Position",
    "Replay",
    "Table",
    "Tree",
    "TreeMove",
    "check",
    "comments",
    "diagnostics",
    "games",
    "index",
    "moves",
    "open",
    "perft",
    "positions",
    "scan",
    "variants",
]
