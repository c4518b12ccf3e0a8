"""A target may raise at any call of a check, a diagnosis, a snapshot or while it is loaded.

A first run notes from where each method is called. For each such place the target then raises at
the first call from there, so every place from which a run makes a call is one of these.
"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tokharness import plugins
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.findings import diagnose_failures, run_audits
from tokharness.engine.worker.snapshots import take_snapshot
from tokharness.model import OPTIONAL_METHODS, Case, target_of
from tokharness.targets.loading import _with_automatic_reference, _with_explicit_reference
from tokharness.targets.snapshot import Golden
from tokharness.targets.subject import Subject, scalar_text
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import reference_target

CODE = str(Path(sys.modules["tokharness"].__file__).parent)
DEPTH = 5
"""Innermost lines of tokharness that make a place."""

SLOW_AUDITS = {
    "TOK109": "it calls the target in threads for seconds",
    "TOK114": "it measures time",
}
"""Checks whose audits are left out, and the reason."""

SLOW_CHECKS = (
    *("TOK101", "TOK108", "TOK110", "TOK112", "TOK113"),
    *("TOK116", "TOK201", "TOK302", "TOK401", "TOK412"),
)
"""Checks with the most places from which they make a call."""

TEXTS = {
    "a\u200bb": "zero-width",
    "e\u0301": "normal-forms",
    "1234567 12": "digits",
    "don't": "contractions",
    "\ud800a": "surrogates",
    "<|im_end|>": "special-tokens",
    "\U000105c2.a\u1c89's": "new-code-points",
    "  two  spaces \n\n": "white-space",
}


class Calls:
    """Counts the calls of each method, notes where they come from, and raises at one of them."""

    def __init__(self, method="", number=0, error=None):
        self.method, self.number, self.error = method, number, error
        self.counts = {}
        self.places = {}

    def add(self, method):
        number = self.counts[method] = self.counts.get(method, 0) + 1
        if self.error is None:
            self.places.setdefault((method, _place()), number)
        elif (method, number) == (self.method, self.number):
            raise self.error

    def chosen(self):
        """Return pairs of method and number: the first call from each place."""
        return sorted({(method, number) for (method, _), number in self.places.items()})


def _place():
    """Return the innermost lines of tokharness that are executing a call."""
    lines, frame = [], sys._getframe(2)
    while frame is not None and len(lines) < DEPTH:
        if frame.f_code.co_filename.startswith(CODE):
            lines.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return tuple(lines)


class Faulty:
    """The reference with several faults, which diagnoses then look into; it counts its calls."""

    def __init__(self, tokenizer, calls):
        self.tokenizer, self.calls = tokenizer, calls
        for name in ("special_tokens", "n_vocab", "unicode_version"):
            setattr(self, name, getattr(tokenizer, name))
        for name in ("encode", "decode", *OPTIONAL_METHODS):
            method = getattr(self, f"_{name}", None) or getattr(tokenizer, name, None)
            if method is not None:
                setattr(self, name, self._counted(name, method))

    def _counted(self, name, method):
        def counted(argument):
            self.calls.add(name)
            return method(argument)

        return counted

    def _encode_ordinary(self, text):
        text = normalize("NFC", text.replace("\u200b", ""))
        ids = self.tokenizer.encode_ordinary(text)
        if "\ud800" in text:
            return ids[:-1]
        return ids[:1] * 2 if "don't" in text else ids

    def _encode(self, text):
        return self.tokenizer.encode_special(text)

    def _encode_bytes(self, data):
        return self.tokenizer.encode_ordinary(data.decode("utf-8", "replace"))

    def _encode_batch(self, texts):
        return [self._encode_ordinary(text) for text in reversed(texts)]

    def _count(self, text):
        return len(text)

    def _token_text(self, number):
        return str(number)

    def _decode_stream(self, ids):
        return [self.tokenizer.decode([number]) for number in ids]

    def _encode_with_offsets(self, text):
        ids = self._encode_ordinary(text)
        return ids, [(0, len(scalar_text(text)))] * len(ids)

    def _with_unicode_version(self, version):
        return Faulty(self.tokenizer.with_unicode_version(version), self.calls)


REFERENCE = reference_target.load("embedded")
OTHER = target_of("other", REFERENCE)
OTHER_WITH_TEXTS = target_of(
    "other", SimpleNamespace(encode=REFERENCE.encode, decode=REFERENCE.decode, token_text=ascii)
)


def without_explainer():
    return target_of("other", SimpleNamespace(encode=REFERENCE.encode, decode=REFERENCE.decode))


def faulty(calls):
    return target_of("target", Faulty(REFERENCE, calls))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of embeddings with a row of two zeros for each token, and a corpus, by name."""
    shape, size = (REFERENCE.n_vocab, 2), REFERENCE.n_vocab * 4
    entry = {"dtype": "F16", "shape": shape, "data_offsets": (0, size)}
    header = json.dumps({"wte.weight": entry}).encode()
    path = tmp_path_factory.mktemp("files") / "model.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(size))
    corpus = path.with_name("corpus.txt")
    corpus.write_text("\n".join(map(scalar_text, TEXTS)), encoding="utf-8")
    return {"embeddings": str(path), "corpus": str(corpus)}


def examine(check, calls, files):
    """Select failing texts with a check, diagnose others, and audit."""
    cases = {"normal-forms": lambda: [Case("e\u0301", "decomposed", "\u00e9")]}
    other = OTHER_WITH_TEXTS if "reference.token_text" in check.requires else OTHER
    subject = Subject(faulty(calls), other, other, "16.0", cases=cases, **files)
    if check.failing:
        check.failing(observe(subject, "special-tokens", list(TEXTS)), subject)
    diagnose_failures([check], subject, {check.code: TEXTS})
    if check.code not in SLOW_AUDITS:
        run_audits([check], subject)


def raising_runs(run):
    """Run once without an exception, then with one at each chosen call."""
    calls = Calls()
    run(calls)
    for place, (method, number) in enumerate(calls.chosen()):
        error = ValueError("no") if place % 2 else BaseException("a panic")
        run(Calls(method, number, error))
    return len(calls.chosen())


def marked(code):
    if code in SLOW_CHECKS:
        return pytest.param(code, marks=pytest.mark.slow(every=3))
    if "embeddings" in plugins.checks()[code].requires:
        return pytest.param(code, marks=pytest.mark.needs("safetensors"))
    return code


CODES = sorted(plugins.checks().keys() - {"TOK114"})


@pytest.mark.parametrize("code", [*map(marked, CODES)])
def test_a_check_survives_an_exception_at_each_call(code, files):
    check = plugins.checks()[code]
    assert raising_runs(lambda calls: examine(check, calls, files))


@pytest.mark.slow
def test_a_snapshot_survives_an_exception_at_each_call():
    checks = [plugins.checks()["TOK201"]]
    golden = [Golden("everyday", text, (1, 2, 3)) for text in TEXTS]
    assert raising_runs(
        lambda calls: take_snapshot(Subject(faulty(calls), OTHER, OTHER, "16.0"), checks, golden)
    )


@pytest.mark.parametrize(
    "load",
    [
        lambda calls: _with_automatic_reference(faulty(calls), OTHER),
        lambda calls: _with_automatic_reference(faulty(calls), without_explainer()),
        lambda calls: _with_explicit_reference(OTHER, faulty(calls)),
        lambda calls: _with_explicit_reference(faulty(calls), OTHER),
    ],
    ids=["automatic", "the target explains", "the reference raises", "explicit"],
)
def test_loading_survives_an_exception_at_each_call(load):
    assert raising_runs(load)
