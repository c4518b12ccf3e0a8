"""Windows of tokenizers: a byte-level BPE without merges, alone and with special tokens."""

# chunker: tokenizers
# package: tokenizers
# names: windows special-tokens

from importlib.metadata import version
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")


class Served:
    """Truncates and pads as its settings say, which are set for each call."""

    window_options = ("pair", "side", "strategy", "padding", "multiple")
    has_overlap = True

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"tokenizers {version('tokenizers')}"
        tokens = [*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())]
        vocabulary = {token: number for number, token in enumerate(tokens)}
        self._tokenizer = Tokenizer(models.BPE(vocabulary, []))
        self._tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self._tokenizer.decoder = decoders.ByteLevel()
        if name == "special-tokens":
            self._tokenizer.post_processor = processors.BertProcessing(("[SEP]", 1), ("[CLS]", 0))

    def windows(
        self, text: str, limit: int | None, overlap: int, options: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the windows, with the sequence, the offsets and the mask of each id."""
        tokenizer = self._tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        if limit is not None:
            tokenizer.enable_truncation(
                limit,
                stride=overlap,
                strategy=options.get("strategy", "longest_first"),
                direction=options.get("side", "right"),
            )
        if side := options.get("padding"):
            tokenizer.enable_padding(
                direction=side,
                pad_id=2,
                pad_token=SPECIAL[2],
                pad_to_multiple_of=options.get("multiple"),
            )
        whole = tokenizer.encode(text, options.get("pair"))
        return [_window(one) for one in (whole, *whole.overflowing)]


def _window(encoding: Any) -> dict[str, Any]:
    return {
        "ids": encoding.ids,
        "parts": encoding.sequence_ids,
        "offsets": encoding.offsets,
        "mask": encoding.attention_mask,
    }


def load(_kind: str, name: str) -> Served:
    """Load a tokenizer."""
    return Served(name)
