"""The Unicode version of a target is detected from its behavior."""

import functools

import pytest

from tokharness.model import target_of
from tokharness.targets.fingerprint import (
    detect_form_version,
    detect_normalizer_version,
    detect_unicode_version,
    detect_version_without_explainer,
    reclassified_texts,
)
from tokharness.unicode.normalization import normalize
from tokharness.unicode.versions import VERSIONS, category_in
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine
from tokharness_tokenizers.reference.byte_bpe import ByteBPE


@pytest.fixture(scope="module")
def reference():
    return target_of("reference:embedded", reference_target.load("embedded"))


class Hidden:
    """A tokenizer that does not declare its version."""

    def __init__(self, encode, decode, normalizer=None):
        self.encode, self.decode, self.normalizer = encode, decode, normalizer


def hidden(target, change=str, normalizer=None):
    tokenizer = Hidden(lambda text: target.encode(change(text)), target.decode, normalizer)
    return target_of("hidden", tokenizer)


@pytest.mark.parametrize("version", [version for version in VERSIONS if version != "12.0"])
def test_every_version_of_the_split_is_detected(reference, version):
    assert (
        detect_unicode_version(hidden(reference.at_unicode_version(version)), reference) == version
    )


def test_the_newer_of_versions_that_split_alike_is_detected(reference):
    # 12.1 only added U+32FF, a symbol, which is split like an unassigned character.
    assert detect_unicode_version(hidden(reference.at_unicode_version("12.0")), reference) == "12.1"


@pytest.mark.parametrize("version", ["13.0", "16.0"])
def test_the_version_of_the_explainer_does_not_matter(reference, version):
    target = hidden(reference.at_unicode_version("15.0"))
    assert detect_unicode_version(target, reference.at_unicode_version(version)) == "15.0"


def test_our_reference_at_the_version_of_the_installed_tiktoken_has_its_ids(reference):
    engine = target_of("tiktoken:embedded", tiktoken_engine.load("embedded"))
    version = detect_unicode_version(engine, reference)
    ours = reference.at_unicode_version(version)
    texts = [f"{chr(point)}.a" for point in range(0x1E000, 0x20000)]
    assert [engine.encode(text) for text in texts] == [ours.encode(text) for text in texts]


def test_a_target_that_agrees_with_no_version_has_no_version(reference):
    target = hidden(reference, lambda text: text[::-1])
    assert detect_unicode_version(target, reference) is None


@pytest.mark.parametrize(("one_in", "version"), [(2, None), (8, "16.0")])
def test_a_mix_of_two_versions_has_a_version_only_if_one_explains_most_results(
    reference, one_in, version
):
    old, new = reference.at_unicode_version("14.0"), reference.at_unicode_version("16.0")
    mixed = Hidden(
        lambda text: (old if sum(map(ord, text)) % one_in == 1 else new).encode(text),
        reference.decode,
    )
    assert detect_unicode_version(target_of("mixed", mixed), reference) == version


def test_a_target_that_splits_most_texts_differently_has_no_version(reference):
    def in_bytes(text):
        return list(text.encode("utf-8"))

    assert detect_unicode_version(target_of("bytes", Hidden(in_bytes, bytes)), reference) is None


@pytest.mark.parametrize("error", [ValueError, BaseException])
def test_a_target_that_raises_has_no_version(reference, error):
    def refuse(text):
        raise error

    assert detect_unicode_version(hidden(reference, refuse), reference) is None


@pytest.mark.slow
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("version", ["14.0", "15.0", "16.0"])
def test_the_version_of_a_declared_normal_form_is_detected(reference, form, version):
    change = functools.partial(normalize, form, version=version)
    detected = detect_normalizer_version(hidden(reference, change, form))
    # Versions that normalize every character alike cannot be distinguished.
    texts = [f"a\u0316{chr(point)}\u0315" for point in range(0x10000, 0x20000)]
    assert [normalize(form, text, version=detected) for text in texts] == list(map(change, texts))


@pytest.mark.parametrize("normalizer", [None, "lowercase", "mine"])
def test_a_normalizer_that_is_not_a_normal_form_has_no_version(byte_tokenizer, normalizer):
    assert detect_normalizer_version(target_of("x", byte_tokenizer(normalizer=normalizer))) is None


