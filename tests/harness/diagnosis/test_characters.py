"""Which characters a target changes, and how findings name them."""

import pytest

from tokharness.diagnosis.text.characters import (
    CLASSES,
    changed_characters,
    describe_by_replacement,
    probe_characters,
    raising_characters,
)
from tokharness.outcome import Raised
from tokharness.unicode import versions
from tokharness.unicode.properties import members


def drop(points):
    table = dict.fromkeys(points)
    return lambda text: text.translate(table)


@pytest.mark.parametrize("name", CLASSES)
def test_each_dropped_class_is_found_and_named(name):
    changed = changed_characters(drop(members(CLASSES[name])))
    assert describe_by_replacement(changed) == {"": name}


def test_all_classes_differ():
    assert len({members(expression) for expression in CLASSES.values()}) == len(CLASSES)


@pytest.mark.parametrize(
    ("name", "member", "excluded"),
    [
        ("controls but tab and line ends", 0x0B, 0x0A),
        ("assigned Default_Ignorable_Code_Point", 0x200B, 0x2065),
        ("separators but space (Z)", 0xA0, 0x20),
    ],
)
def test_a_class_excludes_what_its_name_says(name, member, excluded):
    points = members(CLASSES[name])
    assert member in points
    assert excluded not in points


@pytest.mark.parametrize("name", ["format characters (Cf)", "marks (M)"])
def test_the_name_of_a_class_of_an_older_version_has_the_version(name):
    older = versions.VERSIONS[: versions.VERSIONS.index("14.0") + 1]
    points = [p for p in members(CLASSES[name]) if versions.age(chr(p)) in older]
    (name_of_class,) = describe_by_replacement(dict.fromkeys(map(chr, points), "")).values()
    assert name_of_class == f"{name} as of Unicode 14.0"


def test_one_character_is_named_by_its_code_point():
    (name,) = describe_by_replacement({"\u200b": ""}).values()
    assert name.startswith("U+200B")


def test_many_characters_of_no_class_are_counted():
    (name,) = describe_by_replacement(dict.fromkeys(map(chr, range(0x100, 0x200, 3)), "")).values()
    assert name.endswith("and more: 86 in all")


@pytest.mark.slow
def test_the_name_of_very_many_characters_depends_only_on_those_always_probed():
    every = range(0xC0000, 0x100000)
    names = [
        describe_by_replacement(dict.fromkeys(map(chr, {*points, *(probed & set(every))}), ""))[""]
        for probed in [set(map(ord, probe_characters()))]
        for points in (range(0xC0000, 0xC4000), range(0xD0000, 0xD8000, 3))
    ]
    assert len(set(names)) == 1
    assert names[0].startswith("U+C0")


def test_a_whole_script_is_named_by_its_range():
    (name,) = describe_by_replacement(dict.fromkeys(map(chr, range(0xAC00, 0xD7A4)), "")).values()
    assert name == "U+AC00..U+D7A3"


def test_each_replacement_has_its_own_name():
    names = describe_by_replacement({"\u200b": "", "\u00a0": " ", "\u3000": " "})
    assert names[""].startswith("U+200B")
    assert "U+00A0" in names[" "]
    assert "U+3000" in names[" "]


def test_a_change_of_the_letters_around_a_character_is_ignored():
    assert changed_characters(lambda text: text.upper()) == {}


def test_raising_characters_are_given_with_the_exception():
    def refuse(text):
        if "\0" in text:
            return Raised(ValueError())
        return Raised(BaseException()) if "\uffff" in text else text

    raising = raising_characters(refuse, probe_characters())
    assert raising == {"\0": "ValueError", "\uffff": "BaseException"}


def test_characters_that_raise_are_not_changed_characters():
    assert changed_characters(lambda _: None) == {}
