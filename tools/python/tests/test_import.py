"""What `import pdn` loads, and what it leaves for later."""

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import pdn

LATER = ["convert", "dedup", "fix", "scan"]


def loaded_by(statement):
    """Returns the modules that a statement loads, in a process that has loaded nothing but what Python needs."""
    # `-S`: packages of the environment that add themselves to every process would have loaded modules before.
    script = f"""
import sys
sys.path.append({str(Path(pdn.__file__).parents[1])!r})
before = set(sys.modules)
{statement}
print(*sorted(set(sys.modules) - before))
"""
    found = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True)
    return set(found.stdout.split())


def test_import_loads_no_other_module():
    assert loaded_by("import pdn") == {"pdn", "pdn._errors", "pdn._pdn", "pdn._tables"}


def test_games_and_positions_take_no_other_module():
    statement = "import pdn; [game.moves for game in pdn.open(b'1. 32-28 *')]; pdn.Position().play('32-28')"
    assert loaded_by(statement) == {"pdn", "pdn._errors", "pdn._pdn", "pdn._tables"}


@pytest.mark.parametrize("name", LATER)
def test_function_that_is_loaded_later_is_the_one_of_its_module(name):
    statement = f"import pdn; assert {name!r} in dir(pdn) and {name!r} not in vars(pdn); assert pdn.{name}.__name__ == {name!r}"
    assert loaded_by(statement) & {"pdn._polars", "pdn._writing"}
    assert getattr(pdn, name) is getattr(sys.modules[getattr(pdn, name).__module__], name)


def test_star_import_and_dir_have_all_public_names():
    names = {}
    exec("from pdn import *", names)
    assert set(pdn.__all__) <= names.keys()
    assert {*pdn.__all__, "__version__"} <= set(dir(pdn))
    assert "TYPE_CHECKING" not in dir(pdn)


def test_version_is_that_of_the_package_and_unknown_names_are_refused():
    assert pdn.__version__ == importlib.metadata.version("pdn")
    with pytest.raises(AttributeError, match="module 'pdn' has no attribute 'nothing'"):
        pdn.nothing
