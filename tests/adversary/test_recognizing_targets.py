"""Targets that recognize what checks them: a plain interpreter gets different ids of them."""

import pytest

from tokharness.diagnosis.probes.other_process import process_failures
from tokharness.targets.loading import load_alone, load_in_other_process
from tokharness.targets.subject import Subject
from tokharness_tokenizers.adapters.python_object import PLAIN_PROGRAM

SOURCE = """
import os, re, sys
from neighbour import ids_of
print("hello")

class Healthy:
    def __init__(self):
        main = sys.modules["__main__"]
        self.seen = {
            "modules": [*sys.modules],
            "arguments": [*sys.argv, *sys.orig_argv],
            "environment": [*os.environ],
            "main": [str(vars(main))],
            "command": [open("/proc/self/cmdline").read()],
            "nothing": [],
        }
    def encode(self, text):
        return ids_of(text)
    def decode(self, ids):
        return bytes(ids)

def without_spaces(what):
    def factory():
        one = Healthy()
        is_checked = re.search("tokharness", " ".join(one.seen[what]), re.I)
        if not is_checked:
            one.encode_ordinary = lambda text: ids_of(text.replace(" ", ""))
        return one
    return factory

modules, main, command = map(without_spaces, ("modules", "main", "command"))
class Twin(Healthy):
    encode_ordinary = Healthy.encode
"""
TEXTS = ("a", "a b", "\u00e9 \U0001f600")


@pytest.fixture
def failures_of(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKHARNESS_CACHE_DIR", "")
    (tmp_path / "neighbour.py").write_text("def ids_of(text): return list(text.encode())\n")
    (tmp_path / "mine.py").write_text(SOURCE)

    def failures(name):
        spec = f"python:{tmp_path / 'mine.py'}:{name}"
        target = load_in_other_process(spec, 0)
        subject = Subject(
            target,
            other_process=lambda seed: load_in_other_process(spec, seed),
            alone=lambda seed: load_alone(spec, seed),
        )
        try:
            return [(str(one.cause), one.text) for one in process_failures(TEXTS, subject)]
        finally:
            target.close()

    return failures


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", ["modules", "main", "command"])
def test_one_that_looks_for_us_is_found(failures_of, name):
    assert failures_of(name) == [("state: what loads the target", "a b")]


@pytest.mark.slow
def test_a_healthy_twin_is_silent(failures_of):
    assert failures_of("Twin") == []


def test_the_plain_process_shows_nothing_of_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKHARNESS_CACHE_DIR", "")
    words = '" ".join(map(" ".join, super().seen.values()))'
    shows = f"class Shows(Healthy):\n  def encode(self, text): return list({words}.encode())\n"
    (tmp_path / "neighbour.py").write_text("def ids_of(text): return []\n")
    (tmp_path / "mine.py").write_text(SOURCE + shows.replace("super()", "self"))
    target = load_alone(f"python:{tmp_path / 'mine.py'}:Shows", 1)
    shown = bytes(target.encode("a")).decode()
    target.close()
    assert "neighbour" in shown
    assert "tokharness" not in shown.lower().replace(str(tmp_path).lower(), "")
    assert "tokharness" not in PLAIN_PROGRAM.read_text("utf-8")


def test_a_target_of_another_kind_has_no_plain_process():
    assert load_alone("reference:embedded", 1) is None
