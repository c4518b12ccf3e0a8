"""Words of a POSIX shell."""

from __future__ import annotations

import shlex


def shell(argument: str) -> str:
    r"""Return a text as one word of a POSIX shell, in printable ASCII.

    Only line feeds at the end of the text are literal. Undecodable bytes of an argument are
    surrogates, as in ``os.fsdecode``.

    Raises:
        ValueError: the text cannot be an argument: it has a NUL or another lone surrogate.

    """
    if "\0" in argument:
        raise ValueError("no argument can hold U+0000")
    if argument.isascii() and argument.isprintable():
        return shlex.quote(argument)
    body = argument.rstrip("\n")
    octal = "".join(map(_printf, body.encode("utf-8", "surrogateescape")))
    # A command substitution drops line feeds at its end, so these follow it.
    ends = argument[len(body) :]
    return (f"\"$(printf '{octal}')\"" if body else "") + (f"'{ends}'" if ends else "")


def _printf(value: int) -> str:
    plain = 0x20 <= value < 0x7F and chr(value) not in "-%'\\"
    return chr(value) if plain else rf"\{value:03o}"
