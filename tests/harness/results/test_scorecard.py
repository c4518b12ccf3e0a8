"""The scorecard of a target: what each line says, and its status."""

from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.engine.events import CampaignFinished, FamilyFinished, TargetStarted
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.results.report import TargetReport
from tokharness.results.scorecard import ORDER, PROMISES, scorecard

CHECKS = tuple(plugins.checks())


def finding(code, kind, verdict=Verdict.BUG, *, count=1, parameters=(), **evidence):
    name = plugins.checks()[code].name if code in plugins.checks() else "a-check"
    cause = Cause(kind, parameters, verdict, f"message of {kind}")
    return Finding("x", code, name, cause, count, None, (), "", evidence)


def target(
    *findings, checks=CHECKS, skips=(), families=(), capabilities=(), version=None, **fields
):
    names = tuple(family.family for family in families)
    started = TargetStarted("x", "y", capabilities, None, version, names, checks)
    return TargetReport(started, tuple(families), findings, tuple(skips), None, **fields)


def family(name="digits", cases=10, **counts):
    return FamilyFinished("x", name, cases, 0, **counts)


ONE_FAMILY = (family(),)


def lines(*findings, families=ONE_FAMILY, **fields):
    of_target = target(*findings, families=families, **fields)
    return {line.name: line for line in scorecard(of_target)}


def test_every_check_belongs_to_a_promise():
    owned = {code for promise in PROMISES for code in promise.codes}
    declared = {code for code, check in plugins.checks().items() if check.promise in ORDER}
    what_to_do = "set PROMISE of the check to a name in ORDER of results/scorecard"
    assert set(CHECKS) | set(plugins.chat_checks()) == owned | declared, what_to_do


def test_the_findings_of_a_check_are_in_the_line_that_it_declares(monkeypatch):
    mine = replace(plugins.checks()["TOK405"], code="MINE1", promise="text of tokens")
    checks = {**plugins.checks(), "MINE1": mine}
    monkeypatch.setattr(plugins, "checks", lambda: checks)
    found = lines(finding("MINE1", "a kind", Verdict.RISK))
    assert found["text of tokens"].status == "risk"
    assert "other checks" not in found
    skip = Skip("x", "the audit of MINE1", "a reason")
    assert "a reason" in lines(checks=(*CHECKS, "MINE1"), skips=[skip])["text of tokens"].value


def test_every_promise_has_its_place():
    assert sorted(ORDER) == sorted(promise.name for promise in PROMISES)


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.name)
@pytest.mark.parametrize("verdict", [Verdict.BUG, Verdict.RISK])
def test_a_bug_or_risk_of_its_checks_is_the_status_of_a_line(promise, verdict):
    kind = promise.kinds[0] if promise.kinds else "a kind"
    for code in promise.codes:
        line = lines(finding(code, kind, verdict))[promise.name]
        assert line.status == verdict.value


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.name)
def test_a_bug_makes_no_other_line_a_bug(promise):
    kind = promise.kinds[0] if promise.kinds else "a kind"
    found = lines(finding(promise.codes[0], kind), families=[family(cases=1)])
    assert [line.name for line in found.values() if line.status == "bug"] == [promise.name]


def test_the_worst_finding_decides_the_status():
    risk = finding("TOK101", "a risk", Verdict.RISK)
    assert lines(risk, finding("TOK101", "a bug"))["round trip"].status == "bug"


def test_the_worst_lines_are_first_and_equals_keep_the_order_of_the_promises():
    first, last = ORDER[0], ORDER[-1]
    by_name = {promise.name: promise for promise in PROMISES}
    bug, risk = by_name[last], by_name[ORDER[8]]
    found = [finding(bug.codes[0], "a kind"), finding(risk.codes[0], "a kind", Verdict.RISK)]
    skip = Skip("x", "TOK114 superlinear-growth", "it does not run in the quick profile")
    checks = [code for code in CHECKS if code != "TOK114"]
    card = list(lines(*found, checks=checks, skips=[skip]).values())
    assert [line.name for line in card[:2]] == [bug.name, risk.name]
    statuses = [line.status for line in card]
    assert statuses == sorted(statuses, key=["bug", "risk", "skip", "ok"].index)
    fine = [line.name for line in card if line.status == "ok"]
    assert fine == [name for name in ORDER if name in fine]
    assert fine[0] == first


def test_a_bug_of_the_library_is_named_and_leaves_the_line_ok():
    of_library = replace(finding("TOK108", "a bug"), library="tokenizers 1.2")
    line = lines(of_library)["entry points"]
    assert line.status == "ok"
    assert "tokenizers 1.2, whatever the file: TOK108 a bug" in line.value


