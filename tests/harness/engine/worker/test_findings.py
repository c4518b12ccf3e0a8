"""From failing texts to findings.

Code points are described by ranges, categories, scripts and ages.
"""

import contextlib

import pytest

from tokharness import plugins
from tokharness.boundary.tokenizer import OwnProcess
from tokharness.engine.worker.findings import (
    describe_code_points,
    diagnose_failures,
    summarize_code_points,
)
from tokharness.errors import TargetDeath
from tokharness.model import Target, target_of
from tokharness.outcome import Raised, call
from tokharness.targets.processes.crashers import Crashers
from tokharness.targets.subject import Subject


@pytest.mark.parametrize("code", ["TOK101", "TOK109"])
def test_a_text_that_hangs_in_the_diagnosis_failed_differently(byte_tokenizer, code):
    class Hanging(byte_tokenizer, OwnProcess):
        def fresh(self):
            return contextlib.nullcontext()

    target = Hanging(crashers=Crashers())

    def hang(text):
        death = TargetDeath("time limit", "no answer")
        target.crashers.add("encode", text, death)
        raise death

    target.encode = hang
    check = plugins.checks()[code]
    subject = Subject(target_of("target", target))
    found = diagnose_failures([check], subject, {code: {"a text": "plain-words"}})
    (finding,) = found[code]
    assert finding.cause.kind == "failed, and differently when run again"
    assert finding.text == "a text"
    assert finding.evidence == {
        "in the run": f"it failed {code} {check.name}",
        "again": "ends or hangs the target's process",
    }


def test_a_text_that_does_not_fail_again_is_state(byte_tokenizer):
    check = plugins.checks()["TOK101"]
    subject = Subject(target_of("target", byte_tokenizer(crashers=Crashers())))
    (finding,) = diagnose_failures([check], subject, {"TOK101": {"a text": "plain-words"}})[
        "TOK101"
    ]
    assert finding.cause.kind == "state"


def test_a_confirmation_does_not_see_the_texts_of_others(byte_tokenizer, monkeypatch):
    class Caching(byte_tokenizer):
        def __init__(self, *texts):
            super().__init__(crashers=Crashers())
            self.cache = {}
            self.encode = lambda text: self.cache.setdefault(text.strip(), [*text.encode()])
            [*map(self.encode, texts)]

    new = Caching()
    monkeypatch.setattr(Target, "fresh", lambda _: contextlib.nullcontext(new.cache.clear()))
    found = diagnose_failures(
        [plugins.checks()["TOK101"]],
        Subject(target_of("used", Caching(" B", " A"))),
        {"TOK101": dict.fromkeys(["B", "A", "\xa0A"], "plain-words")},
        lambda: target_of("new", new),
    )
    assert {finding.cause.kind for finding in found["TOK101"]} == {"state"}


class _Hanging(OwnProcess):
    """Hangs on ten marks or more; on five with the shorter time limit after a hang."""

    def __init__(self):
        self.crashers, self.fewest_marks = Crashers(), 5

    def encode(self, text):
        if text.count("\u0301") >= self.fewest_marks:
            raise TargetDeath("time limit", "no answer")
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids).decode()

    def call_each(self, method, items):
        results = [call(getattr(self, method), item) for item in items]
        return [one.error if isinstance(one, Raised) else one for one in results]

    @contextlib.contextmanager
    def fresh(self):
        self.fewest_marks = 10
        yield
        self.fewest_marks = 5


def test_a_hang_is_reported_with_a_text_that_hangs_within_the_full_limit():
    check = plugins.checks()["TOK104"]
    subject = Subject(target_of("target", _Hanging()))
    failing = {"\u0301" * length: "combining-stacks" for length in (6, 7, 8, 16)}
    (finding,) = diagnose_failures([check], subject, {"TOK104": failing})["TOK104"]
    assert (str(finding.cause), finding.text) == ("hang: encode", "\u0301" * 10)


class _HungryAlone(_Hanging):
    """Hangs with the shorter time limit; within the full one it runs out of memory."""

    def encode(self, text):
        if self.fewest_marks == 10:
            raise MemoryError("no memory")
        raise TargetDeath("time limit", "no answer")


def test_a_text_that_fails_in_another_way_in_a_fresh_process_has_that_cause():
    check = plugins.checks()["TOK104"]
    subject = Subject(target_of("target", _HungryAlone()))
    failing = {"TOK104": {"a text": "plain-words"}}
    (finding,) = diagnose_failures([check], subject, failing)["TOK104"]
    assert (str(finding.cause), finding.text) == ("out of memory: encode", "a text")


def test_a_hang_that_no_text_shows_within_the_full_limit_is_state():
    check = plugins.checks()["TOK104"]
    subject = Subject(target_of("target", _Hanging()))
    failing = {"\u0301" * length: "combining-stacks" for length in (6, 7)}
    (finding,) = diagnose_failures([check], subject, {"TOK104": failing})["TOK104"]
    assert finding.cause.kind == "state"


def test_a_swept_character_that_another_family_tried_first_is_one_of_the_sweep(byte_tokenizer):
    check = plugins.checks()["TOK101"]
    target = byte_tokenizer(lambda text: "".join(c for c in text if not "\xe0" <= c <= "\xe4"))
    failing = dict.fromkeys("\xe0\xe1\xe2\xe3\xe4", "scalar-sweep") | {"\xe2": "surrogates"}
    subject = Subject(target_of("target", target))
    found = diagnose_failures([check], subject, {"TOK101": failing})["TOK101"]
    assert [finding.evidence["ranges"] for finding in found] == ["U+00E0..U+00E4"]


def test_characters_are_counted_by_category_and_script():
    points = describe_code_points("\uac00\uac01\uac02\u0300")
    assert points["code_points"] == 4
    assert points["ranges"] == "U+0300, U+AC00..U+AC02"
    assert points["categories"] == {"Lo": 3, "Mn": 1}
    assert points["scripts"] == {"Hang": 3, "Zinh": 1}


def test_an_unassigned_code_point_has_no_age():
    assert describe_code_points("\U000c8000")["ages"] == {"without it": 1}


def test_many_ranges_are_truncated():
    points = describe_code_points(chr(0x4E00 + 2 * n) for n in range(100))
    assert points["ranges"].endswith("and 88 more ranges")
    assert summarize_code_points(points).startswith("100 code points; U+4E00, ")
