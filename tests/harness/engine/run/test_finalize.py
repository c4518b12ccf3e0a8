"""A run in which no check could run, no text was encoded, or a named check saw none: an error."""

import pytest

from tokharness.config import Options
from tokharness.engine.fuzz import Budget, fuzz
from tokharness.engine.run.run import run
from tokharness.errors import NothingCheckedError

SOURCE = """
class Raising:
    def encode(self, text): raise ValueError("no")
    def decode(self, ids): return ""

class RaisingInDecode:
    def encode(self, text): return list(text.encode("utf-8", "replace"))
    def decode(self, ids): raise ValueError("no")

class Text:
    def encode(self, text): return list(text.encode("utf-8", "replace"))
    def decode(self, ids): return bytes(ids).decode("utf-8", "replace")
    def encode_with_offsets(self, text): return self.encode(text), []
"""


@pytest.fixture
def events_of(tmp_path):
    path = tmp_path / "targets.py"
    path.write_text(SOURCE)

    def collect(factory, family="digits", *select, earlier=(), budget=None):
        options = Options(select=select, families=(family,), profile="quick", examples=0)
        spec = f"python:{path}:{factory}"
        if budget:
            new = fuzz(spec, options, budget)
        else:
            new = run([spec], options, jobs=0, earlier=earlier)
        events = []
        error = None
        try:
            events.extend(new)
        except NothingCheckedError as raised:
            error = str(raised)
        return events, error

    return collect


@pytest.mark.parametrize("code", ["TOK101", "TOK105", "TOK109"])
def test_a_run_without_an_encoded_text_ends_with_an_error(events_of, code):
    _, error = events_of("Raising", "digits", code)
    assert "no text of the families digits was encoded" in error


def test_a_check_of_decoded_texts_that_got_none_is_an_error(events_of):
    _, error = events_of("RaisingInDecode", "digits", "TOK101")
    assert "TOK101 lossy-round-trip saw no text of the families digits" in error
    assert events_of("RaisingInDecode", "digits", "TOK105")[1] is None


def test_a_finished_run_that_is_resumed_ends_with_the_same_error(events_of):
    events, error = events_of("Raising", "digits", "TOK101")
    assert events_of("Raising", "digits", "TOK101", earlier=events)[1] == error


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("factory", ["Raising", "RaisingInDecode", "Text"])
def test_so_does_a_campaign(events_of, factory):
    _, error = events_of(factory, "digits", "TOK101", budget=Budget(texts=50))
    assert (error is None) == (factory == "Text")
    assert error is None or "of the campaign" in error


def test_a_run_in_which_no_selected_check_can_run_is_an_error_with_the_reason(events_of):
    events, error = events_of("Text", "digits", "TOK401")
    assert "(TOK401 unreachable-token: the target has no n_vocab)" in error
    assert events_of("Text", "digits", "TOK401", earlier=events)[1] == error


def test_a_run_in_which_one_of_the_selected_checks_can_run_is_no_error(events_of):
    assert events_of("Text", "digits", "TOK401", "TOK105")[1] is None


@pytest.mark.slow
def test_a_bug_is_not_hidden_by_the_error(events_of):
    assert events_of("Raising", "digits", "TOK102")[1] is None


@pytest.mark.parametrize("name", ["TOK107", "wrong-offsets"])
def test_a_check_that_is_named_and_saw_no_text_is_an_error(events_of, monkeypatch, name):
    monkeypatch.setattr("tokharness.engine.worker.units.FamilyTexts.recheck_every", 0)
    assert "TOK107 wrong-offsets saw no text" in events_of("Text", "digits", name)[1]


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("select", [("TOK1",), ("TOK105",), ("TOK109",), ()])
def test_a_check_that_saw_a_text_or_is_not_named_is_no_error(events_of, monkeypatch, select):
    monkeypatch.setattr("tokharness.engine.worker.units.FamilyTexts.recheck_every", 0)
    assert events_of("Text", "digits", *select)[1] is None
