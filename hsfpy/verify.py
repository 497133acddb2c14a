"""`hsfpy -a` writes and builds a verifier; `hsfpy -run` and `-search` run it too."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from hsfpy.build import COUNTING, Build
from hsfpy.diagnostics import BuildError
from hsfpy.files import write_program
from hsfpy.preprocess import FrontOptions, read_source
from hsfpy.run_words import RunPlan, add_defaults, sort_words
from hsfpy.spin_options import SpinOptions
from hsfpy.verifier import (
    Verifier,
    own_digest,
    recall,
    remember,
    remove_verifier_sources,
    verifier_of,
    write_verifier,
)


def verify(options: SpinOptions, path: str, front: FrontOptions) -> int:
    """Does what -a, -run or -search ask for; returns the exit status."""
    plan = sort_words(options.run_words)
    if not options.run:
        plan.compile = [word for word in options.cpp_args if word in COUNTING]
    with Build(plan.optimize, plan.compile) as build:
        verifier = _verifier(options, path, front, build)
        for to_stderr, text in verifier.messages:
            print(text, file=sys.stderr if to_stderr else sys.stdout)
        sys.stdout.flush()
        if options.run:
            add_defaults(plan, verifier.has_accept)
            _make_runnable(options, plan, verifier, build)
        else:
            write_verifier(verifier, Path.cwd())
            _make_pan(verifier, plan, build)
    return _run(plan) if options.run and not options.print_only else 0


def _verifier(options: SpinOptions, path: str, front: FrontOptions, build: Build) -> Verifier:
    source = read_source(path, front)
    verifier = recall(source, options)
    if verifier is None:
        if not options.print_only and not _has_pan(options):
            build.prepare()
        verifier = verifier_of(source, front, options)
        remember(verifier, source, options)
    return verifier


def _has_pan(options: SpinOptions) -> bool:
    """-W: the pan that is there is good enough."""
    return options.run and options.norecompile and os.path.exists("pan")


def _make_pan(verifier: Verifier, plan: RunPlan, build: Build) -> None:
    pan = build.make(verifier.model_part, plan.compile, own_digest(), verifier.is_self_contained)
    if pan is not None:
        write_program(Path("pan").absolute(), pan)


def _make_runnable(options: SpinOptions, plan: RunPlan, verifier: Verifier, build: Build) -> None:
    """Builds pan without the files SPIN would remove after the run."""
    shows = options.verbose or options.print_only
    if not _has_pan(options):
        if shows:
            print("cmd01: cc " + " ".join([plan.optimize, *map(shlex.quote, plan.compile), "-o pan pan.c"]))
        if options.print_only:
            write_verifier(verifier, Path.cwd())
        else:
            try:
                _make_pan(verifier, plan, build)
            except BuildError:
                write_verifier(verifier, Path.cwd())  # what the compiler complains about
                raise
    if shows:
        print("cmd02: ./pan " + " ".join(map(shlex.quote, plan.run)))


def _run(plan: RunPlan) -> int:
    """Becomes ./pan: its exit status is ours, and an interrupt reaches it alone."""
    remove_verifier_sources(Path.cwd())
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv("./pan", ["./pan", *plan.run])
