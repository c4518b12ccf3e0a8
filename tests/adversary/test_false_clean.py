"""A target that fails only the first time, or of which no text was run, does not pass.

The first text with U+200C fails in one way the first time that it is encoded, and in another way
each time after that, in whatever process that is.
"""

import pytest

pytestmark = pytest.mark.slow

WAYS = {
    "passes": "return ids(text)",
    "is lossy": "return ids(text.replace('\\u200c', ''))",
    "raises": "raise ValueError('no')",
    "panics": "raise SystemExit('no')",
    "raises a liar": "raise Liar",
    "aborts": "os.abort()",
    "exits": "os._exit(0)",
    "hangs": "time.sleep(60)",
    "is killed": "os.kill(os.getpid(), signal.SIGTERM)",
}
PAIRS = [
    *(("is lossy", then) for then in ("passes", "is killed")),
    *(("raises", then) for then in ("passes", "is lossy", "raises a liar", "aborts", "hangs")),
    *(("aborts", then) for then in ("passes", "is lossy", "raises")),
    ("panics", "aborts"),
    ("raises a liar", "exits"),
]

TWO_FACED = """
class Liar(Exception):
    def __str__(self): os.abort()

def ids(text): return list(text.replace(DROPPED, "").encode("utf-8", "surrogatepass"))

class Target(Planted):
    def encode(self, text):
        if text.count("\\u200c") != 1: return ids(text)
        try:
            with open("first", "x", encoding="utf-8") as file: file.write(text)
        except FileExistsError:
            with open("first", encoding="utf-8") as file: first = file.read()
            if text == first: {then}
            return ids(text)
        {first}
"""
CHECKS = ("--select", "TOK101", "--select", "TOK102", "--select", "TOK104")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(("first", "then"), PAIRS[::2])
def test_a_text_that_fails_differently_the_second_time_is_reported(attack, tmp_path, first, then):
    source = TWO_FACED.format(first=WAYS[first], then=WAYS[then])
    outcome = attack(source, *CHECKS, "--time-limit", "1", "--jobs", "1")
    assert outcome.code == 1, outcome.err
    assert "TOK101" in outcome.codes
    failing = (tmp_path / "first").read_text(encoding="utf-8")
    others = [one for one in outcome.findings if "dropped characters: U+200B" not in one["cause"]]
    assert others, f"{failing!r} is lost"
    assert any(one["text"] is None or "\u200c" in one["text"] for one in others)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("then", ["raises", "aborts", "hangs"])
def test_how_a_text_failed_each_time_is_evidence(attack, then):
    source = TWO_FACED.format(first=WAYS["is lossy"], then=WAYS[then])
    outcome = attack(source, *CHECKS, "--time-limit", "1", "--jobs", "1")
    kinds = {one["cause_kind"]: one for one in outcome.findings}
    evidence = kinds["failed, and differently when run again"]["evidence"]
    assert evidence["in the run"] == "it failed TOK101 lossy-round-trip"
    assert evidence["again"]


NEVER = """
class Target(Planted):
    def attack(self, text): {action}
"""


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("code", ["TOK101", "TOK105", "TOK109", "TOK110"])
@pytest.mark.parametrize("action", ["raise ValueError(text)", "raise SystemExit"])
def test_a_run_without_an_encoded_text_is_not_clean(attack, code, action):
    outcome = attack(NEVER.format(action=action), "--select", code)
    assert outcome.code == 2
    assert "no text of the families zero-width was encoded" in outcome.err
    assert outcome.report is not None
    assert outcome.out.count("passed") == 0


def test_a_target_that_always_raises_is_a_bug(attack):
    outcome = attack(NEVER.format(action="raise ValueError(text)"))
    assert outcome.code == 1
    assert "TOK102" in outcome.codes


def test_a_vocabulary_that_can_encode_nothing_is_not_clean(attack):
    source = """
class Target:
    n_vocab = 1
    def encode(self, text): return [{"a": 0}[character] for character in text]
    def decode(self, ids): return "a" * len(ids)
    def decode_single_token_bytes(self, number): return b"a"
"""
    outcome = attack(source)
    assert outcome.code in (1, 2)
    assert "passed" not in outcome.out


@pytest.mark.parametrize("code", ["TOK107", "wrong-offsets"])
def test_a_check_that_is_named_and_saw_no_text_is_not_clean(attack, tmp_path, code):
    source = """
class Target(Planted):
    def encode_with_offsets(self, text): return [], "no spans"
"""
    outcome = attack(source, "--select", code, "--family", "length-bombs")
    assert outcome.code in (1, 2), outcome.out
