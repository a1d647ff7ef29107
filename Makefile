# Everything a developer does; `make` alone lists it. GNU make 4, POSIX sh.

PYTHON ?= python3
# More arguments for pytest: make test ARGS="-k byzanz"
ARGS ?=
# Two more than cores: slow tests wait for the processes that they have started. The others seldom wait.
CORES := $(shell getconf _NPROCESSORS_ONLN)
WORKERS ?= $(shell echo $$((2 + $(CORES))))
# Tests that share a browser or an arena (xdist_group) are run by one worker, others by any; all in their order.
SPREAD = -n $(WORKERS) --dist loadgroup --no-loadscope-reorder
# Which SDKs are built and tested: make test LANGS="go rust"; all whose toolchains are there if it is empty
LANGS ?=
export LANGS
# Tests start hundreds of Pythons: each would compile the package again.
export PYTHONDONTWRITEBYTECODE :=
# What make bench measures: the rules, the arena, bots in every language and in sandboxes, tournaments, 100,000 stored
# matches, slow bots beside load, web pages and 200 tabs, opening a match in a browser, a thousand idle sessions for ten
# minutes, coverage of intervals
WHAT ?= games arena languages isolation tournament archive patience web opening idle numbers

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
ENCODER := $(VENV)/.encoder-compiled
DEV := $(VENV)/.dev-installed
BENCH := $(VENV)/.bench-installed
RAY := $(VENV)/.ray-installed
# The last version that does without machine-learning packages; in an environment of its own.
PEER := kaggle-environments==1.12.0
# Not quiet: pip says what it downloads and how large it is, on a terminal with a progress bar.
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-input

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv demo compile sdks conformance test test-fast attacks check format proto golden bench reference coverage mutants chaos strength clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

venv: $(DEV) ## make .venv with arena and the development tools (every target does what it needs of it)

# The stamps live inside .venv, so that they disappear with it.
$(RUNTIME): pyproject.toml clients/python/pyproject.toml
	@command -v $(PYTHON) >/dev/null || \
	  { echo "$(PYTHON) not found: install Python 3.11 or newer, or name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is $$($(PYTHON) -V 2>&1), arena needs 3.11 or newer; name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) lacks the venv module: install it (on Debian: apt-get install python3-venv)" >&2; exit 1; }
	@echo "== Setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@echo "== Installing arena and its Python SDK into $(VENV) (up to 30 MB to download)"
	@$(PIP_INSTALL) --editable '.[web]' --editable clients/python
	@touch $@

# Half a second; nothing fails where there is no compiler.
$(ENCODER): $(RUNTIME) arena/wire/_encoder.c scripts/compile_encoder.py
	@$(BIN)/python scripts/compile_encoder.py
	@touch $@

# Three times as much again, and nobody needs it who only runs arena.
$(DEV): $(RUNTIME) | $(ENCODER)
	@echo "== Installing the development tools into $(VENV) (up to 75 MB to download)"
	@$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

# Half a minute of processor time: for whoever wants it, and for what is measured.
compile: $(DEV) ## compile the rules, where there is a compiler (make bench does it, too)
	@$(BIN)/python scripts/compile_rules.py

# Editable here too: a plain install would shadow the working tree with a copy.
$(BENCH): $(DEV)
	@echo "== Installing what the benchmarks compare with into $(VENV)"
	@$(PIP_INSTALL) --editable '.[bench]'
	@$(PYTHON) -m venv $(VENV)/kaggle
	@$(VENV)/kaggle/bin/python -m pip install --disable-pip-version-check --no-input '$(PEER)' || \
	  echo "$(PEER) cannot be installed here: tournaments will be measured without it"
	@touch $@

# Large, and needed by the tests of one engine alone. Where there is no Ray for this Python they say so.
$(RAY): $(DEV)
	@echo "== Installing Ray into $(VENV)"
	@$(PIP_INSTALL) --editable '.[ray]' || echo "Ray cannot be installed here: its tests will be skipped"
	@touch $@

