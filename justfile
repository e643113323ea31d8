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

# The documentation as a site in build/docs, with the reference of the library; no network is needed
docs:
    sphinx-build -q -W -b html docs build/docs
    @echo "build/docs/index.html"

# The suite on each supported Python that is here, with the newest packages, and with the lowest that pyproject.toml names
versions *ARGS:
    just on 3.11 highest {{ARGS}}
    just on 3.12 highest {{ARGS}}
    just on 3.13 highest {{ARGS}}
    just on 3.14 highest {{ARGS}}
    just on 3.11 lowest-direct {{ARGS}}

# The suite on one Python, in an environment of its own; RESOLUTION is highest or lowest-direct
on PYTHON RESOLUTION *ARGS:
    #!/usr/bin/env bash
    set -euo pipefail
    uv python find --quiet --no-python-downloads {{PYTHON}} >/dev/null || { echo "Python {{PYTHON}} is not here: skipped"; exit 0; }
    folder=build/on-{{PYTHON}}-{{RESOLUTION}}
    uv venv --quiet --clear --no-python-downloads --python {{PYTHON}} "$folder"
    uv pip install --quiet --python "$folder" --resolution {{RESOLUTION}} --prerelease if-necessary-or-explicit -e '.[dev]'
    python=$(ls "$folder"/bin/python "$folder"/Scripts/python.exe 2>/dev/null | head -n 1)
    "$python" -m pytest -q -n 2 -p no:cacheprovider {{ARGS}}

# Speed against bare decode and encode, as ratios of one run
speed:
    python benchmarks/speed.py

# Damaged pictures, puzzles, journals and arguments: so many cases of each kind (FLOWVISION_FUZZ_SECONDS ends it)
fuzz CASES="100000":
    FLOWVISION_FUZZ={{CASES}} pytest -p no:cacheprovider -s tests/fuzz

# The causes of refusals in docs/errors.md, from the table of words
causes:
    python docs/causes.py
