# What CI runs, step by step. Tools come from .venv where there is one.

export PATH := justfile_directory() / ".venv/bin:" + env("PATH")

# Everything CI checks
check: format-check lint types layers test

# Put the code in shape
format:
    ruff format .
    ruff check --fix .

format-check:
    ruff format --check .

lint:
    ruff check .

types:
    mypy

layers:
    lint-imports

# The tests on two cores, with coverage; `just test tests/puzzle` runs a part
test *ARGS:
    pytest -n 2 --cov --cov-report=term:skip-covered {{ARGS}}

# Speed against bare decode and encode, as ratios of one run
speed:
    python benchmarks/speed.py

# Damaged pictures, puzzles, journals and arguments: so many cases of each kind (FLOWVISION_FUZZ_SECONDS ends it)
fuzz CASES="100000":
    FLOWVISION_FUZZ={{CASES}} pytest -p no:cacheprovider -s tests/fuzz
