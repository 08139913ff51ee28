# Everything runs in .venv; nothing is installed outside this folder.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

# Interpreter for a new .venv, for example: make clean setup PYTHON=python3.13
PYTHON ?=
# Arguments for pytest, for example: make test PYTEST_ARGS="-k scoring"; by default on all cores, file by file
PYTEST_ARGS ?= -n auto --maxprocesses 4 --dist loadfile
# Arguments of the benchmark, for example: make bench BENCH_ARGS="--check --only solo"
BENCH_ARGS ?=
# Parts of the soak, all if empty: memory rules twin kill fuzz tests
SOAK ?=

# Tests in which compiled rules and players work on their arrays; in the others no index is new
RULES_TESTS := $(wildcard tests/test_action_*.py tests/test_manual_examples*.py tests/test_rulings*.py) \
  $(addprefix tests/,conformance test_aims.py test_archetypes.py test_conditions.py test_end_and_scoring.py test_goals.py \
  test_invariants.py test_rules_under_load.py test_setup.py test_so_close.py test_solo.py test_thinking.py \
  test_twin.py)

# Tests start hundreds of processes; without byte code each of them would compile every module again
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
POLICIES := nfsim/games/new_frontiers/policies
STAMP := .venv/.installed
CANDIDATES := $(if $(PYTHON),$(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)

.PHONY: help setup demo test test-bounds test-nojit check docs format bench soak regenerate clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## Make .venv and install everything in it, if something changed

demo: $(STAMP) ## Run the main job: simulate, print the table, write a report
	$(BIN)/nfsim demo

test: $(STAMP) ## Run all tests but those marked soak
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-bounds: $(STAMP) ## Run the tests of the rules with every array index checked (compiled separately)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(PYTEST_ARGS) $(RULES_TESTS)

test-nojit: $(STAMP) ## Run the quicker tests as plain Python, without compiling
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m "not slow and not browser and not soak" $(PYTEST_ARGS)

check: $(STAMP) ## Lint, format check, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(STAMP) ## Build the documentation: build/docs/index.html; every warning is an error
	rm -rf docs/generated build/docs
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m sphinx -W --keep-going -n -q -j auto -d build/doctrees docs build/docs
	@echo "build/docs/index.html"

format: $(STAMP) ## Put the code in the standard format
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(STAMP) ## Measure speed and memory, and say what is worse than in bench.json
	$(BIN)/nfsim bench --against bench.json $(BENCH_ARGS)

soak: $(STAMP) ## Run what takes an hour: memory, rules, twin, kill, fuzz, tests; all are run, 1 if one fails
	PYTHONPATH=tests $(BIN)/python -m soak $(SOAK)

regenerate: $(STAMP) ## Make golden games, built-in presets and notebooks again; read what changed before keeping it
	NFSIM_REGENERATE=1 $(BIN)/python -m pytest -q tests/conformance -k always_did
	$(BIN)/python -m nfsim.studies.recipes $(POLICIES)/recipes.toml
	NFSIM_REGENERATE=1 $(BIN)/python -m pytest -q tests/test_notebooks.py -m soak

clean: ## Remove .venv and tool caches; runs and reports stay
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find nfsim tests -type d -name __pycache__ -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt
	@set -e; \
	for candidate in $(CANDIDATES); do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$candidate; break; fi; \
	done; \
	if [ -z "$${found:-}" ]; then \
	  echo "nfsim needs Python 3.11 or newer; tried: $(CANDIDATES). Name one with: make setup PYTHON=/path/to/python3" >&2; exit 2; \
	fi; \
	if ! "$$found" -c 'import venv, ensurepip' 2>/dev/null; then \
	  echo "$$found has no venv module (on Debian and Ubuntu it is the package python3-venv)." >&2; exit 2; \
	fi; \
	version='import sys; print(sys.version_info[:2])'; \
	if ! $(BIN)/python -m pip --version >/dev/null 2>&1 || { [ -n "$(PYTHON)" ] \
	   && [ "$$("$$found" -c "$$version")" != "$$($(BIN)/python -c "$$version")" ]; }; then \
	  echo "making .venv with $$found"; "$$found" -m venv --clear .venv; \
	fi
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -e '.[dev]' -c constraints.txt
	@touch $@
