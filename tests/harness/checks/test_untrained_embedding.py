"""TOK412: rows of embeddings that were never trained."""

import numpy as np
import pytest

from tokharness.errors import UsageError

pytestmark = pytest.mark.needs("safetensors")

CODE = "TOK412"
ROWS, WIDTH = 50_000, 32
NOISE, DECAYED, EQUAL = range(1000, 1010), range(20_000, 20_006), range(49_996, 50_000)
UNTRAINED = {*NOISE, *DECAYED, *EQUAL}
NOT_IN_UTF8 = [0xC0, 0xC1, *range(0xF5, 0x100)]


def trained(rows, seed=0):
    """Rows that differ in norm and share a direction, as those of models do."""
    random = np.random.default_rng(seed)
    norms = 0.7 + 0.6 * random.random((rows, 1))
    values = norms * random.standard_normal((rows, WIDTH)) / WIDTH**0.5
    return (values + random.standard_normal(WIDTH) / WIDTH**0.5).astype(np.float32)


def noise(count, size, seed=1):
    random = np.random.default_rng(seed)
    return size * random.standard_normal((count, WIDTH)).astype(np.float32)


@pytest.fixture
def untrained():
    """A matrix in which twenty rows are noise, decayed to nothing, or copies of one start."""
    matrix = trained(ROWS)
    matrix[NOISE], matrix[DECAYED], matrix[EQUAL] = (
        noise(len(NOISE), 0.02),
        noise(len(DECAYED), 1e-6),
        matrix[17] / 3,
    )
    return matrix


@pytest.fixture
def save(tmp_path):
    """Write matrices by their names, and return the path."""
    from safetensors.numpy import save_file

    def saved(**matrices):
        path = tmp_path / "model.safetensors"
        save_file({f"{name}.weight": matrix for name, matrix in matrices.items()}, path)
        return str(path)

    return saved


@pytest.fixture
def check(check_texts, byte_tokenizer):
    """Check embeddings with a tokenizer that has this many ids, and shows no bytes of them."""

    def findings(embeddings, n_vocab=ROWS):
        return check_texts(CODE, byte_tokenizer(n_vocab=n_vocab), embeddings=embeddings)

    return findings


def first_ids(finding, name):
    return [row["id"] for row in finding.evidence[name]]


@pytest.mark.slow
def test_twenty_untrained_rows_of_three_kinds_rank_first_and_are_the_only_candidates(
    check, save, untrained
):
    findings = check(save(embed_tokens=untrained))
    (risk,), (fact,) = findings.risks, findings.facts
    assert (str(risk.cause), risk.count) == ("untrained embeddings", 20)
    assert set(first_ids(risk, "candidates")) == UNTRAINED
    assert set(first_ids(fact, "lowest scores")[:20]) == UNTRAINED
    assert str(fact.cause) == "embeddings: input"


def test_the_healthy_twin_has_no_risk(check, save):
    findings = check(save(embed_tokens=trained(ROWS), lm_head=trained(ROWS, 5)))
    assert findings.risks == []
    assert [fact.evidence["candidates"] for fact in findings.facts] == [0, 0]


@pytest.mark.slow
def test_output_embeddings_of_the_model_itself_show_untrained_rows_too(check, save, untrained):
    findings = check(save(embed_tokens=trained(ROWS), lm_head=untrained))
    (risk,) = findings.risks
    assert set(first_ids(risk, "candidates")) == UNTRAINED
    assert {row["matrix"] for row in risk.evidence["candidates"]} == {"output"}
    assert [str(fact.cause) for fact in findings.facts] == [
        "embeddings: input",
        "embeddings: output",
    ]


@pytest.mark.slow
def test_rows_that_the_output_pushes_in_one_direction_are_near_unused_padding_rows(check, save):
    matrix = trained(ROWS + 48)
    pushed = [5, 77, 30_000, *range(ROWS, ROWS + 48)]
    matrix[pushed] = -trained(1, 9)[0] + noise(len(pushed), 0.01)
    (risk,) = check(save(embed_tokens=trained(ROWS + 48), lm_head=matrix)).risks
    assert set(first_ids(risk, "candidates")) == {5, 77, 30_000}
    assert "rows without a token" in risk.evidence["candidates"][0]["indicator"]


