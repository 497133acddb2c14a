"""What the words behind -run mean: for the compiler, or for pan."""

from __future__ import annotations

from dataclasses import field

from hsfpy.records import dataclass

# Words that stand for a directive, and whether pan gets the word as well.
_DIRECTIVES: dict[str, tuple[str, bool]] = {
    "-bfs": ("BFS", False), "-bfspar": ("BFS_PAR", False), "-bcs": ("BCS", False), "-bit": ("BITSTATE", False),
    "-bitstate": ("BITSTATE", False), "-hc": ("HC4", False), "-collapse": ("COLLAPSE", False),
    "-noclaim": ("NOCLAIM", False), "-noreduce": ("NOREDUCE", False), "-np": ("NP", False),
    "-permuted": ("PERMUTED", False), "-p_permute": ("PERMUTED", True), "-p_reverse": ("PERMUTED", True),
    "-rhash": ("PERMUTED", True), "-safety": ("SAFETY", False), "-i": ("REACH", True), "-l": ("NP", True),
    "-dfspar": ("NCORE=4", False),
}  # fmt: skip


@dataclass(slots=True)
class RunPlan:
    compile: list[str] = field(default_factory=list)
    run: list[str] = field(default_factory=list)
    optimize: str = "-O2"


def sort_words(words: list[str]) -> RunPlan:
    """Sorts the words as SPIN does."""
    plan = RunPlan()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "-link" and rest:
            plan.compile.append(rest.pop(0))
        elif word == "-N" and rest:
            plan.run += ["-N", rest.pop(0)]
        elif word.startswith("-O"):
            plan.optimize = word
        elif word[:2] in ("-D", "-U"):
            plan.compile.append(word)
        elif word in _DIRECTIVES:
            directive, keep = _DIRECTIVES[word]
            plan.compile.append(f"-D{directive}")
            plan.run += [word] if keep else []
        else:
            plan.run.append(word)
    return plan


def add_defaults(plan: RunPlan, has_accept: bool) -> None:
    """Adds what SPIN adds by itself, knowing whether the model has accept labels."""
    asked = "-a" in plan.run or "-l" in plan.run
    if asked:
        if "-f" not in plan.run:
            plan.compile.append("-DNOFAIR")
    elif has_accept and not {"-DBFS", "-DBFS_PAR", "-DNOCLAIM"} & set(plan.compile):
        plan.run.append("-a")
        plan.compile.append("-DNOFAIR")
    else:
        plan.compile.append("-DSAFETY")
