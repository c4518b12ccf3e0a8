"""Random hostile changes of files: of their bytes, and of the values and keys of their JSON."""

import copy
import json
import re

import regex

INJECTED = "injected-line"
"""A line that begins with it was injected."""

HOSTILE_TEXTS = (
    f"\n{INJECTED}\r{INJECTED}\n::error::{INJECTED}",
    "\x1b[2J\x1b]0;title\x07\x9b31m\x00\x7f",
    "\u202e\u2066\u200b\u2028\ufeff\U000e0041\ud800\udc00",
    "<img src=x onerror=alert(1)></script>|`[x](javascript:1)",
    "=cmd|' /C calc'!A0,\t@SUM(1)",
    "TOK101\n",
    "zero-width\n",
    "",
    "x" * 5000,
)
HOSTILE_NUMBERS = (
    -1,
    0,
    2**31,
    2**53,
    2**64,
    10**400,
    -(10**400),
    0.5,
    -0.5,
    1e308,
    -1e308,
    5e-324,
)
OTHERS = (None, True, False, [], {}, [None], {"a": None}, [[]], [{}], {"": ""}, {"pieces": ["x"]})


UNSEEN = regex.compile(
    r"[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}--\n]", regex.V1
)
INJECTED_LINE = re.compile(rf"^(::error::)?{INJECTED}", re.MULTILINE)


def harmless(output):
    """Whether all characters of an output are visible, and no line of it was injected."""
    return not UNSEEN.search(output) and not INJECTED_LINE.search(output)


def nested(depth):
    value = "x"
    for _ in range(depth):
        value = [value]
    return value


def hostile_value(random):
    kind = random.randrange(8)
    if kind < 4:
        return random.choice(HOSTILE_TEXTS)
    if kind < 6:
        return random.choice(HOSTILE_NUMBERS)
    return random.choice((*OTHERS, nested(40), nested(200)))


def containers(record):
    """Return all lists and objects in a record."""
    found = [record]
    for container in found:
        items = container.values() if isinstance(container, dict) else container
        found += [item for item in items if isinstance(item, dict | list)]
    return [container for container in found if container]


def mutated(record, random):
    """Return a copy of plain data with one to three hostile changes."""
    record = copy.deepcopy(record)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        container = random.choice(containers(record))
        keys = list(container) if isinstance(container, dict) else range(len(container))
        _change(container, random.choice(keys), random)
    return record


def _change(container, key, random):
    action = random.randrange(8)
    if action == 0:
        del container[key]
    elif action == 1 and isinstance(container, dict):
        container[random.choice(HOSTILE_TEXTS)] = container.pop(key)
    elif action == 2 and isinstance(container, dict):
        container[random.choice(HOSTILE_TEXTS)] = hostile_value(random)
    elif action == 3 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif action == 4 and isinstance(container[key], str):
        container[key] += random.choice(HOSTILE_TEXTS)
    else:
        container[key] = hostile_value(random)


def mutated_json(record, random):
    """Return the JSON of a record with hostile changes, some of which only its text can have."""
    text = json.dumps(mutated(record, random))
    action = random.randrange(12)
    if action == 0:
        text = text.replace(": null", random.choice((": NaN", ": 1e999", ": -Infinity")), 1)
    elif action == 1:
        key = random.choice([key for key in record if isinstance(key, str)])
        text = text.replace(f'"{key}"', f'"{key}": 1, "{key}"', 1)
    elif action == 2:
        text = text.replace(": ", ": " + "[" * 100_000, 1)
    elif action == 3:
        text = text.replace("[", "[" + "0," * 1000, 1)
    return text


def with_changed_byte(data, random):
    """Return bytes of which one is another."""
    changed = bytearray(data)
    place = random.randrange(len(data))
    changed[place] = random.choice([byte for byte in range(256) if byte != data[place]])
    return bytes(changed)
