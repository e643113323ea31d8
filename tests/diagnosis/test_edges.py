import numpy as np
import pytest

from flowvision import solve_image
from flowvision.errors import FlowvisionError


@pytest.mark.parametrize("colour", [(60, 90, 40), (0, 0, 255), (128, 128, 128)])
def test_one_colour_is_nothing_to_read(colour: tuple[int, int, int]) -> None:
    with pytest.raises(FlowvisionError) as caught:
        solve_image(np.full((500, 300, 3), colour, np.uint8))
    assert caught.value.cause.code == "faint"
