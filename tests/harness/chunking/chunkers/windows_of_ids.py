"""Windows of ids of a tokenizer: a sound one, and those with one planted fault each."""


class Windows:
    """The ids are code points, between 1 and 2 as special tokens; 0 is padding."""

    def windows(
        self, text, limit=None, overlap=0, *, pair="", side="right", strategy="", **padding
    ):
        rows = [[(ord(char), (at, at + 1)) for at, char in enumerate(one)] for one in (text, pair)]
        room = sum(map(len, rows)) + 1 if limit is None else limit - 2
        if strategy == "longest_first":
            return [self.window(self.shortened(rows, room, side), **padding)]
        cut = 1 if strategy == "only_second" else 0
        parts = self.slices(rows[cut], room - len(rows[1 - cut]), overlap, side)
        pairs = ([part, rows[1]] if cut == 0 else [rows[0], part] for part in parts)
        return [self.window(pair, **padding) for pair in pairs]

    def slices(self, row, room, overlap, side):
        if side == "left":
            return [one[::-1] for one in self.slices(row[::-1], room, overlap, "right")]
        starts = range(room - overlap, len(row) - overlap, room - overlap)
        return [row[:room], *(row[at : at + room] for at in starts)]

    def shortened(self, rows, room, side):
        first, second = rows
        while len(first) + len(second) > room:
            longer = first if len(first) > len(second) else second
            longer.pop(0 if side == "left" else -1)
        return rows

    def window(self, rows, padding="", multiple=1):
        body = [(number, part, at) for part, row in enumerate(rows) for number, at in row]
        body = [(1, None, None), *body, (2, None, None)]
        mask = [1] * len(body)
        if padding:
            more = -len(body) % multiple
            pads, off = [(0, None, None)] * more, [0] * more
            body = body + pads if padding == "right" else pads + body
            mask = mask + off if padding == "right" else off + mask
        ids, parts, offsets = zip(*body, strict=True)
        return {"ids": ids, "parts": parts, "offsets": offsets, "mask": mask}


class StepsByTheLimit(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room, 0, side)


class SkipsAnId(Windows):
    def slices(self, row, room, overlap, side):
        first, *others = super().slices(row, room, overlap, side)
        return [first, *(one[overlap + 1 :] for one in others)]


class ForgetsTheRest(Windows):
    def slices(self, row, room, overlap, side):
        return [
            one
            for one in super().slices(row, room, overlap, side)
            if len(one) == room or one == row
        ]


class OverlapsMore(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room, min(overlap + 1, room - 1), side)


class KeepsTheRight(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room, overlap, "right")


class OffsetsOfTheWindow(Windows):
    def slices(self, row, room, overlap, side):
        parts = super().slices(row, room, overlap, side)
        return [[(number, (at, at + 1)) for at, (number, _) in enumerate(one)] for one in parts]


class SpecialOnTop(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room + 2, overlap, side)


class ForgetsSpecial(Windows):
    """Windows behind the first one have no special tokens."""

    def windows(self, text, limit=None, overlap=0, side="right"):
        first, *others = super().windows(text, limit, overlap, side=side)
        return [first, *({name: row[1:-1] for name, row in one.items()} for one in others)]


class LosesParts(Windows):
    """Says of each id of a later window that it is of the first text."""

    def windows(self, text, limit=None, overlap=0, *, pair="", side="right", strategy=""):
        first, *others = super().windows(
            text, limit, overlap, pair=pair, side=side, strategy=strategy
        )
        parts = ([one and 0 for one in row["parts"]] for row in others)
        return [first, *({**row, "parts": one} for row, one in zip(others, parts, strict=True))]


class CutsTheOther(Windows):
    def windows(self, text, limit=None, overlap=0, *, pair="", side="right", strategy=""):
        pair = pair[:20] if strategy == "only_first" else pair
        return super().windows(text, limit, overlap, pair=pair, side=side, strategy=strategy)


class CutsTheFirstAlone(Windows):
    def shortened(self, rows, room, side):
        more = max(sum(map(len, rows)) - room, 0)
        first, second = rows if side == "right" else [row[::-1] for row in rows]
        first = first[: max(len(first) - more, 0)]
        rows = [first, second[: room - len(first)]]
        return rows if side == "right" else [row[::-1] for row in rows]


class PadsRight(Windows):
    def window(self, rows, padding="", multiple=1):
        return super().window(rows, padding and "right", multiple)