@pytest.fixture
def bytes_and_words(byte_tokenizer):
    """A tokenizer of 256 bytes and two words, of which no text gives the second."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"ab", b"cd"]
    target = byte_tokenizer(n_vocab=258, decode_single_token_bytes=lambda i: tokens[i])
    plain = target.encode
    target.encode = lambda text: [256] if text == "ab" else plain(text)
    target.decode = lambda ids: b"".join(tokens[i] for i in ids).decode("utf-8", "replace")
    return target


def of_bytes_and_words(*unused):
    """Embeddings in which rows are near the start from which all began, of a usual norm."""
    matrix = trained(258)
    matrix[[*NOT_IN_UTF8, *unused]] = trained(1, 9)[0] + noise(13 + len(unused), 0.02)
    return matrix


def test_a_token_as_near_to_unused_bytes_as_they_are_to_each_other_is_a_candidate(
    check_texts, save, bytes_and_words
):
    embeddings = save(wte=of_bytes_and_words(256))
    (risk,) = check_texts(CODE, bytes_and_words, embeddings=embeddings).risks
    (row,) = risk.evidence["candidates"]
    assert (row["id"], row["text"], row["reachability"], row["witness"]) == (
        256,
        "ab",
        "alone",
        "ab",
    )
    assert row["indicator"].endswith("from tokens of bytes that no UTF-8 has")
    assert risk.text == "ab"
    assert "texts reach 1 of them" in risk.message


def test_untrained_rows_that_are_known_to_be_unused_are_no_risk(check_texts, save, bytes_and_words):
    (fact,) = check_texts(CODE, bytes_and_words, embeddings=save(wte=of_bytes_and_words()))
    assert fact.evidence["unused"]["tokens of bytes that no UTF-8 has"] == 13
    assert "13 look untrained" in fact.message


def test_a_token_that_was_trained_a_little_ranks_first_and_is_no_candidate(
    check_texts, save, bytes_and_words
):
    matrix = of_bytes_and_words(256)
    matrix[256] += noise(1, 0.05)[0]
    (fact,) = check_texts(CODE, bytes_and_words, embeddings=save(wte=matrix))
    assert first_ids(fact, "lowest scores")[0] == 256


def test_small_norms_are_no_sign_where_unused_rows_have_larger_ones(
    check_texts, save, bytes_and_words
):
    matrix = of_bytes_and_words()
    matrix[[10, 20, 30, 40]] = noise(4, 0.01)
    assert check_texts(CODE, bytes_and_words, embeddings=save(wte=matrix)).risks == []


@pytest.mark.slow
def test_one_small_norm_is_no_candidate(check, save):
    matrix = trained(ROWS)
    matrix[7] = noise(1, 0.02)
    assert check(save(embed_tokens=matrix)).risks == []


@pytest.mark.slow
def test_two_equal_rows_are_candidates(check, save):
    matrix = trained(ROWS)
    matrix[7] = matrix[9]
    (risk,) = check(save(embed_tokens=matrix)).risks
    assert sorted(first_ids(risk, "candidates")) == [7, 9]
    assert {row["indicator"] for row in risk.evidence["candidates"]} == {"equal rows"}


def test_every_token_of_a_matrix_of_zeros_is_a_candidate(check, save):
    matrix = np.zeros((120, WIDTH), np.float32)
    assert [risk.count for risk in check(save(embed_tokens=matrix), n_vocab=100).risks] == [100]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_finite_are_an_error_that_names_the_row(check, save, value):
    matrix = trained(100)
    matrix[70, 3] = value
    with pytest.raises(UsageError, match="in 1 of 100 rows, the first in row 70"):
        check(save(embed_tokens=matrix), n_vocab=100)
