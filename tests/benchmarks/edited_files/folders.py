"""Edits of the settings next to a ``tokenizer.json``, in a folder that ``transformers`` loads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

CONFIG = "tokenizer_config.json"
TOKEN = "<|user|>"
FLAGS = dict.fromkeys(("lstrip", "rstrip", "single_word", "normalized"), False)
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|user|>{{ m.content }}{{ eos_token }}{% endfor %}"
)
OPTIONS = {
    "add_bos_token": True,
    "add_eos_token": True,
    "add_prefix_space": True,
    "additional_special_tokens": ["the"],
    "bos_token": "<|begin|>",
    "clean_up_tokenization_spaces": True,
    "eos_token": "<pad>",
    "model_max_length": 16,
    "padding_side": "left",
    "split_special_tokens": True,
    "truncation_side": "left",
}
"""Options with other values than those of the folder."""

UNREAD = {"_comment": "x", "name_or_path": "a/b", "processor_class": "A", "note": 1}
"""Settings that mean nothing."""


def make(source, folder):
    """Copy a folder, and give it special tokens, a template and settings."""
    shutil.copytree(source, folder)
    record = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    first = max(record["model"]["vocab"].values()) + 1
    names = ("<s>", "</s>", "<pad>", TOKEN)
    rows = {
        number: {"content": text, **FLAGS, "special": True}
        for number, text in enumerate(names, first)
    }
    record["added_tokens"] = [{"id": number, **row} for number, row in rows.items()]
    (folder / "tokenizer.json").write_text(json.dumps(record), "utf-8")
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": "<s>",
        "eos_token": "</s>",
        "chat_template": TEMPLATE,
        "clean_up_tokenization_spaces": False,
        "added_tokens_decoder": rows,
    }
    (folder / CONFIG).write_text(json.dumps(settings), "utf-8")


def edits():
    """Yield the name of each edit, the words that name it, and a function of the settings."""
    for name, value in OPTIONS.items():
        yield (
            name,
            (name.removeprefix("add_").replace("_", " "),),
            lambda one, k=name, v=value: {**one, k: v},
        )
    for flag in FLAGS:
        yield (
            f"{flag} of {TOKEN}",
            (TOKEN, flag.replace("_", " ")),
            lambda one, k=flag: _flag(one, k),
        )
    for name, value in UNREAD.items():
        yield f"= {name}", (), lambda one, k=name, v=value: {**one, k: v}
    yield "= order of keys", (), lambda one: dict(reversed(one.items()))


def _flag(settings, flag):
    rows = settings["added_tokens_decoder"].items()
    changed = {n: {**row, flag: True} if row["content"] == TOKEN else row for n, row in rows}
    return {**settings, "added_tokens_decoder": changed}


def edited(folder, new, change):
    """Copy a folder with other settings."""
    shutil.copytree(folder, new)
    settings = json.loads((new / CONFIG).read_text("utf-8"))
    (new / CONFIG).write_text(json.dumps(change(settings), indent=1), "utf-8")
    return Path(new)
