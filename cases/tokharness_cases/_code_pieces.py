"""Parts of source code: operators, escapes, numbers, kinds of white space."""

from __future__ import annotations

__all__ = [
    "ESCAPES",
    "HEX",
    "LINE_ENDS",
    "NAMES",
    "NUMBERS",
    "OPERATORS",
    "POINTS",
    "WHITE",
    "WORDS",
]


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.split()))


OPERATORS = (
    *_words(
        r"""
    + - * / % = == === != !== <> < > <= >= <=> << >> >>> <<= >>= >>>= & | ^ ~ ! && || ?? ?. ?: ? :
    :: := => -> <- |> <| -- ++ += -= *= /= //= %= &= |= ^= **= ** &&= ||= ??= . .. ... ..= ..< ; ;;
    , @ # ## #! $ ${ } {{ }} {% %} ( ) () [ ] [] {} </ /> <!-- --> <? ?> /* */ // /// //! \ \\ ` ```
    ''' ' " _ __ =~ !~ ~= >=> <*> <$> \/ /\
        """
    ),
    '"' * 3,
)
ESCAPES = _words(
    r"""
    \n \r\n \t \0 \00 \x41 \x \xe9 \101 \777 \\ \' \" \a\b\f\v \e[0m \N{BULLET} \N{} \u \u12 \u{}
    \U0010FFFF \U00110000 \ud83d\ude00 \u{1F600} %20 %00 %C3%A9 %E2%80%AE % %% %zz &lt; &amp;lt;
    &nbsp; &#0; &#x1F600; &#x110000; &notit; &lt \d+\.\d* \p{L} $1 \b \cA =C3=A9 +ADw-
    """
)
NUMBERS = (
    *_words(
        """
    0 0x1F 0XFF 0b1010 0o17 017 1_000_000 1'000'000 1,000,000 1e10 1.5E-7 1. .5 1f 1.0f 10L 0xFFul
    1u8 255u8 1n 3j 1e 0x 0x1p-3 1..2 1...2 1.2.3 v1.2.3-rc.1 127.0.0.1 ::1 12:34:56 2024-01-31
    #ff00ff $1 1/2 50% 1e400 -0 +1 --1 NaN 1px 10KiB 0b 1__0 _1 1_
        """
    ),
    *("\u0661\u0662", "1\u0662", "\uff11\uff12", "1\u00b2"),
)
HEX = ("\\u{}", "\\u{{{}}}", "\\U0000{}", "\\x{}", "\\N{{U+{}}}", "%u{}", "&#x{};", "0x{}", "U+{}")
POINTS = ("0041", "0000", "200B", "202E", "D83D", "DC00", "FEFF", "00e9", "FFFF", "003c", "0027")
WHITE = (" ", "\t", "\n", "\r\n", "\r", "\x0b", "\x0c", "\u00a0", "\u3000", "\u2028", "\x85")
LINE_ENDS = (
    *("\n", "\r\n", "\r", "\n\r", "\\\n", "\\\r\n", " \n", "\t\n", "\n\n", "\r\n\r\n"),
    *("\x85", "\u2028", "\u2029", "\x0c"),
)
NAMES = ("user", "get", "HTTP", "server", "id", "2", "x1", "URL", "to")
WORDS = ("def", "return", "class", "import", "password", "admin", "isAdmin", "eval", "None")
