"""Why forms differ: forms with the same results are one class, and each class has its causes.

Each class is compared with one other, that of its own reference or a hub, so that n forms of m
classes need m - 1 explanations. A text on which two classes differ has the causes on the way from
the one to the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from tokharness.checks import wrong_offsets
from tokharness.engine.requests import ColumnsRequest
from tokharness.engine.worker.grouping import is_unexplained
from tokharness.engine.worker.operations import columns as operation
from tokharness.engine.worker.operations.columns import NOT_ASKED, PIECES, RAISED
from tokharness.model import Skip, Verdict
from tokharness.parity_matrix import texts as columns
from tokharness.parity_matrix.classes import (
    Apart,
    classes_of,
    hub_of,
    members_to_compare,
    parent_of,
)
from tokharness.parity_matrix.files import texts_by_edit
from tokharness.parity_matrix.given_causes import STAGES, GivenCauses, is_guess, is_symptom
from tokharness.parity_matrix.model import DECODED, IDS, OFFSETS, SPECIAL
from tokharness.parity_matrix.pairs import ordered, sampled
from tokharness.parity_matrix.special import (
    OTHER_IDS_OF_SPECIAL,
    explain_special,
    of_plain_parts,
    with_ids,
    with_parts,
    with_same_tokens,
    with_tokens,
)
from tokharness.parity_matrix.texts import are_apart, shows_by_itself
from tokharness.parity_matrix.vocabularies import MOVED, SHIFTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.model import Finding
    from tokharness.parity_matrix.opened import Opened
    from tokharness.parity_matrix.pairs import Explained, Pairs
    from tokharness.parity_matrix.texts import Differing, Results
    from tokharness.parity_matrix.vocabularies import Vocabularies

COLUMN = {
    IDS: columns.IDS,
    DECODED: columns.DECODED,
    SPECIAL: operation.SPECIAL,
    OFFSETS: operation.OFFSETS,
}
"""The column of each aspect that texts show."""

CHECKS = {IDS: "TOK201", DECODED: "TOK202"}
"""The check that explains a text of an aspect."""

MOST_EXPLAINED = 3000
"""Most texts of two classes that are explained; thousands of texts have few causes."""

MOST_GIVEN = 300
"""Most texts with a cause of the tables that are explained with the others."""

LEAST_NAMED = 0.2
"""Least share of the texts with a symptom that a cause the other way round explains: a few texts
may be explained by chance."""

OFFSETS_OF_FILES = "by this edit the files differ, and so do the offsets of the same ids"
OF_FILES = "by this edit the files differ, and so do the ids of texts with special tokens"

OTHER_IDS = "the same tokens have different ids"
OTHER_OFFSETS = "other offsets, none of them wrong"


@dataclass
class Explainer:
    """Finds the causes of all texts that differ.

    ``parents`` has, by an aspect and a class, the class with which it was compared.
    """

    forms: Sequence[Opened]
    results: Results
    vocabularies: Vocabularies
    options: Options
    pairs: Pairs
    progress: Callable[[str], object]
    given: GivenCauses = field(default_factory=GivenCauses)
    skips: list[Skip] = field(default_factory=list)
    parents: dict[tuple[str, int], int] = field(default_factory=dict)

    def explain(self) -> None:
        """Explain the aspects one after another: what explains the ids explains the rest, too."""
        self.given.causes = list(self.vocabularies.causes)
        for aspect in (IDS, SPECIAL, DECODED, OFFSETS):
            column = COLUMN[aspect]
            rows = [one for one in self.results.differing if column in one.patterns]
            rows = [one for one in rows if columns.differs(one.patterns[column])]
            classes = classes_of(self.forms, column, rows)
            self.given.classes[aspect] = classes
            firsts = sorted({place for place in classes if place >= 0})
            if len(firsts) < 2:
                continue
            hub = hub_of(self.forms, classes, firsts)
            for place in firsts:
                if place != hub:
                    parent = parent_of(self.forms, place, hub, classes)
                    self.parents[aspect, place] = parent
                    self._explain(aspect, place, parent, rows)

    def line(self, aspect: str, place: int) -> list[int]:
        """Return the class of a form, and the classes that it was compared with, up to the hub."""
        classes = self.given.classes.get(aspect, ())
        line = [classes[place]] if classes else []
        while line and (parent := self.parents.get((aspect, line[-1]), -1)) >= 0:
            if parent in line:
                break
            line.append(parent)
        return line

    def _explain(self, aspect: str, place: int, hub: int, rows: Sequence[Differing]) -> None:
        """Explain the texts on which a class differs from the hub, unless the ids explain them."""
        column = COLUMN[aspect]
        texts = {
            one.text: one.family
            for one in rows
            if are_apart(one.patterns[column], place, hub)
            and shows_by_itself(aspect, one, place, hub)
        }
        if not texts:
            return
        apart = Apart(aspect, place, hub, texts)
        if apart.pair in self.vocabularies.apart:
            self.given.give(self.vocabularies.apart[apart.pair], texts, apart)
            return
        self.progress(f"explaining {len(texts):,} texts of {self.forms[place].spec}")
        chosen = {text: texts[text] for text in sampled(list(texts), MOST_EXPLAINED)}
        if aspect == IDS:
            self._rename(self._same_pieces(list(chosen), apart), apart)
        if aspect in (IDS, SPECIAL):
            self._give_tables(self.given.left(chosen, apart), apart)
        chosen = self.given.left(chosen, apart)
        if not chosen:
            return
        if aspect in CHECKS:
            given = [text for text in texts if self.given.is_given(text, apart)]
            self._search(chosen, {one: texts[one] for one in sampled(given, MOST_GIVEN)}, apart)
        elif aspect == OFFSETS:
            self._judge_offsets(chosen, apart)
        else:
            self._explain_special(chosen, apart)

    def _search(self, chosen: Mapping[str, str], given: Mapping[str, str], apart: Apart) -> None:
        """Ask a worker with both forms for the causes of texts.

        Some texts that the tables explain are ``given``, too: a token that is missing is no part of
        larger tokens, so that further texts have this cause. A text with a symptom alone, or with a
        guess, is explained the other way round, too: an alteration of the one file may give the ids
        of the other, where none gives them the other way.
        """
        own, other = self._specs(apart)
        target, against = ordered(own, other)
        found = self.pairs.explain(target, against, CHECKS[apart.aspect], {**chosen, **given})
        sides = (apart.place, apart.hub) if target == own else (apart.hub, apart.place)
        symptoms = [
            text
            for finding, members in zip(found.findings, found.members, strict=False)
            if is_symptom(finding) or is_guess(finding)
            for text in members
        ]
        if unknown := {text: chosen[text] for text in symptoms if text in chosen}:
            other_way = self.pairs.explain(against, target, CHECKS[apart.aspect], unknown)
            least = LEAST_NAMED * len(unknown)
            for finding, members in zip(other_way.findings, other_way.members, strict=False):
                if not is_symptom(finding) and not is_guess(finding) and len(members) >= least:
                    self.given.add(finding, members, apart, sides[::-1])
        self._add_all(found, given, apart, sides)
        left = self.given.left(chosen, apart)
        explained = len(apart.texts) - len(self.given.left(apart.texts, apart))
        if left and (found.failure or not found.findings):
            self.given.describe(left, apart, found.failure)
        elif explained < len(apart.texts):
            spec = self.forms[apart.place].spec
            what = f"{len(apart.texts) - explained:,} of {len(apart.texts):,} texts that differ"
            reason = "the shortest texts were explained, and the others may have further causes"
            self.skips.append(Skip(spec, what, reason))

    def _add_all(
        self, found: Explained, given: Iterable[str], apart: Apart, sides: tuple[int, int]
    ) -> None:
        """Add findings of texts that have no cause yet; a lost token may explain them, too."""
        of_tables = {text: self.given.of_text[apart.aspect, apart.place, text] for text in given}
        for finding, members in zip(found.findings, found.members, strict=False):
            new = [text for text in members if not self.given.is_given(text, apart)]
            old = [of_tables[text] for text in members if text in of_tables]
            if new and _is_of_tokens(finding) and (old or (old := self._built(new, apart))):
                self._give_table(old[0], new, apart)
            elif new:
                self.given.add(finding, new, apart, sides)

    def _explain_special(self, chosen: Mapping[str, str], apart: Apart) -> None:
        """Say which special tokens the forms read differently, and around which text."""
        forms = (self.forms[apart.place], self.forms[apart.hub])
        by_edit = self._by_edit(chosen, apart)
        others = chosen.keys() - chain.from_iterable(by_edit.values())
        for edit, shortest in by_edit.items():
            like = [*others] if len(by_edit) == 1 else with_same_tokens(shortest, others, *forms)
            others = others - {*like}
            self._give_edit((*edit, OF_FILES), [*shortest, *like], apart, Verdict.BUG)
        left = self.given.left(chosen, apart)
        moved = self._moved(apart)
        for name, message, members in explain_special(left, *forms):
            if moved and name == OTHER_IDS_OF_SPECIAL:
                self._give_table(moved[0], members, apart)
            else:
                self.given.append(members, apart, (STAGES[SPECIAL], name, message))
        left = self.given.left(chosen, apart)
        for text in self._of_plain_parts(left, apart):
            del left[text]
        if left:
            self.given.describe(left, apart)

    def _of_plain_parts(self, left: Mapping[str, str], apart: Apart) -> list[str]:
        """Give texts with a part that differs as plain text the cause of the ids; return them."""
        sides = {apart.place, apart.hub}
        numbers = [at for at in self._between(apart) if self.given.causes[at].aspect == IDS]
        if not numbers:
            return []
        parts = of_plain_parts(left, self.forms[apart.place], self.forms[apart.hub])
        for text, part in parts.items():
            keys = ((IDS, place, part) for place in sides)
            known = [self.given.of_text[key] for key in keys if key in self.given.of_text]
            self.given.give((known or numbers)[0], [text], apart)
        return list(parts)

    def _between(self, apart: Apart) -> list[int]:
        """Return the numbers of the causes that set the two classes apart."""
        sides = {apart.place, apart.hub}
        return [at for at, one in enumerate(self.given.causes) if len(sides & {*one.forms}) == 1]

    def _judge_offsets(self, chosen: Mapping[str, str], apart: Apart) -> None:
        """Say which side has wrong offsets; if neither has, a text may have either."""
        left = dict(chosen)
        for own, other in ((apart.place, apart.hub), (apart.hub, apart.place)):
            spec, against = self.forms[own].spec, self.forms[other].spec
            found = self.pairs.explain(spec, against, wrong_offsets.CODE, left)
            for finding, members in zip(found.findings, found.members, strict=False):
                if finding.verdict is Verdict.BUG and not is_unexplained(finding.cause):
                    self.given.add(finding, members, apart, (own, other))
                    left = {text: left[text] for text in left if text not in members}
        by_edit = self._by_edit(left, apart)
        for edit, shortest in by_edit.items():
            texts = shortest if len(by_edit) > 1 else list(left)
            self._give_edit((*edit, OFFSETS_OF_FILES), texts, apart, Verdict.RISK)
        left = self.given.left(left, apart)
        if left:
            words = (STAGES[OFFSETS], OTHER_OFFSETS, "the same ids have other offsets in the text")
            self.given.append(list(left), apart, words, verdict=Verdict.RISK)

    def _by_edit(self, texts: Iterable[str], apart: Apart) -> dict[tuple[str, str], list[str]]:
        target, against = self._specs(apart)
        versions = self.pairs.versions.get(against, {})
        return texts_by_edit(target, against, versions, COLUMN[apart.aspect], texts)

    def _specs(self, apart: Apart) -> tuple[str, str]:
        """Return the forms of both classes whose differences are explained."""
        classes = self.given.classes[apart.aspect]
        first, second = members_to_compare(self.forms, classes, apart.place, apart.hub)
        return self.forms[first].spec, self.forms[second].spec

    def _give_edit(
        self, words: tuple[str, str, str], texts: Sequence[str], apart: Apart, verdict: Verdict
    ) -> None:
        """Give texts the cause that names an edit of the files, which the ids may have already."""
        known = [at for at in self._between(apart) if self.given.causes[at].name == words[1]]
        if known:
            self.given.give(known[0], texts, apart)
        else:
            self.given.append(texts, apart, words, verdict=verdict)

    def _same_pieces(self, texts: Sequence[str], apart: Apart) -> set[str]:
        """Return the texts that both classes cut into the same pieces, by their own tables."""
        digests = []
        for form in (self.forms[apart.place], self.forms[apart.hub]):
            response = form.call(ColumnsRequest(texts, (PIECES,), form.crashers))
            if response is None or response["texts"] < len(texts):
                return set()
            row = response["columns"][PIECES]
            width = columns.WIDTH
            digests.append([row[at : at + width] for at in range(0, len(row), width)])
        return {
            text
            for text, one, other in zip(texts, *digests, strict=True)
            if one == other and one not in (NOT_ASKED, RAISED)
        }

    def _rename(self, renamed: Iterable[str], apart: Apart) -> None:
        """Give texts of the same pieces the cause that the tables show, or one of their own."""
        renamed = list(renamed)
        if not renamed:
            return
        moved = self._moved(apart)
        if moved:
            self._give_table(moved[0], renamed, apart)
        else:
            message = "both cut these texts into the same tokens, and give the tokens different ids"
            self.given.append(renamed, apart, ("vocabulary", OTHER_IDS, message))

    def _moved(self, apart: Apart) -> list[int]:
        numbers = self.vocabularies.of_pair(apart.pair)
        return [one for one in numbers if self.given.causes[one].name in (SHIFTED, MOVED)]

    def _give_tables(self, texts: Mapping[str, str], apart: Apart) -> None:
        """Give texts with a token that only one side has the cause that the tables show."""
        sides = self.forms[apart.hub], self.forms[apart.place]
        with_token = with_tokens if apart.aspect == SPECIAL else with_ids
        for number in self.vocabularies.of_pair(apart.pair):
            if only := self.vocabularies.only.get(number):
                is_first = apart.hub in self.given.causes[number].against
                only = only if is_first else only[::-1]
                found = with_token(list(self.given.left(texts, apart)), sides, only)
                self._give_table(number, found, apart)

    def _built(self, texts: Sequence[str], apart: Apart) -> list[int]:
        """Return the cause by which a part of a token of each of these texts is missing."""
        sides = self.forms[apart.hub], self.forms[apart.place]
        for number in self.vocabularies.of_pair(apart.pair):
            if only := self.vocabularies.only.get(number):
                is_first = apart.hub in self.given.causes[number].against
                rows = zip(sides, only if is_first else only[::-1], strict=True)
                first, second = (with_parts(form, ids) for form, ids in rows)
                if len(with_ids(texts, sides, (first, second))) == len(texts):
                    return [number]
        return []

    def _give_table(self, number: int, texts: Sequence[str], apart: Apart) -> None:
        """Give texts a cause that the tables show, with the shortest of them."""
        if texts:
            self.given.give(number, texts, apart)
            known = self.given.causes[number].text
            shortest = min(texts, key=lambda text: (len(text), text))
            if known is None and apart.aspect == IDS:
                self.given.causes[number] = replace(self.given.causes[number], text=shortest)


def _is_of_tokens(finding: Finding) -> bool:
    """Whether a cause may be that a token is missing: it is not made, or the form raises.

    Where a token is missing, the parts of larger tokens have a border, too.
    """
    altered = dict(finding.cause.parameters).get("altered", "")
    of_table = altered.startswith(("no token ", "a border ")) or " tokens are not made" in altered
    return of_table or finding.cause.weak or finding.cause.kind in ("panics", "raises")
