"""The small vocabularies: five algorithms of one size, which our reference reads."""

import pytest

from tokharness.errors import UnknownNameError
from tokharness.targets.loading import load_target
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.vocabularies.locate import SMALL
from tokharness_tokenizers.vocabularies.make_small import MAKERS, SMALL_SIZE, make

ALGORITHMS = {
    "byte-level-bpe": "byte-level BPE",
    "character-bpe": "BPE",
    "sentencepiece-bpe": "BPE, byte fallback",
    "unigram": "Unigram",
    "wordpiece": "WordPiece",
}
LOSSLESS = ("byte-level-bpe", "sentencepiece-bpe")
TEXTS = ("The quick brown fox's jump.", "Na\u00efve \U0001f600", "  two  spaces ", "", "<0x41>")


def load(name):
    return tokenizer_json.load(SMALL[name])


def test_there_is_a_file_for_each_algorithm_and_no_other():
    folder = SMALL["unigram"].parent
    assert set(folder.iterdir()) == set(SMALL.values())
    assert SMALL.keys() == MAKERS.keys() == ALGORITHMS.keys()


@pytest.mark.parametrize("name", MAKERS)
def test_all_have_one_size_and_their_algorithm(name):
    tokenizer = load(name)
    assert tokenizer.n_vocab == len(tokenizer.texts) == SMALL_SIZE
    assert tokenizer.algorithm == ALGORITHMS[name]


def test_a_name_is_a_target_of_the_reference():
    assert load_target("reference:wordpiece").algorithm == "WordPiece"
    with pytest.raises(UnknownNameError, match=r"embedded.*wordpiece"):
        load_target("reference:no_such")


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("text", TEXTS)
def test_text_comes_back_where_every_byte_has_a_token(name, text):
    tokenizer = load(name)
    assert tokenizer.decode(tokenizer.encode_ordinary(text)) == text


@pytest.mark.parametrize("name", sorted(MAKERS.keys() - set(LOSSLESS)))
def test_a_character_without_a_token_is_unknown(name):
    tokenizer = load(name)
    assert tokenizer.unknown_id in tokenizer.encode_ordinary("a \U0001f600")


@pytest.mark.needs("tokenizers")
@pytest.mark.parametrize("name", MAKERS)
def test_the_library_reads_them_alike(name):
    spec = f"hf:{SMALL[name]}"
    target, reference = load_target(spec), load(name)
    assert (target.algorithm, target.unknown_id) == (reference.algorithm, reference.unknown_id)
    found = [target.encode(text) for text in TEXTS]
    assert found == [reference.encode_ordinary(text) for text in TEXTS]


@pytest.mark.needs("tokenizers")
def test_a_text_is_learned(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(make("wordpiece", ["low lower lowest"] * 9), encoding="ascii")
    tokenizer = tokenizer_json.load(path)
    assert tokenizer.pretokens("lower") == ["lower"]
    assert len(tokenizer.encode_ordinary("lower")) == 1
