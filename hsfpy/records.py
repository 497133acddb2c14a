"""Dataclasses whose methods are written when they are first called.

The standard library writes and compiles up to six methods for each dataclass when its module is imported. The front end
has 150 of them, and most methods are never called: this took a seventh of the time from a small model to its
verdict. Everything else is the standard library's: `fields`, `replace` and the like work.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, slots=False, frozen=False, eq=True, repr=True):
        """As `dataclasses.dataclass`, with those of its options that are needed here."""
        return lambda cls: _made(cls, slots, frozen, eq, repr)


Method = Callable[..., Any]


def _made(cls: type, slots: bool, frozen: bool, eq: bool, repr_: bool) -> type:
    if not cls.__doc__:
        cls.__doc__ = cls.__name__  # else a signature would be written down as one, and that takes a while
    own = set(vars(cls))
    has_hash = vars(cls).get("__hash__") is not None
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    _add(made, "__init__", _frozen_init if frozen else _init)
    if repr_ and "__repr__" not in own:
        _add(made, "__repr__", _repr)
    if eq and "__eq__" not in own:
        _add(made, "__eq__", _eq)
    if eq and not has_hash:
        if frozen:
            _add(made, "__hash__", _hash)
        else:
            made.__hash__ = None
    if frozen:
        made.__setattr__, made.__delattr__ = _refuse_change, _refuse_change
        if slots:  # copies and pickles may set what nobody else may
            made.__getstate__, made.__setstate__ = _get_state, _set_state
    return made  # type: ignore[no-any-return]


def _add(cls: type, name: str, write: Callable[[type], Method]) -> None:
    """Gives a class a method that is written by the first call."""

    def first_call(*args: Any, **named: Any) -> Any:
        method = write(cls)
        method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)
        return method(*args, **named)

    setattr(cls, name, first_call)


def _compiled(parameters: list[str], body: list[str], names: dict[str, Any]) -> Method:
    exec(f"def method({', '.join(parameters)}):\n " + "\n ".join(body), names)
    method: Method = names["method"]
    return method


def _init(cls: type) -> Method:
    return _write_init(cls, "self.{0} = {1}")


def _frozen_init(cls: type) -> Method:
    return _write_init(cls, "set_(self, {0!r}, {1})")


def _write_init(cls: type, assignment: str) -> Method:
    names: dict[str, Any] = {"set_": object.__setattr__, "missing_": dataclasses.MISSING}
    parameters, body = ["self"], []
    for number, field in enumerate(dataclasses.fields(cls)):
        name, value = field.name, field.name
        if field.default is not dataclasses.MISSING:
            names[f"d{number}_"] = field.default
            parameters.append(f"{name}=d{number}_")
        elif field.default_factory is not dataclasses.MISSING:
            names[f"d{number}_"] = field.default_factory
            parameters.append(f"{name}=missing_")
            value = f"d{number}_() if {name} is missing_ else {name}"
        else:
            parameters.append(name)
        body.append(assignment.format(name, value))
    return _compiled(parameters, body or ["pass"], names)


def _values(cls: type, owner: str) -> str:
    """The fields that are compared, as a tuple."""
    return "(" + "".join(f"{owner}.{field.name}, " for field in dataclasses.fields(cls) if field.compare) + ")"


def _eq(cls: type) -> Method:
    mine, theirs = _values(cls, "self"), _values(cls, "other")
    body = ["if other.__class__ is not self.__class__: return NotImplemented", f"return {mine} == {theirs}"]
    return _compiled(["self", "other"], body, {})


def _hash(cls: type) -> Method:
    return _compiled(["self"], [f"return hash({_values(cls, 'self')})"], {})


def _repr(cls: type) -> Method:
    from reprlib import recursive_repr

    shown = [field.name for field in dataclasses.fields(cls) if field.repr]

    @recursive_repr()
    def method(self: Any) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({values})"

    return method


def _refuse_change(self: Any, name: str, *_: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
