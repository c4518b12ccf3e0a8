"""What checks found out about tokens becomes columns of their rows."""

from types import SimpleNamespace

from tokharness.engine.worker.token_columns import audited_columns
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Failure, target_of
from tokharness.targets.subject import Subject


class Bytes:
    n_vocab = 256

    def encode(self, text):
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


def check(code, audit):
    return SimpleNamespace(code=code, audit=audit)


def columns(*checks):
    return audited_columns(checks, Subject(target_of("x", Bytes())))


def test_classes_have_the_code_and_the_name_or_the_kind_of_the_cause():
    found = [Failure(Cause("a kind"), tokens={"": [1], "a class": [1, 2]})]
    classes = columns(check("TOK998", lambda _: found), check("TOK999", lambda _: found))["classes"]
    assert classes[1] == ["TOK998 a kind", "TOK998 a class", "TOK999 a kind", "TOK999 a class"]
    assert classes[2] == ["TOK998 a class", "TOK999 a class"]


def test_numbers_of_a_check_are_columns():
    found = [Failure(Cause("a kind"), columns={"count": {7: 3}, "norm": {7: 0.5}})]
    both = columns(check("TOK999", lambda _: found))
    assert (both["count"], both["norm"]) == ({7: 3}, {7: 0.5})


def test_a_check_in_which_the_target_dies_gives_no_column():
    def dies(_):
        raise TargetDeath("SIGSEGV")

    assert columns(check("TOK999", dies))["classes"] == {}
