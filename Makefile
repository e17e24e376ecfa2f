# Everything happens in .venv; only Python (3.11 or later), make and a package index are needed.
# Another interpreter: make install PYTHON=python3.12

PYTHON ?= python3
# auto: one process per core and, where tests wait, one more (tests/conftest.py).
# Neighbouring tests share what they make, so that they stay in one process while others have work.
PYTEST_ARGS ?= -n auto --dist worksteal
# Of make test-pythons; by default python3.11 to python3.14, if they are on the PATH.
PYTHONS ?=
FUZZ_SECONDS ?= 60
SEEDS ?= 15

# Python keeps the modules that it has read: the tests start a hundred processes, and each would
# read all of numba anew.
unexport PYTHONDONTWRITEBYTECODE

# So that what is half installed is not taken for installed.
.DELETE_ON_ERROR:

BIN := .venv/bin
CORE := .venv/.core
RUNS := .venv/.runs
INSTALLED := .venv/.installed
RELIABILITY := .venv/.reliability
PEERS := .venv/.peers

# What the interpreted run covers: compiled code, and no pages or commands.
INTERPRETED := tests/engine tests/algorithms tests/problems

.PHONY: help install demo test test-nojit test-all test-long test-pythons test-numbas fuzz mutation \
	load coverage bench peers results docs clean

help: ## show these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

install: $(INSTALLED) ## make .venv with the package (editable) and all its tools

# While pip unpacks what draws the report and the Sudoku is solved, the kernels of the experiments are
# compiled. If that fails, the experiments compile them.
demo: $(CORE) ## solve a Sudoku, repeat the paper's experiments at a small scale: results/demo/report.html
	@title() { printf '\n== %s\n' "$$1"; }; \
	run() { echo "$$*"; "$$@" || exit; }; \
	$(BIN)/catcube warm --representation linear >/dev/null 2>&1 & compiling=$$!; \
	trap 'kill $$compiling 2>/dev/null' EXIT; \
	$(MAKE) -s $(RUNS) || exit; \
	title "The representations of nine categories"; \
	run $(BIN)/catcube show 9; \
	title "A Sudoku, by simulated annealing"; \
	run $(BIN)/catcube solve sudoku-easy-56 --algorithm sa --seed 3; \
	title "The three experiments of the paper at a small scale (first, everything is compiled)"; \
	wait $$compiling; \
	run $(BIN)/catcube reproduce all --scale smoke --out results/demo

# Every step runs whatever became of the others; the compiled suite comes last, so that its closing
# line ends the output. What needs one core runs beside what leaves one free, and prints afterwards.
test: $(INSTALLED) ## lint, types, layers, and the suite without and with compilation
	@failed=; checks=.venv/.checks; \
	step() { echo "== $$1"; shift; "$$@" || { echo "[$$*]" >> $$checks.failed; }; }; \
	rm -f $$checks.failed; \
	{ step "lint" $(BIN)/ruff check; \
	  step "format" $(BIN)/ruff format --check; \
	  step "types" $(BIN)/mypy; \
	  step "layers" $(BIN)/lint-imports; } > $$checks 2>&1 & \
	echo "== kernels"; $(BIN)/catcube warm; \
	step "tests, interpreted" $(MAKE) --no-print-directory test-nojit; \
	wait; cat $$checks; \
	if [ -e $$checks.failed ]; then failed=$$(cat $$checks.failed); echo "== failed so far: $$failed"; fi; \
	echo "== tests, compiled"; \
	$(BIN)/python -m pytest $(PYTEST_ARGS) && [ -z "$$failed" ]

test-nojit: $(INSTALLED) ## engine, algorithms and problems with every compiled function interpreted
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q $(PYTEST_ARGS) $(INTERPRETED)

# As in test, every step runs. mutation and load end in figures, not in yes or no: they are apart.
test-all: $(INSTALLED) ## test, test-long, test-pythons, test-numbas and fuzz; not mutation and load
	@failed=; \
	for target in test test-long test-pythons test-numbas fuzz; do \
		$(MAKE) --no-print-directory $$target || failed="$$failed $$target"; \
	done; \
	if [ -n "$$failed" ]; then echo "== failed:$$failed"; exit 1; fi; \
	echo "== all passed"

