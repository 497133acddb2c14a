"""The command hsfpy: SPIN's options, and readable subcommands beside them."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hsfpy.diagnostics import BuildError, LtlError, PromelaError
from hsfpy.spin_options import PRETTY, SpinOptions, UsageError, parse_arguments

if TYPE_CHECKING:
    from hsfpy.driver import Translation
    from hsfpy.preprocess import FrontOptions

# Models become large graphs of objects that all stay; looking through them for garbage again and again,
# as Python does by default after every 700 new ones, takes a sixth of the time.
_GC_THRESHOLD = 100_000

SPIN_VERSION = "Spin Version 6.5.2 -- 6 December 2019"


def main(argv: list[str] | None = None) -> int:
    """Runs hsfpy; returns its exit status."""
    args = sys.argv[1:] if argv is None else argv
    gc.set_threshold(_GC_THRESHOLD)
    if args and _is_command(args[0]):
        from hsfpy.commands import commands

        commands.main(args=args, prog_name="hsfpy")
        return 0
    try:
        return _as_spin(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _complain(f"spin: {place}{error.strerror or error}")
        return 1


def _is_command(word: str) -> bool:
    """Is this one of the readable subcommands? Most calls are SPIN's, which need none of their machinery."""
    if word in ("--help", "--version"):
        return True
    if not word.isidentifier():
        return False
    from hsfpy.commands import commands

    return word in commands.commands


def _complain(text: str) -> None:
    """Says what went wrong, on standard error if standard output is what failed."""
    try:
        print(text, flush=True)
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - closed with the process
        print(text, file=sys.stderr)


def _as_spin(args: list[str]) -> int:
    try:
        options = parse_arguments(args)
    except UsageError as error:
        print(str(error) or _usage())
        return 1
    if options.version:
        print(SPIN_VERSION)
        return 0
    if options.formula_file is not None:
        options.formula = _first_line(options.formula_file)
    if options.later and (options.file is not None or PRETTY in options.later):
        return _refuse(options)
    try:
        return _without_file(options) if options.file is None else _with_file(options, options.file)
    except LtlError as error:
        _show_formula_error(error, options)
        return 1
    except PromelaError as error:
        print(error.display())
        return 1
    except BuildError as error:
        print(f"spin: {error}")
        return 1


def _without_file(options: SpinOptions) -> int:
    if options.formula is not None:
        return _print_claim(options.formula)
    print(SPIN_VERSION)
    sys.stdout.flush()
    print("spin: error, no filename specified", file=sys.stderr)
    return 1


def _first_line(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.readline().rstrip("\n")


def _refuse(options: SpinOptions) -> int:
    print(f"spin: {options.later[0]} is not in this version of hsfpy", file=sys.stderr)
    return 1


def _print_claim(formula: str) -> int:
    from hsfpy.claims import formula_claim

    sys.stdout.write(formula_claim(formula).text)
    return 0


def _show_formula_error(error: LtlError, options: SpinOptions) -> None:
    """Prints what is wrong with the formula of -f or -F, in SPIN's three lines and a hint."""
    formula = " ".join((options.formula or "").expandtabs(1).splitlines())
    print(f"tl_spin: {error}")
    print(f"tl_spin: {formula}")
    print("-" * (len("tl_spin: ") + max(0, error.column)) + "^")
    if options.formula_file is not None:
        print(f"  in {options.formula_file}:1:{error.column + 1}")
    if error.hint:
        print(f"  hint: {error.hint}")


def _with_file(options: SpinOptions, path: str) -> int:
    from hsfpy.preprocess import FrontOptions

    front = FrontOptions(
        cpp_args=options.cpp_args,
        preprocessor=options.preprocessor,
        never_files=[options.never_file] if options.never_file else [],
        old_scope=options.old_scope,
        no_implied_semis="7" in options.optimizations,
    )
    if options.formula is not None:
        from hsfpy.claims import formula_claim

        claim = formula_claim(options.formula)
        front.claim_texts = [claim.text]
        front.stutter_sensitive = claim.stutter_sensitive
    if options.preprocess_only:
        from hsfpy.files import write_file
        from hsfpy.preprocess import preprocess

        write_file(Path("pan.pre"), preprocess(path, front.cpp_args, front.preprocessor, []).text)
        return 0
    if options.list_symbols or options.find_redundancies or options.expand_source or options.list_channels:
        return _look_at_model(options, path, front)
    if options.product:
        from hsfpy.driver import translate_model

        return _print_product(options, translate_model(path, front))
    if not options.analyze:
        from hsfpy.simulate.command import run

        return run(options, path, front)
    from hsfpy.verify import verify

    return verify(options, path, front)


def _look_at_model(options: SpinOptions, path: str, front: FrontOptions) -> int:
    """-d, -A, -I and -C: what is in the model, what could be left out, the source spelled out, uses of channels."""
    from hsfpy.channel_access import channel_access
    from hsfpy.driver import translate_model
    from hsfpy.expanded import expanded_source
    from hsfpy.simulate.text_options import SHOW_GLOBALS
    from hsfpy.slicing import redundancies
    from hsfpy.symbol_list import symbol_list

    front.need_process = False
    translation = translate_model(path, front)
    sys.stdout.write("".join(f"{note}\n" for note in translation.notes if note.startswith("ltl ")))
    model, system = translation.model, translation.system
    if options.list_symbols:
        text = symbol_list(model, system)
    elif options.find_redundancies:
        text = redundancies(model, system)
    elif options.list_channels:
        text = channel_access(model, system, bool(options.text.shown & SHOW_GLOBALS))
    else:
        text = expanded_source(system)
    sys.stdout.write(text)
    return 0


def _print_product(options: SpinOptions, translation: Translation) -> int:
    """-e: only the claim goes to standard output, so that it can be given to -N."""
    from hsfpy.claim_product import product_claim

    for note in translation.notes:
        if note.startswith("ltl "):
            print(note, file=sys.stderr)
    claims = translation.system.claims()
    if not claims:
        print(f"spin: {options.file} has no never claims to combine", file=sys.stderr)
        return 1
    sys.stdout.write(product_claim(claims, options.strict))
    return 0


def _usage() -> str:
    from hsfpy.usage import USAGE

    return USAGE
