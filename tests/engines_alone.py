"""The ids of a text by an engine's package alone, in a process with nothing of ours.

``SCRIPTS`` has a program for each scheme, or name of an engine: it reads a file or a name as its
argument and a text as JSON from its input, and prints ids as JSON. Special tokens in the text are
text, as in the program that serves the engine.
"""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

from tokharness.errors import NotInstalledError
from tokharness_tokenizers.programs import known_engines
from tokharness_tokenizers.programs.starting import command_of, find_node, folder_of_package
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

BEGIN = """import json, os, sys, tempfile
what, text, ranks = sys.argv[1], json.load(sys.stdin), "".join(sys.argv[2:])
def named(path, name):
    link = os.path.join(tempfile.mkdtemp(), name + ".tiktoken")
    os.symlink(path, link)
    return link
"""
END = "\nprint(json.dumps([int(one) for one in ids]))"

SCRIPTS = {
    "hf": """from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(what)
tokenizer.encode_special_tokens = True
ids = tokenizer.encode(text, add_special_tokens=False).ids""",
    "tiktoken": """import tiktoken
ids = tiktoken.get_encoding(what).encode_ordinary(text)""",
    "sentencepiece": """from sentencepiece import SentencePieceProcessor
ids = SentencePieceProcessor(model_file=what).encode(text)""",
    "tokie": """from tokie import Tokenizer
ids = Tokenizer.from_json(what).encode(text, add_special_tokens=False).ids""",
    "fastokens": """from fastokens import Tokenizer
ids = Tokenizer.from_file(what).encode(text, split_special_tokens=True).ids""",
    "gigatoken": """from gigatoken import Tokenizer
made = Tokenizer if what.endswith(".json") else Tokenizer.from_sentencepiece
if ranks:
    made, what = Tokenizer.from_tiktoken, named(ranks, what)
ids = made(what).encode(text)""",
    "kitoken": """from kitoken import Kitoken
made = Kitoken.from_tokenizers if what.endswith(".json") else Kitoken.from_sentencepiece
whole = Kitoken.from_tiktoken_file(ranks) if ranks else made(open(what, "rb").read())
ids = whole.encode(text)""",
    "rs-bpe": """from rs_bpe.bpe import openai
ids = getattr(openai, what)().encode(text)""",
}

NODE_BEGIN = """import {createRequire} from "node:module";
import {readFileSync} from "node:fs";
const require = createRequire(process.argv[1] + "/here.js");
const what = process.argv[2], text = JSON.parse(readFileSync(0, "utf8"));
"""
NODE_END = "\nconsole.log(JSON.stringify(Array.from(ids, Number)));"

NODE_SCRIPTS = {
    "js-tiktoken": """const {Tiktoken} = require("js-tiktoken/lite");
const ranks = require(`js-tiktoken/ranks/${what}`);
const ids = new Tiktoken(ranks.default ?? ranks).encode(text, [], []);""",
    "gpt-tokenizer": """const encoding = require(`gpt-tokenizer/encoding/${what}`);
const ids = encoding.encode(text, {disallowedSpecial: new Set()});""",
    "tiktoken-wasm": """const ids = require("tiktoken").get_encoding(what).encode(text, [], []);""",
    "@huggingface/tokenizers": """const {Tokenizer} = require("@huggingface/tokenizers");
const tokenizer = new Tokenizer(JSON.parse(readFileSync(what, "utf8")), {});
const ids = tokenizer.encode(text, {add_special_tokens: false}).ids;""",
}

SECONDS = 120


def ids_alone(spec: str, text: str) -> list[int] | None:
    """Return the ids of a text by the package of a target; None if no script runs it."""
    scheme, _, rest = spec.partition(":")
    name, what = scheme, rest
    if scheme == "engine":
        name, what = next(
            ((one, rest[len(one) + 1 :]) for one in known_engines() if rest.startswith(f"{one}:")),
            ("", ""),
        )
    if name in SCRIPTS:
        python = None
        if scheme == "engine":
            with contextlib.suppress(NotInstalledError):
                python = command_of(known_engines()[name])[0]
        argv = [python or sys.executable, "-I", "-c", f"{BEGIN}{SCRIPTS[name]}{END}", what]
        if what in PUBLISHED:
            argv.append(str(PUBLISHED[what].cache_path.absolute()))
    elif name in NODE_SCRIPTS:
        folder, node = folder_of_package(known_engines()[name].package), find_node()
        if folder is None or node is None:
            return None
        program = f"{NODE_BEGIN}{NODE_SCRIPTS[name]}{NODE_END}"
        argv = [node, "--input-type=module", "-e", program, str(folder), what]
    else:
        return None
    done = subprocess.run(
        argv,
        input=json.dumps(text),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        cwd=Path.home(),
    )
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return None
