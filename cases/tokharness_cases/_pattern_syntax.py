r"""The lexical syntax of pre-token patterns: the tokens of a regular expression.

It covers ``regex``, fancy-regex and Oniguruma. The name of the group that matched last is the kind
of a token.
"""

from __future__ import annotations

import re

__all__ = ["INSIDE", "OUTSIDE"]

_ESCAPE = r"""
    (?P<property>\\[pP](?:\{[^{}]*\}|\w))
  | (?P<escape>\\(?:N\{[^{}]*\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{3}|.))
"""
OUTSIDE = re.compile(
    rf"""
    (?P<ignored>\(\?\#[^)]*\)|\(\*\w+(?::[^)]*)?\)|\(\?(?:P[=>]|&)\w+\)|\\[kgL](?:<[^>]*>|\{{[^}}]*\}})
      |[*+?]|\{{\d*,?\d*\}}|[$^]|\\[AzZbBGKmMX1-9])
  | (?P<flags>\(\?(?P<on>[A-Za-z0-9]*)(?:-(?P<off>[A-Za-z]+))?(?P<end>[:)]))
  | (?P<group>\((?:\?(?:<?[=!]|[>|]|\(\w+\)|P?<\w+>|'\w+'))?)
  | (?P<end_group>\))
  | (?P<or>\|)
  | (?P<open>\[\^?\]?)
  | {_ESCAPE}
  | (?P<any>\.)
  | (?P<one>[^\\])
    """,
    re.VERBOSE | re.DOTALL,
)
_POINT = r"(?:\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^\w]|[nrtfv0])|[^\\\[\]])"
INSIDE = re.compile(
    rf"""
    (?P<item>\[:\^?\w+:\]|{_POINT}-(?!-[^\]]){_POINT})
  | (?P<operator>&&|--|\|\||~~)
  | (?P<open>\[\^?\]?)
  | (?P<close>\])
  | {_ESCAPE}
  | (?P<one>[^\\])
    """,
    re.VERBOSE | re.DOTALL,
)
