"""Looking over the pipeline's shoulder: a picture of every stage, and a page that shows them all."""

from __future__ import annotations

from flowvision.debug.folder import write_debug_folder

__all__ = ["write_debug_folder"]
