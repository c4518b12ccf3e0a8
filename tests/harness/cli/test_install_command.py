"""``tokharness install``: mistakes, before anything is made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokharness import plugins


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("hff@0.20.3", "no target scheme is called 'hff': did you mean 'hf'?"),
        ("hf", "'hf' names no release: write hf@RELEASE"),
        ("hf:tokenizer.json", "'hf:tokenizer.json' names no release: write hf@RELEASE"),
        ("reference@1.0", "reference has no releases: choose from hf@"),
        ("hf@latest", "'latest' is not a release of tokenizers"),
    ],
)
def test_a_mistake_is_one_sentence(command, word, reason):
    outcome = command("install", word)
    assert (outcome.code, outcome.out) == (2, "")
    assert reason in outcome.err
    assert outcome.err.count("\n") == 1


def test_each_release_is_made_in_turn(command, monkeypatch):
    made = []
    adapters = dict(plugins.adapters())
    adapters["hf"] = replace(adapters["hf"], prepare=made.append)
    monkeypatch.setattr(plugins, "adapters", lambda: adapters)
    plugins._at_release.cache_clear()
    outcome = command("install", "hf@0.20.3", "hf@9.8.7:tokenizer.json")
    plugins._at_release.cache_clear()
    assert (outcome.code, made) == (0, ["0.20.3", "9.8.7"])
    assert outcome.out == "hf@0.20.3 is installed\nhf@9.8.7 is installed\n"
