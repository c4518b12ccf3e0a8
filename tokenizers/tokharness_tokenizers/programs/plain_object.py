"""An object of a module as a program: ``python -P -c SOURCE WHERE FACTORY``, with JSON lines.

It is given to an interpreter as text, and imports the standard library alone, as the object may
recognize the program that asks for its ids. It is loaded as any other target is.
"""

import hashlib
import importlib
import importlib.util
import json
import operator
import os
import sys
from typing import Any

METHODS = ("encode", "encode_ordinary")


def main() -> None:
    """Load the object, and answer requests until the input ends."""
    where, factory = sys.argv[1:]
    sys.argv[:], sys.orig_argv[:] = [""], [sys.executable]
    response: dict[str, Any]
    requests, responses = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as null:  # noqa: PTH123 - pathlib is slow to import
        os.dup2(null.fileno(), 0)
    os.dup2(2, 1)
    tokenizer = load(where, factory)
    methods = {name: getattr(tokenizer, name, None) for name in METHODS}
    for line in requests:
        request = json.loads(line)
        if request["op"] == "info":
            response = {"ops": [name for name, method in methods.items() if callable(method)]}
        else:
            response = {
                "results": [ids_of(methods[request["op"]], text) for text in request["texts"]]
            }
        responses.write(json.dumps(response).encode() + b"\n")
        responses.flush()


def load(where: str, factory: str) -> Any:
    """Import a file, from whose folder it may import, or a module, and call its factory."""
    return load_with_factory(where, factory)[0]


def load_with_factory(where: str, factory: str) -> tuple[Any, Any]:
    """Return what a factory makes, and the factory."""
    if not where.endswith(".py"):
        sys.path.append(os.getcwd())  # noqa: PTH109
        make = getattr(importlib.import_module(where), factory)
        return make(), make
    path = os.path.realpath(where)
    folder, file = os.path.split(path)
    is_known = folder in sys.path
    if not is_known:
        sys.path.insert(0, folder)
    name = f"{file[:-3]}_{hashlib.sha256(path.encode()).hexdigest()[:8]}"
    spec: Any = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    make = getattr(module, factory)
    made = make()
    if not is_known:
        sys.path.remove(folder)
        sys.path.append(folder)
    return made, make


def ids_of(encode: Any, text: str) -> Any:
    """Return the ids of a text, or the error that it raises."""
    try:
        return list(map(operator.index, encode(text)))
    except BaseException as error:
        return {"error": str(error)[:200], "type": type(error).__name__}


if __name__ == "__main__":
    main()
