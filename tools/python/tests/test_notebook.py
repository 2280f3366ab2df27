"""The notebook in `examples`: its cells run in their order, and show what they say.

The cells are executed here, without Jupyter, whose kernel would bring in some thirty packages.
"""

import ast
import contextlib
import io
import json
import os
import tomllib

import polars
import pytest
from conftest import ROOT

import pdn

NOTEBOOK = ROOT / "tools" / "python" / "examples" / "archive.ipynb"


def cells(kind):
    notebook = json.loads(NOTEBOOK.read_text())
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


class Shown:
    """What the code cells show: the values of their last expressions, and their outputs as a notebook stores them."""

    def __init__(self):
        names = {}
        self.values, self.outputs = [], []
        for number, cell in enumerate(cells("code"), 1):
            code = ast.parse("".join(cell["source"]))
            last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
            printed = io.StringIO()
            value = None
            with contextlib.redirect_stdout(printed):
                exec(compile(code, NOTEBOOK.name, "exec"), names)
                if last is not None:
                    value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
            outputs = []
            if printed.getvalue():
                outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
            if value is not None:
                self.values.append(value)
                data = {"text/plain": lines(repr(value))}
                for kind, method in [("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")]:
                    if hasattr(value, method):
                        data[kind] = lines(getattr(value, method)())
                outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
            self.outputs.append(outputs)


def lines(text):
    return text.splitlines(keepends=True)


@pytest.fixture(scope="module")
def executed():
    return Shown()


@pytest.fixture
def shown(executed):
    return executed.values


def test_notebook_stores_what_its_cells_show(executed):
    """A page of the web that shows the notebook runs nothing. `PDN_BLESS=1` stores the outputs anew."""
    if os.environ.get("PDN_BLESS"):
        notebook = json.loads(NOTEBOOK.read_text())
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, (cell, outputs) in enumerate(zip(code, executed.outputs, strict=True), 1):
            cell["outputs"], cell["execution_count"] = outputs, number
        NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    stored = [cell["outputs"] for cell in cells("code")]
    assert len(stored) >= 9
    for have, want in zip(stored, executed.outputs, strict=True):
        assert [output["output_type"] for output in have] == [output["output_type"] for output in want]
        for one, other in zip(have, want, strict=True):
            assert one.get("text") == other.get("text")
            # Each version of a library shows a data frame in its own way; a board is our own.
            assert set(one.get("data", {})) == set(other.get("data", {}))
            assert one.get("data", {}).get("image/svg+xml") == other.get("data", {}).get("image/svg+xml")
    assert any("image/svg+xml" in output.get("data", {}) for outputs in stored for output in outputs)


def test_notebook_takes_what_its_text_installs():
    """`test.sh` installs the wheel with this extra, and nothing else that reads tables."""
    [install] = [line for cell in cells("markdown") for line in "".join(cell["source"]).splitlines() if line.startswith("pip install")]
    assert install == "pip install './tools/python[data]'"
    project = tomllib.loads((ROOT / "tools" / "python" / "pyproject.toml").read_text())["project"]
    extra = {requirement.split(">=")[0] for requirement in project["optional-dependencies"]["data"]}
    assert extra == {"duckdb", "fsspec", "pandas", "polars", "pyarrow"}
    tests = {line.split(">=")[0] for line in (ROOT / "tools" / "python" / "requirements-test.txt").read_text().split()}
    assert not extra & tests
    assert "[data]" in (ROOT / "tools" / "python" / "test.sh").read_text()


def test_notebook_shows_a_board_and_its_moves(shown):
    [board] = [value for value in shown if isinstance(value, pdn.Position)]
    assert board._repr_svg_().startswith("<svg")
    [moves] = [value for value in shown if isinstance(value, list)]
    assert moves and set(moves) == {move.text for move in board.legal_moves()}


def test_notebook_answers_its_questions(shown):
    frame, captures, choices, kings, chart = [value for value in shown if isinstance(value, polars.DataFrame)]
    assert frame["plies"].to_list() == [48, 63, 6, 88]
    assert captures.filter(polars.col("record") == 4)["side"].to_list() == ["white", "black"]
    assert choices["variant"].to_list() == ["english", "international"]
    assert choices["moves"].sum() == frame["plies"].sum()
    assert kings["move"].to_list() == ["11x4", "27-32"]
    assert chart["ply"].to_list() == list(range(0, 89, 11))
    assert (chart["white"][0], chart["black"][0]) == (20, 20)
    assert chart["pieces"][0].count("█") == 20 > chart["pieces"][-1].count("█")
