# make s01       run a lesson (s02, s03 ... too)
# make test      the tests that need Python alone
# make test-all  also those that need a browser, Node and older SDKs
# make docs      the site, on http://127.0.0.1:8000/ (or make docs PORT=8001)
# make playground  what running a lesson in the page takes (needs Node with npm)
# make handouts  the sheets to hand out, as PDF in handouts/ (needs a browser)
# make lint      ruff and mypy
# make outputs   the outputs that the pages show, made anew (traces: those that the player plays)
# make messages  the messages of the command in German and Chinese, compiled
#
# The first of them makes .venv and installs what it needs. Works with GNU make 3.81, the one that macOS has.

ifeq ($(OS),Windows_NT)
PYTHON ?= py
BIN := .venv/Scripts
else
PYTHON ?= python3
BIN := .venv/bin
endif
PY := $(BIN)/python
# Makes .venv and installs what the step needs, if that is not done.
SET_UP = @$(PYTHON) -I course/bootstrap.py

BROWSERS := "$$CHROMIUM" chromium chromium-browser
AXE := tests/browser/node_modules/.package-lock.json

# The ids of the scripts: agents/s01_agent_loop.py -> s01
LESSONS := $(foreach script,$(notdir $(wildcard agents/s[0-9][0-9]_*.py)),$(firstword $(subst _, ,$(script))))

.PHONY: help test test-all tools playground site docs handouts outputs traces lint messages clean $(LESSONS)

help:
	@sed -n 's/^# //p' Makefile | head -9

# What a lesson needs beyond the others.
s13: NEEDS := test

$(LESSONS):
	$(SET_UP) $(or $(NEEDS),lessons)
	@"$(PY)" -m course run $@

test:
	$(SET_UP) reader
	"$(PY)" -m pytest -q -n auto

site:
	$(SET_UP) reader
	"$(PY)" -m mkdocs build --strict

docs:
	$(SET_UP) reader
	@"$(PY)" -m course.site.serve $(PORT)

playground:
	$(SET_UP) reader
	"$(PY)" -m course.playground

handouts:
	$(SET_UP) reader
	@"$(PY)" -m course.site.printing

lint:
	$(SET_UP) extra
	"$(PY)" -m ruff check .
	"$(PY)" -m mypy

test-all: tools $(AXE)
	$(SET_UP) extra
	"$(PY)" -m course.playground
	"$(PY)" -m pytest -q -n auto --hypothesis-profile thorough -m "not live"

# A browser, Node, what looks into PDFs, and Chinese type for them: from Debian's packages where there are any.
tools:
	@if { for name in $(BROWSERS); do command -v $$name && break; done; } >/dev/null && command -v npm >/dev/null && \
	  command -v pdfinfo >/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "Install Chromium (or set CHROMIUM to the path of a Chrome), Node with npm and poppler first: there is no apt-get here." >&2; exit 1; fi; \
	if [ "$$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else \
	  echo "Ask whoever administers this machine: apt-get install chromium nodejs npm poppler-utils fonts-noto-cjk" >&2; exit 1; fi; \
	$$as_root apt-get update -qq && \
	$$as_root apt-get install -y -qq --no-install-recommends chromium nodejs npm poppler-utils fonts-noto-cjk

$(AXE): tests/browser/package-lock.json
	npm ci --no-audit --no-fund --prefix tests/browser
	@touch "$@"

# What the pages show: the outputs of the scripts, and the traces that the player plays.
outputs:
	$(SET_UP) reader
	"$(PY)" -m course.site.outputs
	"$(PY)" -m course.readme

traces:
	$(SET_UP) reader
	"$(PY)" -m course.trace.make

messages:
	$(SET_UP) reader
	"$(PY)" -m course.messages

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis site handouts
