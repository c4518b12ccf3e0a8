"""A special token with another text is one edit, wherever the file and its folder name it."""

from dataclasses import replace

import pytest

from tokharness.edits import edits_between
from tokharness.model import Description, TokenEntry

EVERYWHERE = "added tokens: id 1 is <cls>, was [CLS] (also in vocabulary, post-processor, options)"


def described(first="[CLS]", *, template=None, config=None, pad="[PAD]", tokens=None):
    """Describe a file whose special tokens are named in four stages and in the vocabulary."""
    template, config = template or first, config or first
    single = [{"SpecialToken": {"id": template, "type_id": 0}}, {"Sequence": {"id": "A"}}]
    stages = {
        "added tokens": [
            {"id": number, "text": text, "special": True} for number, text in ((0, pad), (1, first))
        ],
        "model": {"type": "WordPiece", "unk_token": "[UNK]"},
        "post-processor": {
            "type": "TemplateProcessing",
            "single": single,
            "special_tokens": {template: {"id": template, "ids": [1], "tokens": [template]}},
        },
        "padding": {"pad_token": pad},
        "options": {
            "cls_token": config,
            "added_tokens_decoder": {pad: {"id": 0}, config: {"id": 1, "special": True}},
        },
    }
    rows = (TokenEntry(at, token) for at, token in enumerate(tokens or (pad, first, "a")))
    return Description("tokenizer.json", stages, tuple(rows))


@pytest.mark.parametrize(
    ("new", "sentences"),
    [
        (
            described("<cls>"),
            [EVERYWHERE],
        ),
        (
            described(pad="<pad>"),
            ["added tokens: id 0 is <pad>, was [PAD] (also in vocabulary, padding, options)"],
        ),
        (
            described(config="<cls>"),
            ["options: id 1 of added tokens decoder is <cls>, was [CLS]"],
        ),
        (
            described("<cls>", config="[CLS]"),
            ["added tokens: id 1 is <cls>, was [CLS] (also in vocabulary, post-processor)"],
        ),
        (
            described("<cls>", pad="<pad>"),
            [
                EVERYWHERE,
                "added tokens: id 0 is <pad>, was [PAD] (also in vocabulary, padding, options)",
            ],
        ),
        (
            replace(described("<cls>"), tokens=described("<cls>").tokens[:2]),
            [
                EVERYWHERE,
                "vocabulary: token 'a' (id 2) is gone",
            ],
        ),
        (
            described("<cls>", tokens=("[PAD]", "[CLS]", "a")),
            ["added tokens: id 1 is <cls>, was [CLS] (also in post-processor, options)"],
        ),
    ],
)
def test_a_renamed_token_is_one_edit(new, sentences):
    state = described()
    edits = edits_between(state, new)
    assert sorted(str(edit) for edit in edits) == sorted(sentences)
    for edit in edits:
        state = edit.apply(state)
    assert state == new


def test_a_token_that_the_template_no_longer_names_is_no_renamed_one():
    template = edits_between(described(), described(template="[PAD]"))
    assert not any("is [PAD], was [CLS]" in edit.what for edit in template)
