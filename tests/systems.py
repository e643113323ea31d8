"""Marks for tests of what only some systems have."""

from __future__ import annotations

import sys

import pytest

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals, pipes, limits and rights of POSIX")
