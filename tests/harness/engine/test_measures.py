"""Measures return the known values of simple tokenizers."""

from types import MappingProxyType, SimpleNamespace

import pytest

from tokharness import plugins
from tokharness.boundary.tokenizer import OwnProcess
from tokharness.engine.events import MetricsCollected
from tokharness.engine.measures import measures
from tokharness.engine.measures.sequences import WORD
from tokharness.engine.measures.special_tokens import OUTCOMES
from tokharness.engine.run.report_requests import request_measures
from tokharness.engine.worker.token_columns import encodings
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import TargetFacts, target_of
from tokharness.outcome import Raised, call
from tokharness.results.report_record import schema
from tokharness.targets.subject import Subject


class Characters:
    """One token per character."""

    n_vocab = 0x110000
    special_tokens = MappingProxyType({"<|end|>": 0x110000 - 1})

    def encode(self, text):
        return list(map(ord, text))

    def decode(self, ids):
        return "".join(map(chr, ids))


class Bytes(Characters):
    """One token per byte; knows the bytes of each token."""

    n_vocab = 256
    special_tokens = MappingProxyType({})

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")

    def decode_single_token_bytes(self, number):
        return bytes([number])


class Forging(Characters):
    """Reads its special token in any text and case, drops U+200B, and raises on U+0085."""

    def encode(self, text):
        if "\x85" in text:
            raise ValueError("no")
        if "<|end|>" in text.lower():
            return [0x110000 - 1]
        return super().encode(text.replace("\u200b", ""))


def run_measure(name, tokenizer):
    facts = TargetFacts(tuple(tokenizer.special_tokens), None, "quick")
    families = {one.name: lambda one=one: one.cases(facts) for one in plugins.families().values()}
    return measures()[name](Subject(target_of("t", tokenizer), cases=families))


def row(rows, key, value):
    (match,) = [one for one in rows if one[key] == value]
    return match


@pytest.mark.slow
def test_a_language_is_counted_with_the_same_text_in_english():
    rows = run_measure("languages", Characters())
    of_bytes = run_measure("languages", Bytes())
    assert rows[0]["code"] == "en"
    assert rows[0]["tokens"] == rows[0]["english_tokens"] == rows[0]["characters"]
    assert len(rows) > 150
    assert {one["lossless"] for one in rows} == {True}
    assert row(rows, "code", "my")["script"] == "Myanmar"
    assert row(rows, "code", "my")["bytes"] == row(of_bytes, "code", "my")["tokens"]


@pytest.mark.slow
def test_words_that_are_one_token_are_counted():
    class Words(Characters):
        def encode(self, text):
            return [hash(one) for one in text.split()]

    rows = run_measure("languages", Words())
    assert rows[0]["single_token_words"] == rows[0]["words"]


@pytest.mark.slow
def test_a_space_that_a_tokenizer_adds_to_a_text_is_no_token_of_a_word():
    class SpaceAtStart(Characters):
        def encode(self, text):
            return [hash(f" {one}") for one in text.split(" ")]  # " a" has the token " " too

    rows = run_measure("languages", SpaceAtStart())
    assert rows[0]["single_token_words"] == rows[0]["words"]


@pytest.mark.slow
def test_the_unknown_token_is_no_token_of_a_word():
    class Unknown(Characters):
        unknown_id = 0

        def encode(self, text):
            return [0 if "M" in one else hash(one) for one in text.split()]

    (row, *_) = run_measure("languages", Unknown())
    assert 0 < row["single_token_words"] < row["words"]


def test_every_block_with_characters_is_tested():
    rows = run_measure("coverage", Bytes())
    latin = row(rows, "block", "Basic Latin")
    assert (latin["assigned"], latin["tested"], latin["tokens"], latin["lost"]) == (
        128,
        128,
        128,
        0,
    )
    assert row(rows, "block", "Emoticons")["tokens"] == 4 * 80
    assert "High Surrogates" not in {one["block"] for one in rows}


