# The verbs mean the same here, in README.md and in .ci/run.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PATH := $(abspath $(BIN)):$(PATH)
export PATH

.PHONY: demo docs test test-slow test-agents test-agents-all lint fix bench clean

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("scrubjay needs Python 3.11 or newer: make PYTHON=/path/to/python3") if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mcp,zst]' --group dev
	@touch $@

demo: $(VENV)/.ready
	@$(BIN)/jay demo

test: $(VENV)/.ready
	@$(BIN)/python -m pytest -n auto -m "not agents and not slow"

test-slow: $(VENV)/.ready
	@$(BIN)/python -m pytest -n auto -m "slow and not agents"

test-agents: $(VENV)/.ready
	@$(BIN)/python -m pytest tests/clients -n 2 --dist loadfile -m "agents and not heavy"

test-agents-all: $(VENV)/.ready
	@$(BIN)/python -m pytest tests/clients -n 2 --dist loadfile -m agents

lint: $(VENV)/.ready
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

fix: $(VENV)/.ready
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

docs: $(VENV)/.ready
	@$(BIN)/python -m tests.generated_docs

# DATA: folder of the public data sets (docs/benchmarks.md); without it their lines are skipped with a message
bench: $(VENV)/.ready
	@$(BIN)/python bench/hook.py --sizes 100,10000
	@$(BIN)/python bench/learn.py
	@$(BIN)/python bench/retrieval.py $(if $(DATA),--data '$(DATA)')

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
