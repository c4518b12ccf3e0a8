"""renderers, whose renderers are written by hand, each for a model: ``renderers:qwen3``.

They give ids. Their tokenizer here has an id for each character and for each token that they ask
for, so that the ids say exactly which text was meant. That of gpt-oss is openai-harmony, and gives
the ids of its own vocabulary, o200k_base of tiktoken's cache.
"""

# renderer: renderers
# package: renderers
# names: MODEL

import json
import os
import re
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

RANKS = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""The file of o200k_base in tiktoken's cache."""

TOKEN = re.compile(r"<[|\uff5c][^|\uff5c]+[|\uff5c]>")


class Characters:
    """A tokenizer whose ids are code points, and larger numbers for tokens."""

    unk_token_id, eos_token_id, name_or_path = -1, None, ""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def convert_tokens_to_ids(self, token: str) -> int:
        """Return the id of a token, whatever its text."""
        return self._ids.setdefault(token, 0x110000 + len(self._ids))

    def encode(self, text: str, **_: Any) -> list[int]:
        """Return an id for each character; a text that is a token has one id."""
        return [self.convert_tokens_to_ids(text)] if TOKEN.fullmatch(text) else [*map(ord, text)]

    def decode(self, ids: list[int], **_: Any) -> str:
        """Return the text of ids."""
        texts = {number: text for text, number in self._ids.items()}
        return "".join(texts.get(number) or chr(number) for number in ids)


class Harmony(Characters):
    """The vocabulary of openai-harmony, which it looks for in a folder."""

    def __init__(self) -> None:
        import openai_harmony

        cached = Path(os.environ.get("TIKTOKEN_CACHE_DIR", ""), RANKS)
        if not cached.is_file():
            raise FileNotFoundError("TIKTOKEN_CACHE_DIR has no o200k_base, which gpt-oss needs")
        folder = Path(tempfile.mkdtemp())
        (folder / "o200k_base.tiktoken").symlink_to(cached)
        os.environ["TIKTOKEN_ENCODINGS_BASE"] = str(folder)
        name = openai_harmony.HarmonyEncodingName.HARMONY_GPT_OSS
        self._encoding: Any = openai_harmony.load_harmony_encoding(name)

    def convert_tokens_to_ids(self, token: str) -> int:
        """Return the id of a control token."""
        (number,) = self._encoding.encode(token, allowed_special="all")
        return int(number)

    def encode(self, text: str, **_: Any) -> list[int]:
        """Return the ids of a text."""
        return list(self._encoding.encode(text, disallowed_special=()))

    def decode(self, ids: list[int], **_: Any) -> str:
        """Return the text of ids."""
        return str(self._encoding.decode(ids))


class Served:
    """The renderer of a model; the template is not used."""

    def __init__(self, model: str, now: str) -> None:
        self._model, self._day = model, now[:10]
        self._tokenizer = Harmony() if model == "gpt-oss" else Characters()
        import renderers

        self.name, self.version = model, f"renderers {version('renderers')}"
        self._create, self._config = renderers.create_renderer, renderers.config_from_name
        self._known: dict[str, Any] = {}
        self._renderer({})

    def _renderer(self, options: dict[str, Any]) -> Any:
        key = json.dumps(options)
        if key not in self._known:
            if self._model == "gpt-oss":
                options = {"conversation_start_date": self._day, **options}
            self._known[key] = self._create(
                self._tokenizer, self._config(self._model), chat_template_kwargs=options
            )
        return self._known[key]

    def render(self, conversation: dict[str, Any]) -> dict[str, Any]:
        """Return the text that the ids of a conversation stand for."""
        options = dict(conversation["options"])
        tools, prompt = options.pop("tools", None), options.pop("add_generation_prompt", False)
        ids = self._renderer(options).render_ids(
            conversation["messages"], tools=tools, add_generation_prompt=prompt
        )
        text = self._tokenizer.decode(ids)
        return {"text": text, "ids": ids} if self._model == "gpt-oss" else {"text": text}


def load(model: str, _kind: str, path: str) -> Served:
    """Load the renderer of a model."""
    return Served(model, json.loads(Path(path).read_bytes())["now"])
