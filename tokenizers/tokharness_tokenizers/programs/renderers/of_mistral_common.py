"""mistral-common, with a vocabulary that its package carries: ``mistral-common:v3-tekken``."""

# renderer: mistral-common
# package: mistral-common
# names: v1 v2 v3 v3-tekken v7

from importlib.metadata import version
from pathlib import Path
from typing import Any

import mistral_common
from mistral_common.exceptions import MistralCommonException
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import ValidationMode
from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

FILES = {
    "v1": "tokenizer.model.v1",
    "v2": "mistral_instruct_tokenizer_240216.model.v2",
    "v3": "mistral_instruct_tokenizer_240323.model.v3",
    "v3-tekken": "tekken_240718.json",
    "v7": "mistral_instruct_tokenizer_241114.model.v7",
}


class Served:
    """The tokenizer of a version, which renders a request; the template is not used.

    It refuses to answer an answer: such conversations are rendered as for training.
    """

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"mistral-common {version('mistral-common')}"
        path = str(Path(mistral_common.__file__).parent / "data" / FILES[name])
        self._serving = MistralTokenizer.from_file(path, mode=ValidationMode.test)
        self._training = MistralTokenizer.from_file(path, mode=ValidationMode.finetuning)

    def render(self, conversation: dict[str, Any]) -> dict[str, Any]:
        """Return the text and the ids of a conversation, or why the library refuses it."""
        messages, options = conversation["messages"], conversation["options"]
        is_answered = messages[-1].get("role") == "assistant"
        tokenizer: Any = self._training if is_answered else self._serving
        try:
            request = ChatCompletionRequest.from_openai(
                messages, tools=options.get("tools") or None
            )
            ids = tokenizer.encode_chat_completion(request).tokens
        except (MistralCommonException, ValueError) as error:
            return {"failure": "refusal", "message": str(error).partition("\n")[0]}
        policy = SpecialTokenPolicy.KEEP
        inner = tokenizer.instruct_tokenizer.tokenizer
        return {"text": inner.decode(ids, special_token_policy=policy), "ids": ids}


def load(name: str, _kind: str, _path: str) -> Served:
    """Load a vocabulary."""
    return Served(name)
