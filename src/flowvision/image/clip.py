"""Moving pictures as data: a first picture, and the boxes that change from frame to frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowvision.image.picture import Bgr
from flowvision.value import value_type


@value_type(eq=False)
class Patch:
    """A frame: the pixels of the box that changed, its left and top, and how long the frame is shown."""

    x: int
    y: int
    bgr: Bgr
    milliseconds: int


@value_type(eq=False)
class Clip:
    """The frames of a moving picture; the first one is a whole picture, the others lie within it."""

    patches: Sequence[Patch]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.patches[0].bgr.shape[:2]
        return width, height

    @property
    def seconds(self) -> float:
        """How long it takes to the end."""
        return sum(patch.milliseconds for patch in self.patches) / 1000

    def pictures(self) -> Iterator[tuple[Bgr, int]]:
        """The whole picture of every frame and its milliseconds; one array, changed in place."""
        canvas = self.patches[0].bgr.copy()
        for patch in self.patches:
            height, width = patch.bgr.shape[:2]
            canvas[patch.y : patch.y + height, patch.x : patch.x + width] = patch.bgr
            yield canvas, patch.milliseconds
