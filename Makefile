# The two commands are `make lab` and `make test`; each sets up all it needs, in .venv.

PY := .venv/bin/python
WORKERS ?= 2
ARGS ?=
NODE_PATHS = PATH="$(CURDIR)/.venv/bin:$$PATH"

# Notebooks run on the Python of .venv, whatever other kernels the user has.
export JUPYTER_PREFER_ENV_PATH := 1

.PHONY: help lab site test check golden bench clean

help:
	@echo 'make lab      open the course in JupyterLab'
	@echo 'make site     build the course as a static site, in ./site'
	@echo 'make test     run the tests (some of them: make test ARGS="-k cut")'
	@echo 'make check    check style and types, of Python and of JavaScript'
	@echo 'make golden   write the golden traces of the trees again'
	@echo 'make bench    measure abviz next to its alternatives'
	@echo 'make clean    remove .venv and what the tools leave behind'

lab:
	@sh tools/set-up.sh
	@.venv/bin/abviz lab $(ARGS)

# The course behind a link: pages that any web server can serve, with Python in the reader's browser.
site:
	@sh tools/set-up.sh site
	@$(MAKE) --silent --no-print-directory node_modules/.package-lock.json
	@$(PY) tools/web/build.py $(ARGS)

# Without a browser, its tests fail and say what is missing; the others run. The files begin in the order that
# tests/conftest.py gives them, the long ones first; xdist's own order leaves them to the end.
test:
	@sh tools/set-up.sh test
	@$(MAKE) --silent --no-print-directory node_modules/.package-lock.json
	@$(PY) tests/browser/find_browser.py --install || true
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

check:
	@sh tools/set-up.sh check
	@$(PY) -m ruff check abviz benchmarks notebooks tests tools
	@$(PY) -m ruff format --check abviz benchmarks notebooks tests tools
	@$(PY) -m mypy
	@$(MAKE) --silent --no-print-directory node_modules/.package-lock.json
	@$(NODE_PATHS) node_modules/.bin/biome check
	@$(NODE_PATHS) node_modules/.bin/tsc

# Pyodide, and the tools that check the JavaScript.
node_modules/.package-lock.json: package.json package-lock.json
	@$(NODE_PATHS) npm ci --silent --no-audit --no-fund
	@touch $@

golden:
	@sh tools/set-up.sh test
	@$(PY) tests/golden.py $(ARGS)

bench:
	@sh tools/set-up.sh test
	@$(PY) tests/browser/find_browser.py --install
	@$(PY) benchmarks/run.py $(ARGS)

clean:
	rm -rf .venv node_modules build dist site .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