test-long: $(INSTALLED) ## the tests that take minutes: kills, damage, other instruction sets
	@$(BIN)/python -m pytest -q $(PYTEST_ARGS) -m long tests

test-pythons: $(INSTALLED) ## the same results in other Pythons? PYTHONS="python3.12 ..." or those installed
	@$(BIN)/python -m tests.environments pythons $(PYTHONS)

test-numbas: $(INSTALLED) ## the same results with the oldest and the newest numba?
	@$(BIN)/python -m tests.environments numbas

fuzz: $(RELIABILITY) ## fuzz everything that reads files of others, FUZZ_SECONDS=60 each
	@$(BIN)/python -m tests.fuzz -max_total_time=$(FUZZ_SECONDS) -seed=1

mutation: $(RELIABILITY) ## put faults into the sources: how many do the tests notice?
	@$(BIN)/python -m tests.mutation

load: $(INSTALLED) ## a campaign of a million runs, measured
	$(BIN)/python -m benchmarks.load

coverage: $(INSTALLED) ## lines and branches that the interpreted and the compiled run reach together
	@rm -f build/coverage build/coverage.*
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q --cov --cov-report= --cov-fail-under=0 $(PYTEST_ARGS) $(INTERPRETED)
	@$(BIN)/catcube warm
	@$(BIN)/python -m pytest -q --cov --cov-append --cov-report=term $(PYTEST_ARGS)

bench: $(INSTALLED) ## measure speed
	$(BIN)/python -m benchmarks

# Linear algebra in one thread, so that seconds per call compare.
peers: $(PEERS) ## compare with other packages: hours; continues where it was, SEEDS=15
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.peers --seeds $(SEEDS) --write docs

results: $(INSTALLED) ## make docs/results anew from its stores; STORES="ecdf.sqlite ..." takes new ones
	$(BIN)/python docs/scripts/results.py $(STORES)

docs: $(INSTALLED) ## build the documentation: build/site/index.html
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "open build/site/index.html"

clean: ## remove caches and built files (.venv stays)
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# pip writes a line for each package it collects; they become one line of dots.
define pip_install
	@printf 'installing $(1) in .venv '; \
	{ $(BIN)/python -m pip install --disable-pip-version-check --no-compile -c constraints.txt $(2) \
		|| touch .venv/.failed; } | \
		awk '/^Collecting/ { printf "."; fflush() } /^Installing/ { printf " unpacking"; fflush() } \
			END { print "" }'; \
	if rm .venv/.failed 2>/dev/null; then \
		echo "catcube: pip could not install what pyproject.toml names (its reason is above)." >&2; \
		exit 1; \
	fi
	@touch $@
endef

$(CORE): pyproject.toml constraints.txt
	@refuse() { echo "catcube: $$1" >&2; exit 1; }; \
	command -v $(PYTHON) >/dev/null 2>&1 || \
		refuse "there is no '$(PYTHON)' here; install Python 3.11 or later, or name one: make PYTHON=..."; \
	version=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || \
		refuse "'$(PYTHON)' does not start; name a working Python 3.11 or later: make PYTHON=..."; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		refuse "'$(PYTHON)' is Python $$version and 3.11 or later is needed; name one: make PYTHON=..."; \
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		refuse "Python $$version lacks the module venv or ensurepip (Debian, Ubuntu: install python3-venv)."; \
	[ -w . ] || refuse "this directory is not writable, so .venv cannot be made here."; \
	[ -x $(BIN)/pip ] && $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		$(PYTHON) -m venv --clear .venv || refuse "the environment .venv could not be made."
	$(call pip_install,what builds catcube,hatchling editables)
	$(call pip_install,catcube,--no-build-isolation -e .)

# The extras of the installed package: it is not built again. What the report needs comes apart, so
# that the demo compiles meanwhile.
$(RUNS): $(CORE)
	$(call pip_install,what draws reports,'catcube[report]')

$(INSTALLED): $(RUNS)
	$(call pip_install,the tools of developers,'catcube[dev]')

$(PEERS): $(INSTALLED)
	$(call pip_install,other optimisers,'catcube[dev$(comma)peers$(comma)models]')

$(RELIABILITY): $(INSTALLED)
	$(call pip_install,atheris and cosmic-ray,'catcube[dev$(comma)reliability]')

comma := ,
