"""Draw the pictures of README: ``python tests/make_picture.py``, as SVG in ASCII.

``docs/pictures/algorithms.svg`` is what ``tokharness show`` prints of one sentence for the small
vocabularies, and ``engines.svg`` what ``reports/conformance`` says of engines. Both are for light
and dark pages.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tokharness.cli._token_rows import BYTE, UNKNOWN, pieces_of
from tokharness.targets.loading import load_target
from tokharness_tokenizers.vocabularies.make_small import SMALL_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tokharness.cli._token_rows import Piece

ROOT = Path(__file__).parents[1]
PICTURE, ENGINES = (ROOT / "docs/pictures" / f"{name}.svg" for name in ("algorithms", "engines"))
TABLE = ROOT / "reports" / "conformance" / "conformance.json"
TEXT = "Na\u00efve tokenizers don\u2019t split caf\u00e9 words alike: 12345 \U0001f600"
LABELS = {
    "byte-level-bpe": "byte-level BPE (GPT-2, tiktoken)",
    "character-bpe": "BPE with a mark at the end of a word (Sennrich et al.)",
    "sentencepiece-bpe": "BPE with a mark for the space and byte fallback (Llama 2)",
    "unigram": "Unigram with a mark for the space (T5)",
    "wordpiece": "WordPiece with a mark inside of a word (BERT, uncased)",
}
WIDTH, MARGIN, CELL, PAD, GAP, LINE = 780, 16, 8.4, 4, 3, 28
STYLE = """
text { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace;
  white-space: pre; fill: #1b1f24; }
.label { font: 600 14px system-ui, sans-serif; } .soft { font: 13px system-ui, sans-serif;
  fill: #57606a; } .lost { font: 13px system-ui, sans-serif; fill: #b3141d; }
.page { fill: #ffffff; } .same { fill: #c9ecd3; } .apart { fill: #ffd4d1; }
.refused { fill: #dfe3e8; } .t0 { fill: #dbeafe; } .t1 { fill: #dcf5e3; } .t2 { fill: #fdeecb; }
.unknown { fill: #ffe9e8; stroke: #b3141d; stroke-width: 1.5; }
.byte { fill: #f6f8fa; stroke: #8a4b00; stroke-dasharray: 3 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6eaf0; } .soft { fill: #a5b0bd; } .lost { fill: #ff9a95; }
  .page { fill: #0f1318; } .same { fill: #1b4530; } .apart { fill: #5a2023; }
  .refused { fill: #3a414b; } .t0 { fill: #1d3a63; } .t1 { fill: #1b4530; } .t2 { fill: #4d3b10; }
  .unknown { fill: #40181a; stroke: #ff9a95; } .byte { fill: #181e25; stroke: #f2c265; }
}
"""


def picture() -> str:
    """Return the picture."""
    lines, texts, y = [], [], 30.0
    lines.append(_text(MARGIN, y, TEXT, "label"))
    note = f"five algorithms, each trained on the same text to {SMALL_SIZE:,} tokens"
    lines.append(_text(MARGIN, y + 20, note, "soft"))
    y += 56
    for name, label in LABELS.items():
        target = load_target(f"reference:{name}")
        ids = target.encode(TEXT)
        pieces = pieces_of(ids, target)
        count, lost = f"{len(pieces)} tokens", _loss(pieces, target.decode(ids))
        lines.append(_text(MARGIN, y, label, "label"))
        lines.append(_text(WIDTH - MARGIN, y, f"{count}{lost}", "lost" if lost else "soft", "end"))
        boxes, y = _boxes(pieces, y + 10)
        lines += boxes
        texts.append(f"{label}, {count}{lost}: {' | '.join(piece.shown for piece in pieces)}")
        y += 22
    lines += _key(y)
    title = f"{TEXT} by five algorithms"
    return _document(y + 24, title, "\n".join(texts), lines)


LEFT, TOP, WIDE, HIGH = 240, 140, 46, 24
NOTES = (
    "causes by which an engine differs from the",
    "reference in ids, decoded text, bytes of",
    "tokens, special tokens or offsets",
    "= the same   \u2013 refuses the file",
)


def engines_picture(table: dict[str, Any]) -> str:
    """Return the picture of a table: how many causes set an engine apart from the reference."""
    columns = [row["vocabulary"] for row in table["rows"]]
    states = {
        (_package(form), row["vocabulary"]): _state(form, row["causes"])
        for row in table["rows"]
        for form in row["forms"][1:]
    }
    packages = list(dict.fromkeys(package for package, _ in states))
    title = "What engines make of published vocabularies"
    lines = [_text(MARGIN, 30, title, "label")]
    for line, note in enumerate(NOTES):
        lines.append(_text(MARGIN, 52 + line * 18, note, "soft"))
    for at, name in enumerate(columns):
        x = LEFT + at * WIDE + WIDE / 2
        turned = f'transform="rotate(-40 {x:.0f} {TOP - 8})"'
        label = _text(x, TOP - 8, name.removeprefix("SentencePiece's "), "soft")
        lines.append(label.replace("<text ", f"<text {turned} "))
    texts = []
    for line, package in enumerate(packages):
        y = TOP + line * HIGH
        lines.append(_text(LEFT - 12, y + 16, package, "soft", "end"))
        shown = [states.get((package, name)) for name in columns]
        for at, state in enumerate(shown):
            if state is not None:
                lines += _state_box(LEFT + at * WIDE, y, state)
        cells = (f"{name}: {state}" for name, state in zip(columns, shown, strict=True) if state)
        texts.append(f"{package}: {', '.join(cells)}")
    height = TOP + len(packages) * HIGH + MARGIN
    return _document(height, title, "\n".join(texts), lines)


def _package(form: dict[str, Any]) -> str:
    is_wasm = form["spec"].startswith("engine:tiktoken-wasm:")  # two packages have this name
    return f"{form['package']} (WASM)" if is_wasm else str(form["package"])


def _state(form: dict[str, Any], causes: list[dict[str, Any]]) -> str:
    """Return "same", the number of causes, or "refused" for a file that does not load."""
    if form["problem"]:
        return "refused"
    numbers = {number for _, found in form["cells"].values() for number in found}
    bugs = sum(causes[number]["verdict"] == "bug" for number in numbers)
    return str(bugs) if bugs else "same"


def _state_box(x: float, y: float, state: str) -> Iterator[str]:
    kind = state if state in ("same", "refused") else "apart"
    wide, high = WIDE - GAP, HIGH - GAP
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="3"/>'
    shown = {"same": "=", "refused": "\u2013"}.get(state, state)
    yield _text(x + wide / 2, y + 16, shown, "soft", "middle")


def _document(height: float, title: str, description: str, lines: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" role="img" aria-labelledby="title description">'
    )
    parts = (
        head,
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(description)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height:.0f}" rx="8"/>',
        *lines,
        "</svg>\n",
    )
    return "\n".join(parts).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _loss(pieces: list[Piece], decoded: object) -> str:
    unknown = sum(piece.kind == UNKNOWN for piece in pieces)
    if unknown:
        return f", {unknown} unknown: text is lost"
    return "" if decoded == TEXT else ", text is lost"


def _boxes(pieces: list[Piece], y: float) -> tuple[list[str], float]:
    """Return the boxes of tokens from a height on, and the height below them."""
    boxes, x = [], float(MARGIN)
    for number, piece in enumerate(pieces):
        wide = cell_len(piece.shown) * CELL + 2 * PAD
        if x + wide > WIDTH - MARGIN:
            x, y = float(MARGIN), y + LINE
        kind = {UNKNOWN: "unknown", BYTE: "byte"}.get(piece.kind, f"t{number % 3}")
        boxes.append(
            f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="22" rx="3"/>'
        )
        length = wide - 2 * PAD
        boxes.append(
            f'<text x="{x + PAD:.1f}" y="{y + 16:.1f}" textLength="{length:.1f}" '
            f'lengthAdjust="spacingAndGlyphs">{escape(piece.shown)}</text>'
        )
        x += wide + GAP
    return boxes, y + LINE


def _key(y: float) -> Iterator[str]:
    yield f'<rect class="unknown" x="{MARGIN}" y="{y - 12:.1f}" width="16" height="14" rx="3"/>'
    yield _text(MARGIN + 24, y, "a token for text that the vocabulary does not have", "soft")
    yield f'<rect class="byte" x="400" y="{y - 12:.1f}" width="16" height="14" rx="3"/>'
    yield _text(424, y, "a token with a part of a character", "soft")


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return (
        f'<text class="{kind}" x="{x:.0f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
    )


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), encoding="ascii")
    table = json.loads(TABLE.read_text("ascii"))
    ENGINES.write_text(engines_picture(table), encoding="ascii")
