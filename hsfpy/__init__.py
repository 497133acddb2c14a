"""hsfpy: a model checker for Promela that searches with a sense of direction.

import hsfpy

model = hsfpy.Model.from_file("m.pml", defines={"N": 3})
result = model.check(search="astar")
print(result.verdict, result.trail)
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from hsfpy.api import CheckError, Model, Result
    from hsfpy.diagnostics import BuildError, PromelaError
    from hsfpy.simulate.session import Change, State
    from hsfpy.trail.run import Run, RunStep

# Where each name lives. They are loaded when asked for: the command needs none of them to start.
_HOME = {
    "BuildError": "hsfpy.diagnostics",
    "Change": "hsfpy.simulate.session",
    "CheckError": "hsfpy.api",
    "Model": "hsfpy.api",
    "PromelaError": "hsfpy.diagnostics",
    "Result": "hsfpy.api",
    "Run": "hsfpy.trail.run",
    "RunStep": "hsfpy.trail.run",
    "State": "hsfpy.simulate.session",
}


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOME:
        raise AttributeError(f"module 'hsfpy' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


__all__ = [
    "BuildError", "Change", "CheckError", "Model", "PromelaError", "Result", "Run", "RunStep", "State", "__version__",
]  # fmt: skip
