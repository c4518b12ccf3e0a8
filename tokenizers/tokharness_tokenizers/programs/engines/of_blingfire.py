"""BlingFire, with the models that it carries."""

# engine: blingfire
# package: blingfire
# names: bert_base_cased_tok bert_base_tok gpt2 roberta xlm_roberta_base xlnet

from importlib.metadata import version
from pathlib import Path

import blingfire
import numpy as np


class Served:
    """A model of BlingFire, whose ids are those of the vocabulary that it was made from."""

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"blingfire {version('blingfire')}"
        folder = Path(blingfire.__file__).parent
        self._model = blingfire.load_model(str(folder / f"{name}.bin"))
        self._texts = blingfire.load_model(str(folder / f"{name}.i2w"))

    def encode(self, text: str) -> list[int]:
        """Encode a text; the most ids that are wanted are more than it can have."""
        most = 4 * len(text.encode()) + 16
        ids = blingfire.text_to_ids(self._model, text, most, no_padding=True)
        return ids.tolist()  # type: ignore[no-any-return]

    def decode(self, ids: list[int]) -> str:
        """Decode ids, also those of special tokens."""
        array, room = np.array(ids, np.uint32), 64 * len(ids) + 64
        return str(blingfire.ids_to_text(self._texts, array, False, room))  # noqa: FBT003


def load(_kind: str, name: str) -> Served:
    """Load a model."""
    return Served(name)
