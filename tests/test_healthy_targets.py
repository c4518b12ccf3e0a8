"""Nothing is told as a bug of a healthy target, and everything is tried on it."""

from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.engine.events import FindingReported, SkipRecorded, TargetFinished, TargetStarted
from tokharness.model import Verdict
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

HEALTHY = Path(__file__).with_name("healthy_tokenizers.py")

NOT_IN_A_QUICK_RUN = "the quick profile leaves it out"
NO_REFERENCE = "there is no reference to compare with: none was asked for"
TOO_MANY = "they are too many; others, evenly over all that fail, were diagnosed"
"""Said of texts that are changed as was declared."""
LACKED_BY_ALL = {"decode_stream", "encode_bytes"}
LACKED_BY_PLAIN_ONES = {
    *("decode_stream", "encode_bytes and no decode_bytes", "encode_with_offsets", "n_vocab"),
    *("decode_single_token_bytes", "decode_single_token_bytes and no n_vocab"),
}
"""What the healthy targets have not, as skips say it."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        "tiktoken:embedded",
        "reference",
        f"python:{HEALTHY}:plain",
        f"python:{HEALTHY}:complete",
        f"python:{HEALTHY}:declares_nfc",
        f"python:{HEALTHY}:declares_nfkc",
    ],
)
def test_a_healthy_target_has_no_bug(spec, events, summarize):
    is_ours = spec.startswith("python:")
    seen = events(spec, against="none" if is_ours else None)
    assert summarize(bugs(seen)) == []
    assert_all_was_tried(seen, is_plain=is_ours and not spec.endswith(":complete"))


def bugs(seen):
    found = [event.finding for event in seen if isinstance(event, FindingReported)]
    return [finding for finding in found if finding.verdict is Verdict.BUG]


def assert_all_was_tried(seen, *, is_plain):
    """That every family was tried to the end, and nothing skipped but what no one can try."""
    (start,) = [event for event in seen if isinstance(event, TargetStarted)]
    assert set(start.families) == set(plugins.families())
    (end,) = [event for event in seen if isinstance(event, TargetFinished)]
    assert end.cases > 80_000
    lacked = LACKED_BY_PLAIN_ONES if is_plain else LACKED_BY_ALL
    reasons = {event.skip.reason for event in seen if isinstance(event, SkipRecorded)}
    reasons -= {f"the target has no {name}" for name in lacked}
    assert reasons <= {NOT_IN_A_QUICK_RUN, NO_REFERENCE, TOO_MANY}


def skip_without(vocabulary):
    if not PUBLISHED[vocabulary].cache_path.exists():
        pytest.skip(f"{vocabulary} is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")


@pytest.mark.slow
@pytest.mark.parametrize("vocabulary", ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_published_vocabulary_has_no_bug(vocabulary, wrapped, monkeypatch, events, summarize):
    skip_without(vocabulary)
    monkeypatch.setenv("WRAPPED", vocabulary)
    spec = f"python:{HEALTHY}:plain" if wrapped else f"tiktoken:{vocabulary}"
    against = f"tiktoken:{vocabulary}" if wrapped else None
    seen = events(spec, against=against)
    assert summarize(bugs(seen)) == []
    assert_all_was_tried(seen, is_plain=wrapped)


@pytest.mark.slow
def test_the_stack_overflow_of_tiktoken_on_a_million_spaces_is_found_and_nothing_else(events):
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
