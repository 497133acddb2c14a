"""`hsfpy trail`: reads a model and a trail and shows the run."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from hsfpy.diagnostics import BuildError, PromelaError
from hsfpy.driver import translate_model
from hsfpy.files import write_file
from hsfpy.lower import LowerOptions
from hsfpy.preprocess import FrontOptions
from hsfpy.program import ProgramOptions
from hsfpy.simulate.session import Machine
from hsfpy.simulate.spin_claims import TrailClaims
from hsfpy.simulate.trail_file import TrailError, find_trail, read_trail
from hsfpy.trail.listing import Listing, wants_colour
from hsfpy.trail.record import replay_run
from hsfpy.trail.run import Run


@dataclass(slots=True)
class TrailOptions:
    """What the command line says. Files named `-` are standard output."""

    model: str
    trail: str | None = None
    cpp_args: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)
    never_files: list[str] = field(default_factory=list)
    link: list[str] = field(default_factory=list)
    loses_messages: bool = False
    json: str | None = None
    svg: str | None = None
    html: str | None = None

    @property
    def wants_list(self) -> bool:
        return self.json is None and self.svg is None and self.html is None


def run_command(options: TrailOptions) -> int:
    """Shows the run; returns the exit status: 1 if there is none, or if the trail fits only in part."""
    try:
        run = load_run(options)
        _show(run, options)
    except (TrailError, BuildError) as error:
        return _complain(f"hsfpy trail: {error}")
    except PromelaError as error:
        return _complain(error.display())
    except OSError as error:
        return _complain(f"hsfpy trail: {error.filename or 'output'}: {error.strerror or error}")
    if run.problem is None:
        return 0
    return 1 if options.wants_list else _complain(f"hsfpy trail: {run.problem}")


def load_run(options: TrailOptions) -> Run:
    """The run of a trail file."""
    trail = read_trail(find_trail(options.model, given=options.trail))
    front = FrontOptions(cpp_args=options.cpp_args, never_files=options.never_files, need_process=False)
    with contextlib.redirect_stdout(sys.stderr):  # warnings; standard output may be for JSON
        claims = TrailClaims(trail)
        translation = translate_model(options.model, front, LowerOptions(find_merges=True), claims.add)
    program = ProgramOptions(loses_messages=options.loses_messages)
    return replay_run(Machine(translation.system, program, options.link), trail, claims.are_spins)


def _show(run: Run, options: TrailOptions) -> None:
    from hsfpy.trail.page import html
    from hsfpy.trail.svg import svg
    from hsfpy.trail.to_json import run_json

    if options.json is not None:
        _write(options.json, json.dumps(run_json(run), separators=(",", ":")) + "\n")
    if options.svg is not None:
        _write(options.svg, svg(run))
    if options.html is not None:
        _write(options.html, html(run, options.filters))
    if options.wants_list:
        for line in Listing(run, wants_colour(sys.stdout), options.filters).lines():
            print(line.encode("utf-8", "replace").decode())


def _write(name: str, text: str) -> None:
    if name == "-":
        sys.stdout.write(text)
    else:
        write_file(Path(name), text)


def _complain(text: str) -> int:
    sys.stdout.flush()
    print(text, file=sys.stderr)
    return 1


__all__ = ["TrailOptions", "load_run", "run_command"]