def test_characters_that_fail_are_counted_in_their_block():
    class Lossy(Characters):
        def encode(self, text):
            if "\u0600" <= text <= "\u06ff":
                raise ValueError("no")
            return [63 if "\u0400" <= one <= "\u04ff" else ord(one) for one in text]

    rows = run_measure("coverage", Lossy())
    assert row(rows, "block", "Cyrillic")["lost"] == 256
    arabic = row(rows, "block", "Arabic")
    assert arabic["raised"] == arabic["tested"] == 256
    assert arabic["encoded"] == 0
    assert row(rows, "block", "Greek and Coptic")["lost"] == 0


def test_a_large_block_is_sampled_evenly():
    class Recording(Characters):
        def __init__(self):
            self.seen = set()

        def encode(self, text):
            self.seen.add(text)
            return super().encode(text)

    recording = Recording()
    syllables = row(run_measure("coverage", recording), "block", "Hangul Syllables")
    assert (syllables["assigned"], syllables["tested"]) == (11172, 256)
    assert "\uac00" in recording.seen
    assert any("\ud700" < one <= "\ud7a3" for one in recording.seen)


@pytest.mark.slow
def test_a_decoding_error_counts_as_raised_and_not_as_lost():
    class Raising(Characters):
        def decode(self, ids):
            raise ValueError("no")

    one = row(run_measure("coverage", Raising()), "block", "Basic Latin")
    assert (one["encoded"], one["lost"], one["raised"]) == (128, 0, 128)
    family = row(run_measure("special_tokens", Raising())["families"], "family", "special-tokens")
    assert family["raised"] == family["tested"] > 0


@pytest.mark.slow
def test_a_skipped_text_is_not_counted():
    class Skipping(Characters, OwnProcess):
        def encode(self, text):
            if "\u00e9" in text or "<" in text:
                raise SkippedTextError("close to others")
            return super().encode(text)

        def call_each(self, method, items):
            results = [call(getattr(self, method), item) for item in items]
            return [one.error if isinstance(one, Raised) else one for one in results]

    one = row(run_measure("coverage", Skipping()), "block", "Latin-1 Supplement")
    assert (one["assigned"], one["tested"], one["raised"]) == (128, 127, 0)
    family = row(run_measure("special_tokens", Skipping())["families"], "family", "special-tokens")
    assert family["raised"] == 0
    (drawn,) = encodings(["\u00e9"], Subject(target_of("t", Skipping())))
    assert drawn["error"].startswith("not run")


def test_the_digit_policy_is_named():
    result = run_measure("numbers", Bytes())
    assert result["policy"] == "single digits"
    assert row(result["encodings"], "text", "1234")["bytes"] == ["31", "32", "33", "34"]


def test_unknown_digits_take_the_place_of_the_policy():
    class Unknown(Bytes):
        unknown_id = 0

        def encode(self, text):
            return super().encode(text.replace("3", "\0").replace("7", "\0"))

    assert run_measure("numbers", Unknown())["policy"] == "unknown digits: 3, 7"


def test_the_vocabulary_is_counted():
    result = run_measure("vocabulary", Bytes())
    assert result["tokens"] == result["n_vocab"] == 256
    assert result["byte_lengths"] == {"1": 256}
    assert result["kinds"]["single byte that is not a character"] == 128
    assert result["kinds"]["digits"] == 10


def test_a_vocabulary_without_bytes_is_counted_by_what_each_id_is_decoded_to():
    class Few(Characters):
        n_vocab = 70
        special_tokens = MappingProxyType({"<|end|>": 69})

    result = run_measure("vocabulary", Few())
    assert (result["n_vocab"], result["tokens"]) == (70, 69)
    assert result["kinds"]["word or part of a word"] == len("ABCD")


def test_a_vocabulary_that_shows_no_token_is_not_counted():
    class Raising(Bytes):
        def decode_single_token_bytes(self, number):
            raise KeyError(number)

    assert run_measure("vocabulary", Raising()) is None


@pytest.mark.slow
def test_near_misses_are_read_as_text_by_a_lossless_target():
    result = run_measure("special_tokens", Characters())
    assert result["tokens"] == {"<|end|>": 0x110000 - 1}
    for one in result["families"]:
        assert one["tested"] == one["text"] > 100
    assert result["not_read_as_text"] == []
    assert {one["example"]["outcome"] for one in result["kinds"]} == {"text"}


