import gc
import sys
from contextlib import suppress
from time import thread_time

import cv2
import numpy as np
import pytest

from flowvision import debug_page, solve_image
from flowvision import log as log_module
from flowvision.errors import REFUSALS, FlowvisionError
from flowvision.export.answer import Answer, answer_to
from flowvision.image.codec import encode
from flowvision.image.picture import Screenshot
from flowvision.log import STAGES, Log, Step
from flowvision.pipeline import open_image, read
from flowvision.reading.options import Options
from tests.drawing import FIVE, NONE, copy_of, page_of, screenshot_of


@pytest.mark.parametrize(("text", "options"), [(FIVE, None), (FIVE, Options(grid="5x5")), (NONE, None)])
def test_no_picture_is_kept(text: str, options: Options | None) -> None:
    """A refusal is freed by the collector: its traceback is a cycle."""
    bgr = screenshot_of(text)
    before = sys.getrefcount(bgr)
    gc.disable()
    try:
        assert (answer_to(bgr, options).error is not None) == (text == NONE)
        if text == NONE:
            gc.collect()
        assert sys.getrefcount(bgr) == before
    finally:
        gc.enable()


def test_an_observer_hears_every_stage_in_order_and_its_picture_stays() -> None:
    bgr, heard = screenshot_of(FIVE), list[Step]()
    answer = answer_to(encode(bgr), observer=heard.append)
    plain = [stage for stage in STAGES if stage != "crossings"]  # there are neither bridges nor warps
    assert list(dict.fromkeys(step.stage for step in heard if step.result is not None)) == plain
    assert not any(step.error for step in heard)
    assert set(answer.seconds) == set(plain)
    assert isinstance(heard[0].result, Screenshot)
    assert np.array_equal(heard[0].result.bgr, bgr)


@pytest.mark.parametrize("name", ["five", "refused", "copy", "two boards"])
def test_the_seconds_of_the_stages_add_up_to_the_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time of this thread alone: other processes take theirs between steps as well."""
    monkeypatch.setattr(log_module, "perf_counter", thread_time)
    bgr = {
        "five": screenshot_of(FIVE, 120),
        "refused": screenshot_of(NONE, 120),
        "copy": copy_of(FIVE, 0.22),
        "two boards": page_of(screenshot_of(FIVE, 90), screenshot_of(FIVE, 60)),
    }[name]

    def share_in_steps() -> float:
        log, began = Log(), thread_time()
        with suppress(FlowvisionError):
            read(bgr, Options(), log)
        return sum(log.seconds.values()) / (thread_time() - began)

    assert 0.97 <= max(share_in_steps() for _ in range(4)) <= 1


WITHIN = {
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
"""A function of each stage."""
CRASHES = {IndexError: "crashed", MemoryError: "out-of-resources"}


def answer_failing_in(stage: str, error: Exception) -> Answer:
    """Return the answer to a picture where a function of a stage raises an error."""

    def fail(*_: object, **__: object) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(f"flowvision.{WITHIN[stage]}", fail)
        return answer_to(encode(screenshot_of(FIVE)))


@pytest.mark.parametrize("stage", WITHIN)
@pytest.mark.parametrize("kind", CRASHES)
def test_a_bug_names_its_stage(stage: str, kind: type[Exception]) -> None:
    bug = kind()
    error = answer_failing_in(stage, bug).error
    assert isinstance(error, FlowvisionError)
    assert (error.code, error.stage, error.__cause__) == (CRASHES[kind], stage, bug)
    debug_page(error)


@pytest.mark.parametrize("stage", ["decode", "board", "dots", "pairs"])
@pytest.mark.parametrize("kind", [np.linalg.LinAlgError, cv2.error, ZeroDivisionError])
def test_arithmetic_on_odd_shapes_refuses_a_picture(stage: str, kind: type[Exception]) -> None:
    error = answer_failing_in(stage, kind("singular")).error
    assert (error.stage, type(error)) == (stage, REFUSALS[stage])
    debug_page(error)


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
        answer_to(screenshot_of(FIVE), observer=stop)


@pytest.mark.parametrize("opacity", [128, 255])
def test_an_answer_drawn_in_place_holds_one_picture(opacity: int) -> None:
    bgr = screenshot_of(FIVE)
    _, png = cv2.imencode(".png", np.dstack((bgr, np.full(bgr.shape[:2], opacity, np.uint8))))
    answer = answer_to(png.tobytes(), in_place=True)
    assert answer.shot.bgr is answer.picture
    assert answer.to_bytes() == answer_to(png.tobytes()).to_bytes()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "I;16"])
def test_an_image_of_pillow_is_a_source(mode: str) -> None:
    from PIL import Image

    pixels = screenshot_of(FIVE)[:, :, ::-1]
    image = Image.fromarray(pixels)
    if mode == "I;16":
        image = Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)
    else:
        image = image.quantize(64) if mode == "P" else image.convert(mode)
    if mode in ("L", "I;16"):
        assert max(open_image(image).bgr.shape) == max(pixels.shape)
    else:
        assert solve_image(image).reading.puzzle == solve_image(pixels[:, :, ::-1].copy()).reading.puzzle
