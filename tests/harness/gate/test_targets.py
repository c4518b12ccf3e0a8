"""What a target is, can and was asked: what is lost or other fails, what is more is told."""

from dataclasses import replace

import pytest

from tokharness.baseline import run_options_of
from tokharness.config import Options

COUNT_SKIP = ("TOK110 entry-points-disagree", "the target has no count")
PROFILE_SKIP = ("TOK114 superlinear-growth", "the quick profile leaves it out")


def test_a_lost_capability_fails(gate, make_target):
    now = make_target(capabilities=("decode_single_token_bytes",))
    (change,) = gate(now).failing
    assert (change.kind, change.what) == ("lost-capability", "count")


def test_what_is_not_checked_for_it_is_told_with_it_and_not_again(gate, make_target):
    now = make_target(capabilities=("decode_single_token_bytes",), skips=[COUNT_SKIP])
    (change,) = gate(now).failing
    assert "not checked by TOK110" in change.message


def test_a_new_capability_is_told_and_fails_nothing(gate, make_target):
    now = make_target(capabilities=("count", "decode_single_token_bytes", "normalize"))
    (change,) = gate(now).changes
    assert (change.kind, change.what, change.fails) == ("new-capability", "normalize", False)


def test_a_lost_size_of_the_vocabulary_fails(gate, make_target, fingerprint):
    now = make_target(
        fingerprint=replace(fingerprint, n_vocab=None, vocabulary=None),
        skips=[("TOK407 id-space-holes", "the target has no n_vocab")],
    )
    (change,) = gate(now).failing
    assert (change.kind, change.what) == ("lost-capability", "n_vocab")


def test_a_new_skip_fails(gate, make_target):
    now = make_target(skips=[("TOK201 ids-differ-from-reference", "there is no reference")])
    (change,) = gate(now).failing
    assert change.kind == "new-skip"
    assert "there is no reference" in change.message


def test_a_skip_of_the_baseline_is_no_change(gate, make_target, make_baseline):
    now = make_target(skips=[COUNT_SKIP])
    assert not gate(now, make_baseline(now)).changes


def test_numbers_in_a_skip_do_not_make_it_another(gate, make_target, make_baseline):
    skips = [(f"{count} texts of emoji", "they end it") for count in ("17", "1,234")]
    one, other = (make_target(skips=[skip]) for skip in skips)
    assert not gate(other, make_baseline(one)).changes


def test_the_code_in_a_skip_does(gate, make_target, make_baseline, kinds):
    one, other = (make_target(skips=[(code, "it is slow")]) for code in ("TOK113", "TOK114"))
    assert kinds(gate(other, make_baseline(one))) == ["new-skip"]


def test_a_quicker_profile_than_that_of_the_baseline_fails(gate, make_target, make_baseline):
    before = make_baseline(run=run_options_of(Options(profile="standard")))
    (change,) = gate(make_target(), before).failing
    assert change.kind == "check-not-run"
    assert "the run is quick, and that of the baseline was standard" in change.message


def test_a_more_thorough_profile_is_no_change(gate, make_target):
    assert not gate(make_target(), options=Options(profile="thorough")).changes


@pytest.mark.parametrize(
    ("families", "before", "fails"),
    [
        (("emoji",), (), True),
        (("emoji",), ("bidi", "emoji"), True),
        (("bidi", "emoji"), ("emoji",), False),
        ((), ("emoji",), False),
    ],
)
def test_fewer_families_than_those_of_the_baseline_fail(
    gate, make_target, make_baseline, families, before, fails
):
    was = make_baseline(run=run_options_of(Options(profile="quick", families=before)))
    now = Options(profile="quick", families=families)
    assert bool(gate(make_target(), was, options=now).failing) == fails


@pytest.mark.parametrize(
    ("families", "before"),
    [
        (("emoji",), ("emoji", "regressions")),
        (("emoji", "regressions"), ("emoji",)),
        (("emoji",), ("regressions",)),
    ],
)
def test_what_a_project_replays_makes_no_run_narrower(
    gate, make_target, make_baseline, families, before
):
    was = make_baseline(run=run_options_of(Options(profile="quick", families=before)))
    assert not gate(make_target(), was, options=Options(profile="quick", families=families)).changes


def test_to_replay_alone_is_narrower_than_all(gate, make_target, kinds):
    options = Options(profile="quick", families=("regressions",))
    assert kinds(gate(make_target(), options=options)) == ["check-not-run"]


def test_what_resembles_a_deadly_text_of_what_a_project_replays_is_no_new_skip(gate, make_target):
    skips = [("part of family regressions", "it resembles what crashes the target")]
    assert not gate(make_target(skips=skips)).changes


