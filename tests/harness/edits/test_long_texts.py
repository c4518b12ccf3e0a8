"""What differs between two long texts."""

import pytest

from tokharness.edits.long_texts import places_that_differ


@pytest.mark.parametrize("one", ["{{ a }}\n", "{# ", "{\n"])
def test_a_long_template_of_which_all_differs_is_not_aligned(one):
    old, new = one * 20_000, f"x{one[::-1]}" * 20_000
    assert 0 < len(places_that_differ(old, new)) < 400


def test_places_are_counted_beyond_three():
    old = "".join(f"{{% if {number} %}}x" for number in range(9))
    assert places_that_differ(old, old) == ""
    assert places_that_differ(old, f"{old}{{# a comment #}}") == ""
    assert places_that_differ(old, f"{old[:-1]}{{{{ b }}}}") == "{{ b }}, was x"
    new = old
    for number in (1, 3, 5, 7):
        new = new.replace(f"if {number}", f"if not {number}")
    first = "; ".join(f"{{% if not {at} %}}, was {{% if {at} %}}" for at in (1, 3, 5))
    assert places_that_differ(old, new) == f"{first}; and 1 more"
