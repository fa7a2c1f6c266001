# Everything starts from nothing: each target installs what it needs into .venv first.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test lint format docs screenshots bench bench-pages

JOBS ?= 2
ARGS ?=
BIN := .venv/bin

help:
	@echo "make run    starts the product (obeys HOST, PORT and COMMONPLACE_HOME; docs/settings.md has the rest)"
	@echo "make test   runs all tests (ARGS='-k words' for some of them, JOBS=1 for one at a time)"
	@echo "make lint   checks format, types, imports and templates"
	@echo "make format puts the code into its format"
	@echo "make docs   writes the tables of docs/ that are taken from the code"
	@echo "make screenshots takes the README's pictures and those of every page from a demo of their own"
	@echo "make bench  measures recall on synthetic memory (ARGS='--memories 1000000 --users 10000')"
	@echo "make bench-pages measures every page in a large workspace (ARGS='--memories 1000000 --users 10000 --sessions 100000')"

run:
	@scripts/install.sh requirements.txt
	@exec setpriv --pdeathsig TERM $(BIN)/python -m config.supervisor

test:
	@scripts/install.sh requirements-dev.txt
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(ARGS)

lint:
	@scripts/install.sh requirements-dev.txt
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/ruff format --check --quiet . || { echo "Some files are not in their format: make format"; exit 1; }
	@$(BIN)/mypy
	@PATH="$(CURDIR)/$(BIN):$$PATH" lint-imports --no-cache
	@find templates -name '*.html' -print0 | xargs -0 -r $(BIN)/djade --check --target-version 5.2

format:
	@scripts/install.sh requirements-dev.txt
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .
	@find templates -name '*.html' -print0 | xargs -0 -r $(BIN)/djade --target-version 5.2

docs:
	@scripts/install.sh requirements-dev.txt
	@$(BIN)/python scripts/document.py

screenshots:
	@scripts/install.sh requirements-dev.txt
	@$(BIN)/python scripts/screenshots.py

bench:
	@scripts/install.sh requirements.txt
	@$(BIN)/python -m bench $(ARGS)

bench-pages:
	@scripts/install.sh requirements-dev.txt
	@$(BIN)/python -m bench.pages $(ARGS)
