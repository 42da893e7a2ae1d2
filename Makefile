# Every command a person needs; `make help` prints them. A step leaves a marker in .state/ and is skipped while what it
# was made from has not changed, so every target may be repeated.
# Needed on the machine: Python 3.11 or newer (set PYTHON=… to choose one), Node 20 or newer.

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Python keeps what it compiled: tests start a hundred processes, and each would compile the server anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
MINATO := $(BIN)/minato
STATE := .state
sources = $(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/dist/*' -not -path 'web/tests/*' $(1) 2>/dev/null)
WEB_SOURCES := $(call sources,-not -path 'web/console/*')
CONSOLE_SOURCES := $(call sources,-not -path 'web/console/tests/*')
TEST_LIBRARY_SOURCES := $(wildcard packages/minato-test/src/*.ts packages/minato-test/*.json)

say = @printf '\033[1m%s\033[0m\n' "→ $(1)"

# The first of these that runs and is new enough. Shims of version managers exist without running.
find_python = for python in "$(PYTHON)" python3 python3.13 python3.12 python3.11 python; do \
	[ -n "$$python" ] && "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; python=; done; \
	[ -n "$$python" ] || { echo "Python 3.11 or newer is needed: install it, or run make PYTHON=/path/to/python"; exit 1; }

pip_install = $(BIN)/python -m pip install --quiet --disable-pip-version-check
pip_compile = $(BIN)/pip-compile --quiet --generate-hashes --no-emit-find-links --no-emit-index-url \
	--no-emit-trusted-host --strip-extras --allow-unsafe --all-build-deps

# Each process keeps neighbouring tests, and with them the servers of a module, until the other has nothing left to do.
in_parallel = -n auto --dist worksteal
# A process waits for PostgreSQL and sockets a quarter of its time, so there may be half as many again as cores.
waiting_in_parallel = -n $$(( $$(getconf _NPROCESSORS_ONLN) * 3 / 2 )) --dist worksteal
# What each target says stays together where make can do that (GNU make 4).
synced = $(if $(filter output-sync,$(.FEATURES)),--output-sync=$(1))
# Two targets at a time.
side_by_side = $(MAKE) --jobs=2 --keep-going $(call synced,recurse)

newer_node := tests/newer_node
contract_tests = $(BIN)/python -m tests.support.with_server npm --prefix web run test:contract $(if $(T),-- $(T))

as_root := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: help setup start dev check check-python check-web test pure served watched-integration \
	unit unit-python unit-web quick quick-python quick-web integration contract contract-pinned contract-newest browser \
	acceptance bench mutants fuzz console minato-test \
	migration migrate reset-db types psql lock wheel clean chromium redis rclone pgbouncer

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  \033[36m%-12s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ── install and run ────────────────────────────────────────────────────────────────────────────────────────────────────

setup: $(STATE)/python $(STATE)/web $(STATE)/console .env ## Install everything, build the web app and the console

start: setup ## Install what is missing, then serve on http://127.0.0.1:54321
	@exec $(MINATO) start --foreground --migrate --workdir migrations/marketplace --env-file .env

minato-test: $(STATE)/minato-test ## Pack the npm package of tests, which the wheel and `minato test init` carry

console: $(STATE)/console ## Build the developer's console, which a server shows at /_dev/

dev: $(STATE)/python $(STATE)/node .env ## Serve with reload: the API and, on http://127.0.0.1:5173, the web app
	@trap 'kill $$api 2>/dev/null; wait' EXIT INT TERM; \
	$(MINATO) serve --reload & api=$$!; \
	cd web && npm run dev

# ── prove ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
# T=… narrows a target down: make integration T=tests/integration/rest/test_filters.py

# One after the other: only one may install Debian's packages at a time.
test: redis rclone pgbouncer chromium pure served ## Everything that CI runs
	$(call say,All green)

# What is installed, built and checked, and unit tests: each begins as soon as there is what it needs, the longest
# first. Most of it keeps one core busy.
pure:
	$(call say,Installing what is missing; checks and unit tests: each tells when it has ended)
	@$(side_by_side) check-web unit-web check-python unit-python $(STATE)/judges $(STATE)/newer-node $(STATE)/web $(STATE)/console $(STATE)/minato-test

# Tests that wait: for PostgreSQL, for sockets, for what a page shows. Two kinds at a time leave no core idle.
served:
	@$(MAKE) --jobs=2 --keep-going $(call synced,target) watched-integration contract-pinned contract-newest browser

# Tells of each test at once, while the others tell when they have ended.
watched-integration:
	@$(MAKE) $(call synced,none) integration

check: $(STATE)/python-dev $(STATE)/node ## Format, lint, types, import directions
	@$(side_by_side) check-python check-web

check-python: $(STATE)/python-dev
	$(call say,Checking Python)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports
check-web: $(STATE)/node
	$(call say,Checking the web app)
	@cd web && npm run check

unit: $(STATE)/python-dev $(STATE)/node ## Pure code: grammar, plans, serializers, view logic
	@$(if $(T),$(BIN)/pytest $(T),$(side_by_side) unit-web unit-python)

unit-python: $(STATE)/python-dev
	$(call say,Unit tests of the server)
	@$(BIN)/pytest $(in_parallel) tests/unit api
unit-web: $(STATE)/node
	$(call say,Unit tests of the web app)
	@cd web && npm test

# A change is what git finds beside the main branch, committed or not: make quick SINCE=HEAD~1
quick: $(STATE)/python-dev $(STATE)/node ## Lint, types, unit tests and the tests of what you changed
	@$(side_by_side) quick-python quick-web

quick-python: check-python
	$(call say,Unit tests and those of changed modules)
	@$(BIN)/pytest $(in_parallel) tests/unit api $$($(BIN)/python -m tests.support.touched integration $(SINCE))
quick-web:
	$(call say,Types and lint of the web app and the tests of changed files)
	@changed=$$($(BIN)/python -m tests.support.touched web $(SINCE)); cd web && npm run check:types && \
		{ [ -z "$$changed" ] || { npm run check:touched -- $$changed && npm run test:touched -- $$changed; }; }

integration: $(STATE)/python-dev $(STATE)/node $(STATE)/console $(STATE)/minato-test $(STATE)/judges redis rclone pgbouncer chromium ## HTTP and websockets on a real PostgreSQL
	$(call say,Integration tests)
	@$(BIN)/pytest $(or $(T),$(waiting_in_parallel) tests/integration tests/security)

contract: $(STATE)/python-dev $(STATE)/node $(STATE)/newer-node ## The real supabase-js, pinned and newest
	@$(side_by_side) contract-pinned contract-newest

contract-pinned: $(STATE)/python-dev $(STATE)/node
	$(call say,Contract tests with the pinned supabase-js)
	@$(contract_tests)
contract-newest: $(STATE)/python-dev $(STATE)/newer-node
	$(call say,Contract tests with the newest supabase-js)
	@PATH="$(CURDIR)/$(newer_node)/node_modules/.bin:$$PATH" SUPABASE_JS=newest $(contract_tests)

browser: setup $(STATE)/python-dev chromium ## People reach their goals in a real browser
	$(call say,Browser tests)
	@cd web && npm run test:browser $(if $(T),-- $(T))

acceptance: $(STATE)/python-dev ## Write docs/acceptance.md: every entry of the catalogue and the tests that hold it
	@$(BIN)/python -m tests.unit.house.test_acceptance

# What differs from the main branch; a sample of the four rooms: SAMPLE=200 SEED=1; the row policies: POLICIES=1
mutants: $(STATE)/python-dev ## Wrong lines: do the tests notice them? (SAMPLE=200 SEED=1, POLICIES=1)
	@nice -n 5 $(BIN)/python -m tests.mutation $(if $(POLICIES),--policies) $(if $(SAMPLE),--sample $(SAMPLE)) \
		$(if $(SEED),--seed $(SEED)) $(if $(SINCE),--since $(SINCE)) $(ARGS)

# `make test` draws the same examples in every run. What this finds stays in .hypothesis and is tried first from then on.
fuzz: $(STATE)/python-dev $(STATE)/node ## Random inputs: new examples for every test of hypothesis, ten times as many
	@$(BIN)/pytest -m hypothesis --hypothesis-profile=exploring $(or $(T),$(waiting_in_parallel) tests)

bench: $(STATE)/python-dev ## Start time, memory, throughput beside pgbench and a file server (ARGS="--postgrest …")
	@$(BIN)/python -m bench $(ARGS)

# Without windows it is a third lighter: root gets that one where Debian has it, and for anybody any Chromium will do.
chromium:
	@$(if $(as_root),,($(call debian,chromium-headless-shell,chromium-headless-shell fonts-noto-color-emoji)) >/dev/null 2>&1 ||) \
		($(call debian,chromium-headless-shell chromium chromium-browser google-chrome,chromium fonts-noto-color-emoji))
redis:
	@$(call debian,redis-server,redis-server)
rclone:
	@$(call debian,rclone,rclone)
pgbouncer:
	@$(call debian,pgbouncer,pgbouncer)

# What tests run beside the server: nothing when one of the programs is there, else Debian's packages.
debian = for program in $(1); do command -v $$program >/dev/null && exit 0; done; \
	command -v apt-get >/dev/null || { echo "The tests need $(firstword $(1)): install it with your system's packages."; exit 1; }; \
	[ -z "$(as_root)" ] || command -v sudo >/dev/null || { echo "The tests need $(firstword $(1)): run as root: apt-get install $(2)"; exit 1; }; \
	echo "→ Installing $(2)"; \
	$(as_root) apt-get update -qq && \
	$(as_root) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(2) >/dev/null

# ── the database ───────────────────────────────────────────────────────────────────────────────────────────────────────

migration: $(STATE)/python ## Begin a migration: make migration m="create listings"
	@[ -n "$(m)" ] || { echo 'Say what it does: make migration m="create listings"'; exit 1; }
	@$(MINATO) db new "$(m)"

migrate: $(STATE)/python ## Bring the database to the newest revision
	@$(MINATO) db migrate

reset-db: $(STATE)/python ## Throw the database away; migrate and seed a new one
	@$(MINATO) db reset demo

types: $(STATE)/python $(STATE)/node ## Write the web app's types from the database
	@$(MINATO) db migrate
	@printf "// Written by \`make types\` from the database; don't edit.\n\n" > $(STATE)/types.ts
	@$(MINATO) gen types --data-dir "$${MINATO_DATA_DIR:-.minato}" --schema public >> $(STATE)/types.ts
	@cd web && npx --no-install prettier --stdin-filepath src/lib/database.types.ts \
		< ../$(STATE)/types.ts > src/lib/database.types.ts

psql: $(STATE)/python ## Look into the database
	@$(MINATO) db psql

# ── steps ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

$(STATE)/python: requirements.lock pyproject.toml
	$(call say,Installing the Python packages)
	@$(find_python); [ -x $(BIN)/python ] || "$$python" -m venv .venv || \
		{ rm -rf .venv; echo "Python can't make a virtual environment: on Debian, install python3-venv."; exit 1; }
	@$(pip_install) --require-hashes -r requirements.lock
	@$(pip_install) --no-build-isolation --no-deps -e .
	@mkdir -p $(STATE) && touch $@

wheel: $(STATE)/python-dev $(STATE)/console $(STATE)/minato-test ## Build sdist and wheel into dist/, and check them
	$(call say,Building the wheel)
	@$(BIN)/python -m tests.release.wheel dist

# What tests and checks need besides: the same packages, in the same environment, and more. A module is compiled when
# it is first imported, and most never are.
$(STATE)/python-dev: $(STATE)/python requirements-dev.lock
	$(call say,Installing the Python packages of tests and checks)
	@$(pip_install) --no-compile --require-hashes -r requirements-dev.lock
	@mkdir -p $(STATE) && touch $@

$(STATE)/node: web/package.json web/package-lock.json
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null || \
		{ echo "Node 20 or newer is needed."; exit 1; }
	$(call say,Installing the Node packages)
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@ln -sfn ../web/node_modules packages/node_modules
	@mkdir -p $(STATE) && touch $@

# The newest supabase-js wants a newer Node than the app does.
$(STATE)/newer-node: $(newer_node)/package.json $(newer_node)/package-lock.json $(STATE)/node
	@node -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)' || { \
		echo "Installing a newer Node for the tests"; \
		cd $(newer_node) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; }
	@mkdir -p $(STATE) && touch $@

# Programs that tests compare ours with.
$(STATE)/judges: tests/judges/package.json tests/judges/package-lock.json $(STATE)/node
	$(call say,Installing the judges of the tests)
	@cd tests/judges && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@mkdir -p $(STATE) && touch $@

$(STATE)/web: $(STATE)/node $(WEB_SOURCES)
	$(call say,Building the web app)
	@cd web && npm run build --silent
	@touch $@

$(STATE)/console: $(STATE)/node $(CONSOLE_SOURCES)
	$(call say,Building the console)
	@cd web && npm run build:console --silent
	@touch $@

$(STATE)/minato-test: $(STATE)/node $(TEST_LIBRARY_SOURCES)
	$(call say,Packing minato-test)
	@rm -rf api/minato/testing/npm packages/minato-test/dist && mkdir -p api/minato/testing/npm
	@cd packages/minato-test && npm pack --silent --pack-destination ../../api/minato/testing/npm > /dev/null
	@touch $@

.env:
	@if [ -e .env.example ]; then cp .env.example .env; else touch .env; fi

lock: $(STATE)/python-dev ## Resolve both locks anew from pyproject.toml
	$(call say,Resolving the Python packages)
	@$(pip_compile) --extra saml --output-file requirements.lock pyproject.toml
	@$(pip_compile) --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml

clean: ## Remove what was installed and built; the data in .minato stays
	rm -rf .venv $(STATE) web/node_modules web/dist api/minato/dev/console api/minato/testing/npm tests/judges/node_modules $(newer_node)/node_modules \
		packages/node_modules packages/minato-test/dist \
		.pytest_cache .mypy_cache .ruff_cache .import_linter_cache
