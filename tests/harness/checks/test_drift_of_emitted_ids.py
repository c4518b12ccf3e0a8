"""TOK113: what the ids that a model may emit become when their text is encoded again."""

import json
import re
from itertools import product
from string import ascii_lowercase

import pytest

from tokharness.checks.retokenization_drift import audit
from tokharness.model import Case, target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine

CODE = "TOK113"
PAIRS, CUT = "pairs of tokens", "sequences cut inside a character"
RISK = "drift of emitted ids: above that of the reference"


class NoMerges:
    """Bytes, without special ids in any text."""

    special_tokens = {"<s>": 1000}  # noqa: RUF012 - as users write it
    n_vocab = 256

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        return b"".join(map(self.decode_single_token_bytes, ids)).decode("utf-8", "replace")

    def decode_single_token_bytes(self, number):
        return bytes([number])


class Merging(NoMerges):
    """Merges two letters at once, from left to right; their ids follow those of the bytes."""

    tokens = tuple(map("".join, product(ascii_lowercase, repeat=2)))
    ids = {token: [256 + at] for at, token in enumerate(tokens)}  # noqa: RUF012 - not changed
    n_vocab = 256 + len(tokens)

    def encode(self, text):
        pieces = re.findall("[a-z]{2}|.", text, re.DOTALL)
        plain = super().encode
        return [i for piece in pieces for i in self.ids.get(piece) or plain(piece)]

    def decode_single_token_bytes(self, number):
        return bytes([number]) if number < 256 else self.tokens[number - 256].encode()


class WithoutAtEnd(NoMerges):
    """Drops an x at the end, in encode."""

    def encode(self, text):
        return super().encode(text.removesuffix("x"))


class Declaring(WithoutAtEnd):
    normalizer = "without x"

    def normalize(self, text):
        return text.removesuffix("x")


class Framed(Merging):
    """Adds a special id before every text."""

    def encode(self, text):
        return [1000, *super().encode(text)]

    def decode(self, ids):
        return super().decode([i for i in ids if i != 1000])


def findings(target, reference=None, cases=(), **fields):
    reference = None if reference is None else target_of("reference", reference)
    families = {"family": lambda: [Case(text, why="a test") for text in cases]}
    return list(audit(Subject(target_of("target", target), reference, cases=families, **fields)))


def rates(failure):
    tried, changed = failure.evidence["tried"], failure.evidence["changed"]
    return {kind: changed[kind] / tried[kind] for kind in tried}


def test_the_rates_of_all_kinds_are_one_fact():
    (fact,) = findings(Merging())
    assert (fact.cause.verdict, str(fact.cause)) == ("fact", "drift of emitted ids")
    rate = rates(fact)
    assert 0 < rate[PAIRS] < 0.1
    assert rate["prefixes of encodings"] == 0
    assert rate[CUT] == 1


def test_the_worst_pairs_are_shown_with_ids_and_texts():
    (fact,) = findings(Merging())
    worst = [row for row in fact.evidence["worst"] if row["kind"] == PAIRS]
    assert len(worst) == 5
    first, text = worst[0], "".join(worst[0]["tokens"])
    assert (first["ids"], first["ids again"]) == (list(text.encode()), Merging().encode(text))
    ids, again = (", ".join(map(str, first[name])) for name in ("ids", "ids again"))
    assert f'the text "{text}" of ids {ids} is encoded as {again}' in fact.cause.message


def test_without_merges_only_cut_characters_drift():
    (fact,) = findings(NoMerges())
    assert {kind for kind, rate in rates(fact).items() if rate} == {CUT}


def test_the_ids_that_every_text_gets_are_not_drift():
    (fact,) = findings(Framed())
    assert rates(fact) == rates(findings(Merging())[0])


def test_special_ids_are_in_no_sequence():
    (fact,) = findings(Framed())
    assert 1000 not in {i for row in fact.evidence["worst"] for i in row["ids"]}


def test_the_evidence_is_the_same_in_each_run():
    one, other = (json.dumps(findings(Merging())[0].evidence) for _ in range(2))
    assert one == other


