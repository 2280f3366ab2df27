"""The exceptions of the module."""

# As in `typing`, which takes longer to import than the module `pdn`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Error(Exception):
    """What is wrong with an archive, an index, a query, a column or a position.

    >>> import pdn
    >>> try:
    ...     pdn.games(b"", where="white wiersma")
    ... except pdn.Error as error:
    ...     print(error)
    where: expected `:`, `=`, `~` or `to move`, found `wiersma`
      white wiersma
            ^
    """

    path: str | None = None
    """The path of the file, if the error is about one."""

    at: int | None = None
    """The offset of the part of a query, a FEN or moves that is wrong, in bytes from 0."""

    reason: str | None = None
    """The name of the sentence without its values, such as `expected`, for programs that say it in another language."""

    arguments: "dict[str, Any]" = {}
    """The values in a sentence that has a reason, by their names: texts, numbers, and lists of what is possible."""

    result: "Any" = None
    """What `pdn.convert`, `pdn.fix` or `pdn.dedup` did nevertheless: their result, if one of several inputs cannot be read."""


class MissingFileError(Error, FileNotFoundError):
    """A path that leads to no file."""

    errno: int | None = 2
    """The number of this error in the operating system: `errno.ENOENT`."""
