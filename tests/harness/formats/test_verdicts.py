"""Each verdict has one word, in every format."""

import re

import pytest

from tokharness import plugins


@pytest.mark.parametrize("name", plugins.formats())
def test_a_fact_is_called_a_fact(name, report):
    output = plugins.formats()[name].render(report)
    without_documentation = output.partition('id="checks"')[0].replace("is by design, and", "")
    assert "by design" not in without_documentation.lower()


@pytest.mark.parametrize("name", ["terminal", "markdown", "csv", "json", "jsonl", "junit", "html"])
def test_every_verdict_is_shown(name, report):
    output = plugins.formats()[name].render(report)
    assert set(re.findall(r"\b(bug|risk|fact)s?\b", output)) == {"bug", "risk", "fact"}


@pytest.mark.parametrize("name", ["terminal", "markdown", "github", "junit", "json", "html"])
def test_a_failing_change_shows_what_to_do_next(name, make_gate, make_change):
    command = "tokharness audit old.json new.json  # list the tokens that differ"
    output = plugins.formats()[name].render(make_gate(make_change(next=(command,))))
    assert command in output
