import gc
import sys
from contextlib import suppress
from time import thread_time
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from PIL import Image

from flowvision import debug_page, solve_image
from flowvision import log as log_module
from flowvision.errors import REFUSALS, FlowvisionError
from flowvision.export.answer import Answer, answer_to
from flowvision.image.codec import encode
from flowvision.image.picture import Screenshot
from flowvision.log import STAGES, Log, Step
from flowvision.pipeline import open_image, read
from flowvision.reading.options import Options
from tests.drawing import LEVEL_5X5, UNSOLVABLE, clone_shot, collage, screenshot_of


@pytest.mark.parametrize(
    ("text", "options"), [(LEVEL_5X5, None), (LEVEL_5X5, Options(grid="5x5")), (UNSOLVABLE, None)]
)
def test_no_picture_is_kept(text: str, options: Options | None) -> None:
    """A refusal is freed by the collector: its traceback is a cycle."""
    bgr, is_refused = screenshot_of(text), text == UNSOLVABLE
    before = sys.getrefcount(bgr)
    gc.disable()
    try:
        assert (answer_to(bgr, options).error is not None) == is_refused
        if is_refused:
            gc.collect()
        assert sys.getrefcount(bgr) == before
    finally:
        gc.enable()


def test_an_observer_hears_every_stage_in_order() -> None:
    steps = list[Step]()
    answer = answer_to(encode(screenshot_of(LEVEL_5X5)), observer=steps.append)
    stages = [stage for stage in STAGES if stage != "crossings"]  # there are neither bridges nor warps
    assert list(dict.fromkeys(step.stage for step in steps if step.result is not None)) == stages
    assert not any(step.error for step in steps)
    assert set(answer.seconds) == set(stages)


def test_the_picture_of_an_observer_stays() -> None:
    """Without one the answer is drawn in place."""
    bgr, steps = screenshot_of(LEVEL_5X5), list[Step]()
    answer_to(encode(bgr), observer=steps.append)
    assert isinstance(steps[0].result, Screenshot)
    assert np.array_equal(steps[0].result.bgr, bgr)


PICTURES = {
    "five": lambda: screenshot_of(LEVEL_5X5, pitch=120),
    "refused": lambda: screenshot_of(UNSOLVABLE, pitch=120),
    "copy": lambda: clone_shot(LEVEL_5X5, dot=0.22),
    "two boards": lambda: collage(screenshot_of(LEVEL_5X5, pitch=90), screenshot_of(LEVEL_5X5, pitch=60)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_seconds_of_the_stages_add_up_to_the_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time of this thread alone: other processes take theirs between steps as well.

    Clocks of threads differ by up to 0.3 % between two ways to add the same time.
    """
    monkeypatch.setattr(log_module, "perf_counter", thread_time)
    bgr = PICTURES[name]()

    def share_in_steps() -> float:
        log, began = Log(), thread_time()
        with suppress(FlowvisionError):
            read(bgr, Options(), log)
        return sum(log.seconds.values()) / (thread_time() - began)

    assert 0.97 <= max(share_in_steps() for _ in range(4)) <= 1.01


FUNCTION_OF_STAGE = {
    "decode": "pipeline.decode",
    "board": "vision.board.lines_mask",
    "grid": "reading.strategies.RegionCache.grids",
    "sides": "vision.kinds.rectangular.fit.GridFit.cut_board",
    "dots": "reading.search.find_dots",
    "pairs": "reading.search.pair_dots",
    "solve": "reading.run.solve",
    "doubts": "reading.doubts.has_odd_cells",
    "pipes": "reading.play_state.drawn_edges",
    "draw": "export.answer.draw_solution",
}
CRASHES = {IndexError: "crashed", MemoryError: "out-of-resources"}


def answer_failing_in(stage: str, error: Exception) -> Answer:
    """Return the answer to a picture where a function of a stage raises an error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"flowvision.{FUNCTION_OF_STAGE[stage]}", Mock(side_effect=error))
        return answer_to(encode(screenshot_of(LEVEL_5X5)))


@pytest.mark.sweep(at_landing=10)
@pytest.mark.parametrize("stage", FUNCTION_OF_STAGE)
@pytest.mark.parametrize("kind", CRASHES)
def test_a_bug_names_its_stage(stage: str, kind: type[Exception]) -> None:
    bug = kind()
    error = answer_failing_in(stage, bug).error
    assert isinstance(error, FlowvisionError)
    assert (error.code, error.stage, error.__cause__) == (CRASHES[kind], stage, bug)
    assert "<html" in debug_page(error)


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("stage", ["decode", "board", "dots", "pairs"])
@pytest.mark.parametrize("kind", [np.linalg.LinAlgError, cv2.error, ZeroDivisionError])
def test_arithmetic_on_odd_shapes_refuses_a_picture(stage: str, kind: type[Exception]) -> None:
    error = answer_failing_in(stage, kind("singular")).error
    assert (error.stage, type(error)) == (stage, REFUSALS[stage])
    assert "singular" in error.message
    assert "<html" in debug_page(error)


@pytest.mark.parametrize("stage", ["grid", "sides"])
def test_a_shape_that_cannot_be_measured_is_read_in_another_way(stage: str) -> None:
    """Cells found one by one have no lattice."""
    assert answer_failing_in(stage, np.linalg.LinAlgError()).size == (5, 5)


def test_an_observer_may_stop_a_reading() -> None:
    """Its exception is raised as it is, also inside an attempt that another one follows."""

    def stop(step: Step) -> None:
        if step.stage == "dots":
            raise IndexError("enough")

    with pytest.raises(IndexError, match="enough"):
        answer_to(screenshot_of(LEVEL_5X5), observer=stop)


@pytest.mark.parametrize("opacity", [128, 255])
def test_an_answer_drawn_in_place_holds_one_picture(opacity: int) -> None:
    """Half-transparent pixels are blended with a ground first; opaque ones only lose a channel."""
    bgr = screenshot_of(LEVEL_5X5)
    _, png = cv2.imencode(".png", np.dstack((bgr, np.full(bgr.shape[:2], opacity, np.uint8))))
    answer = answer_to(png.tobytes(), in_place=True)
    assert answer.shot.bgr is answer.picture
    assert answer.to_bytes() == answer_to(png.tobytes()).to_bytes()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_an_image_of_pillow_is_a_source(mode: str) -> None:
    bgr = screenshot_of(LEVEL_5X5)
    image = Image.fromarray(bgr[:, :, ::-1])
    image = image.quantize(64) if mode == "P" else image.convert(mode)
    assert solve_image(image).reading.puzzle == solve_image(bgr).reading.puzzle


@pytest.mark.parametrize("mode", ["L", "I;16"])
def test_a_grey_image_of_pillow_keeps_its_brightness(mode: str) -> None:
    grey = screenshot_of(LEVEL_5X5).max(axis=2)
    image = Image.fromarray(grey if mode == "L" else grey.astype(np.uint16) * 257)
    assert np.array_equal(open_image(image).bgr, np.repeat(grey[..., None], 3, axis=2))
