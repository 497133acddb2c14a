"""Our dataclasses behave as the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from hsfpy import records


class Body:
    """Fields of all kinds."""

    a: int
    b: str = "b"
    c: list[int] = field(default_factory=list)


OPTIONS = [
    {},
    {"slots": True},
    {"slots": True, "eq": False},
    {"frozen": True},
    {"slots": True, "frozen": True},
    {"slots": True, "frozen": True, "eq": False, "repr": False},
]


def twins(options: dict[str, bool]) -> list[Any]:
    """The same class, by us and by the standard library."""
    makers: list[Callable[..., Any]] = [records.dataclass, dataclasses.dataclass]
    made = []
    for maker in makers:
        body = {name: value for name, value in vars(Body).items() if name not in ("__dict__", "__weakref__")}
        made.append(maker(**options)(type("Twin", (), body)))
    return made


def outcome(work: Callable[[], object]) -> object:
    """What comes out, also if it is an error."""
    try:
        return work()
    except (TypeError, AttributeError) as error:
        return type(error)


def equal_hashes(x: object, y: object) -> bool:
    """Of objects that exist at once: where one was, the next may be, and have the hash of its place."""
    return hash(x) == hash(y)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same(options: dict[str, bool]) -> None:
    told = []
    for cls in twins(options):
        x, y, z = cls(1), cls(1, "b", []), cls(2, c=[3])
        told.append(
            [
                [(v.a, v.b, v.c) for v in (x, y, z)],
                x.c is y.c,
                repr(z) if options.get("repr", True) else None,
                (x == y, x == z, x != z, x == 1),
                outcome(lambda cls=cls: equal_hashes(cls(1, "b", ()), cls(1, "b", ()))),  # type: ignore[misc]
                outcome(lambda x=x: setattr(x, "a", 5)),  # type: ignore[misc]
                outcome(lambda x=x: delattr(x, "b")),  # type: ignore[misc]
                outcome(lambda cls=cls: cls()),  # type: ignore[misc]
                outcome(lambda cls=cls: cls(1, 2, 3, 4)),  # type: ignore[misc]
                outcome(lambda cls=cls: cls(1, d=4)),  # type: ignore[misc]
                dataclasses.replace(z, a=7).a,
                copy.copy(z).c == copy.deepcopy(z).c == [3],
                [f.name for f in dataclasses.fields(cls)],
                cls.__match_args__,
                hasattr(z, "__dict__"),
            ]
        )
    assert told[0] == told[1]


@records.dataclass(slots=True)
class Base:
    a: int


@records.dataclass(slots=True)
class Derived(Base):
    b: Any = None

    def __repr__(self) -> str:
        return "own"


@records.dataclass(slots=True, frozen=True)
class Frozen:
    a: int


def test_inheritance_and_own_methods() -> None:
    derived = Derived(1, 2)
    assert (derived.a, derived.b, repr(derived)) == (1, 2, "own")
    assert derived == Derived(1, 2) and derived != Base(1)
    base = Base(1)
    assert repr(base) == "Base(a=1)"


def test_cycles_are_shown() -> None:
    base = Base(1)
    base.a = base  # type: ignore[assignment]
    assert repr(base) == "Base(a=...)"


def test_frozen_ones_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Frozen(3))) == Frozen(3)
    assert hash(Frozen(3)) == hash(Frozen(3))


def test_wrong_calls_name_the_class() -> None:
    with pytest.raises(TypeError, match=r"Frozen.__init__\(\) missing 1 required positional argument: 'a'"):
        Frozen()  # type: ignore[call-arg]
