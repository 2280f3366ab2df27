"""The examples in docstrings and in the guide."""

import doctest
import importlib.resources

import pytest
from conftest import ROOT

import pdn
from pdn import _errors, _polars


@pytest.mark.parametrize(("page", "least"), [("crates/app/src/guide/python.md", 30), ("README.md", 2), ("tools/python/README.md", 4)])
def test_examples_of_pages(page, least, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (ROOT / page).read_text().replace("```", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert len(test.examples) >= least


@pytest.mark.parametrize("name", ["module", *pdn.__all__])
def test_examples_of_docstrings(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    item = pdn if name == "module" else getattr(pdn, name)
    finder = doctest.DocTestFinder(recurse=False)
    runner = doctest.DocTestRunner()
    for test in finder.find(item, name, module=False, globs={}):
        runner.run(test)
    assert runner.failures == 0


def test_everything_is_documented():
    for name in pdn.__all__:
        item = getattr(pdn, name)
        assert item.__doc__, name
        for member in vars(item) if isinstance(item, type) and item.__module__ == "pdn" else []:
            if not member.startswith("_"):
                assert getattr(item, member).__doc__, f"{name}.{member}"
    assert _errors.__doc__ and _polars.__doc__


def test_the_module_is_typed():
    assert importlib.resources.files(pdn).joinpath("py.typed").is_file()
