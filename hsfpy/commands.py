"""The readable subcommands of hsfpy, beside SPIN's options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hsfpy import __version__
from hsfpy.diagnostics import LtlError, PromelaError

if TYPE_CHECKING:
    from hsfpy.claim_view import ClaimView


@click.group(help="hsfpy: a model checker for Promela. With SPIN's options it behaves like spin.")
@click.version_option(__version__, prog_name="hsfpy")
def commands() -> None:
    """Subcommands beside SPIN's options."""


@commands.group(help="Measurements, next to published figures and to the installed SPIN.")
def bench() -> None:
    """Benchmarks."""


@bench.command("hsf", help="Tables 4 to 7 of the HSF-SPIN paper (2001).")
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="also write the results to this file")
@click.option("--table", "table", help="only tables whose title contains this text, e.g. 'Table 5'")
def bench_hsf(json_file: str | None, table: str | None) -> None:
    """Prints the tables as Markdown."""
    from hsfpy.bench_hsf import bench as run_tables

    results = run_tables(click.echo, table)
    if json_file:
        Path(json_file).write_text(json.dumps(results, indent=1) + "\n")


@bench.command("liveness", help="Tables 2 and 8 of the HSF-SPIN paper (2001), and sizes of automata of formulas.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="also write the results to this file")
@click.option("--table", "table", help="only tables whose title contains this text, e.g. 'Table 2' or 'patterns'")
def bench_liveness(json_file: str | None, table: str | None) -> None:
    """Prints the tables as Markdown."""
    from hsfpy.bench_liveness import bench as run_tables

    results = run_tables(click.echo, table)
    if json_file:
        Path(json_file).write_text(json.dumps(results, indent=1) + "\n")


@bench.command("por", help="Partial order reduction: STTT 2004 Tables 4 and 5, Table 1 of the two-phase paper (1998).")
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="also write the results to this file")
@click.option("--table", "table", help="only tables whose title contains this text, e.g. 'Table 5' or 'Two-phase'")
def bench_por(json_file: str | None, table: str | None) -> None:
    """Prints the tables as Markdown."""
    from hsfpy.bench_por import bench as run_tables

    results = run_tables(click.echo, table)
    if json_file:
        Path(json_file).write_text(json.dumps(results, indent=1) + "\n")


@commands.command("claim", help="The components of never claims and ltl formulas, and what a search makes of them.")
@click.argument("model", required=False, type=click.Path(dir_okay=False))
@click.option("--name", help="only this claim or ltl formula")
@click.option("-f", "--formula", help="the claim of this formula instead of those of a model, as spin -f makes it")
@click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="a macro for the model")
@click.option("--dot", type=click.Path(dir_okay=False), help="write the automaton for graphviz to this file")
@click.option("--svg", type=click.Path(dir_okay=False), help="draw the automaton into this file")
def claim(
    model: str | None, name: str | None, formula: str | None, defines: tuple[str, ...], dot: str | None, svg: str | None
) -> None:
    """Prints the classes of HSF-SPIN's section 4.1 and draws the automaton."""
    from hsfpy.claim_draw import claim_dot, claim_svg
    from hsfpy.claim_view import claim_text

    views = _claim_views(model, name, formula, defines)
    if (dot or svg) and len(views) != 1:
        raise click.ClickException(f"choose one claim to draw, with --name: {', '.join(v.name for v in views)}")
    click.echo("\n\n".join(claim_text(view) for view in views))
    if dot:
        Path(dot).write_text(claim_dot(views[0]))
    if svg:
        Path(svg).write_text(claim_svg(views[0]))


def _claim_views(model: str | None, name: str | None, formula: str | None, defines: tuple[str, ...]) -> list[ClaimView]:
    from hsfpy.claim_view import claim_views, formula_view
    from hsfpy.driver import translate_model
    from hsfpy.frontend import FrontOptions

    if (model is None) == (formula is None):
        raise click.UsageError("give a model, or a formula with -f")
    try:
        if formula is not None:
            return [formula_view(formula)]
        assert model is not None
        views = claim_views(translate_model(model, FrontOptions(cpp_args=[f"-D{d}" for d in defines])).system)
    except LtlError as error:
        caret = " " * error.column + "^"
        raise click.ClickException(
            f"{error}\n  {formula}\n  {caret}" + f"\n  hint: {error.hint}" * bool(error.hint)
        ) from None
    except PromelaError as error:
        raise click.ClickException(error.display()) from None
    if not views:
        raise click.ClickException(f"{model} has no never claim and no ltl formula")
    chosen = [view for view in views if name in (None, view.name)]
    if not chosen:
        raise click.ClickException(f"no claim '{name}' in {model}; there is {', '.join(v.name for v in views)}")
    return chosen


_FILE = click.Path(dir_okay=False, allow_dash=True)


@commands.command("trail", help="Shows the run of a trail: as a list of steps, or as JSON, a chart, a page.")
@click.argument("model", required=False)
@click.option("--trail", type=click.Path(dir_okay=False), help="the trail file, if it is not MODEL.trail")
@click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="for the preprocessor, as with -a")
@click.option("-N", "never_files", multiple=True, metavar="FILE", help="the never claim in FILE, as with -a")
@click.option("-m", "loses_messages", is_flag=True, help="sends to full channels lose their messages, as with -a")
@click.option("--link", multiple=True, metavar="FILE", help="a C file or library that embedded C needs")
@click.option(
    "--json", "json_file", type=_FILE, is_flag=False, flag_value="-", help="all steps and states, for programs"
)
@click.option("--svg", "svg_file", type=_FILE, help="a message sequence chart")
@click.option("--html", "html_file", type=_FILE, help="a page to step through the run")
@click.option("--filter", "filters", multiple=True, metavar="NAME", help="only variables whose name contains this")
def trail_command(
    model: str | None,
    trail: str | None,
    defines: tuple[str, ...],
    never_files: tuple[str, ...],
    loses_messages: bool,
    link: tuple[str, ...],
    json_file: str | None,
    svg_file: str | None,
    html_file: str | None,
    filters: tuple[str, ...],
) -> None:
    """Shows the run."""
    from hsfpy.trail.command import TrailOptions, run_command

    if model is None and json_file not in (None, "-"):  # `--json m.pml`: the file of --json may be left out
        model, json_file = json_file, "-"
    if model is None:
        raise click.UsageError("which model?")
    options = TrailOptions(
        model,
        trail,
        [f"-D{name}" for name in defines],
        list(filters),
        list(never_files),
        list(link),
        loses_messages,
        json_file,
        svg_file,
        html_file,
    )
    raise SystemExit(run_command(options))