demo: $(ENCODER) ## play a tournament of real bot processes, check its results, say where its page is
	@./scripts/demo

sdks: $(DEV) ## build the SDKs of all languages, or some: make sdks LANGS="go rust"
	@$(BIN)/python scripts/sdk build

conformance: sdks ## play the arena against every SDK and print what each of them does
	$(BIN)/python -m clients.conformance

test: $(RAY) sdks ## run all tests
	$(BIN)/python -m pytest $(SPREAD) $(ARGS)

test-fast: $(DEV) ## run the quick tests: less than a minute
	$(BIN)/python -m pytest -n $$((1 + $(CORES))) -m "not slow" --hypothesis-profile fast $(ARGS)

# Not part of make test: it needs root and mounts in namespaces of its own. What does not work here is skipped.
attacks: $(DEV) ## let hostile bots attack a tournament, in namespaces of its own (as root, about a minute)
	$(BIN)/python -m pytest -n 2 --maxschedchunk 1 -rs tests/attacks $(ARGS)

check: $(DEV) ## check format, lint, types, protocol, layers and web pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/buf lint
	$(BIN)/buf breaking --against proto/released.binpb
	$(BIN)/python scripts/generate --check
	$(BIN)/python scripts/sdk check
	$(BIN)/python scripts/sdk lint
	$(BIN)/lint-imports --no-logo
	scripts/check_pages

format: $(DEV) ## format the code and mend what can be mended mechanically
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

proto: $(DEV) ## write the stubs of proto/ again, in every language
	$(BIN)/python scripts/generate
	$(BIN)/python scripts/sdk generate

golden: $(DEV) ## write the golden playthroughs and messages again; review them as a diff
	$(BIN)/python -m tests.golden.regenerate
	$(BIN)/python -m clients.conformance.golden --write

bench: $(BENCH) compile ## measure everything, about half an hour (or some of it: make bench WHAT="games arena")
	@$(BIN)/arena --version
	@status=0; for what in $(WHAT); do \
	  echo "== $$what"; $(BIN)/python -m benchmarks.$$what || status=1; \
	done; exit $$status

reference: $(ENCODER) ## play the reference tournaments again and compare (WRITE=1: replace them)
	$(BIN)/python scripts/reference $(if $(WRITE),--write)

coverage: $(RAY) ## run all tests and demand 98 % branch coverage of the rules
	$(BIN)/python -m pytest $(SPREAD) --cov $(ARGS)

mutants: $(DEV) ## change the rules in small ways and see whether the tests notice
	$(BIN)/python -m benchmarks.mutants

# Which scenarios: make chaos SCENARIOS="kills fuzz"; all of them if it is empty. SHORT=1: a small part of each.
# IDLE_MINUTES=30: how long 1,000 sessions wait before they play.
SCENARIOS ?=
chaos: $(DEV) ## kill, fuzz, fill the disk, step the clock, stop the database: does anybody suffer but the cause?
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(PIP_INSTALL) --quiet --editable '.[fuzz]' || \
	  echo "atheris cannot be installed here: fuzzing is not guided by coverage"
	$(BIN)/python -m tests.chaos $(SCENARIOS) $(if $(SHORT),--short) $(if $(IDLE_MINUTES),--idle-minutes $(IDLE_MINUTES))

strength: $(ENCODER) ## measure the built-in bots against each other
	$(BIN)/python -m benchmarks.strength

clean: ## remove .venv, caches, build products and the demo's results
	rm -rf $(VENV) build dist mutants htmlcov results/demo *.egg-info .coverage .coverage.*
	rm -rf clients/*/build clients/*/target clients/*/dist clients/*/node_modules tests/web/node_modules
	rm -rf arena/wire/_encoder.*.so arena/_compiled
	find . -name .git -prune -o -type d \( -name __pycache__ -o -name .hypothesis -o -name .import_linter_cache \
	  -o -name .mypy_cache -o -name .pytest_cache -o -name .ruff_cache \) -prune -exec rm -rf {} +
