"""What all tests share: an archive with every feature, a large one, and the command `pdn`."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# The sample archive shows no single thing, and is large.
FIXTURES = sorted(path for path in (ROOT / "corpora").rglob("*.pdn") if path.is_file() and path.parent.name != "sample")

ARCHIVE = b"""\
[Event "Open \\"A\\""]
[Site "Amsterdam"]
[Date "1996.12.28"]
[Round "3"]
[White "Ames, Ann"]
[Black "B\xc3\xa9ll"]
[Result "2-0"]
[GameType "20"]
[WhiteRating "2215"]

1. 32-28 {[%clk 0:59:30] quiet} 19-23 2. 28x19 14x23 (2... 13x24 3. 33-28) 3. 37-32 2-0

[White "Cole"]
[Black "Dunn"]
[Date "2003.??.??"]
[GameType "25"]

1. c3-d4 b6-a5 2. d4-c5 d6xb4 3. a3xc5 *

[White "Evans"]
[GameType "20"]

1. 32-28 19-23 2. 33-29 1-1
"""

CANADIAN = b'[White "Wide"]\n[GameType "27"]\n\n1. 46-40 26-31 1-1\n'


@pytest.fixture(scope="session")
def command():
    """The command `pdn`, whose tables are those of the module."""
    named = os.environ.get("PDN_COMMAND")
    path = named or shutil.which("pdn", path=ROOT / "target" / "debug") or shutil.which("pdn")
    if path is None:
        pytest.skip("no command `pdn`: build it, or name it in PDN_COMMAND")
    return path


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_bytes(ARCHIVE)
    return path


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """An archive of several batches."""
    path = tmp_path_factory.mktemp("large") / "large.pdn"
    path.write_bytes(b"\n".join([ARCHIVE] * 6_000))
    return path
