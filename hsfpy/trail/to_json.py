"""A run as JSON, for programs. docs/trail-json.md describes it, docs/trail.schema.json defines it."""

from __future__ import annotations

from typing import Any

from hsfpy import __version__
from hsfpy.simulate.session import State
from hsfpy.trail.run import Actor, Ending, Place, Run, RunStep, Transfer

FORMAT, VERSION = "hsfpy-trail", 1


def run_json(run: Run) -> dict[str, Any]:
    """The run as a JSON object."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "tool": f"hsfpy {__version__}",
        "model": run.model,
        "trail": run.trail_file,
        "claim": run.claim,
        "problem": run.problem,
        "cycle_start": run.cycle_start,
        "ending": _ending(run.ending),
        "initial": _state(run.initial),
        "steps": [_step(step) for step in run],
    }


def _place(place: Place) -> dict[str, Any]:
    return {"file": place.file, "line": place.line, "column": place.column, "end_line": place.end_line or place.line}


def _actor(actor: Actor) -> dict[str, Any]:
    return {"pid": actor.pid, "process": actor.process, "text": actor.text, "source": _place(actor.place)}


def _step(step: RunStep) -> dict[str, Any]:
    return {
        "number": step.number,
        "depth": step.depth,
        **_actor(step.actor),
        "partner": _actor(step.partner) if step.partner is not None else None,
        "messages": [_transfer(t) for t in step.transfers],
        "printed": step.printed,
        "started": list(step.started),
        "ended": step.ended,
        "fault": step.fault,
        "in_cycle": step.in_cycle,
        "in_d_step": step.in_d_step,
        "changes": [{"path": c.path, "before": c.before, "after": c.after} for c in step.changes],
        "state": _state(step.state),
    }


def _transfer(t: Transfer) -> dict[str, Any]:
    return {
        "kind": t.kind,
        "pid": t.pid,
        "channel": t.channel,
        "message": list(t.message),
        "peer": t.peer,
        "peer_pid": t.peer_pid,
        "copied": t.copied,
    }


def _state(state: State) -> dict[str, Any]:
    return {
        "globals": state.globals,
        "processes": [
            {"pid": p.pid, "process": p.process, "location": p.location, "line": p.line, "variables": p.variables}
            for p in state.processes
        ],
        "channels": [
            {"number": c.number, "name": c.name, "capacity": c.capacity, "messages": [list(m) for m in c.messages]}
            for c in state.channels.values()
        ],
        "claim": state.claim,
    }


def _ending(ending: Ending) -> dict[str, Any]:
    return {
        "kind": ending.kind,
        "text": ending.text,
        "processes": [
            {
                "pid": s.pid,
                "process": s.process,
                "source": _place(s.place),
                "next": list(s.next),
                "may_end": s.may_end,
            }
            for s in ending.processes
        ],
    }
