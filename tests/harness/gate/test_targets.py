"""Lost entry points, changed fingerprints and checks that did not run fail."""

from dataclasses import replace

import pytest

from tokharness.baseline import run_options_of
from tokharness.config import Options
from tokharness.gate.next_steps import GateCommand, with_next_steps

COUNT_SKIP = ("TOK110 entry-points-disagree", "the target has no count")
PROFILE_SKIP = ("TOK114 superlinear-growth", "it does not run in the quick profile")


def test_a_lost_entry_point_fails(gate, make_target):
    now = make_target(capabilities=("decode_single_token_bytes",))
    (change,) = gate(now).failing
    assert (change.kind, change.what) == ("lost-entry-point", "count")


def test_a_lost_entry_point_names_the_checks_that_need_it(gate, make_target):
    now = make_target(capabilities=("decode_single_token_bytes",), skips=[COUNT_SKIP])
    (change,) = gate(now).failing
    assert "not checked by TOK110" in change.message


def test_a_new_entry_point_is_reported_and_does_not_fail(gate, make_target):
    now = make_target(capabilities=("count", "decode_single_token_bytes", "normalize"))
    (change,) = gate(now).changes
    assert (change.kind, change.what, change.fails) == ("new-entry-point", "normalize", False)


def test_a_lost_vocabulary_size_fails(gate, make_target, fingerprint):
    now = make_target(
        fingerprint=replace(fingerprint, n_vocab=None, vocabulary=None),
        skips=[("TOK407 id-space-holes", "the target has no n_vocab")],
    )
    (change,) = gate(now).failing
    assert (change.kind, change.what) == ("lost-entry-point", "n_vocab")


def test_a_new_skip_fails(gate, make_target):
    now = make_target(skips=[("TOK201 ids-differ-from-reference", "there is no reference")])
    (change,) = gate(now).failing
    assert change.kind == "new-skip"
    assert "there is no reference" in change.message


def test_a_skip_of_the_baseline_is_no_change(gate, make_target, make_baseline):
    now = make_target(skips=[COUNT_SKIP])
    assert not gate(now, make_baseline(now)).changes


def test_skips_that_differ_in_numbers_are_the_same(gate, make_target, make_baseline):
    skips = [(f"{count} texts of emoji", "they end it") for count in ("17", "1,234")]
    one, other = (make_target(skips=[skip]) for skip in skips)
    assert not gate(other, make_baseline(one)).changes


def test_skips_that_differ_in_the_code_are_not(gate, make_target, make_baseline, kinds):
    one, other = (make_target(skips=[(code, "it is slow")]) for code in ("TOK113", "TOK114"))
    assert kinds(gate(other, make_baseline(one))) == ["new-skip"]


def test_a_quicker_profile_than_that_of_the_baseline_fails(gate, make_target, make_baseline):
    before = make_baseline(run=run_options_of(Options(profile="standard")))
    (change,) = gate(make_target(), before).failing
    assert change.kind == "check-not-run"
    assert "the profile is quick, and the baseline has standard" in change.message


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
def test_replayed_regressions_do_not_make_a_run_narrower(
    gate, make_target, make_baseline, families, before
):
    was = make_baseline(run=run_options_of(Options(profile="quick", families=before)))
    assert not gate(make_target(), was, options=Options(profile="quick", families=families)).changes


def test_a_run_of_regressions_alone_is_narrower(gate, make_target, kinds):
    options = Options(profile="quick", families=("regressions",))
    assert kinds(gate(make_target(), options=options)) == ["check-not-run"]


def test_a_regression_that_resembles_a_crashing_text_is_no_new_skip(gate, make_target):
    skips = [("part of family regressions", "it resembles what crashes the target")]
    assert not gate(make_target(skips=skips)).changes


def test_a_regression_that_was_not_compared_is_a_new_skip(gate, make_target, kinds):
    skips = [("comparison of 3 texts of family regressions", "the reference raises on them")]
    assert kinds(gate(make_target(skips=skips))) == ["new-skip"]


def test_a_worker_that_ended_on_a_regression_is_a_new_skip(gate, make_target, kinds):
    skips = [("part 1 of family regressions", "the worker ended")]
    assert kinds(gate(make_target(skips=skips))) == ["new-skip"]


def test_a_check_that_the_profile_excludes_fails(gate, make_target, kinds):
    assert kinds(gate(make_target(skips=[PROFILE_SKIP]))) == ["new-skip"]


def test_a_new_skip_fails_with_another_profile_too(gate, make_target, kinds):
    now = make_target(skips=[("TOK201", "there is no reference")])
    result = gate(now, options=Options(profile="thorough"))
    assert kinds(result) == ["new-skip"]


def test_what_took_too_long_is_one_change_that_names_the_limit_to_set(gate, make_target):
    reason = "the processor time of the run is used up, --run-limit sets it"
    skips = [("part of family emoji", f"{reason} ({how})") for how in ("2 of 9 parts", "4 texts")]
    command = GateCommand(("hf:tokenizer.json",), "hf:tokenizer.json", file="baseline.json")
    (change,) = with_next_steps(gate(make_target(skips=skips)).failing, command)
    assert change.message.startswith("part of family emoji was not finished: ")
    assert "--run-limit" in change.message
    assert change.next[0].startswith("tokharness gate hf:tokenizer.json --run-limit 0 ")
    (other,) = gate(make_target(skips=skips[1:])).failing
    assert other.fingerprint == change.fingerprint  # on a machine of another speed


def test_what_took_too_long_for_the_baseline_too_is_no_change(gate, make_target, make_baseline):
    reason = "the processor time of the run is used up, --run-limit sets it"
    before = make_target(skips=[("part of family emoji", f"{reason} (4 texts)")])
    now = make_target(skips=[("part of family emoji", f"{reason} (7 texts)")])
    assert not gate(now, make_baseline(before)).changes


def test_a_check_that_was_not_run_fails(gate, make_target):
    (change,) = gate(make_target(checks=("TOK101",))).failing
    assert (change.kind, change.what) == ("check-not-run", "TOK201")


def test_a_skipped_check_is_only_a_new_skip(gate, make_target, kinds):
    now = make_target(checks=("TOK101",), skips=[("TOK201 ids-differ", "there is no reference")])
    assert kinds(gate(now)) == ["new-skip"]


def test_a_check_that_was_not_selected_fails(gate, make_target, kinds):
    options = Options(profile="quick", select=("TOK101",))
    assert kinds(gate(make_target(checks=("TOK101",)), options=options)) == ["check-not-run"]


def test_an_additional_check_is_no_change(gate, make_target):
    now = make_target(checks=("TOK101", "TOK102", "TOK201"))
    assert not gate(now).changes


def test_a_run_without_a_snapshot_fails_by_its_skip(gate, make_target, kinds):
    now = make_target(golden=None, skips=[("the golden texts", "the target's process ended")])
    assert kinds(gate(now)) == ["new-skip"]
