"""Files that have a URL, such as `s3://bucket/games.pdn`. The module fsspec opens them, if it is installed."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit
from urllib.request import url2pathname

from ._errors import Error, MissingFileError


def local_path(url: str) -> str | None:
    """Returns the path of a URL of a file of this machine; None for other URLs."""
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        # The bytes of a name need not be text. Drives of Windows have a form of their own.
        return url2pathname(parts.path) if os.name == "nt" else os.fsdecode(unquote_to_bytes(parts.path))
    return None


def _storage(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise ImportError(f"{url}: a URL takes fsspec: `pip install fsspec`, and what the storage takes, such as s3fs") from None
    try:
        storage, path = fsspec.core.url_to_fs(url)
    except ValueError as error:
        raise _error(url, str(error)) from None
    return storage, path


def _error(url: str, problem: str, kind: type[Error] = Error) -> Error:
    error = kind(f"{url}: {problem}")
    error.path = url
    return error


def _missing(url: str, error: FileNotFoundError) -> Error:
    """Returns the error of a file that cannot be opened. fsspec calls every failure of a server a missing file."""
    cause = error.__cause__
    if cause is None or isinstance(cause, FileNotFoundError) or getattr(cause, "status", None) in (404, 410):
        return _error(url, "no such file", MissingFileError)
    return _error(url, f"cannot be read: {cause}")


def _is_http(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _info(storage: Any, path: str, url: str) -> Any:
    try:
        found = storage.info(path)
    except FileNotFoundError as error:
        raise _missing(url, error) from None
    # Servers show a folder, and what a reader has to log in for, as a page.
    if _is_http(url) and str(found.get("mimetype", "")).startswith("text/html"):
        raise _error(url, "a web page, not a PDN file; name the files themselves")
    return found


def expand(url: str) -> list[str]:
    """Returns the URLs of the files that a URL or a pattern names; a path for a URL of a file of this machine."""
    local = local_path(url)
    if local is not None:
        return [local]
    storage, path = _storage(url)
    if any(sign in path for sign in "*?[") and not storage.exists(path):
        found = sorted(storage.glob(path))
        if not found:
            raise _error(url, "no file matches this pattern")
        first, chained, rest = url.partition("::")
        if chained and "://" in first:
            # A file in a file, such as `zip://*.pdn::s3://bucket/games.zip`.
            return [f"{first.partition('://')[0]}://{name}::{rest}" for name in found]
        return [storage.unstrip_protocol(name) for name in found]
    if _info(storage, path, url)["type"] == "directory":
        raise _error(url, f"a folder; name its files, such as {url.rstrip('/')}/*.pdn")
    return [url]


def size(url: str) -> int:
    """Returns the length of a file in bytes."""
    storage, path = _storage(url)
    found = _info(storage, path, url)["size"]
    if found is None:
        raise _error(url, "the storage does not say how long the file is, so it has no parts")
    return int(found)


def open_at(url: str, start: int, length: int | None) -> Any:
    """Opens a file from an offset on, for reading. `length` is the one that the file must have."""
    storage, path = _storage(url)
    if length is not None and size(url) != length:
        raise _error(url, "the file has changed since its parts were found; find them again")
    # Read as a stream from the start, a file of a server needs no ranges of bytes.
    options = {"block_size": 0} if _is_http(url) and start == 0 and length is None else {}
    try:
        file = storage.open(path, "rb", **options)
    except FileNotFoundError as error:
        raise _missing(url, error) from None
    if start:
        file.seek(start)
    # A storage such as a zip closes its files when nobody has it any more.
    with suppress(AttributeError):
        file._storage_of_pdn = storage
    return file
