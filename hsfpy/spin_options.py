"""SPIN's command line: one letter behind a dash, its value glued to it, options before the file."""

from __future__ import annotations

import re
import time
from dataclasses import field

from hsfpy.records import dataclass
from hsfpy.simulate.text_options import (
    SHOW_ALL,
    SHOW_GLOBALS,
    SHOW_LOCALS,
    SHOW_RECEIVES,
    SHOW_SENDS,
    SHOW_STEPS,
    VERBOSE,
    TextOptions,
)


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
    list_symbols: bool = False  # -d
    find_redundancies: bool = False  # -A
    expand_source: bool = False  # -I
    list_channels: bool = False  # -C
    shows_tables: bool = False  # -x
    invariants: list[str] = field(default_factory=list)  # --invariant
    replay: bool = False  # -t, -k, -replay
    trail_number: int = 0  # -tN
    trail_file: str | None = None  # -k
    interactive: bool = False  # -i
    seed: int = field(default_factory=lambda: int(time.time()))  # -n
    tell_seed: bool = False  # -h
    unless_outermost: bool = False  # -J
    text: TextOptions = field(default_factory=TextOptions)  # -p -g -l -r -s -v -w -c -M -X -T -b -B -j -u -q
    later: list[str] = field(default_factory=list)  # options of parts that do not exist yet


# What each letter that is not there yet belongs to, for the message about it.
_LATER = {
    "S": "separate compilation",
}


PRETTY = "-pp (pretty-printing standard input)"


def parse_arguments(argv: list[str]) -> SpinOptions:
    """The options of a command line without the program's name."""
    options = SpinOptions()
    words = list(argv)
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word in ("-run", "-search"):
            _parse_run(options, words)
        elif word == "-replay":
            options.replay = True
        elif word == "--invariant" or word.startswith("--invariant="):
            options.invariants.append(word.partition("=")[2] or _value("-invariant", words))
        elif word == "-pp":
            options.later.append(PRETTY)
        elif word != "-simulate":
            _parse_letter(options, word, words)
    options.file = words[0] if words else None
    return options


def _parse_run(options: SpinOptions, words: list[str]) -> None:
    if options.shows_tables:
        raise UsageError("spin: cannot combine -x with -run -search or -replay")
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
        case "v":
            options.verbose = True
            options.text.shown += VERBOSE
        case "w":
            options.print_only = True
            options.text.shown += SHOW_ALL
        case "W":
            options.norecompile = True
        case "A":
            options.find_redundancies = True
        case "d":
            options.list_symbols = True
        case "C":
            options.list_channels = True
        case "I":
            options.expand_source = True
        case "x":
            _parse_tables(options)
        case "Z":
            options.preprocess_only = True
        case "k":
            options.trail_file = _value("k", words)
            options.replay = True
        case _ if not (_parse_text(options, letter, rest) or _parse_choice(options, letter, rest)):
            _parse_later(options, letter)


def _parse_tables(options: SpinOptions) -> None:
    """-x: what `-o3 -run -d` does."""
    if options.run or options.replay:
        raise UsageError("spin: cannot combine -x with -run -search or -replay")
    options.analyze = options.run = options.shows_tables = True
    options.optimizations.add("3")
    options.run_words.append("-d")


_SHOWN = {"g": SHOW_GLOBALS, "l": SHOW_LOCALS, "p": SHOW_STEPS, "r": SHOW_RECEIVES, "s": SHOW_SENDS}


def _parse_text(options: SpinOptions, letter: str, rest: str) -> bool:
    """Options about the text of a run; False if the letter is none of them."""
    text = options.text
    match letter:
        case "g" | "l" | "p" | "r" | "s":
            text.shown += _SHOWN[letter]
        case "b":
            text.no_print = True
        case "B":
            text.no_end = True
        case "c":
            text.columns = True
        case "M":
            text.chart = True
        case "T":
            text.no_indent = True
        case "X":
            text.gui = True
        case "Y":
            text.track = True
        case "j":
            text.skip = _number(rest)
        case "u":
            text.limit = _number(rest)
        case "q":
            if rest[:1].isdigit():
                text.hidden_queues.add(_number(rest))
        case _:
            return False
    return True


def _parse_choice(options: SpinOptions, letter: str, rest: str) -> bool:
    """Options about which steps are taken; False if the letter is none of them."""
    match letter:
        case "t":
            options.replay = True
            options.trail_number = _number(rest)
        case "i":
            options.interactive = True
        case "n":
            options.seed = _number(rest)
        case "h":
            options.tell_seed = True
        case "J":
            options.unless_outermost = True
        case _:
            return False
    return True


def _number(text: str) -> int:
    """The number at the start of a text, as C's atoi reads it."""
    match = re.match(r"\s*[-+]?\d+", text)
    return int(match.group()) if match else 0


def _parse_later(options: SpinOptions, letter: str) -> None:
    part = _LATER.get(letter)
    if part is None:
        raise UsageError("")
    options.later.append(f"-{letter} ({part})")
