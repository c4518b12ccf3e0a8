"""rs-bpe, with the vocabularies that it carries."""

# engine: rs-bpe
# package: rs-bpe
# names: cl100k_base o200k_base

from importlib.metadata import version

from rs_bpe.bpe import openai


class Served:
    """A tokenizer of rs-bpe, which reads no special tokens from text."""

    algorithm = "byte-level BPE"

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"rs-bpe {version('rs-bpe')}"
        self._tokenizer = getattr(openai, name)()

    def encode(self, text: str) -> list[int]:
        """Encode a text."""
        return self._tokenizer.encode(text)  # type: ignore[no-any-return]

    def decode(self, ids: list[int]) -> str:
        """Decode ids; raises ValueError for bytes that are no text."""
        text = self._tokenizer.decode(ids)
        if text is None:
            raise ValueError("the bytes of the ids are not UTF-8")
        return str(text)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return self._tokenizer.count(text)  # type: ignore[no-any-return]


def load(_kind: str, name: str) -> Served:
    """Load a vocabulary."""
    return Served(name)
