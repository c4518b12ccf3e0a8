"""Each check finds a planted fault of its property, with a small stream, and sound parsers pass."""

import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from tokharness.config import Options
from tokharness.errors import NothingCheckedError, TargetError, UsageError
from tokharness.parsing import problems
from tokharness.parsing.parser import NOT_TRIED, Parsed, Parser
from tokharness.parsing.problems import changes
from tokharness.parsing.run import parse
from tokharness.parsing.streams import cuttings, streams
from tokharness.targets.processes.limits import Limits

PARSERS = Path(__file__).with_name("parsers.py")

CUTS = "events depend on cuts: "
OTHERS = "events depend on another stream: "
FAULTS = {
    "EachDeltaAlone": ("TOK701", CUTS + "a marker as text", 8),
    "DecodesDeltas": (
        "TOK701",
        CUTS + "U+FFFD for parts of a character, a cut is inside a character",
        4,
    ),
    "EmptyIsTheEnd": ("TOK701", CUTS + "an empty delta", 3),
    "StripsDeltas": ("TOK701", CUTS + "lost text", 3),
    "RaisesOnAMarkerAlone": ("TOK701", CUTS + "raises IndexError", 8),
    "OneMarkerForEachDelta": ("TOK701", CUTS + "the field of a text", 24),
    "GivesAgain": ("TOK701", CUTS + "text twice", 12),
    "CallsAreContent": ("TOK702", "text given twice: in two fields", 12),
    "ForgetsWhatItHeldBack": ("TOK701", CUTS + "text lost at the end", 2),
    "ForgetsStarts": ("TOK703", "text lost at the end", 12),
    "AnyCaseInADelta": ("TOK701", CUTS + "a marker as text", 8),
    "GivesArgumentsAgain": ("TOK701", CUTS + "text twice", 40),
    "OneReasoning": ("TOK701", CUTS + "the field of a text", 26),
    "CutsLongDeltas": ("TOK701", CUTS + "a long delta", 20),
    "RepeatsLongDeltas": ("TOK701", CUTS + "a long delta", 24),
    "StopsAfterManyDeltas": ("TOK701", CUTS + "many deltas", 80),
    "SharesPending": ("TOK701", OTHERS + "a parser before it has read one", 100),
    "CountsCalls": ("TOK701", OTHERS + "a parser before it has read one", 100),
    "MarksSomeDeltas": ("TOK701", OTHERS + "a parser before it has read one", 100),
    "EmptiesTheOther": ("TOK701", OTHERS + "another parser is fed between its deltas", 100),
}


def checked(name, **options):
    return parse(f"parser:{PARSERS}:{name}", Options(**options)).targets[0]


def slow_but(names, fast):
    """Mark all but some of the names as slow: a parser is started for each of thousands of cuts."""
    return [
        name if name in fast else pytest.param(name, marks=pytest.mark.slow(every=3))
        for name in names
    ]


@pytest.mark.parametrize("name", slow_but(FAULTS, ("DecodesDeltas", "ForgetsStarts")))
def test_a_fault_is_found_with_a_small_stream(name):
    code, cause, longest = FAULTS[name]
    found = checked(name).findings
    assert [(one.code, str(one.cause)) for one in found] == [(code, cause)]
    (finding,) = found
    assert len(finding.text) <= longest
    assert finding.evidence.get("given", 0) != finding.evidence.get("expected", 1)
    assert finding.reproduce.startswith("tokharness parse ")


@pytest.mark.parametrize(
    "name",
    slow_but(
        [
            "Sound",
            "OneCharacter",
            "AtTheEnd",
            "OfBytes",
            "OfBytesWithATextForAnExample",
            "OfIds",
            "Refusing",
        ],
        ("Sound", "OfIds"),
    ),
)
def test_a_sound_parser_passes(name):
    report = checked(name)
    assert report.findings == ()
    assert report.families[0].cases > 1


@pytest.mark.slow
def test_nothing_is_compared_if_parsers_share_what_they_keep():
    report = checked("SharesPending")
    assert ["share what they keep" in skip.reason for skip in report.skips] == [True]
    assert not report.skips[0].unfinished
    assert checked("SharesPending", select=("TOK703",)).skips[0].unfinished


@pytest.mark.slow
def test_a_parser_that_draws_is_refused_with_a_sentence():
    with pytest.raises(NothingCheckedError, match="leave out of the events what is drawn"):
        checked("Draws")


def test_an_example_that_the_parser_does_not_take_is_refused_with_a_sentence():
    with pytest.raises(TargetError, match=r"takes text, and an example is ids: \[1, 2\]"):
        checked("OfTextWithIdsForAnExample")


def test_streams_have_each_marker_in_another_case_with_json_behind_it_and_twice():
    given = streams(SimpleNamespace(takes="text", markers=("<call>", "</call>"), examples=()))
    shown = (
        r"<CALL>",
        r"<call>\{.*\}\n</call>",
        r"<call>\w+</call>.*<call>\w+</call>",
        "&amp;",
        "null",
    )
    assert [any(re.search(one, text) for text in given) for one in shown] == [True] * len(shown)


def test_a_word_is_a_delta_alone():
    assert any("null" in deltas for deltas in cuttings("[true, null]"))


