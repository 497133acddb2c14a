# hsfpy: Promela in, a SPIN-compatible verifier out.
#
# Needs Python 3.11 or newer, make and a C compiler. Everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= auto

.PHONY: help setup demo test test-slow lint tables bench clean

help: ## list these targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

setup: $(STAMP) ## make .venv with hsfpy and its tools in it

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hsfpy needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m compileall -q hsfpy
	touch $@

demo: setup ## find an error in a shipped model, then its shortest form
	@bash models/demo.sh $(CURDIR)/$(BIN)

test: setup ## run the tests, a quarter of an hour
	$(BIN)/python -m pytest -n $(JOBS) -m 'not slow'

test-slow: setup ## run the tests that take minutes each
	$(BIN)/python -m pytest -n $(JOBS) -m slow

lint: setup ## check formatting, types and compiler warnings
	.ci/lint $(BIN)

tables: setup ## make the parser's tables anew after a change of the grammar
	$(BIN)/python -m hsfpy.grammar_table

bench: setup ## compare speed and memory with SPIN (BENCH=--quick: a few minutes)
	PYTHONPATH=tests $(BIN)/python -m bench.throughput $(BENCH)

clean: ## remove everything that was built
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