@pytest.mark.slow
def test_outcomes_of_near_misses_are_counted_and_listed():
    result = run_measure("special_tokens", Forging())
    family = row(result["families"], "family", "special-tokens")
    assert min(family["special id"], family["other text"]) > 0
    assert sum(family[outcome] for outcome in OUTCOMES) == family["tested"]
    assert "text" not in {one["outcome"] for one in result["not_read_as_text"]}
    assert not [one for one in result["not_read_as_text"] if "<|end|>" in one["text"]]


@pytest.mark.slow
def test_every_near_miss_is_counted_in_its_kind():
    result = run_measure("special_tokens", Forging())
    for family in result["families"]:
        rows = [one for one in result["kinds"] if one["family"] == family["family"]]
        for outcome in ("tested", *OUTCOMES):
            assert sum(one[outcome] for one in rows) == family[outcome]
    kind = row(result["kinds"], "kind", "a special token with a character in it")
    assert kind["tested"] > 10
    assert kind["example"]["outcome"] != "text"


def test_prose_is_counted_with_its_words():
    result = run_measure("prose", Bytes())
    assert result["tokens"] == result["bytes"] == result["characters"] > 1000
    assert result["lossless"]
    assert (result["words"] > 100, result["single_token_words"]) == (True, 0)


def test_spaces_and_invisible_characters_are_encoded():
    result = row(run_measure("invisible", Forging()), "label", "U+200B ZERO WIDTH SPACE")
    assert result["text"] == "pay\u200bpal"
    assert result["decoded_if_different"] == "paypal"
    (line,) = [one for one in run_measure("white_space", Forging()) if "0085" in one["label"]]
    assert line["error"] == "ValueError"
    assert line["ids"] is None


def test_each_word_is_encoded_after_each_prefix():
    rows = run_measure("leading_space", Bytes())
    assert row(rows, "word", "the")["encodings"][1]["text"] == " the"
    assert {len(one["encodings"]) for one in rows} == {9}


@pytest.mark.slow
def test_growth_has_a_curve_for_each_unit():
    rows = run_measure("growth", Bytes())
    assert {"words", "hostile text"} <= {one["unit"] for one in rows}
    for one in rows:
        assert one["sizes"] == sorted(one["sizes"])
        assert len(one["sizes"]) == len(one["seconds"])


def test_throughput_is_measured():
    for one in run_measure("throughput", Bytes()):
        assert one["encode_mb_per_second"] > 0
        assert one["decode_mb_per_second"] > 0
        assert one["reference_mb_per_second"] is None


def test_throughput_is_null_if_the_target_raises():
    class Raising(Characters):
        def encode(self, text):
            raise ValueError("no")

    assert {one["encode_mb_per_second"] for one in run_measure("throughput", Raising())} == {None}


def test_token_bytes_are_taken_from_decoding_if_they_are_unknown():
    (encoding,) = encodings(["a\u00e9"], Subject(target_of("t", Characters())))
    assert encoding["bytes"] == ["61", "c3a9"]


def test_tokens_that_do_not_decode_to_the_text_have_no_bytes():
    (encoding,) = encodings(["a\u200b"], Subject(target_of("t", Forging())))
    assert encoding["bytes"] is None
    assert encoding["decoded_if_different"] == "a"


@pytest.fixture(scope="module", name="recorded")
def _recorded(events):
    spec = "python:planted.normalization:composes_to_nfc"
    return events(spec, families=("normal-forms",), measures=True)


@pytest.mark.slow
def test_a_run_collects_every_measure_and_encodes_its_findings(recorded):
    (metrics,) = [event for event in recorded if isinstance(event, MetricsCollected)]
    assert metrics.measures.keys() == {*measures(), "texts"}
    assert [
        drawn["decoded_if_different"]
        for drawn in metrics.measures["texts"]
        if drawn["decoded_if_different"]
    ] != []


