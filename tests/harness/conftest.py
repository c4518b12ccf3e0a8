"""What the tests of the core share: a lossless tokenizer, the faulty ones, ways to check them."""

import re
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import FindingReported
from tokharness.engine.run.run import run
from tokharness.engine.worker.findings import run_audits, diagnose_failures, merge_findings
from tokharness.engine.worker.observing import observe, with_hashable_ids
from tokharness.model import TargetFacts, Verdict, target_of
from tokharness.targets.subject import Subject, scalar_text

FAULTY = Path(__file__).with_name("faulty_tokenizers.py")


def same(text):
    return text


class ByteTokenizer:
    """UTF-8 bytes as ids; ``before`` changes the text on its way in, ``after`` on its way out.

    Everything else is what the tokenizer has beside ``encode`` and ``decode``.
    """

    def __init__(self, before=same, after=same, **beside):
        self.before, self.after = before, after
        vars(self).update(beside)

    def encode(self, text):
        return list(scalar_text(self.before(text)).encode())

    def decode(self, ids):
        return self.after(bytes(ids).decode("utf-8", "replace"))


class Findings(list):
    """Findings, by what they mean."""

    @property
    def bugs(self):
        return [one for one in self if one.verdict is Verdict.BUG]

    @property
    def risks(self):
        return [one for one in self if one.verdict is Verdict.RISK]

    @property
    def facts(self):
        return [one for one in self if one.verdict is Verdict.BY_DESIGN]


@pytest.fixture(scope="session")
def byte_tokenizer():
    return ByteTokenizer


@pytest.fixture(scope="session")
def faulty():
    """Spec of a factory in ``faulty_tokenizers.py``."""
    return lambda factory: f"python:{FAULTY}:{factory}"


@pytest.fixture(scope="session")
def check_texts():
    """Findings of one check on some texts and on the cases of some families.

    ``fields`` are those of the subject beside target and reference.
    """

    def check(code, tokenizer, texts=(), *, families=(), reference=None, **fields):
        one = plugins.checks()[code]
        target = target_of("target", tokenizer)
        other = None if reference is None else target_of("other", reference)
        subject = Subject(target, other, **fields)
        columns = {"texts": list(texts)}
        facts = TargetFacts(tuple(subject.special_tokens))
        for name in families:
            columns[name] = [case.text for case in plugins.families()[name].cases(facts)]
        failing = {}
        for name, column in columns.items():
            batch = observe(subject, name, column)
            try:
                rows = one.failing(batch, subject) if one.failing else []
            except TypeError:  # as in a run
                rows = one.failing(with_hashable_ids(batch), subject)
            for row in rows:
                failing.setdefault(column[row], name)
        diagnosed = diagnose_failures([one], subject, {code: failing})
        return Findings(merge_findings([code], diagnosed, run_audits([one], subject)))

    return check


@pytest.fixture(scope="session")
def check_spec():
    """Findings of a quick run on one target in this process, without random cases unless asked."""

    def check(spec, **options):
        options = {"examples": 0, "profile": "quick", **options}
        events = run([spec], Options(**options), jobs=0)
        return Findings(event.finding for event in events if isinstance(event, FindingReported))

    return check


@pytest.fixture(autouse=True)
def _no_settings_of_the_caller(monkeypatch):
    """Tests set the environment variables that change an output themselves."""
    ours = ("TOKHARNESS_TRACEBACK", "NO_COLOR", "FORCE_COLOR", "COLUMNS")
    for name in (*ours, "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def library(byte_tokenizer):
    """Make a byte tokenizer with every entry point; some are replaced.

    Each of these is made from the tokenizer, whose entry point for plain text is also ``plain``.
    """

    def make(**replaced):
        one = byte_tokenizer(special_tokens={"<|end|>": 300})
        plain, decode = one.encode, one.decode

        def special(text):
            known = one.special_tokens
            parts = re.split("(" + "|".join(map(re.escape, known)) + ")", text)
            return [i for part in parts for i in ([known[part]] if part in known else plain(part))]

        def encode(text):
            if any(token in text for token in one.special_tokens):
                raise ValueError(text)
            return plain(text)

        one.plain = plain
        one.encode_ordinary, one.encode = plain, encode
        one.encode_special = special
        one.encode_batch = lambda texts: [plain(text) for text in texts]
        one.encode_bytes = list
        one.encode_with_offsets = lambda text: (plain(text), [])
        one.count = lambda text: len(plain(text))
        one.decode_bytes = bytes
        one.decode = lambda ids: decode([i for i in ids if i < 256])
        vars(one).update({name: make(one) for name, make in replaced.items()})
        return one

    return make