def test_texts_that_came_back_are_counted_over_all_families():
    counted = [family("digits", 10, unchanged=5), family("emoji", 5, unchanged=5)]
    line = lines(families=counted)["round trip"]
    assert (line.status, line.value) == ("ok", "10 of 15 texts came back unchanged")
    assert line.numbers == {"unchanged": 10, "texts": 15}


@pytest.mark.parametrize(("unchanged", "text"), [(100, "all 100 texts"), (99, "all but 1 of 100")])
def test_few_texts_that_changed_are_counted_and_not_the_others(unchanged, text):
    line = lines(families=[family(cases=100, unchanged=unchanged)])["round trip"]
    assert line.value.startswith(text)


def test_a_change_by_design_is_named():
    fact = finding("TOK101", "declared", Verdict.FACT)
    line = lines(fact, families=[family(unchanged=3)])["round trip"]
    assert line.status == "ok"
    assert line.value.endswith("among the others by design: message of declared")


def test_a_report_without_counts_says_so():
    assert "not counted" in lines(families=[family()])["round trip"].value


def test_the_reference_line_counts_compared_texts_only():
    line = lines(families=[family(cases=10, compared=8, same_ids=7)])["reference"]
    assert line.value.startswith("7 of 8 texts have the ids of y; 2 of 10 were not compared")


@pytest.mark.parametrize(("compared", "status"), [(10, "ok"), (5, "skip")])
def test_equal_ids_of_half_of_the_texts_are_not_ok(compared, status):
    line = lines(families=[family(cases=10, compared=compared, same_ids=compared)])["reference"]
    assert line.status == status
    assert ("5 of 10 were not compared" in line.value) == (compared == 5)


def test_a_reference_without_a_compared_text_was_not_measured():
    line = lines(families=[family(cases=10, compared=0, same_ids=0)])["reference"]
    assert (line.status, line.value) == (
        "skip",
        "not measured: no text has ids of the target and of y",
    )


def test_texts_that_are_too_long_for_a_reference_are_not_missed():
    families = [family(cases=10, compared=10, same_ids=10), family("very-long-inputs", 9)]
    counted = [
        replace(one, compared=one.compared or 0, same_ids=one.same_ids or 0) for one in families
    ]
    assert lines(families=counted)["reference"].value == "all 10 texts have the ids of y"


def test_forged_special_ids_are_counted():
    near = family("special-tokens", 100)
    line = lines(finding("TOK103", "forged", count=3), families=[near, family()])["special tokens"]
    assert line.status == "bug"
    assert line.numbers == {"forged": 3, "texts": 100}


def test_special_ids_of_any_text_are_counted_among_all_texts():
    row = replace(finding("TOK103", "a line feed", count=80), families=("digits", "special-tokens"))
    line = lines(row, families=[family("special-tokens", 10), family(cases=90)])["special tokens"]
    assert line.value.startswith("at least 80 of 100 texts get a special id; ")


def test_a_default_that_reads_special_tokens_is_part_of_the_line():
    risk = finding(
        "TOK115", "default entry point", Verdict.RISK, parameters=[("safe with", "safe=True")]
    )
    line = lines(risk, families=[family("special-tokens", 100)])["special tokens"]
    assert line.status == "risk"
    assert line.value == (
        "encode reads special tokens from text by default; with safe=True, none of 100 texts that "
        "imitate special tokens gets a special id"
    )


def test_texts_that_crash_are_counted_without_other_faults_of_the_line():
    crash, ids = finding("TOK104", "crash", count=2), finding("TOK112", "ids", Verdict.RISK)
    line = lines(ids, crash, families=[family(cases=100)])["crashes and errors"]
    assert line.value == "2 of 100 texts; TOK112 ids; TOK104 crash"
    alone = lines(ids, families=[family(cases=100)])["crashes and errors"]
    assert alone.value == "none on 100 texts; TOK112 ids"


def test_a_text_that_fails_in_two_ways_is_not_counted_twice():
    both = [finding("TOK102", "raises", count=3), finding("TOK105", "not an integer", count=3)]
    line = lines(*both, families=[family(cases=4)])["crashes and errors"]
    assert line.value.startswith("at least 3 of 4 texts")


def test_without_texts_that_imitate_them_special_tokens_are_not_measured():
    line = lines(families=[family()])["special tokens"]
    assert (line.status, line.numbers) == ("skip", {})
    assert line.value.startswith("not measured: ")


def test_a_check_that_could_not_run_gives_its_reason():
    skip = Skip("x", "TOK114 superlinear-growth", "it does not run in the quick profile")
    line = lines(checks=("TOK101",), skips=[skip])["growth"]
    assert (line.status, line.value) == ("skip", f"not measured: {skip.reason}")


