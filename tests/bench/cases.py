"""What is measured: models with their parameters, and ways to search of both tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A model of models/bench with parameters. `quick` ones are measured by --quick too."""

    name: str
    defines: tuple[str, ...]
    quick: bool = False

    @property
    def label(self) -> str:
        return " ".join((self.name, *self.defines))

    @property
    def flags(self) -> list[str]:
        return [f"-D{define}" for define in self.defines]


@dataclass(frozen=True)
class Mode:
    """A way to search. `w` in the options of a run stands for the logarithm that fits the states."""

    tool: str
    name: str
    title: str
    directives: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    lossy: bool = False

    @property
    def key(self) -> str:
        return f"{self.tool} {self.name}"

    @property
    def is_bitstate(self) -> bool:
        return self.name == "bitstate"


SPIN_DFS = Mode("spin", "plain", "SPIN")
SPIN_BFS = Mode("spin", "bfs", "SPIN BFS", ("-DBFS",))
SPIN_BITSTATE = Mode("spin", "bitstate", "SPIN BITSTATE", ("-DBITSTATE",), lossy=True)
SPIN_COLLAPSE = Mode("spin", "collapse", "SPIN COLLAPSE", ("-DCOLLAPSE",))
SPIN_HC = Mode("spin", "hc4", "SPIN HC4", ("-DHC4",), lossy=True)
OUR_DFS = Mode("hsfpy", "dfs", "hsfpy")
OUR_BFS = Mode("hsfpy", "bfs", "hsfpy --bfs", options=("--bfs",))
OUR_HC = Mode("hsfpy", "hc", "hsfpy --store=hc", options=("--store=hc",), lossy=True)
OUR_BITSTATE = Mode("hsfpy", "bitstate", "hsfpy --store=bitstate", options=("--store=bitstate",), lossy=True)

OUR_REDUCED = Mode("hsfpy", "reduced", "hsfpy --reduce=stack-", options=("--reduce=stack-",))
SPIN_REDUCED = Mode("spin", "reduced", "SPIN reduced", ("-UNOREDUCE",))

# The two that matter most alternate closely.
MODES = (
    OUR_DFS,
    SPIN_DFS,
    OUR_BFS,
    SPIN_BFS,
    OUR_BITSTATE,
    SPIN_BITSTATE,
    OUR_HC,
    SPIN_HC,
    SPIN_COLLAPSE,
)
# With partial order reduction: other states, and only their speed for a transition is looked at.
REDUCED_MODES = (OUR_REDUCED, SPIN_REDUCED)
SPIN_MODES = tuple(mode for mode in MODES if mode.tool == "spin")
OUR_MODES = tuple(mode for mode in MODES if mode.tool == "hsfpy")

# Between one and twenty million states each, in vectors of 52 to 340 bytes.
CASES: Sequence[Case] = (
    Case("cache", ("N=4",), quick=True),
    Case("pipeline_sort", ("N=8",), quick=True),
    Case("mcs_lock", ("N=4",), quick=True),
    Case("peterson", ("N=4",), quick=True),
    Case("paxos", ("PROPOSERS=2", "ACCEPTORS=3")),
    Case("philosophers", ("N=8",)),
    Case("leader_ring", ("N=10",)),
    Case("sliding_window", ("W=2", "SIZE=5")),
    Case("tokens", ("N=5",)),
    Case("robots", ("N=4", "WIDTH=7", "HEIGHT=5")),
    Case("commit", ("N=3",)),
)

# The same model small and large: does a state cost the same in both? All models that have a parameter by which states
# become more, but not processes: with these the steps of a state become more too.
GROWTH: Sequence[tuple[Case, Case]] = (
    (Case("sliding_window", ("W=2", "SIZE=4")), Case("sliding_window", ("W=2", "SIZE=7"))),
    (Case("bakery", ("N=3", "MAX=5")), Case("bakery", ("N=3", "MAX=118"))),
    (Case("robots", ("N=3", "WIDTH=10", "HEIGHT=10")), Case("robots", ("N=3", "WIDTH=20", "HEIGHT=15"))),
)
