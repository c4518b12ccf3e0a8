"""A healthy target has no bugs, and all families and checks run on it."""

from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.engine.events import FindingReported, SkipRecorded, TargetFinished, TargetStarted
from tokharness.model import Verdict
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

HEALTHY = Path(__file__).with_name("healthy_tokenizers.py")

NOT_IN_A_QUICK_RUN = "it does not run in the quick profile"
NO_REFERENCE = "there is no reference to compare with: --against is none"
NO_SEAMS = "the reference has no seams"
TOO_MANY = "too many texts fail; an even sample of them was diagnosed"
"""The skip for texts that change as the target declares."""
MISSING_FROM_ALL = {"decode_stream", "encode_bytes", "token_text"}
MISSING_FROM_PLAIN = {
    *("decode_stream", "encode_bytes", "encode_with_offsets", "n_vocab", "token_text"),
    *("decode_single_token_bytes", "decode_single_token_bytes or bytes_inside and no n_vocab"),
    "decode_single_token_bytes or token_text and no n_vocab",
    "decode_single_token_bytes or bytes_inside or reference and no n_vocab",
}
"""What the healthy targets do not have, in the words of the skips."""


@pytest.mark.slow(every=2)
@pytest.mark.parametrize(
    ("spec", "against"),
    [
        ("tiktoken:embedded", None),
        (f"python:{HEALTHY}:plain", "tiktoken:embedded"),
        (f"python:{HEALTHY}:complete", "none"),
        (f"python:{HEALTHY}:declares_nfkc", "none"),
    ],
)
def test_a_healthy_target_has_no_bug(spec, against, events, summarize):
    run_events = events(spec, against=against)
    assert summarize(bugs(run_events)) == []
    is_plain = spec.startswith("python:") and not spec.endswith(":complete")
    assert_everything_ran(run_events, is_plain=is_plain)


@pytest.mark.parametrize("factory", ["plain", "declares_nfc", "declares_nfd"])
def test_a_healthy_target_has_no_bug_on_marks_in_every_order(factory, events, summarize):
    """The twins of the faults ``orders_...``, which have one class wrong."""
    options = {"families": ("mark-orders",), "select": ("TOK101", "TOK102", "TOK113")}
    run_events = events(f"python:{HEALTHY}:{factory}", **options)
    assert summarize(bugs(run_events)) == []
    (end,) = [event for event in run_events if isinstance(event, TargetFinished)]
    assert end.cases > 800


MOST_RISKS = 5
"""Risks of a real vocabulary: more of them are not read."""


def findings_of(run_events, verdict):
    findings = [event.finding for event in run_events if isinstance(event, FindingReported)]
    return [finding for finding in findings if finding.verdict is verdict]


def bugs(run_events):
    return findings_of(run_events, Verdict.BUG)


def assert_everything_ran(run_events, *, is_plain):
    """Assert that all families ran to the end, and that only unavailable methods are skipped."""
    (start,) = [event for event in run_events if isinstance(event, TargetStarted)]
    assert set(start.families) == set(plugins.families())
    (end,) = [event for event in run_events if isinstance(event, TargetFinished)]
    assert end.cases > 80_000
    missing = MISSING_FROM_PLAIN if is_plain else MISSING_FROM_ALL
    reasons = {event.skip.reason for event in run_events if isinstance(event, SkipRecorded)}
    reasons -= {f"the target has no {name}" for name in missing}
    assert reasons <= {NOT_IN_A_QUICK_RUN, NO_REFERENCE, NO_SEAMS, TOO_MANY}


def skip_without(vocabulary):
    if not PUBLISHED[vocabulary].cache_path.exists():
        pytest.skip(f"{vocabulary} is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("vocabulary", ["cl100k_base", "o200k_base", "r50k_base"])
def test_a_published_vocabulary_has_no_bug_and_few_risks(vocabulary, events, summarize):
    """Each pattern once: p50k_base has the pattern of r50k_base, and its tokens."""
    skip_without(vocabulary)
    run_events = events(f"tiktoken:{vocabulary}", against=None)
    assert summarize(bugs(run_events)) == []
    assert len(findings_of(run_events, Verdict.RISK)) <= MOST_RISKS
    assert_everything_ran(run_events, is_plain=False)


@pytest.mark.slow
@pytest.mark.nightly
def test_the_stack_overflow_of_tiktoken_on_a_million_spaces_is_the_only_bug(events):
    skip_without("o200k_base")
    (bug,) = bugs(
        events(
            "tiktoken:o200k_base",
            jobs=1,
            profile="standard",
            families=("very-long-inputs",),
            select=("TOK1",),
            ignore=("TOK114",),
        )
    )
    assert str(bug.cause).startswith("panics: encode, PanicException")
    assert len(bug.text) > 500_000


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tiktoken:cl100k_base", "reference:cl100k_base"])
@pytest.mark.parametrize("against", ["tiktoken:cl100k_base", "reference:cl100k_base"])
def test_equal_libraries_have_no_bug_where_the_user_claims_parity(spec, against, events, summarize):
    skip_without("cl100k_base")
    families = ("surrogates", "special-tokens", "invalid-utf8", "emoji")
    select = ("TOK111", "TOK115", "TOK2")
    run_events = events(spec, against=against, families=families, examples=0, select=select)
    assert summarize(bugs(run_events)) == []
