"""Languages are named by the codes of BCP 47 and ISO 639-3."""

import pytest

from tokharness.unicode.languages import language_of_code


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("eng_Latn", "English"),
        ("fr", "French"),
        ("fra", "French"),
        ("pt-BR", "Brazilian Portuguese"),
        ("zho_Hans", "Simplified Chinese"),
        ("zh-Hant", "Traditional Chinese"),
        ("arb_Arab", "Arabic"),
        ("zsm_Latn", "Malay"),
        ("ace_Arab", "Acehnese"),
        ("lingala", "Lingala"),
        ("English", "English"),
        ("qqq", None),
        ("kbp_Latn", None),
        ("", None),
    ],
)
def test_a_code_has_the_english_name_of_its_language(code, name):
    assert language_of_code(code) == name
