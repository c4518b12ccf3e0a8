"""What a signal from outside does to a process is a fact, and everything is run again.

The first process that reaches the given moment gets the signal, and later ones do not: the same
happens if an OOM killer chooses a worker.
"""

import os
import signal

import pytest

pytestmark = pytest.mark.slow

HELPERS = """
import traceback

HEALTHY = {healthy}

def once(name):
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True

def is_in(folder):
    return any(folder in frame.filename for frame in traceback.extract_stack())

def send():
    os.kill(os.getpid(), signal.{signal})
    time.sleep(1)

def parent_of(pid):
    return int(open(f"/proc/{{pid}}/stat").read().rpartition(")")[2].split()[1])

def is_guarded():
    return b"serve" in open("/proc/self/cmdline", "rb").read()

class Base(Planted):
    def encode(self, text):
        if HEALTHY:
            self.attack(text)
            return list(text.encode("utf-8", "surrogatepass"))
        return super().encode(text)
"""

MOMENTS = {
    "while it is loaded": """
if once("sent"):
    send()
Target = Base
""",
    "at the first text": """
class Target(Base):
    def attack(self, text):
        if once("sent"):
            send()
""",
    "in a batch": """
class Target(Base):
    def attack(self, text):
        if "\\u2060" in text and once("sent"):
            send()
""",
    "in decode": """
class Target(Base):
    def decode(self, ids):
        if len(ids) > 9 and once("sent"):
            send()
        return super().decode(ids)
""",
    "in an audit": """
class Target(Base):
    def decode_single_token_bytes(self, number):
        if number > 127 and once("sent"):
            send()
        return bytes([number])
""",
    "in a diagnosis": """
class Target(Base):
    def attack(self, text):
        if is_in("diagnosis/") and once("sent"):
            send()
""",
}

SIGNALS = ("SIGTERM", "SIGSTOP", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGXCPU")


def source_of(moment, *, healthy, sent="SIGKILL"):
    return HELPERS.format(healthy=healthy, signal=sent) + MOMENTS[moment]


def facts(outcome):
    return [
        finding["message"]
        for finding in outcome.findings
        if finding["cause_kind"] == "ended-from-outside"
    ]


def checks_of(moment):
    return "TOK" if "audit" in moment else "TOK101,TOK104"


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("moment", [name for name in MOMENTS if name != "in a diagnosis"])
def test_a_healthy_target_stays_healthy(attack, moment):
    outcome = attack(source_of(moment, healthy=True), select=checks_of(moment))
    assert outcome.code == 0, outcome.out
    assert facts(outcome) == [
        "a worker was ended from outside (SIGKILL), once; everything was run again"
    ]


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_fault_is_found_in_spite_of_an_outside_kill(attack, moment):
    outcome = attack(source_of(moment, healthy=False), select=checks_of(moment))
    assert outcome.code == 1
    assert outcome.codes == {"TOK101"}
    assert len(facts(outcome)) == 1
    assert not any("family" in skip["what"] for skip in outcome.skips)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("sent", SIGNALS)
def test_each_signal_that_may_come_from_outside_is_a_fact(attack, sent):
    outcome = attack(source_of("in a batch", healthy=True, sent=sent))
    assert outcome.code == 0, outcome.out
    assert facts(outcome) == [
        f"a worker was ended from outside ({sent}), once; everything was run again"
    ]


def test_the_fact_is_reported_if_other_checks_are_selected(attack):
    outcome = attack(source_of("in a batch", healthy=False), "--select", "TOK101")
    assert outcome.codes == {"TOK101"}
    assert len(facts(outcome)) == 1


def test_a_text_that_kills_each_process_is_a_bug(attack):
    attacks = """
class Target(Base):
    def attack(self, text):
        if "\\u200d" in text:
            send()
"""
    outcome = attack(HELPERS.format(healthy=False, signal="SIGKILL") + attacks, seconds=90)
    assert outcome.codes == {"TOK101", "TOK104"}
    (death,) = [finding for finding in outcome.findings if finding["code"] == "TOK104"]
    assert (death["cause"], death["text"]) == ("crash: encode, SIGKILL", "\u200d")


def test_texts_that_kill_each_process_together_are_a_bug(attack):
    attacks = """
class Target(Base):
    calls = 0
    def attack(self, text):
        self.calls += 1
        if self.calls == 100 and not is_guarded():
            send()
"""
    outcome = attack(HELPERS.format(healthy=True, signal="SIGKILL") + attacks, seconds=90)
    assert outcome.code == 1
    assert "crash: state, SIGKILL" in [finding["cause"] for finding in outcome.findings]
    assert not facts(outcome)


GUARDED = """
class Target(Base):
    def attack(self, text):
        if "\\u200d" in text:
            os.abort()
        if "\\u200c" in text and is_guarded() and {condition}:
            {action}
"""


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "action", ["send()", "os.kill(parent_of(parent_of(os.getpid())), signal.SIGKILL)"]
)
def test_a_kill_of_a_guarded_process_is_no_bug(attack, action):
    source = HELPERS + GUARDED.format(condition='once("sent")', action=action)
    outcome = attack(source.format(healthy=False, signal="SIGKILL"), seconds=90)
    assert outcome.codes == {"TOK101", "TOK104"}
    deaths = [finding for finding in outcome.findings if finding["code"] == "TOK104"]
    assert [death["cause"] for death in deaths if death["verdict"] == "bug"] == [
        "crash: encode, SIGABRT"
    ]
    assert not any("family" in skip["what"] for skip in outcome.skips if "part" not in skip["what"])


def test_kills_without_end_are_a_skip_and_no_loop(attack):
    action = "os.kill(parent_of(parent_of(os.getpid())), signal.SIGKILL)"
    source = HELPERS + GUARDED.format(condition="True", action=action)
    outcome = attack(source.format(healthy=False, signal="SIGKILL"), seconds=90)
    assert any("ended from outside (SIGKILL) 5 times" in skip["reason"] for skip in outcome.skips)
    (fact,) = facts(outcome)
    assert fact.endswith("times; some of its work is skipped")


def workers_of(process):
    return [pid for pid, name in process.processes().items() if "worker.main" in name]


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("healthy", [True, False])
@pytest.mark.parametrize("kills", [1, 3])
def test_workers_that_another_program_kills(start, tmp_path, healthy, kills):
    source = HELPERS.format(healthy=healthy, signal="SIGKILL") + "Target = Base"
    (tmp_path / "adversary.py").write_text(f"from faulty import *\n{source}", encoding="utf-8")
    process = start(
        *("check", "python:adversary.py:Target", "--profile", "quick", "--family", "zero-width"),
        *("--family", "white-space", "--report", f"json={tmp_path / 'report.json'}"),
        *("--jobs", "2"),
    )
    killed = set()
    while len(killed) < kills and process.popen.poll() is None:
        for pid in workers_of(process)[: kills - len(killed)]:
            if pid not in killed:
                killed.add(pid)
                os.kill(pid, signal.SIGKILL)
    outcome = process.finish(60)
    assert outcome.code == (0 if healthy else 1), outcome.out
    assert outcome.codes == (set() if healthy else {"TOK101"})


def test_a_target_that_kills_the_command_leaves_no_process_and_no_file(attack):
    """It runs as the user, so that nothing prevents it; its outcome is not green."""
    outcome = attack(
        """
class Target(Planted):
    def encode(self, text):
        os.kill(os.getppid(), signal.SIGKILL)
        return super().encode(text)
"""
    )
    assert (outcome.code, outcome.report) == (-signal.SIGKILL, None)
