"""A target that answers nothing is reported within 15 seconds, and a slow one at the beginning."""

import json
import re
import sys

import pytest

pytestmark = pytest.mark.slow

SECONDS = 15
"""What is promised, load and first texts included; the watchdog adds what a busy machine takes."""

HANGS = "while True: time.sleep(1)"

ATTACKS = {
    "hangs": ("hang: encode", HANGS),
    "spins": ("hang: encode", "while True: pass"),
    "hangs without signals": (
        "hang: encode",
        f"signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n        {HANGS}",
    ),
    "aborts": ("crash: encode, SIGABRT", "os.abort()"),
    "exits": ("crash: encode, exit code 3", "os._exit(3)"),
    "kills itself": ("crash: encode, SIGKILL", "os.kill(os.getpid(), signal.SIGKILL)"),
    "takes all memory": ("out of memory: encode", "raise MemoryError"),
    "hangs except for one letter": ("hang: encode", f"if text == 'a': return\n        {HANGS}"),
    "aborts except for one letter": (
        "crash: encode, SIGABRT",
        "if text == 'a': return\n        os.abort()",
    ),
}

TARGET = """
class Target(Planted):
    def attack(self, text):
        {action}
"""


def run(attack, source, *arguments):
    # The profile and the families are those of a plain `tokharness check`.
    return attack(source, "--profile", "standard", *arguments, seconds=4 * SECONDS)


def assert_hopeless(outcome, cause):
    assert outcome.code == 1
    (finding,) = outcome.findings
    assert (finding["code"], finding["cause"], finding["text"]) == ("TOK104", cause, "hello")
    (family,) = [skip for skip in outcome.skips if skip["what"] == "family zero-width"]
    assert "first texts; --keep-going" in family["reason"]


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", ATTACKS)
def test_a_target_that_answers_no_text_is_reported_and_the_run_stops(attack, name):
    cause, action = ATTACKS[name]
    assert_hopeless(run(attack, TARGET.format(action=action)), cause)


@pytest.mark.parametrize("action", ["os.abort()", HANGS])
def test_a_target_that_decodes_nothing_is_reported(attack, action):
    source = f"""
class Target(Planted):
    def decode(self, ids):
        {action}
"""
    cause = "crash: decode, SIGABRT" if "abort" in action else "hang: decode"
    assert_hopeless(run(attack, source), cause)


def test_a_selection_of_checks_does_not_hide_it(attack):
    outcome = run(attack, TARGET.format(action="os.abort()"), "--select", "TOK101")
    assert_hopeless(outcome, "crash: encode, SIGABRT")


PROGRAM = """
import json, os, sys, time
INFO = {"name": "hopeless", "ops": []}
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "info":
        print(json.dumps(INFO), flush=True)
        continue
    ACTION
"""

PROGRAMS = {
    "hangs": ("hang: encode", "time.sleep(1000)"),
    "exits": ("crash: encode, exit code 7", "os._exit(7)"),
    "answers no JSON": ("nonsense: encode", "print('hello', flush=True)"),
    "answers too few results": ("nonsense: encode", "print('{\"results\": []}', flush=True)"),
    "answers with nested lists": ("nonsense: encode", "print('[' * 100_000, flush=True)"),
    "answers with other types": ("nonsense: encode", "print('{\"results\": [7]}', flush=True)"),
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_breaks_the_protocol_each_time_is_reported(start, tmp_path, name):
    cause, action = PROGRAMS[name]
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("ACTION", action), encoding="utf-8")
    report = ("--report", f"json={tmp_path / 'report.json'}")
    spec = f"command:{sys.executable} {program}"
    outcome = start("check", spec, "--jobs", "2", *report).finish(4 * SECONDS)
    assert_hopeless(outcome, cause)


def test_a_campaign_stops_too(start, tmp_path):
    source = f"from faulty import *\n{TARGET.format(action='os.abort()')}"
    (tmp_path / "adversary.py").write_text(source, encoding="utf-8")
    report = ("--report", f"json={tmp_path / 'report.json'}")
    arguments = ("--max-time", "60s", "--database", "none", "--jobs", "2", *report)
    outcome = start("fuzz", "python:adversary.py:Target", *arguments).finish(4 * SECONDS)
    assert outcome.code == 1
    assert [finding["cause"] for finding in outcome.findings] == ["crash: encode, SIGABRT"]


def test_one_of_two_targets_is_hopeless(start, tmp_path):
    source = f"from faulty import *\nHealthy = Planted\n{TARGET.format(action='os.abort()')}"
    (tmp_path / "adversary.py").write_text(source, encoding="utf-8")
    targets = ("python:adversary.py:Target", "python:adversary.py:Healthy")
    report = ("--report", f"json={tmp_path / 'report.json'}")
    options = ("--profile", "quick", "--family", "zero-width", "--jobs", "2", *report)
    outcome = start("check", *targets, *options).finish(4 * SECONDS)
    assert outcome.code == 1
    assert outcome.codes == {"TOK104", "TOK101"}


@pytest.mark.parametrize("profile", ["quick", "standard"])
def test_a_slow_target_is_announced_with_how_long_and_what_to_do(start, tmp_path, profile):
    source = f"from faulty import *\n{TARGET.format(action='time.sleep(0.05)')}"
    (tmp_path / "adversary.py").write_text(source, encoding="utf-8")
    process = start("check", "python:adversary.py:Target", "--jobs", "2", "--profile", profile)
    lines = []
    for line in process.popen.stderr:
        lines.append(line.decode())
        if "slow" in lines[-1]:
            break
    process.kill()
    process.popen.communicate()
    assert re.search(r"--examples|--family|--profile quick", "".join(lines)), lines


def test_a_target_of_usual_speed_is_not_announced(attack):
    assert "slow" not in attack("").err


def test_a_target_that_needs_long_for_its_first_text_is_not_hopeless(attack):
    source = """
first = []
class Target(Planted):
    def attack(self, text):
        if not first:
            first.append(text)
            time.sleep(3)
"""
    outcome = attack(source, "--select", "TOK101,TOK104", seconds=90)
    assert outcome.codes == {"TOK101"}


def test_a_journal_of_a_slow_target_can_be_resumed(start, tmp_path):
    source = f"from faulty import *\n{TARGET.format(action='time.sleep(0.05)')}"
    (tmp_path / "adversary.py").write_text(source, encoding="utf-8")
    journal = tmp_path / "run.journal"
    options = ("--profile", "quick", "--jobs", "1")
    process = start("check", "python:adversary.py:Target", *options, "--journal", journal)
    while not journal.exists() or b"TargetStarted" not in journal.read_bytes():
        assert process.popen.poll() is None
    process.kill()
    process.popen.communicate()
    events = [json.loads(line).get("event") for line in journal.read_text().splitlines()[1:]]
    assert "SlowTarget" not in events
