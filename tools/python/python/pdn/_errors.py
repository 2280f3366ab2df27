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

    @property
    def filename(self) -> str | None:
        """The path, under the name that exceptions of the operating system have for it."""
        return self.path

    errno: int | None = 2
    """The number of this error in the operating system: `errno.ENOENT`."""


class IncompleteWarning(UserWarning):
    """Files were left out, or not read to their end, so that the rows, games or diagnostics are not all.

    Tables, scans, archives, checks and `pdn.index` issue this warning when they have read a folder, or any files with `errors="skip"`, and
    something was left out. `errors="raise"` makes the first such file an error instead.

    >>> import pdn, pathlib, tempfile, warnings
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "picture.pdn").write_bytes(bytes(99)), (folder / "games.pdn").write_text("1. 32-28 *")
    (99, 10)
    >>> with warnings.catch_warnings(record=True) as found:
    ...     frame = pdn.scan(folder).collect()
    >>> [pathlib.Path(error.path).name for error in found[0].message.skipped]
    ['picture.pdn']
    """

    skipped: "list[Error]"
    """The errors of these files."""

    def __init__(self, skipped: "list[Error]") -> None:
        """Creates the warning about these files."""
        super().__init__(skipped)
        self.skipped = skipped

    def __str__(self) -> str:
        listed = [f"\n  {error}" for error in self.skipped[:20]]
        more = len(self.skipped) - len(listed)
        return "left out, or not read to the end:" + "".join(listed) + (f"\n  and {more} more" if more else "")


def warn(skipped: "list[Error]") -> None:
    """Warns of files that were left out."""
    import warnings

    # Where the caller of the extension is.
    warnings.warn(IncompleteWarning(skipped), stacklevel=2)