@pytest.mark.slow
def test_a_run_collects_no_metrics_by_default(events):
    spec = "python:planted.normalization:composes_to_nfc"
    recorded = events(spec, families=("normal-forms",))
    assert [event for event in recorded if isinstance(event, MetricsCollected)] == []


def test_a_measure_that_crashes_the_process_is_skipped():
    def call_guarded(request):
        if request.name == "numbers":
            raise TargetDeath("exit code 3")
        return {"measure": request.name}

    kills = SimpleNamespace(add=list)
    pool = SimpleNamespace(spec="t")
    workers = SimpleNamespace(pool=pool, call_guarded=call_guarded, kills=kills)
    skipped, collected = request_measures(workers, ["code", "numbers", "prose"], guarded=True)
    assert skipped.skip.what == "the measure of numbers"
    assert "exit code 3" in skipped.skip.reason
    assert collected.measures == {"code": "code", "prose": "prose", "texts": []}


@pytest.mark.slow
def test_a_text_that_crashes_the_process_has_an_error(events, tmp_path):
    path = tmp_path / "dies.py"
    path.write_text(
        "import os\n"
        "class Dies:\n"
        "    def encode(self, text):\n"
        "        if '6.022e23' in text: os._exit(3)\n"
        "        return list(text.encode('utf-8', 'replace'))\n"
        "    def decode(self, ids): return bytes(ids).decode('utf-8', 'replace')\n"
    )
    recorded = events(f"python:{path}:Dies", 2, families=("plain-words",), measures=True)
    (metrics,) = [event for event in recorded if isinstance(event, MetricsCollected)]
    assert metrics.measures.keys() == {*measures(), "texts"}
    failed = [row for row in metrics.measures["numbers"]["encodings"] if row["error"]]
    assert [(row["text"], row["error"]) for row in failed] == [("6.022e23", "exit code 3")]


def sequences(tokenizer):
    return {one["group"]: one for one in run_measure("sequences", tokenizer)["groups"]}


def test_a_byte_tokenizer_has_as_many_tokens_as_bytes():
    groups = sequences(Bytes())
    assert all(one["tokens"] == one["bytes"] > 0 for one in groups.values())
    assert groups["all texts"]["texts"] == 1 + 12 + groups["all languages"]["texts"]


def test_the_schema_of_reports_has_the_keys_of_sequences():
    described = schema()["$defs"]["measures"]["properties"]["sequences"]["properties"]
    assert run_measure("sequences", Characters()).keys() == described.keys()


def test_declared_special_tokens_are_counted():
    assert run_measure("sequences", Characters())["special_tokens"] == 1


def test_the_languages_of_each_script_are_those_of_all_languages():
    groups = sequences(Characters())
    scripts = list(groups)[4:]
    total = sum(groups[name]["tokens"] for name in scripts)
    assert total == groups["all languages"]["tokens"] == groups["all languages"]["characters"]
    assert scripts[0] == "Latin"


def test_words_cover_a_text_with_its_white_space():
    class Words(Characters):
        def encode(self, text):
            return WORD.findall(text)

        def decode(self, ids):
            return "".join(ids)

    for one in sequences(Words()).values():
        assert (one["tokens"], one["lossy"]) == (one["words"], 0)


def test_lost_texts_and_unknown_tokens_are_counted():
    class Upper(Characters):
        unknown_id = 0

        def encode(self, text):
            return [0 if "\u0590" <= one <= "\u05ff" else ord(one) for one in text]

    groups = sequences(Upper())
    assert groups["Hebrew"]["lossy"] == groups["Hebrew"]["texts"] > 0
    assert groups["Hebrew"]["unknown"] > 0
    assert groups["English prose"]["unknown"] == 0


def test_texts_on_which_it_raises_are_not_counted():
    class Refusing(Characters):
        def encode(self, text):
            if not text.isascii():
                raise ValueError("no")
            return super().encode(text)

    groups = sequences(Refusing())
    assert groups["Hebrew"]["encoded"] == {"texts": 0, "characters": 0, "bytes": 0, "words": 0}
    latin = groups["Latin"]
    assert latin["tokens"] == latin["encoded"]["characters"] < latin["characters"]
