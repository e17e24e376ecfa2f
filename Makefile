# Everything happens in .venv; only Python (3.11 or later), make and a package index are needed.
# Another interpreter: make install PYTHON=python3.12

PYTHON ?= python3
PYTEST_ARGS ?= -n auto
# Of make test-pythons; by default python3.11 to python3.14, as far as they are on the PATH.
PYTHONS ?=
FUZZ_SECONDS ?= 60

BIN := .venv/bin
INSTALLED := .venv/.installed
RELIABILITY := .venv/.reliability

.PHONY: help install demo test test-nojit test-all test-long test-pythons fuzz mutation load \
	coverage bench results docs clean

help: ## show these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

install: $(INSTALLED) ## make .venv with the package (editable) and all its tools

demo: $(INSTALLED) ## a Sudoku solved, the paper's experiments in small: results/demo/report.html
	@printf '\n== The representations of nine categories\n'
	$(BIN)/catcube show 9
	@printf '\n== A Sudoku, by simulated annealing with the linear representation\n'
	$(BIN)/catcube solve sudoku-easy-56 --seed 1
	@printf '\n== The three experiments of the paper, in small (the first time, all is compiled)\n'
	$(BIN)/catcube reproduce all --scale smoke --out results/demo

# Every step runs whatever became of the others; the whole suite comes last, so that its closing
# line ends the output.
test: $(INSTALLED) ## lint, types, and the suite without and with compilation
	@failed=; \
	step() { echo "== $$1"; shift; "$$@" || failed="$$failed [$$*]"; }; \
	step "lint" $(BIN)/ruff check; \
	step "format" $(BIN)/ruff format --check; \
	step "types" $(BIN)/mypy; \
	step "tests, interpreted" $(MAKE) --no-print-directory test-nojit; \
	if [ -n "$$failed" ]; then echo "== failed so far:$$failed"; fi; \
	echo "== tests, compiled"; \
	$(BIN)/python -m pytest $(PYTEST_ARGS) && [ -z "$$failed" ]

test-nojit: $(INSTALLED) ## the suite with every compiled function interpreted
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q $(PYTEST_ARGS)

# As in test, every step runs. mutation and load end in figures, not in yes or no: they are apart.
test-all: $(INSTALLED) ## test, test-long, test-pythons and fuzz; not mutation and load
	@failed=; \
	step() { $(MAKE) --no-print-directory $$1 || failed="$$failed $$1"; }; \
	step test; \
	step test-long; \
	step test-pythons; \
	step fuzz; \
	if [ -n "$$failed" ]; then echo "== failed:$$failed"; exit 1; fi; \
	echo "== all passed"

test-long: $(INSTALLED) ## the tests that take minutes: kills, damage, other instruction sets
	@$(BIN)/python -m pytest -q $(PYTEST_ARGS) -m long tests

test-pythons: $(INSTALLED) ## are results the same in other Pythons? PYTHONS="python3.12 ..." or those found
	@$(BIN)/python -m tests.pythons $(PYTHONS)

fuzz: $(RELIABILITY) ## nonsense for all that reads what others wrote, FUZZ_SECONDS=60 each
	@$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

mutation: $(RELIABILITY) ## faults put into the sources: how many do the tests notice?
	@$(BIN)/python -m tests.mutation

load: $(INSTALLED) ## a campaign of a million runs, measured
	$(BIN)/python -m benchmarks.load

coverage: $(INSTALLED) ## lines and branches the suite reaches, measured without compilation
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q --cov=catcube $(PYTEST_ARGS)

bench: $(INSTALLED) ## measure speed
	$(BIN)/python -m benchmarks

results: $(INSTALLED) ## make docs/results anew from its stores; STORES="ecdf.sqlite ..." takes new ones
	$(BIN)/python docs/scripts/results.py $(STORES)

docs: $(INSTALLED) ## build the documentation: build/site/index.html
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "open build/site/index.html"

clean: ## remove caches and built files (.venv stays)
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# pip writes a line for each package it collects; they become one line of dots.
$(INSTALLED): pyproject.toml constraints.txt
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
		$(PYTHON) -m venv --clear .venv || refuse "the environment .venv could not be made."; \
	printf 'installing catcube and its tools in .venv '; \
	{ $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[dev]' \
		|| touch .venv/.failed; } | \
		awk '/^Collecting/ { printf "."; fflush() } /^Installing/ { printf " unpacking"; fflush() } \
			END { print "" }'; \
	if rm .venv/.failed 2>/dev/null; then \
		refuse "pip could not install what pyproject.toml names (its reason is above)."; fi; \
	touch $@

$(RELIABILITY): $(INSTALLED)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		-e '.[dev,reliability]' || \
		{ echo "catcube: pip could not install the extra 'reliability' (its reason is above)." >&2; exit 1; }
	@touch $@