def test_what_a_project_replays_and_is_not_compared_is_a_new_skip(gate, make_target, kinds):
    skips = [("comparison of 3 texts of family regressions", "the reference raises on them")]
    assert kinds(gate(make_target(skips=skips))) == ["new-skip"]


def test_a_worker_that_ended_over_what_a_project_replays_is_a_new_skip(gate, make_target, kinds):
    skips = [("part 1 of family regressions", "the worker ended")]
    assert kinds(gate(make_target(skips=skips))) == ["new-skip"]


def test_what_the_profile_of_the_baseline_leaves_out_now_fails(gate, make_target, kinds):
    assert kinds(gate(make_target(skips=[PROFILE_SKIP]))) == ["new-skip"]


def test_another_skip_fails_with_another_profile_too(gate, make_target, kinds):
    now = make_target(skips=[("TOK201", "there is no reference")])
    result = gate(now, options=Options(profile="thorough"))
    assert kinds(result) == ["new-skip"]


def test_a_check_that_was_not_run_fails(gate, make_target):
    (change,) = gate(make_target(checks=("TOK101",))).failing
    assert (change.kind, change.what) == ("check-not-run", "TOK201")


def test_a_check_that_was_skipped_is_told_as_a_skip_only(gate, make_target, kinds):
    now = make_target(checks=("TOK101",), skips=[("TOK201 ids-differ", "there is no reference")])
    assert kinds(gate(now)) == ["new-skip"]


def test_a_check_that_was_not_asked_for_fails(gate, make_target, kinds):
    options = Options(profile="quick", select=("TOK101",))
    assert kinds(gate(make_target(checks=("TOK101",)), options=options)) == ["check-not-run"]


def test_a_check_more_is_no_change(gate, make_target):
    now = make_target(checks=("TOK101", "TOK102", "TOK201"))
    assert not gate(now).changes


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        ({"vocabulary": "ff00"}, "vocabulary", "other bytes"),
        ({"vocabulary": None}, "vocabulary", "no id has bytes"),
        ({"n_vocab": 260}, "vocabulary", "259 ids, now 260"),
        ({"special_tokens": {}, "vocabulary": "ff00"}, "special-tokens", "gone: <|end|>"),
        ({"normalizer": "NFC", "normalizer_version": "7.0"}, "normalizer", "from none to NFC"),
        ({"special_tokens": {}}, "special-tokens", "gone: <|end|>"),
        ({"special_tokens": {"<|end|>": 257}}, "special-tokens", "with another id: <|end|>"),
        ({"special_tokens": {"<|end|>": 258, "<|a|>": 9}}, "special-tokens", "added: <|a|>"),
        ({"normalizer": "NFC"}, "normalizer", "from none to NFC"),
        ({"normalizer_version": "16.0"}, "normalizer", "to 16.0"),
    ],
    ids=str,
)
def test_another_fingerprint_fails(gate, make_target, fingerprint, change, kind, told):
    (found,) = gate(make_target(fingerprint=replace(fingerprint, **change))).failing
    assert found.kind == kind
    assert told in found.message


def test_another_vocabulary_of_another_size_is_one_change(gate, make_target, fingerprint):
    now = make_target(fingerprint=replace(fingerprint, vocabulary="ff00", n_vocab=300))
    (change,) = gate(now).failing
    assert "259 ids, now 300" in change.message


def test_a_vocabulary_whose_bytes_nobody_tells_any_more_is_one_change(
    gate, make_target, fingerprint, kinds
):
    now = make_target(
        fingerprint=replace(fingerprint, vocabulary=None),
        capabilities=("count",),
        skips=[
            ("TOK401 token-not-its-own-encoding", "the target has no decode_single_token_bytes")
        ],
    )
    assert kinds(gate(now)) == ["lost-capability"]


def test_another_pattern_is_told_and_fails_nothing(gate, make_target, fingerprint):
    now = make_target(fingerprint=replace(fingerprint, pattern="\\S+"))
    (change,) = gate(now).changes
    assert (change.kind, change.fails) == ("pattern", False)


def test_of_many_special_tokens_some_are_named(gate, make_target, fingerprint):
    names = {f"<|{number:02}|>": number for number in range(50)}
    now = make_target(fingerprint=replace(fingerprint, special_tokens=names))
    (change,) = gate(now).failing
    assert "and 40 more" in change.message


def test_a_run_without_a_snapshot_is_not_passed_for_the_skip_that_tells_it(
    gate, make_target, kinds
):
    now = make_target(golden=None, skips=[("the golden texts", "the target's process ended")])
    assert kinds(gate(now)) == ["new-skip"]