def test_a_check_that_was_not_selected_has_no_line():
    assert set(lines(checks=("TOK101",), families=[family(unchanged=1)])) == {"round trip"}


def test_a_line_says_nothing_of_its_first_check_if_only_another_one_was_selected():
    fact = finding("TOK403", "bytes", Verdict.FACT)
    assert lines(fact, checks=("TOK403",)) == {}
    bug = finding("TOK403", "no token for a byte")
    line = lines(bug, checks=("TOK403",))["partial tokens"]
    assert (line.status, line.value) == ("bug", "TOK403 no token for a byte")


def test_the_unicode_version_is_known_without_a_reference():
    skip = Skip("x", "TOK201 ids-differ-from-reference", "there is no reference")
    found = lines(checks=("TOK101",), skips=[skip], version="16.0")
    assert (found["Unicode version"].status, found["Unicode version"].value) == (
        "ok",
        "16.0 (split)",
    )
    assert found["reference"].status == "skip"


def test_each_stage_has_its_unicode_version():
    facts = [
        finding("TOK201", f"Unicode version of the {stage}", Verdict.FACT, parameters=[("is", v)])
        for stage, v in (("normalizer", "15.0"), ("split", "16.0"))
    ]
    assert lines(*facts)["Unicode version"].value == "15.0 (normalizer), 16.0 (split)"


def test_ordinary_content_of_tokens_is_not_dangerous():
    line = lines(finding("TOK408", "content of tokens", Verdict.FACT, count=9, tokens=1000))
    assert line["text of tokens"].value == "no token has hidden or dangerous text"
    assert line["text of tokens"].status == "ok"


def test_tokens_are_counted_of_all():
    partial = finding("TOK402", "partial UTF-8", Verdict.FACT, count=12, tokens=1000)
    line = lines(partial)["partial tokens"]
    assert (line.status, line.value) == ("ok", "12 of 1,000 tokens with part of a character")


def test_a_line_names_the_causes_of_other_checks_too():
    partial = finding("TOK402", "partial UTF-8", Verdict.FACT, count=12, tokens=1000)
    line = lines(partial, finding("TOK403", "no token for a byte"))["partial tokens"]
    assert line.status == "bug"
    assert line.value.endswith("; TOK403 no token for a byte")


def test_many_causes_are_counted():
    found = [finding("TOK110", f"cause {number}") for number in range(5)]
    assert lines(*found, capabilities=("count",))["entry points"].value == (
        "3 entry points were compared; TOK110 cause 0; TOK110 cause 1; and 3 more"
    )


def test_entry_points_that_cannot_be_compared_are_not_said_to_agree():
    line = lines()["entry points"]
    assert "agree" not in line.value


def test_the_checks_of_a_plugin_have_a_line():
    assert lines(finding("MINE101", "case"))["other checks"].value == "MINE101 case"


def test_a_campaign_has_no_scorecard():
    campaign = CampaignFinished("x", 0, 0, 1, 1, 1.0, {}, {})
    assert scorecard(target(campaign=campaign)) == ()


def test_a_target_that_does_not_load_has_no_scorecard():
    assert lines(finding("TOK104", "does not load"), families=()) == {}


def test_an_audit_without_a_result_is_not_said_to_have_found_nothing():
    skips = [Skip("x", "the audit of TOK401", "the run was interrupted")]
    line = lines(skips=skips)["unreachable tokens"]
    assert (line.status, line.value) == ("skip", "not measured: the run was interrupted")


def test_a_line_with_texts_that_were_not_diagnosed_is_incomplete():
    skips = [Skip("x", "the diagnosis of 3 texts that fail TOK101", "the run was interrupted")]
    line = lines(skips=skips, families=[family(unchanged=7)])["round trip"]
    assert line.status == "skip"
    assert line.value.endswith("unchanged; incomplete: the run was interrupted")


def test_a_sample_of_failing_texts_is_complete():
    reason = "too many texts fail; an even sample of them was diagnosed"
    skips = [Skip("x", "diagnosis of 300 texts that fail TOK101", reason)]
    assert lines(skips=skips, families=[family(unchanged=7)])["round trip"].status == "ok"


def test_tokens_that_no_tried_text_gives_are_not_said_to_be_unreachable():
    found = [
        finding("TOK401", kind, Verdict.RISK, count=count, tokens=300)
        for kind, count in (("unreachable tokens", 2), ("tokens not reached", 5))
    ]
    assert lines(*found)["unreachable tokens"].value == (
        "2 of 300 tokens that no text gives, and 5 that no tried text gives"
    )
