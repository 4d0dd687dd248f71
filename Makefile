# Each target does its own set-up from a fresh clone; nothing has to be installed by hand
# beyond Python 3.11+ and make. Node is only used to check glTF files with other programs.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.ready
NODE_STAMP := tests/gltf_tools/node_modules/.ready
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test lint types check format bench bench-bvh bench-fk bench-fit fuzz outcomes characters peers-bpy peers-pin peers-bvh test-numpy1 clean help

help: ## show this list
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(STAMP) ## draw the built-in characters and their motion curves to out/demo.png
	$(PY) examples/demo.py

test: $(STAMP) node-tools lint ## everything: format, lint, types, all tests
	$(PY) -m pytest -n 2

lint: $(STAMP) ## format check, lint, strict types
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

format: $(STAMP) ## format and fix what can be fixed
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

.env-sculpt/.ready: pyproject.toml
	$(PYTHON) -m venv .env-sculpt
	.env-sculpt/bin/python -m pip install --quiet --disable-pip-version-check -e '.[sculpt]'
	@touch $@

characters: .env-sculpt/.ready ## model the built-in characters anew into src/arcwright/characters/assets
	.env-sculpt/bin/python -m arcwright.characters.build

.PHONY: node-tools
node-tools: ## the glTF validator and three.js, when npm is there; tests that need them skip otherwise
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(NODE_STAMP); \
	 else echo "npm not found: tests against the glTF validator and three.js are skipped (install Node 20+)"; fi

$(NODE_STAMP): tests/gltf_tools/package-lock.json
	cd tests/gltf_tools && npm ci --silent --no-audit --no-fund
	@touch $@

clean: ## forget environments and outputs
	rm -rf $(VENV) .env-* out tests/gltf_tools/node_modules
