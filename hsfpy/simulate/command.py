"""The command line without -a: replay a trail, or simulate."""

from __future__ import annotations

import sys
from pathlib import Path

from hsfpy import nodes as n
from hsfpy.claims import formula_text
from hsfpy.driver import Translation, translate_model
from hsfpy.files import write_file
from hsfpy.frontend import FrontOptions
from hsfpy.lower import LowerOptions
from hsfpy.program import ProgramOptions
from hsfpy.simulate.course import Chance, choose_at_random
from hsfpy.simulate.guided import GuidedText, newer_model_note
from hsfpy.simulate.interactive import Interactive
from hsfpy.simulate.session import Machine
from hsfpy.simulate.simulation import Simulation
from hsfpy.simulate.spin_claims import TrailClaims
from hsfpy.simulate.text_options import SHOW_RECEIVES, SHOW_SENDS, SHOW_STEPS, VERBOSE
from hsfpy.simulate.trail_file import TrailError, find_trail, read_trail
from hsfpy.spin_options import SpinOptions
from hsfpy.trail.record import random_run, replay_run
from hsfpy.trail.run import Run
from hsfpy.unused import unused_variables

CHART_STEPS = 1024  # of -M, unless -u says otherwise


def run(options: SpinOptions, path: str, front: FrontOptions) -> int:
    """Does what the options ask for; returns the exit status."""
    front.need_process = False
    if options.text.chart:
        if options.text.gui or options.text.shown:
            print("spin: -c precludes all flags except -t")
            return 1
        options.text.no_end = True
        options.text.limit = options.text.limit or CHART_STEPS
    options.text.old_priorities = "6" in options.optimizations
    if options.text.columns and not options.text.shows(SHOW_RECEIVES | SHOW_SENDS):
        options.text.shown += SHOW_RECEIVES + SHOW_SENDS
    if options.optimizations & set("12345"):
        print("spin: warning -o[1..5] option ignored in simulations")
    if options.replay:
        return _replay(options, path, front)
    return _simulate(options, path, front)


def machine_for(translation: Translation, options: SpinOptions) -> Machine:
    """The model of a command line, ready to run."""
    machine = Machine(translation.system, ProgramOptions(loses_messages=options.loses_messages))
    machine.library.session_set_unless_order(options.unless_outermost)
    return machine


def _print_head(translation: Translation, options: SpinOptions) -> None:
    """What SPIN prints while it reads a model, in the order of the source."""
    model = translation.model
    started = 0
    notes = [note for note in translation.notes if note.startswith("ltl ")]
    for unit in model.units:
        if isinstance(unit, n.Ltl) and notes:
            print(notes.pop(0))
        elif isinstance(unit, n.Process):
            if options.text.shows(VERBOSE):
                _print_remarks(translation, unit)
            for _ in range(unit.active):
                _print_start(started, unit, options)
                started += 1
    if options.text.shows(VERBOSE):
        for warning in unused_variables(model):
            print(warning)


def _print_remarks(translation: Translation, unit: n.Process) -> None:
    for automaton in translation.system.automata:
        if automaton.process is unit:
            print(*automaton.body.remarks, sep="\n", end="\n" if automaton.body.remarks else "")


def _print_start(pid: int, unit: n.Process, options: SpinOptions) -> None:
    if options.text.columns:
        print(f"proc {pid} = {unit.name}")
    elif options.text.shows(SHOW_STEPS) and not options.replay:
        rank = f" priority {unit.priority}" if (unit.priority or 1) > 1 else ""
        print(f"  0:\tproc  - (:root:) creates proc {pid:2d} ({unit.name}){rank}")


# ---------------------------------------------------------------- replay


def _replay(options: SpinOptions, path: str, front: FrontOptions) -> int:
    lowering = LowerOptions(old_priorities=options.text.old_priorities, find_merges=True)
    try:
        trail = read_trail(find_trail(path, options.trail_number, options.trail_file))
        claims = TrailClaims(trail)
        translation = translate_model(path, front, lowering, claims.add)
        machine = machine_for(translation, options)
        _print_head(translation, options)
        sys.stdout.write(newer_model_note(path, trail.path, options.text))
        if options.text.chart:
            return _draw(replay_run(machine, trail, claims.are_spins), path, options)
        GuidedText(machine, trail, options.text, sys.stdout.write, claims.are_spins).run()
    except TrailError as error:
        print(f"spin: {error}")
        if options.text.gui:
            print("spin: 1 error(s) - aborting")
        return 1
    if options.text.gui:
        print("Exit-Status 0")
    return 0


# ---------------------------------------------------------------- simulation


def _simulate(options: SpinOptions, path: str, front: FrontOptions) -> int:
    lowering = LowerOptions(old_priorities=options.text.old_priorities)
    translation = translate_model(path, front, lowering, _formula_notes)
    _print_head(translation, options)
    kinds = {automaton.process.kind for automaton in translation.system.automata}
    if n.ProcKind.NEVER in kinds:
        print("warning: never claim not used in random simulation")
    if kinds & {n.ProcKind.TRACE, n.ProcKind.NOTRACE}:
        print("warning: trace assertion not used in random simulation")
    machine = machine_for(translation, options)
    by_chance = choose_at_random(Chance(options.seed))
    if options.text.chart:
        return _draw(random_run(machine, options.seed, options.text.limit), path, options)
    if options.interactive:
        dialogue = Interactive(machine, options.text, _write_now, sys.stdin, by_chance)
        status, depth = dialogue.run(), dialogue.simulation.text.depth
    else:
        simulation = Simulation(machine, options.text, sys.stdout.write, by_chance)
        status, depth = simulation.run(), simulation.text.depth
    if options.tell_seed and depth > 0:
        print(f"seed used: {options.seed}")
    return 0 if options.text.gui else status


def _draw(run: Run, path: str, options: SpinOptions) -> int:
    """Writes the chart of -M and says how to see it; returns the exit status."""
    from hsfpy.trail.tcl import tcl_script

    name = f"{path}.tcl"
    write_file(Path(name), tcl_script(run, path))
    if run.problem is not None:
        print(f"spin: {run.problem}")
    sys.stdout.flush()
    print(f"seed used: -n{options.seed}\nwish -f {name} &", file=sys.stderr)
    return 0 if run.problem is None else 1


def _write_now(text: str) -> None:
    """Whoever answers must see the question."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _formula_notes(model: n.Model) -> list[str]:
    """What SPIN prints about `ltl` blocks; a simulation has no use for their claims."""
    return [f"ltl {block.name}: {formula_text(block.formula)}" for block in model.ltls]