def test_a_declared_normal_form_that_is_not_applied_has_the_oldest_version(byte_tokenizer):
    assert (
        detect_normalizer_version(target_of("x", byte_tokenizer(normalizer="NFC"))) == VERSIONS[0]
    )


@pytest.mark.parametrize("version", ["14.0", "16.0"])
def test_the_version_of_an_undeclared_normal_form_is_detected(version):
    assert (
        detect_form_version("NFC", functools.partial(normalize, "NFC", version=version)) == version
    )


def test_a_transform_without_a_normal_form_has_the_oldest_version():
    assert detect_form_version("NFC", str) == VERSIONS[0]


def test_a_pinned_target_keeps_its_spec(reference):
    pinned = reference.at_unicode_version("14.0")
    assert (pinned.spec, pinned.unicode_version) == ("reference:embedded", "14.0")


@pytest.mark.parametrize("version", [version for version in VERSIONS if version != "12.0"])
def test_every_version_of_the_split_is_detected_without_an_explainer(reference, version):
    assert (
        detect_version_without_explainer(hidden(reference.at_unicode_version(version))) == version
    )


def test_the_installed_tiktoken_has_the_same_version_without_an_explainer(reference):
    engine = target_of("tiktoken:embedded", tiktoken_engine.load("embedded"))
    assert detect_version_without_explainer(engine) == detect_unicode_version(engine, reference)


def test_without_an_explainer_a_target_that_never_splits_has_no_version(byte_tokenizer):
    assert detect_version_without_explainer(target_of("bytes", byte_tokenizer())) is None


def test_without_an_explainer_a_target_that_always_splits_has_no_version():
    class Characters:
        def encode(self, text):
            return list(map(ord, text))

        def decode(self, ids):
            return "".join(map(chr, ids))

    assert detect_version_without_explainer(target_of("characters", Characters())) is None


@pytest.mark.parametrize("error", [ValueError, SystemExit, BaseException])
def test_without_an_explainer_a_target_that_raises_has_no_version(reference, error):
    def refuse(text):
        raise error

    assert detect_version_without_explainer(hidden(reference, refuse)) is None


def test_without_an_explainer_a_target_may_raise_on_new_characters(reference):
    def refuse(text):
        if any(category_in(char, "14.0") == "Cn" for char in text):
            raise ValueError
        return text

    assert detect_version_without_explainer(
        hidden(reference.at_unicode_version("16.0"), refuse)
    ) in (
        None,
        *VERSIONS,
    )


@pytest.mark.parametrize("ids", [None, 3, "text", [None]])
def test_without_an_explainer_a_target_without_ids_has_no_version(reference, ids):
    tokenizer = Hidden(lambda _: ids, reference.decode)
    assert detect_version_without_explainer(target_of("odd", tokenizer)) is None


def test_without_an_explainer_a_prefix_id_does_not_matter(reference):
    pinned = reference.at_unicode_version("15.0")
    tokenizer = Hidden(lambda text: [1, *pinned.encode(text)], pinned.decode)
    assert detect_version_without_explainer(target_of("marked", tokenizer)) == "15.0"


def test_without_an_explainer_a_suffix_id_hides_the_version(reference):
    tokenizer = Hidden(lambda text: [*reference.encode(text), 1], reference.decode)
    assert detect_version_without_explainer(target_of("marked", tokenizer)) is None


@pytest.mark.parametrize(("old", "new"), [("14.0", "15.0"), ("15.1", "16.0")])
def test_reclassified_texts_hold_reclassified_characters(old, new):
    texts = list(reclassified_texts(old, new))
    assert texts
    for text in texts:
        assert any(category_in(char, old) != category_in(char, new) for char in text)


def test_the_version_of_a_small_vocabulary_is_detected_from_numbers():
    # No token has letters, so that new letters make no difference.
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"00": 256, b"10": 257}
    pattern = r"\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+"
    small = target_of("small", ByteBPE("small", pattern, ranks))
    assert detect_unicode_version(hidden(small.at_unicode_version("16.0")), small) == "16.0"