def test_a_target_that_does_not_show_its_tokens_is_examined_too(byte_tokenizer):
    (fact,) = findings(byte_tokenizer())
    assert sum(fact.evidence["tried"].values()) > 1000
    assert {kind for kind, rate in rates(fact).items() if rate} == {CUT}


def test_more_drift_than_that_of_the_reference_is_a_risk():
    fact, risk = findings(Merging(), NoMerges())
    assert (risk.cause.verdict, str(risk.cause), len(risk.text)) == ("risk", RISK, 2)
    ids = list(risk.text.encode())
    again = Merging().encode(risk.text)
    assert [risk.evidence[name] for name in ("ids", "given", "expected")] == [ids, again, ids]
    assert risk.count < fact.count


@pytest.mark.parametrize("reference", [Merging(), Framed()])
def test_equal_drift_is_no_risk(reference):
    assert len(findings(Merging(), reference)) == 1


def test_less_drift_than_that_of_the_reference_is_no_risk():
    assert len(findings(NoMerges(), Merging())) == 1


def test_drift_is_no_second_finding_if_the_ids_of_a_case_differ():
    assert len(findings(Merging(), NoMerges(), ["a", "the"])) == 1
    assert len(findings(Merging(), NoMerges(), ["a", "b"])) == 2


def test_sequences_that_the_reference_decodes_differently_are_not_compared():
    class Upper(NoMerges):
        def decode(self, ids):
            return super().decode(ids).upper() + "!"

    assert len(findings(Merging(), Upper())) == 1


def test_text_of_emitted_ids_that_changes_is_a_bug():
    _, bug = findings(WithoutAtEnd())
    assert (bug.cause.verdict, bug.cause.kind) == ("bug", "dropped characters")
    assert bug.text.endswith("x")
    assert bug.text == bug.evidence["text again"] + "x"


def test_text_that_changes_as_declared_is_no_bug():
    assert len(findings(Declaring())) == 1


def test_text_that_the_reference_changes_too_is_no_bug():
    assert len(findings(WithoutAtEnd(), WithoutAtEnd())) == 1


@pytest.mark.slow
def test_a_changed_text_is_no_second_finding_if_a_case_shows_the_fault():
    assert len(findings(WithoutAtEnd(), cases=["a", "bx"])) == 1
    assert len(findings(WithoutAtEnd(), cases=["a", "b"])) == 2


def test_text_that_becomes_unknown_is_no_bug():
    class Unknown(NoMerges):
        special_tokens = {"<unk>": 1000}  # noqa: RUF012 - as users write it
        unknown_id = 1000

        def encode(self, text):
            return [i for c in text for i in ([1000] if ord(c) > 127 else super().encode(c))]

        def decode(self, ids):
            return "".join("<unk>" if i == 1000 else super(Unknown, self).decode([i]) for i in ids)

    assert [str(one.cause) for one in findings(Unknown())] == ["drift of emitted ids"]


def test_a_target_that_raises_on_everything_has_no_rate():
    class Raising(NoMerges):
        def encode(self, text):
            raise ValueError(text)

    assert findings(Raising()) == []


@pytest.mark.parametrize("other", [None, 1.5, "x", [1]])
def test_ids_that_are_no_integers_are_left_out(other):
    class Odd(NoMerges):
        def encode(self, text):
            return [other if c == "e" else i for c in text for i in super(Odd, self).encode(c)]

    (fact,) = findings(Odd(), NoMerges())
    assert {kind for kind, rate in rates(fact).items() if rate} == {CUT}


@pytest.mark.parametrize("load", [reference_target.load, tiktoken_engine.load])
def test_a_healthy_vocabulary_has_the_fact_only(check_texts, load):
    reference = tiktoken_engine.load("embedded")
    found = check_texts(CODE, load("embedded"), reference=reference)
    assert [str(finding.cause) for finding in found.facts] == ["drift of emitted ids"]
    assert found.bugs == found.risks == []
