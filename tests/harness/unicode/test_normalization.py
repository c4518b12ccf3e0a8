"""Normal forms of the current and of older versions."""

import bz2

# The standard library has the tables of an older version, for comparison.
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode import versions
from tokharness.unicode.normalization import FORMS, normalize
from tokharness.unicode.properties import members

STANDARD_LIBRARY = unicodedata.unidata_version.removesuffix(".0")
CONFORMANCE = Path("/usr/share/unicode/NormalizationTest.txt.bz2")

needs_its_version = pytest.mark.skipif(
    STANDARD_LIBRARY not in versions.VERSIONS,
    reason="the version is not in the table",
)
forms = st.sampled_from(FORMS)
hostile = st.text(
    st.one_of(
        st.sampled_from(members(r"[\p{M}\p{NFC_QC=N}\p{NFC_QC=M}]")).map(chr),
        st.sampled_from(versions.changed("14.0", versions.VERSIONS[-1])).map(chr),
        st.characters(),
    )
)


@given(forms, hostile)
def test_a_normal_form_is_its_own_normal_form(form, text):
    normalized = normalize(form, text)
    assert normalize(form, normalized) == normalized


@needs_its_version
@given(forms, hostile)
def test_a_pinned_version_equals_a_library_of_that_version(form, text):
    assert normalize(form, text, version=STANDARD_LIBRARY) == unicodedata.normalize(form, text)


@needs_its_version
@pytest.mark.parametrize("form", FORMS)
def test_a_pinned_version_equals_a_library_on_every_changed_character(form):
    for point in versions.changed(STANDARD_LIBRARY, versions.VERSIONS[-1]):
        text = f"e{chr(point)}\u0301"
        assert normalize(form, text, version=STANDARD_LIBRARY) == unicodedata.normalize(form, text)


def test_a_character_that_is_unassigned_in_the_pinned_version_is_unchanged():
    new = "\U000105c9"  # TODHRI LETTER EI, of 16.0, decomposes
    assert len(normalize("NFD", new)) == 2
    assert normalize("NFD", new, version="15.1") == new


@pytest.mark.parametrize("form", FORMS)
def test_lone_surrogates_are_unchanged(form):
    assert normalize(form, "\udc00\ud800") == "\udc00\ud800"


def test_an_unknown_version_is_an_error():
    with pytest.raises(ValueError, match=r"unknown Unicode version '4\.0'"):
        normalize("NFC", "a", version="4.0")


def test_an_unknown_form_is_an_error():
    with pytest.raises(ValueError, match="form"):
        normalize("NFX", "\u00e9")


def conformance_rows():
    for line in bz2.decompress(CONFORMANCE.read_bytes()).decode("utf-8").splitlines():
        if line and line[0] not in "#@":
            columns = line.split(";")[:5]
            yield ["".join(chr(int(x, 16)) for x in column.split()) for column in columns]


@pytest.mark.skipif(not CONFORMANCE.exists(), reason="Debian's unicode-data is not installed")
def test_conforms_to_the_test_of_the_standard():
    for source, nfc, nfd, nfkc, nfkd in conformance_rows():
        assert [normalize(form, source) for form in FORMS] == [nfc, nfd, nfkc, nfkd]
