"""Small files of every component: the reference agrees with the library, and nothing is a bug."""

import json
import random

import pytest
from planted._tokenizer_files import RECORDS, against, healthy

from tokharness import plugins
from tokharness.engine.events import FindingReported
from tokharness.model import TargetFacts, Verdict
from tokharness_tokenizers.reference.splitting import join_surrogates

TEXTS_OF_A_FAMILY = 25
FAMILIES = (
    *("scalar-sweep", "normal-forms", "special-tokens", "white-space", "digits", "zero-width"),
    *("plain-words", "letter-case", "hangul", "emoji", "combining-stacks", "class-ngrams"),
)
FEW_FAMILIES = ("plain-words", "white-space", "special-tokens", "normal-forms")


KEEPS_CHANGING = "TOK113 drift: keep changing"
KNOWN_BUGS = {
    # It joins what is said several times, which text that is written may be.
    "ctc": ("TOK101 decoder: loses several characters",),
    # The decoder takes away all U+2581 of the first token, not only the one that was put there.
    "metaspace_always": (KEEPS_CHANGING,),
    "metaspace_first": (KEEPS_CHANGING,),
    "unknown_bpe": (KEEPS_CHANGING,),
    "unknown_unigram": (KEEPS_CHANGING,),
    # The model finds the pieces "<0x00>" and "<unk>" in plain text. SentencePiece does not.
    "unigram": (
        KEEPS_CHANGING,
        "TOK101 model: reads the text of byte tokens",
        "TOK103 special token: exact text",
    ),
    "truncation": ("TOK101 truncated: 64 tokens",),
}
"""Bugs of the library, which the reference has too, and what a file asks for."""


def unknown_bugs(name, run_events, summarize):
    known = KNOWN_BUGS.get(name, ())
    return [bug for bug in summarize(findings_of(run_events, Verdict.BUG)) if bug not in known]


needs_library = pytest.mark.needs("tokenizers", "0.23")


@pytest.fixture(scope="module")
def texts():
    added = tuple(token["content"] for token in RECORDS["added"]["added_tokens"])
    facts = TargetFacts(added, profile="quick")
    chosen = random.Random(0)
    sample = []
    for name in FAMILIES:
        family = list(plugins.families()[name].texts(facts))
        sample += chosen.sample(family, min(len(family), TEXTS_OF_A_FAMILY))
    return [join_surrogates(text) for text in sample if len(text) < 1000]


@pytest.fixture
def file(tmp_path):
    def write(name):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(RECORDS[name]), "utf-8")
        return path

    return write


@needs_library
@pytest.mark.parametrize("name", RECORDS)
def test_the_library_gives_the_same_ids_and_texts(name, texts, file):
    from tokharness_tokenizers.adapters import hugging_face
    from tokharness_tokenizers.hugging_face.loaded import stage_versions

    library = hugging_face.load(str(file(name)))
    reference = healthy(name).with_stage_versions(stage_versions())
    for text in texts:
        ids = library.encode_ordinary(text)
        assert reference.encode_ordinary(text) == ids, ascii(text)
        assert reference.encode(text) == library.encode(text), ascii(text)
        assert reference.decode(ids) == library.decode(ids), ascii(text)


def findings_of(run_events, verdict):
    findings = [event.finding for event in run_events if isinstance(event, FindingReported)]
    return [finding for finding in findings if finding.verdict is verdict]


@needs_library
@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", [*RECORDS][::2])
def test_the_library_has_no_bug_in_ids_and_texts(name, file, events, summarize):
    run_events = events(
        f"hf:{file(name)}",
        against=None,
        families=FEW_FAMILIES,
        select=("TOK101", "TOK103", "TOK113", "TOK201", "TOK202"),
    )
    assert unknown_bugs(name, run_events, summarize) == []


KNOWN_RISKS = {
    "TOK110": "text after a special token gets a space of its own",
    "TOK113": "text without the white space that is removed is one word",
    "TOK302": "a small vocabulary has tokens for a few numbers",
    "TOK303": "a small vocabulary has no tokens for most characters",
    "TOK401": "what the pre-tokenizer cuts or the normalizer changes is a token",
}
"""Risks of small vocabularies and of lossy components, which are no faults of the reference."""

CUTS_AND_JOINS_WITH_SPACES = ("clip_merges",)
"""Files whose decoder leaves a space between all words, as CLIP's."""


@pytest.mark.slow(every=4)
@pytest.mark.parametrize("name", [*RECORDS][::5])
def test_the_reference_has_no_bug_against_itself(name, events, summarize):
    run_events = events(against(name), against=against(name), families=FEW_FAMILIES[:2])
    assert unknown_bugs(name, run_events, summarize) == []
    risks = findings_of(run_events, Verdict.RISK)
    unknown = summarize(risk for risk in risks if risk.code not in KNOWN_RISKS)
    if name in CUTS_AND_JOINS_WITH_SPACES:
        unknown = [risk for risk in unknown if not risk.startswith("TOK101 decoder: leaves ")]
    assert unknown == []
