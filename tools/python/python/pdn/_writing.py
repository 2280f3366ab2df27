"""`convert`, `fix` and `dedup`: the functions that write archives.

Each runs the command of its name in this process, with `--json`, and gives its output as dictionaries. So there is one place that
decides what is written, and what a summary counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, overload

from . import _pdn
from ._errors import Error

if TYPE_CHECKING:
    from ._pdn import Index, _Rows
    from .types import ConvertResult, DedupResult, FixResult, UndoResult

_Path: TypeAlias = str | os.PathLike[str]
_Words: TypeAlias = str | Iterable[str]

# The names of arguments that differ from those of the options, in messages.
_ARGUMENTS = {
    "force": "overwrite=True",
    "for": "program",
    "query": "where",
    "untagged": "variant",
    "class": "classes",
}


def convert(
    source: _Rows,
    output: _Path | None = None,
    *,
    where: str | None = None,
    overwrite: bool = False,
    rejects: _Path | None = None,
    others: _Path | None = None,
    split: _Words = (),
    fix: bool = False,
    unsafe: bool = False,
    names: _Path | None = None,
    strip: _Words = (),
    notation: Literal["numeric", "algebraic"] | None = None,
    captures: Literal["short", "full", "3.1"] | None = None,
    program: str | None = None,
    width: int | None = None,
    add: _Words = (),
    keep_untagged: bool = False,
    sort: _Words = (),
    shuffle: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    limit: int | None = None,
    memory: str | int | None = None,
    variant: str | None = None,
    encoding: str | None = None,
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
    call = _Call(source, where, variant, encoding, threads)
    call.outputs = [output, rejects, others]
    options = {
        "output": output,
        "query": where,
        "force": overwrite,
        "rejects": rejects,
        "others": others,
        "split": split,
        "fix": fix,
        "unsafe": unsafe,
        "names": names,
        "strip": strip,
        "notation": notation,
        "captures": captures,
        "for": program,
        "width": width,
        "add": add,
        "keep-untagged": keep_untagged,
        "sort": sort,
        "shuffle": shuffle,
        "sample": sample,
        "seed": seed,
        "limit": limit,
        "memory": memory,
        "untagged": call.variant,
    }

    def read(printed: bytes) -> dict[str, Any]:
        text, _, summary = printed.rstrip(b"\n").rpartition(b"\n")
        [result] = _parsed([summary])
        if output is None:
            result["text"] = (text + b"\n").decode() if text else ""
        return result

    return cast("ConvertResult", call.run("convert", options, mmap, read))


@overload
def fix(
    source: _Rows,
    *,
    write: bool = False,
    unsafe: bool = False,
    select: _Words = (),
    ignore: _Words = (),
    names: _Path | None = None,
    undo: None = None,
    variant: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> FixResult: ...
@overload
def fix(*, undo: _Path) -> UndoResult: ...
def fix(
    source: _Rows | None = None,
    *,
    write: bool = False,
    unsafe: bool = False,
    select: _Words = (),
    ignore: _Words = (),
    names: _Path | None = None,
    undo: _Path | None = None,
    variant: str | None = None,
    encoding: str | None = None,
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
    if undo is not None:
        given = (source, write, unsafe, select, ignore, names, variant, encoding, threads, mmap)
        if given != (None, False, False, (), (), None, None, None, None, False):
            raise TypeError("undo is given alone, without other arguments")
        file, changes = _pdn.undo_fix(undo)
        return {"file": str(file), "changes": changes}
    if source is None:
        raise TypeError("an archive is needed, or undo")
    call = _Call(source, None, variant, encoding, threads)
    call.keeps_text = write
    options = {
        "write": write,
        "unsafe": unsafe,
        "select": select,
        "ignore": ignore,
        "names": names,
        "variant": call.variant,
    }

    return cast("FixResult", call.run("fix", options, mmap, _rows_and_summary("repairs")))


def dedup(
    source: _Rows,
    *,
    against: _Path | Index | None = None,
    keep: Literal["best", "first", "last"] = "best",
    classes: _Words = "exact",
    write: _Path | None = None,
    duplicates: _Path | None = None,
    overwrite: bool = False,
    share_tags: bool = False,
    explain: bool = False,
    limit: int | None = None,
    variant: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> DedupResult:
    """Finds records of the same game, and writes archives without them.

    `write` is a file for the games that stay, `duplicates` one for those that are removed: the games of `classes` (`exact`,
    `prefix`, `near`) besides the keeper of each group. Nothing is removed from the archives that are read. `against` is an
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
    call = _Call(source, None, variant, encoding, threads)
    call.outputs = [write, duplicates]
    for path in [] if overwrite else call.outputs:
        if path is not None and os.path.lexists(path):
            raise call.error(f"{os.fspath(path)}: exists already; `--force` replaces it")
    options = {
        "against": against.path if isinstance(against, _pdn.Index) else against,
        "keep": keep,
        # An empty list would be the default of the option.
        "class": classes if isinstance(classes, str) else ",".join(classes),
        "write": write,
        "duplicates": duplicates,
        "force": overwrite,
        "share-tags": share_tags,
        "explain": explain,
        "limit": limit,
        "variant": call.variant,
    }

    return cast("DedupResult", call.run("dedup", options, mmap, _rows_and_summary("groups")))


