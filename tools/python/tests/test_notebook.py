"""The notebook in `examples`: its cells run in their order, and show what they say.

The cells are executed here, without Jupyter, whose kernel would bring in some thirty packages.
"""

import ast
import json

import polars
import pytest
from conftest import ROOT

import pdn

NOTEBOOK = ROOT / "tools" / "python" / "examples" / "archive.ipynb"


def cells(kind):
    notebook = json.loads(NOTEBOOK.read_text())
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


@pytest.fixture(scope="module")
def shown():
    """The values that the cells show: those of their last expressions."""
    names, values = {}, []
    for cell in cells("code"):
        code = ast.parse("".join(cell["source"]))
        last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, NOTEBOOK.name, "exec"), names)
        if last is not None:
            values.append(eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names))
    return values


def test_notebook_stores_no_output():
    assert len(cells("code")) >= 9
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells("code"))


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
