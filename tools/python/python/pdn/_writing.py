"""`convert`, `fix` and `dedup`: the functions that write archives.

Each asks the same question as the command of its name, and the answer has the keys of its `--json`. So there is one place that decides
what is written, and what a summary counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, overload

from . import _pdn

if TYPE_CHECKING:
    from ._pdn import Index, _Rows
    from .types import ConvertResult, DedupResult, FixResult, UndoResult

_Path: TypeAlias = str | os.PathLike[str]
_Words: TypeAlias = str | Iterable[str]

def convert(
    source: _Rows,
    output: _Path | None = None,
    *,
    where: str | None = None,
    # begin options of convert
    overwrite: bool = False,
    rejects: _Path | None = None,
    others: _Path | None = None,
    split: _Words = (),
    names: _Path | None = None,
    fix: bool = False,
    unsafe: bool = False,
    strip: _Words = (),
    notation: Literal["numeric", "algebraic", "hub"] | None = None,
    captures: Literal["short", "full", "3.1"] | None = None,
    fen_style: Literal["pdn", "hub"] = "pdn",
    program: str | None = None,
    width: int | None = None,
    add: _Words = (),
    variations_as_games: bool = False,
    keep_untagged: bool = False,
    sort: _Words = (),
    shuffle: int | None = None,
    limit: int = 0,
    sample: int | None = None,
    seed: int | None = None,
    memory: str | int = "128M",
    # end options of convert
    variant: str | None = None,
    encoding: str | None = None,
    scores: Literal["first", "white"] | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> ConvertResult:
    """Writes games of any archives as one clean archive, or several, and returns what became of each.

    `output` is a file or, with `split`, a folder; without it, the games are returned as `text`. `where` is a query; the games
    that it leaves out go to `others`. Games that cannot be written without a loss go to `rejects`. `program` is the program
    that the games are for. Other arguments are the options of `pdn convert`, and the result has the keys of its
    `--json`. No existing file is replaced without `overwrite`, and no input ever.

    >>> import pdn
    >>> result = pdn.convert(b'[White "Ames"] 1.32-28 {quiet} 19-23 *', strip="comments")
    >>> result["read"], result["written"], result["text"].splitlines()[-1]
    (1, 1, '1. 32-28 19-23 *')
    """
    return cast("ConvertResult", _pdn.convert(**locals()))


@overload
def fix(
    source: _Rows,
    *,
    # begin options of fix
    write: bool = False,
    names: _Path | None = None,
    unsafe: bool = False,
    select: _Words = (),
    ignore: _Words = (),
    # end options of fix
    undo: None = None,
    variant: str | None = None,
    encoding: str | None = None,
    scores: Literal["first", "white"] | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> FixResult: ...
@overload
def fix(*, undo: _Path) -> UndoResult: ...
def fix(
    source: _Rows | None = None,
    *,
    # begin options of fix
    write: bool = False,
    names: _Path | None = None,
    unsafe: bool = False,
    select: _Words = (),
    ignore: _Words = (),
    # end options of fix
    undo: _Path | None = None,
    variant: str | None = None,
    encoding: str | None = None,
    scores: Literal["first", "white"] | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> FixResult | UndoResult:
    r"""Finds repairs of damaged games, each with its proof, and makes them with `write=True`.

    A file that is changed is replaced as a whole, and a journal is written next to it; `pdn.fix(undo=journal)` takes the
    changes back. Bytes in memory are not changed: the result has the repaired ones as `data`. `unsafe` also makes repairs that
    change the meaning of a damaged game. `select` and `ignore` are codes of diagnostics or beginnings of codes. `names` is
    a file that `pdn names` wrote.

    >>> import pdn
    >>> result = pdn.fix(b'[Date "2003-5-1"]\n\n1. 32-28 19-23 *\n', write=True)
    >>> for repair in result["repairs"]:
    ...     print(repair["code"], repair["applicability"], repair["edits"])
    T025 safe [{'at': 7, 'old': '2003-5-1', 'new': '2003.05.01'}]
    >>> result["data"].splitlines()[0]
    b'[Date "2003.05.01"]'
    """
    given = {name: value for name, value in locals().items() if name != "undo"}
    if undo is not None:
        if any(value not in (None, False, ()) for value in given.values()):
            raise TypeError("undo is given alone, without other arguments")
        file, changes = _pdn.undo_fix(undo)
        return {"file": str(file), "changes": changes}
    if source is None:
        raise TypeError("an archive is needed, or undo")
    return cast("FixResult", _pdn.fix(**given))


def dedup(
    source: _Rows,
    *,
    against: _Path | Index | None = None,
    # begin options of dedup
    keep: Literal["best", "first", "last"] = "best",
    classes: _Words = "exact",
    flipped: bool = False,
    mirrored: bool = False,
    shifted: bool = False,
    output: _Path | None = None,
    duplicates: _Path | None = None,
    overwrite: bool = False,
    share_tags: bool = False,
    explain: bool = False,
    # end options of dedup
    limit: int | None = None,
    variant: str | None = None,
    encoding: str | None = None,
    scores: Literal["first", "white"] | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> DedupResult:
    """Finds records of the same game, and writes archives without them.

    `output` is a file for the games that stay, `duplicates` one for those that are removed: the games of `classes` (`exact`,
    `prefix`, `near`, `same-position`) besides the keeper of each group. `flipped` and `mirrored` also find problems seen from the
    other side and their mirror images. Nothing is removed from the archives that are read. `against` is an
    index of games that are there already. `limit` is the largest number of groups that are returned, 0 for all.

    >>> import pdn
    >>> game = b'[White "Ames"] [Black "Bell"] 1. 32-28 19-23 2. 28x19 14x23 2-0 '
    >>> result = pdn.dedup(game + game)
    >>> result["summary"]["games"], result["summary"]["removed"]
    (2, 1)
    >>> [group] = result["groups"]
    >>> group["class"], group["keeper"]["record"], [other["record"] for other in group["others"]]
    ('exact', 1, [2])
    """
    return cast("DedupResult", _pdn.dedup(**locals()))
