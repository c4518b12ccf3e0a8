"""What small healthy files show too, and the reference does not, is a fault of the library."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

import tokharness
from tokharness import plugins
from tokharness.engine.worker import attribution
from tokharness.engine.worker.grouping import NOT_REPRODUCED, merge_findings
from tokharness.errors import TargetError
from tokharness.model import Cause, Failure, Finding
from tokharness.plugins import Adapter
from tokharness.targets.subject_state import Cache

RUN = {"profile": "quick", "families": ["zero-width"], "examples": 0, "jobs": 0, "seed": 0}


def without(*characters):
    return lambda text: "".join(char for char in text if char not in characters)


@pytest.fixture
def check(monkeypatch, byte_tokenizer):
    """Return a function that checks ``lib:mine``; what each file does is its ``before``."""

    def run(*, mine=str, small=str, other=str, reference=str, healthy=("small",), **options):
        tokenizers = {
            "lib:mine": mine,
            "lib:small": small,
            "lib:other": other,
            "ref:mine": str,
            "ref:small": reference,
            "ref:other": str,
        }

        def adapter(scheme, **functions):
            def load(rest):
                if tokenizers[f"{scheme}:{rest}"] is None:
                    raise TargetError("it is damaged")
                return byte_tokenizer(tokenizers[f"{scheme}:{rest}"])

            with_same_file = (lambda rest: f"ref:{rest}") if scheme == "lib" else (lambda _: None)
            return Adapter(
                scheme, "", load, with_same_file, tuple, lambda: {scheme: "1.2"}, **functions
            )

        adapters = {"lib": adapter("lib", healthy=lambda _: healthy), "ref": adapter("ref")}
        monkeypatch.setattr(plugins, "adapters", lambda: adapters)
        return tokharness.check("lib:mine", **{**RUN, "select": ["TOK101"], **options})

    return run


@pytest.mark.slow
def test_a_fault_of_every_file_is_the_librarys(check):
    report = check(mine=without("\u200b"), small=without("\u200b"))
    (finding,) = report.of_library
    assert (finding.code, finding.library, report.bugs) == ("TOK101", "lib 1.2", ())
    assert report.ok


@pytest.mark.slow
def test_it_fails_with_fail_on_library(check):
    lossy = without("\u200b")
    assert not check(mine=lossy, small=lossy, fail_on_library=True).ok


def test_a_fault_of_one_file_is_its_own(check):
    report = check(mine=without("\u200b"))
    assert [one.library for one in report.bugs] == [""]
    assert not report.ok


def test_a_cause_that_the_small_file_shows_in_part_is_the_files(check):
    report = check(mine=without("\u200b", "\u2060"), small=without("\u200b"))
    assert not report.ok
    assert not any("\\u{2060}" in str(one.cause) for one in report.of_library)


@pytest.mark.slow
def test_a_fault_that_one_of_two_healthy_files_does_not_show_is_the_files(check):
    lossy = without("\u200b")
    assert not check(mine=lossy, small=lossy, healthy=("small", "other")).ok
    assert check(mine=lossy, small=lossy, other=lossy, healthy=("small", "other")).ok


@pytest.mark.slow
def test_a_text_that_the_small_file_does_not_show_is_made_small_first(check):
    lossy = without("\u200b")
    report = check(mine=lossy, small=lambda text: text if "a" in text else lossy(text))
    assert report.ok


@pytest.mark.slow
def test_what_the_reference_shows_too_is_in_the_content_of_a_file(check):
    lossy = without("\u200b")
    report = check(mine=lossy, small=lossy, reference=lossy)
    assert not report.of_library
    assert not report.ok


def test_a_text_of_a_special_token_is_tried_with_one_of_the_small_file(monkeypatch, byte_tokenizer):
    def reading(token, number):
        tokenizer = byte_tokenizer(special_tokens={token: number}, n_vocab=300)
        plain = tokenizer.encode
        tokenizer.encode = lambda text: [number] if text == token else plain(text)
        return tokenizer

    tokenizers = {
        "lib:mine": lambda: reading("<s>", 298),
        "lib:small": lambda: reading("<end>", 299),
        "ref:small": lambda: byte_tokenizer(special_tokens={"<end>": 299}, n_vocab=300),
    }

    def adapter(scheme, reference, **functions):
        load, versions = (lambda rest: tokenizers[f"{scheme}:{rest}"]()), (lambda: {scheme: "1.2"})
        return Adapter(scheme, "", load, reference, tuple, versions, **functions)

    with_reference = adapter("lib", lambda rest: f"ref:{rest}", healthy=lambda _: ("small",))
    adapters = {"lib": with_reference, "ref": adapter("ref", lambda _: None)}
    monkeypatch.setattr(plugins, "adapters", lambda: adapters)
    run = {**RUN, "families": ["special-tokens"], "select": ["TOK103"], "against": "none"}
    (finding,) = tokharness.check("lib:mine", **run).of_library
    assert (finding.code, finding.text, finding.library) == ("TOK103", "<s>", "lib 1.2")


def test_an_adapter_without_a_healthy_file_has_findings_of_its_own_only(check):
    lossy = without("\u200b")
    assert not check(mine=lossy, small=lossy, healthy=()).ok


def test_a_small_file_that_does_not_load_is_a_skip(check):
    report = check(mine=without("\u200b"), small=None)
    assert [skip.what for skip in report.skips] == ["whether findings are the library's"]
    assert not report.ok


@pytest.mark.slow
def test_a_difference_from_the_users_reference_is_not_tried(check):
    lossy = without("\u200b")
    report = check(mine=lossy, small=lossy, against="ref:mine", select=["TOK101", "TOK201"])
    assert {one.code for one in report.of_library} <= {"TOK101"}


@pytest.mark.parametrize(("libraries", "expected"), [(("a 1", "a 1"), "a 1"), (("a 1", ""), "")])
def test_a_finding_of_two_checks_is_the_librarys_if_both_are(libraries, expected):
    cause = Cause("kind")
    parts = [
        {code: [Finding("x", code, "n", cause, 1, None, (), "", library=library)]}
        for code, library in zip(("TOK101", "TOK102"), libraries, strict=True)
    ]
    (merged,) = merge_findings(["TOK101", "TOK102"], *parts)
    assert merged.library == expected


def test_a_finding_of_two_checks_shows_what_its_text_gives():
    parts = {
        code: [Finding("x", code, "n", Cause("kind"), 1, text, (), code, {"given": text, code: 1})]
        for code, text in (("TOK116", "ab"), ("TOK201", "a"))
    }
    (merged,) = merge_findings([*parts], parts)
    assert (merged.text, merged.reproduce, merged.evidence["given"]) == ("a", "TOK201", "a")


def test_entry_points_that_give_the_same_wrong_result_are_one_finding():
    def found(name, given, library=""):
        evidence = {"entry point": name, "given": given}
        cause = Cause("entry points", (("differ", name),), message=f"{name} disagrees")
        return Finding("x", "TOK110", "n", cause, 1, None, (), "", evidence, library=library)

    rows = [found("A", [1]), found("B", [2]), found("C", [1]), found("D", [1], "a library 1.0")]
    merged = merge_findings(["TOK110"], {"TOK110": rows[:1]}, {"TOK110": rows[1:]})
    assert {str(one.cause) for one in merged} == {
        "entry points: A, C",
        "entry points: B",
        "entry points: D",
    }
    both = next(one.cause.message for one in merged if "A" in str(one.cause))
    assert both == "each of A, C gives the same other result than the entry point for plain text"


def test_an_entry_point_that_an_audit_finds_wrong_whatever_the_file_is_the_librarys():
    cause = Cause("entry points", (("differ", "A"),))
    text = Finding("x", "TOK110", "n", cause, 3, "a", ("f",), "", {"given": "b"})
    other = replace(text, cause=Cause("entry points", (("differ", "B"),)), text="b")
    of_audit = replace(text, count=1, text=None, families=(), library="a library 1.0")
    merged = merge_findings(["TOK110"], {"TOK110": [text, other]}, {"TOK110": [of_audit]})
    assert {(one.text, one.library) for one in merged} == {("a", "a library 1.0"), ("b", "")}


@pytest.mark.parametrize(
    ("by", "left"),
    [("a cache that confuses texts", 1), ("results in another order", 1), ("threads", 2)],
)
def test_a_proven_cause_stands_for_texts_that_failed_after_others_only(by, left):
    cause = Cause("state", (("by", by),))
    parts = {
        "TOK101": [Finding("x", "TOK101", "n", NOT_REPRODUCED, 5, "a", ("f",), "", {"given": "b"})],
        "TOK109": [Finding("x", "TOK109", "n", cause, 1, "pair", (), "", {"given": "c"})],
        "TOK201": [Finding("x", "TOK201", "n", NOT_REPRODUCED, 7, "a", ("g",), "")],
    }
    found = merge_findings([*parts], parts)
    assert len(found) == left
    merged = next(one for one in found if one.cause == cause)
    assert (merged.text, merged.evidence) == ("pair", {"given": "c"})
    if left == 1:
        shared = (merged.count, merged.families, merged.other_checks)
        assert shared == (7, ("f", "g"), ("TOK101", "TOK201"))


@pytest.mark.parametrize(("kind", "expected"), [("state", True), ("kind", False)])
def test_a_race_that_an_audit_shows_by_chance_is_looked_for_again(kind, expected):
    cause = Cause(kind)
    answers = iter([[], [Failure(cause)]])
    check = SimpleNamespace(code="TOK109", audit=lambda _: next(answers))
    subject = SimpleNamespace(cache=Cache())
    state = SimpleNamespace(checks=[check], timed_subject=lambda: subject)
    finding = Finding("x", "TOK109", "n", cause, 1, None, (), "")
    assert attribution._is_audited(state, check, finding) is expected
