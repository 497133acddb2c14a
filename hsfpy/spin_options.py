"""SPIN's command line: one letter behind a dash, its value glued to it, options before the file."""

from __future__ import annotations

from dataclasses import dataclass, field


class UsageError(Exception):
    """The command line is not one of SPIN's."""


@dataclass(slots=True)
class SpinOptions:
    """What the command line asks for."""

    file: str | None = None
    analyze: bool = False  # -a
    run: bool = False  # -run, -search
    run_words: list[str] = field(default_factory=list)  # words behind -run, for compiler and pan
    norecompile: bool = False  # -W
    version: bool = False  # -V
    cpp_args: list[str] = field(default_factory=list)
    preprocessor: str | None = None
    formula: str | None = None  # -f
    formula_file: str | None = None  # -F
    never_file: str | None = None  # -N
    product: bool = False  # -e
    strict: bool = False  # -L
    loses_messages: bool = False  # -m
    old_scope: bool = False  # -O
    optimizations: set[str] = field(default_factory=set)  # -o1 .. -o7
    verbose: bool = False  # -v
    print_only: bool = False  # -w with -run
    preprocess_only: bool = False  # -Z
    invariants: list[str] = field(default_factory=list)  # --invariant
    later: list[str] = field(default_factory=list)  # options of parts that do not exist yet


# What each letter without effect on verification belongs to, for the message about it.
_SIMULATION = dict.fromkeys("BbcghijklpqrsTtuXYM", "simulation and replay")
_LATER = {"A": "slicing", "C": "channel access report",
          "I": "printing the expanded source", "S": "separate compilation", "x": "internal use",
    "d": "symbol table"}  # fmt: skip


def parse_arguments(argv: list[str]) -> SpinOptions:
    """The options of a command line without the program's name."""
    options = SpinOptions()
    words = list(argv)
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word in ("-run", "-search", "-replay"):
            _parse_run(options, word, words)
        elif word == "--invariant" or word.startswith("--invariant="):
            options.invariants.append(word.partition("=")[2] or _value("-invariant", words))
        elif word != "-simulate":
            _parse_letter(options, word, words)
    options.file = words[0] if words else None
    return options


def _parse_run(options: SpinOptions, word: str, words: list[str]) -> None:
    if word == "-replay":
        options.later.append("-replay (simulation and replay)")
    options.analyze = options.run = True
    while words and words[0].startswith("-"):
        inner = words.pop(0)
        if inner == "-ltl" and words:
            options.run_words += ["-N", words.pop(0)]
        elif inner == "-link" and words:
            options.run_words += ["-link", words.pop(0)]
        elif inner == "-W":
            options.norecompile = True
        elif inner.startswith(("-biterate", "-swarm")):
            options.later.append(f"{inner} (bitstate searches)")
        else:
            options.run_words.append(inner)


def _value(letter: str, words: list[str]) -> str:
    if not words:
        raise UsageError(f"spin: missing argument to -{letter}")
    return words.pop(0)


def _parse_letter(options: SpinOptions, word: str, words: list[str]) -> None:
    letter, rest = word[1:2], word[2:]
    match letter:
        case "a":
            options.analyze = True
        case "V":
            options.version = True
        case "D" | "U":
            options.cpp_args.append(word)
        case "E":
            options.cpp_args.append(rest)
        case "P":
            options.preprocessor = rest
        case "f":
            options.formula = _value("f", words)
        case "F":
            options.formula_file = _value("F", words)
        case "N":
            options.never_file = _value("N", words)
        case "e":
            options.product = True
        case "L":
            options.strict = True
        case "m":
            options.loses_messages = True
        case "O":
            options.old_scope = True
        case "o":
            options.optimizations.add(rest[:1])
        case "n" | "h" | "J":
            pass  # seeds and the order of escapes matter to simulations only
        case "v":
            options.verbose = True
        case "w":
            options.print_only = True
        case "W":
            options.norecompile = True
        case "Z":
            options.preprocess_only = True
        case "k":
            _value("k", words)
            options.later.append("-k (simulation and replay)")
        case _:
            _parse_later(options, letter)


def _parse_later(options: SpinOptions, letter: str) -> None:
    part = _SIMULATION.get(letter) or _LATER.get(letter)
    if part is None:
        raise UsageError("")
    options.later.append(f"-{letter} ({part})")
