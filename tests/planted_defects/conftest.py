"""A healthy trained vocabulary, copies of it with planted tokens, and the findings about both."""

import dataclasses

import pytest

from tokharness import plugins
from tokharness.diagnosis.reachability import ALONE, IN_CONTEXT, UNREACHABLE, reach_of_tokens
from tokharness.engine.worker.findings import run_audits
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.byte_bpe_training import train

SPECIAL = "<|endoftext|>"
PATTERN = r" ?\p{L}+| ?\p{N}| ?[^\s\p{L}\p{N}]+|\s"
"""A pattern whose pre-tokens have letters, one digit, symbols, or one white space character."""
TEXT = (
    "the other weather is there and the rather short winter is then near the northern lands. " * 9
)
NEVER_IN_UTF8 = {0xC0, 0xC1, *range(0xF5, 0x100)}


@pytest.fixture(scope="session")
def healthy():
    """Train a byte-level BPE vocabulary with a token for each byte that UTF-8 uses."""
    trained = train([TEXT], vocab_size=300, pattern=PATTERN)
    used = [token for token in trained.ranks if len(token) > 1 or token[0] not in NEVER_IN_UTF8]
    ranks = {token: number for number, token in enumerate(used)}
    return ByteBPE("healthy", PATTERN, ranks, {SPECIAL: len(ranks)})


@pytest.fixture(scope="session")
def plant(healthy):
    """Return the healthy vocabulary with further tokens, whose ids are the next ones."""

    def planted(*tokens, **fields):
        data = [token.encode() if isinstance(token, str) else token for token in tokens]
        numbers = {token: healthy.n_vocab + at for at, token in enumerate(data)}
        return dataclasses.replace(healthy, ranks={**healthy.ranks, **numbers}, **fields)

    return planted


def subject_of(tokenizer, **fields):
    """Return a subject whose reference is the target itself."""
    return Subject(target_of("target", tokenizer), target_of("reference", tokenizer), **fields)


@pytest.fixture(scope="session")
def reach():
    """Return the reach of each token of a tokenizer, by id."""
    return lambda tokenizer: reach_of_tokens(subject_of(tokenizer))


@pytest.fixture(scope="session")
def audit():
    """Return the findings of one check about the vocabulary of a tokenizer."""

    def findings(code, tokenizer, **fields):
        return run_audits([plugins.checks()[code]], subject_of(tokenizer, **fields))[code]

    return findings


@pytest.fixture(scope="session")
def named_ids(audit):
    """Return the ids that the evidence of a check names."""

    def ids(code, tokenizer, **fields):
        findings = audit(code, tokenizer, **fields)
        return {number for one in findings for number in _numbers(one.evidence)}

    return ids


@pytest.fixture(scope="session")
def assert_unreachable(reach, named_ids):
    """Assert that a token is proven unreachable and named by TOK401, and that its twin has a text.

    The twin itself has to encode that text to the token.
    """

    def check(faulty, number, reason, twin, its_number, *, is_named=True):
        found = reach(faulty)[number]
        assert (found.state, found.reason) == (UNREACHABLE, reason)
        assert (number in named_ids("TOK401", faulty)) is is_named
        found = reach(twin)[its_number]
        assert found.state in {ALONE, IN_CONTEXT}
        assert its_number in target_of("twin", twin).encode(found.witness)

    return check


def _numbers(value):
    if isinstance(value, dict):
        return {number for part in value.values() for number in _numbers(part)}
    if isinstance(value, (list, tuple)):
        return {number for part in value for number in _numbers(part)}
    return {value} if isinstance(value, int) else set()
