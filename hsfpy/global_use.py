"""Which global variables a statement touches.

A verifier that remembers what a process can do must know what that depends on. The answer is read
off the generated C, where globals are only ever named as members of `G` or, if it is found out at run time
which of their elements are used, as `ELEMENT`, so nothing that is executed can be missed (members that are
not compared, the hidden ones, are left out).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hsfpy.records import dataclass

_MEMBER = re.compile(r"\bG->(\w+)")
_ELEMENT = re.compile(r"\bELEMENT\((\w+)")


@dataclass(slots=True)
class GlobalUse:
    """Members of the globals with the bits of their words (GlobalWords.bits), and for each action number where its
    list of them begins in `lists`; each list is ended by END. Members of which only some elements are used have
    BY_ELEMENT added."""

    members: dict[str, int]
    lists: list[int]
    first: list[int]

    END = 0xFFFFFFFF  # no member has this number
    BY_ELEMENT = 0x80000000


def global_use(members: dict[str, int], texts: Mapping[int, Sequence[str]], n_actions: int) -> GlobalUse:
    """Members used by the C text of each action; an action without text uses none."""
    numbers = {name: i for i, name in enumerate(members)}
    use = GlobalUse(members, [GlobalUse.END], [0] * n_actions)
    for action, lines in texts.items():
        whole = _named(_MEMBER, lines, numbers)
        found = [*sorted(whole), *sorted(n + GlobalUse.BY_ELEMENT for n in _named(_ELEMENT, lines, numbers) - whole)]
        if found:
            use.first[action] = len(use.lists)
            use.lists.extend([*found, GlobalUse.END])
    return use


def _named(pattern: re.Pattern[str], lines: Sequence[str], numbers: Mapping[str, int]) -> set[int]:
    return {numbers[name] for line in lines for name in pattern.findall(line) if name in numbers}
