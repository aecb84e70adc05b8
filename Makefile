# Two commands do everything on a machine that has Python 3.11 and git: make run, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SERVE ?= 1
PORT ?= 8000

.PHONY: run test bench lint format clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# What runners alone hold elsewhere. Here its secret is public, so that anyone can make the board.
build/data/made: $(wildcard benchmarks/autorl-jobshop/make_data/*)
	$(PYTHON) -B benchmarks/autorl-jobshop/make_data ranking build/data
	touch $@

run: $(VENV)/installed build/data/made
	$(BIN)/python -m evaluator reproduce
	$(BIN)/python -m evaluator site $(if $(filter 0,$(SERVE)),,--serve --port $(PORT))

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest $(PYTEST)

bench: $(VENV)/installed
	$(BIN)/python -m tests.bench

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf build $(VENV)