def _rows_and_summary(name: str) -> Callable[[bytes], dict[str, Any]]:
    """Returns a function that reads lines of JSON: rows, which get the key `name`, and a summary as the last line."""

    def read(printed: bytes) -> dict[str, Any]:
        *rows, summary = _parsed(printed.splitlines())
        return {name: rows, **summary}

    return read


class _Call:
    """A call of a command, and the inputs that it reads."""

    outputs: list[_Path | None]
    """The files that are written, for errors about one of them."""
    keeps_text: bool
    """Whether the result has the text in memory as it is after the call."""

    def __init__(
        self, source: _Rows, where: str | None, variant: str | None, encoding: str | None, threads: int | None
    ):
        inputs = _pdn.command_inputs(source, where, variant, encoding, threads)
        self.paths, self.texts, self.variant, self.encoding = inputs
        self.threads = threads
        self.outputs, self.keeps_text = [], False
        # The names of texts in memory, by the files that stand in for them.
        self.names: dict[str, str] = {}

    def run(self, command: str, options: dict[str, Any], mmap: bool, read: Any) -> dict[str, Any]:
        """Runs the command and returns its result. `read` makes the result of what it prints."""
        if not self.texts:
            return self.run_on(command, options, mmap, read, [os.fspath(path) for path in self.paths])
        if self.keeps_text and (self.paths or len(self.texts) > 1):
            raise Error("write: files, or one text in memory, can be repaired, not both or several texts")

        import tempfile

        with tempfile.TemporaryDirectory(prefix="pdn-") as folder:
            files = []
            for number, (name, text) in enumerate(self.texts):
                file = os.path.join(folder, f"{number}.pdn")
                with open(file, "xb") as out:
                    out.write(text)
                files.append(file)
                self.names[file] = name
            result = self.run_on(command, options, mmap, read, [*map(os.fspath, self.paths), *files])
            if self.keeps_text:
                with open(files[0], "rb") as repaired:
                    result["data"] = repaired.read()
                # They are gone together with the file.
                result["summary"]["journals"] = []
            return result

    def run_on(
        self, command: str, options: dict[str, Any], mmap: bool, read: Any, files: list[str]
    ) -> dict[str, Any]:
        shared = {"encoding": self.encoding, "threads": self.threads, "mmap": None if mmap else "never"}
        arguments = _arguments({**options, **shared})
        exit_code, printed, messages = _pdn.call_command(["pdn", command, "--json", *arguments, "--", *files])
        last = printed.rstrip(b"\n").rpartition(b"\n")[2]
        # Without a summary, the command failed before its end.
        is_complete = last.startswith((b'{"summary":', b'{"read":'))
        result = self.named(read(printed)) if is_complete else None
        if exit_code == 2 or result is None:
            raise self.error("\n".join(messages), result)
        result["messages"] = [self.text(message) for message in messages]
        return cast("dict[str, Any]", result)

    def error(self, message: str, result: Any = None) -> Error:
        """Returns the exception for a failure of the command."""
        error = Error(self.text(message))
        known = [*self.names.values(), *map(str, self.paths), *(os.fspath(path) for path in self.outputs if path)]
        lines = str(error).splitlines()
        error.path = next((path for path in known for line in lines if line.startswith(f"{path}: ")), None)
        error.result = result
        if result is not None:
            error.add_note("what could be read was processed; `result` of the exception has the summary")
        return error

    def text(self, message: str) -> str:
        """Returns a message with the names of Python's arguments and of texts in memory."""
        import re

        def argument(option: re.Match[str]) -> str:
            name: str = option[1]
            return _ARGUMENTS.get(name, name.replace("-", "_"))

        for file, name in self.names.items():
            message = message.replace(file, name)
        parts = message.split("`")
        for number, part in enumerate(parts):
            # What stands between the marks may be a whole command line.
            if not part.startswith("pdn "):
                parts[number] = re.sub(r"--([a-z][a-z-]*)(?: <[A-Z]+>)?", argument, part)
        return "`".join(parts)

    def named(self, value: Any) -> Any:
        """Returns a value of JSON with the names of texts in memory."""
        if isinstance(value, dict):
            return {key: self.named(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.named(item) for item in value]
        return self.names.get(value, value) if isinstance(value, str) else value


def _parsed(lines: list[bytes]) -> list[dict[str, Any]]:
    import json

    return [json.loads(line) for line in lines]


def _arguments(options: dict[str, Any]) -> list[str]:
    """Returns the arguments of a command line for options that are neither None, False nor empty."""
    arguments = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(f"--{name}")
            continue
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        elif not isinstance(value, (str, int)):
            if not isinstance(value, Iterable):
                argument = _ARGUMENTS.get(name, name.replace("-", "_"))
                raise TypeError(f"{argument}: {value!r} is neither a text, nor an integer, nor a list of texts")
            value = ",".join(value) or None
        if value is not None:
            arguments.append(f"--{name}={value}")
    return arguments