@pytest.mark.slow
def test_the_deltas_that_show_a_fault_are_in_its_evidence():
    (finding,) = checked("EachDeltaAlone").findings
    assert "".join(finding.evidence["deltas"]) == finding.text
    assert finding.evidence["given"] != finding.evidence["expected"]


def test_text_in_another_field_with_other_markers_is_not_other_text():
    one, other = Parsed((("content", "b</think>"),)), Parsed((("reasoning", "</think>b"),))
    assert changes(one, other, "</think>b</think>", ()) == ("the field of a text",)


def test_a_marker_that_differs_is_no_marker_as_text():
    one, other = Parsed((("content", "<l>"),)), Parsed((("content", "<ll>"),))
    assert changes(one, other, "<ll>", ()) == ("lost text",)


def test_long_texts_are_not_aligned_in_quadratic_time(monkeypatch):
    one, other = (Parsed((("content", "ab" * number),)) for number in (20, 21))
    assert changes(one, other, "ab" * 20, ()) == ("text twice",)
    monkeypatch.setattr(problems, "MOST_ALIGNED", 41)
    assert changes(one, other, "ab" * 20, ()) == ("other text",)


@pytest.mark.slow(every=2)
@pytest.mark.parametrize("name", ["Endless", "EndlessInFinish"])
def test_a_parser_that_does_not_return_is_a_finding_and_the_rest_is_skipped(name, monkeypatch):
    monkeypatch.setattr("tokharness.parsing.parser.Limits", partial(Limits, seconds=0.1))
    report = checked(name)
    assert "time limit" in " ".join(str(one.cause) for one in report.findings)
    assert report.skips


@pytest.mark.parametrize(("calls", "read"), [(1, 0), (25, 21)])
def test_an_interrupt_leaves_what_was_found_before(calls, read, monkeypatch):
    asked = iter(range(calls))
    ask = Parser._line_of

    def interrupted(*arguments):
        if next(asked, None) is None:
            raise KeyboardInterrupt
        return ask(*arguments)

    monkeypatch.setattr(Parser, "_line_of", interrupted)
    report = parse(f"parser:{PARSERS}:DecodesDeltas", Options())
    assert report.interrupted
    causes = [str(one.cause) for one in report.targets[0].findings]
    assert causes == ([] if calls == 1 else [FAULTS["DecodesDeltas"][1]])
    assert report.targets[0].finished.cases == read
    assert "the run was interrupted" in report.targets[0].skips[-1].reason


@pytest.mark.slow
def test_streams_that_no_process_parses_together_are_not_compared_and_not_passed(monkeypatch):
    ended = Parsed(None, NOT_TRIED, "time limit")
    monkeypatch.setattr(Parser, "parse_in_order", lambda _, rows, **__: [ended] * len(rows))
    report = checked("Sound")
    assert report.findings == ()
    ((what, reason, unfinished),) = [(s.what, s.reason, s.unfinished) for s in report.skips]
    assert what == "whether parsers share what they keep"
    assert reason.endswith("time limit")
    assert unfinished


@pytest.mark.slow
def test_a_parser_without_events_checks_nothing():
    with pytest.raises(NothingCheckedError, match="in place of a list of events"):
        checked("NoEvents")


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        (f"parser:{PARSERS}:NotAParser", TargetError, "without finish"),
        (f"parser:{PARSERS}:Missing", TargetError, "Missing"),
        ("parser:missing.py:A", TargetError, "there is no file"),
        ("parser:a", TargetError, "has no factory"),
        (str(PARSERS), UsageError, "parser:parsers.py:FACTORY"),
    ],
)
def test_what_is_no_parser_is_refused_with_a_sentence(spec, error, words):
    with pytest.raises(error, match=words):
        parse(spec, Options())


@pytest.mark.parametrize("stream", ["", "a", "ab\U0001f9ff c", "\u00e9\u4e2d".encode(), (1, 2, 3)])
def test_each_cutting_is_the_whole_stream(stream):
    rows = cuttings(stream)
    assert rows[0] == (stream,)
    assert len(set(rows)) == len(rows)
    for deltas in rows:
        joined = deltas[0]
        for delta in deltas[1:]:
            joined += delta
        assert joined == stream


@pytest.mark.parametrize(
    ("cut", "at_once", "stream", "what"),
    [
        ("<<n", "<n", "<n<think>", "text twice"),
        ('{"a": 1}<', '{"a": 1', '{"a": 1}<', "lost text"),
        ("a\ufffdba\ufffdb", "a\ufffdb", "a\ufffdb", "text twice"),
        ("a\ufffdb", "ab", "a\ufffdb", "lost text"),
        ("\ufffd\ufffd", "\u00e9", "\u00e9", "U+FFFD for parts of a character"),
        ("\u00ef\u00bf\u00bd", "\ufffd", "\ufffd", "other text"),
        ("plan</think>done", "plandone", "plan</think>done", "a marker as text"),
    ],
)
def test_text_with_a_bracket_is_no_marker(cut, at_once, stream, what):
    one, other = (Parsed((("content", text),)) for text in (cut, at_once))
    assert what in changes(one, other, stream, ())
