"""Small SentencePiece models of every kind: the library agrees, and nothing is a bug."""

import random

import pytest
from planted._sentencepiece_models import MODELS, against, healthy

from tokharness import plugins
from tokharness.engine.events import FindingReported
from tokharness.model import TargetFacts, Verdict
from tokharness_tokenizers.reference.sentencepiece.model_file import model_bytes
from tokharness_tokenizers.reference.splitting import join_surrogates

TEXTS_OF_A_FAMILY = 30
FAMILIES = ("normal-forms", "special-tokens", "white-space", "zero-width", "digits", "hangul")
KNOWN_RISKS = {
    "TOK110": "a small vocabulary has no pieces for most of the text after a space",
    "TOK113": "an unknown piece is decoded to a text of its own",
    "TOK401": "there are pieces that are not used any more, and some to which no merges lead",
    "TOK302": "a small vocabulary has pieces for a few numbers",
    "TOK303": "a small vocabulary has no pieces for most characters",
}
"""Risks of small and of lossy models, which are no faults of the reference."""


@pytest.fixture(scope="module")
def texts():
    facts = TargetFacts(("<s>", "</s>", "<unk>"), profile="quick")
    chosen = random.Random(0)
    families = (list(plugins.families()[name].texts(facts)) for name in FAMILIES)
    samples = (chosen.sample(one, min(len(one), TEXTS_OF_A_FAMILY)) for one in families)
    return [join_surrogates(text) for sample in samples for text in sample if len(text) < 1000]


@pytest.mark.needs("sentencepiece", "0.2")
@pytest.mark.parametrize("name", MODELS)
def test_the_library_gives_the_same_ids_texts_and_offsets(name, texts, tmp_path):
    from tokharness_tokenizers.adapters import sentencepiece_processor

    path = tmp_path / f"{name}.model"
    path.write_bytes(model_bytes(MODELS[name]))
    library, ours = sentencepiece_processor.load(str(path)), healthy(name)
    assert library.special_tokens == ours.special_tokens
    for text in texts:
        ids = library.encode(text)
        assert ours.encode(text) == ids, ascii(text)
        assert ours.decode(ids) == library.decode(ids), ascii(text)
        assert ours.encode_with_offsets(text) == library.encode_with_offsets(text), ascii(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*MODELS][::3])
def test_the_reference_has_no_bug_against_itself(name, events, summarize):
    run_events = events(
        against(name), against=against(name), families=("plain-words", "white-space")
    )
    findings = [event.finding for event in run_events if isinstance(event, FindingReported)]
    assert summarize(one for one in findings if one.verdict is Verdict.BUG) == []
    risks = [one for one in findings if one.verdict is Verdict.RISK]
    assert summarize(risk for risk in risks if risk.code not in KNOWN_RISKS) == []
