from __future__ import annotations

import json
import random
from itertools import product

import pytest

from tokharness_tokenizers.reference.post_processors import Padding, Template, Truncation

pytestmark = pytest.mark.needs("tokenizers", "0")

TEXTS = ("", "a", "a b", "a b c d e f")
TOKENS = {"[CLS]": (1, 7), "[SEP]": (2,), "$A": None}
TEMPLATES = ("$A", "[CLS] $A [SEP]", "$A [SEP] $A", "[CLS]", "[CLS] $A [CLS] [CLS]")
LENGTHS = (None, 0, 1, 2, 3, 4, 5, 6, 9)
TRUNCATIONS = [
    None if length is None else Truncation(length, direction, strategy, stride)
    for length in LENGTHS
    for direction in ("Left", "Right")
    for strategy in ("LongestFirst", "OnlyFirst", "OnlySecond")
    for stride in (0, 3)
]
PADDINGS = [
    None,
    *(
        Padding(3, length, multiple, direction)
        for length in (None, 0, 8)
        for multiple in (None, 0, 5)
        for direction in ("Left", "Right")
    ),
]


def template_of(text):
    return Template(tuple(TOKENS[part] for part in text.split()))


def processors():
    from tokenizers import processors

    def with_template(text):
        special = {"id": "[CLS]", "ids": [1, 7], "tokens": ["x", "y"]}
        return processors.TemplateProcessing(single=text, special_tokens=[special, ("[SEP]", 2)])

    around = Template(((1,), None, (2,)))
    bert = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    roberta = processors.RobertaProcessing(("[SEP]", 2), ("[CLS]", 1))
    nested = Template(((1, 7), *around.parts, (2,)))
    return [
        (None, Template()),
        (bert, around),
        (roberta, around),
        (processors.Sequence([bert, with_template("[CLS] $A [SEP]")]), nested),
        *((with_template(text), template_of(text)) for text in TEMPLATES),
    ]


def loaded(processor, truncation, padding):
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {char: number for number, char in enumerate("abcdef", 4)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if processor is not None:
        tokenizer.post_processor = processor
    record = json.loads(tokenizer.to_str())
    if truncation is not None:
        names = ("max_length", "direction", "strategy", "stride")
        record["truncation"] = {name: getattr(truncation, name) for name in names}
    if padding is not None:
        record["padding"] = {
            "strategy": "BatchLongest" if padding.length is None else {"Fixed": padding.length},
            "direction": padding.direction,
            "pad_to_multiple_of": padding.multiple,
            "pad_id": padding.number,
            "pad_type_id": 0,
            "pad_token": "p",
        }
    return Tokenizer.from_str(json.dumps(record))


def ids_of(tokenizer, text, special):
    try:
        return tokenizer.encode(text, add_special_tokens=special).ids
    except BaseException as error:  # a panic of Rust is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


def own_ids(text, template, truncation, padding):
    ids = [4 + "abcdef".index(char) for char in text.split()]
    try:
        kept = ids if truncation is None else truncation.apply(ids, added=template.added)
    except ValueError:
        return None
    around = template.apply(kept)
    return around if padding is None else padding.apply(around)


@pytest.mark.slow
def test_ids_are_put_cut_and_filled_as_by_the_library():
    source = random.Random(20261125)
    for (processor, template), truncation in product(processors(), TRUNCATIONS):
        padding = source.choice(PADDINGS)
        tokenizer = loaded(processor, truncation, padding)
        for text, special in product(TEXTS, (True, False)):
            own = own_ids(text, template if special else template.bare, truncation, padding)
            assert own == ids_of(tokenizer, text, special), (template, truncation, padding, text)


@pytest.mark.parametrize("padding", PADDINGS[1:], ids=repr)
def test_a_batch_is_filled_as_by_the_library(padding):
    tokenizer = loaded(None, None, padding)
    rows = [own_ids(text, Template(), None, padding) for text in TEXTS]
    longest = max(map(len, rows))

    encoded = [encoding.ids for encoding in tokenizer.encode_batch(list(TEXTS))]

    assert encoded == [padding.apply(row, longest=longest) for row in rows]
