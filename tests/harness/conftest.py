"""Fixtures for tests of the core: a lossless tokenizer, faulty ones, and ways to check them."""

import importlib.util
import re
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import FindingReported
from tokharness.engine.run.run import run
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.findings import diagnose_failures, run_audits
from tokharness.engine.worker.grouping import merge_findings
from tokharness.model import TargetFacts, Verdict, target_of
from tokharness.targets.subject import Subject, scalar_text

FAULTY = Path(__file__).with_name("faulty_tokenizers.py")


def identity(text):
    return text


class ByteTokenizer:
    """A tokenizer whose ids are UTF-8 bytes.

    ``before`` changes each text before it is encoded, ``after`` changes each decoded text, and
    ``attributes`` are further attributes of the tokenizer.
    """

    def __init__(self, before=identity, after=identity, **attributes):
        self.before, self.after = before, after
        vars(self).update(attributes)

    def encode(self, text):
        return list(scalar_text(self.before(text)).encode())

    def decode(self, ids):
        return self.after(bytes(ids).decode("utf-8", "replace"))


class Findings(list):
    """A list of findings, also by verdict."""

    @property
    def bugs(self):
        return [finding for finding in self if finding.verdict is Verdict.BUG]

    @property
    def risks(self):
        return [finding for finding in self if finding.verdict is Verdict.RISK]

    @property
    def facts(self):
        return [finding for finding in self if finding.verdict is Verdict.FACT]


@pytest.fixture(scope="session")
def byte_tokenizer():
    return ByteTokenizer


@pytest.fixture(scope="session")
def faulty():
    """Return the spec of a factory in ``faulty_tokenizers.py``."""
    return lambda factory: f"python:{FAULTY}:{factory}"


@pytest.fixture(scope="session")
def check_texts():
    """Return the findings of one check on texts and on the cases of families.

    ``fields`` are further fields of the subject.
    """

    def findings(code, tokenizer, texts=(), *, families=(), reference=None, **fields):
        check = plugins.checks()[code]
        target = target_of("target", tokenizer)
        reference = None if reference is None else target_of("other", reference)
        subject = Subject(target, reference, **fields)
        columns = {"texts": list(texts)}
        facts = TargetFacts(tuple(subject.special_tokens))
        for name in families:
            columns[name] = [case.text for case in plugins.families()[name].cases(facts)]
        failing = {}
        for name, column in columns.items():
            batch = observe(subject, name, column)
            for row in check.failing(batch, subject) if check.failing else ():
                failing.setdefault(column[row], name)
        diagnosed = diagnose_failures([check], subject, {code: failing})
        return Findings(merge_findings([code], diagnosed, run_audits([check], subject)))

    return findings


@pytest.fixture(scope="session")
def check_spec():
    """Return the findings of a quick run in this process, by default without random cases."""

    def check(spec, **options):
        options = {"examples": 0, "profile": "quick", **options}
        events = run([spec], Options(**options), jobs=0)
        return Findings(event.finding for event in events if isinstance(event, FindingReported))

    return check


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch):
    """Remove the environment variables that change an output."""
    variables = ("TOKHARNESS_TRACEBACK", "NO_COLOR", "FORCE_COLOR", "COLUMNS")
    for name in (*variables, "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def library(byte_tokenizer):
    """Return a byte tokenizer with every entry point, of which some are replaced.

    A replacement is a function of the tokenizer, whose entry point for plain text is ``plain``.
    """

    def make(**replacements):
        tokenizer = byte_tokenizer(special_tokens={"<|end|>": 300})
        plain, decode = tokenizer.encode, tokenizer.decode

        def special(text):
            tokens = tokenizer.special_tokens
            parts = re.split("(" + "|".join(map(re.escape, tokens)) + ")", text)
            return [
                i for part in parts for i in ([tokens[part]] if part in tokens else plain(part))
            ]

        def encode(text):
            if any(token in text for token in tokenizer.special_tokens):
                raise ValueError(text)
            return plain(text)

        tokenizer.plain = plain
        tokenizer.encode_ordinary, tokenizer.encode = plain, encode
        tokenizer.encode_special = special
        tokenizer.encode_batch = lambda texts: [plain(text) for text in texts]
        tokenizer.encode_bytes = list
        tokenizer.encode_with_offsets = lambda text: (plain(text), [])
        tokenizer.count = lambda text: len(plain(text))
        tokenizer.decode_bytes = bytes
        tokenizer.decode = lambda ids: decode([i for i in ids if i < 256])
        vars(tokenizer).update({name: build(tokenizer) for name, build in replacements.items()})
        return tokenizer

    return make


@pytest.fixture(scope="session")
def mutations():
    """The module ``mutations.py``: random hostile changes of files."""
    spec = importlib.util.spec_from_file_location(
        "mutations", Path(__file__).with_name("mutations.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
