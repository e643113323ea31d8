"""What is believed, what is mended and said so, and what is refused."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from flowvision.errors import DotsError, DoubtfulReadingError, UnsolvableError
from flowvision.image.picture import Frame, Screenshot
from flowvision.log import Log
from flowvision.pipeline import read_image
from flowvision.reading import search
from flowvision.reading.candidates import FEW_PAIRS, Beyond, confidence_of
from flowvision.reading.doubt import refusing
from flowvision.reading.options import Options
from flowvision.reading.verdict import (
    MISSED_DOTS,
    Case,
    is_part_of_tinted_board,
    lacks_cells_of_lattice,
    misses_dots,
    raise_if_refused,
    refuted_at_once,
)
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import find_boards
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.kinds.rectangular.lattice import even_fit
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import ReadingSettings
from tests.drawing import CURLED, FIVE, NONE, SEVERAL, reading_of, screenshot_of
from tests.seeing import BLANK, MOVED, SETTINGS, doubted, fits_of, tried, whole_picture, with_reading
from tests.seeing import failed as failed_at


def test_clear_dots_are_never_moved(monkeypatch: pytest.MonkeyPatch):
    """A board whose dots were seen well is refused; the error names what would make it a puzzle."""
    reading = doubted(MOVED, "G", 0.1)
    monkeypatch.setattr(search, "interpretations", lambda *_: iter([Interpretation(reading, None)]))
    with pytest.raises(UnsolvableError, match="With one change it has exactly one") as caught:
        read_image(BLANK)
    assert caught.value.evidence is reading


def test_a_mended_reading_needs_a_sure_reader(monkeypatch: pytest.MonkeyPatch):
    """It comes with its warning, or not at all."""
    reading = doubted(MOVED, "G")
    monkeypatch.setattr(search, "interpretations", lambda *_: iter([Interpretation(reading, None)]))
    assert "no solution" in read_image(BLANK).warnings[0]
    monkeypatch.setattr(search, "interpretations", lambda *_: iter([Interpretation(reading, None)]))
    with pytest.raises(DoubtfulReadingError, match="is not believed"):
        read_image(BLANK, settings=with_reading(min_confidence_if_not_unique=0.95))


def test_openings_that_nobody_saw_need_a_proof(monkeypatch: pytest.MonkeyPatch):
    """A reading that assumes more than it saw counts only with exactly one solution."""
    plain, guess = reading_of(NONE), reading_of(SEVERAL)
    assumed = Crossings(None, guess.board, (), (), no_ink(guess), seen=False)
    offered = [Interpretation(plain, None), Interpretation(guess, assumed)]
    monkeypatch.setattr(search, "interpretations", lambda *_: iter(offered))
    with pytest.raises(UnsolvableError, match="has no solution"):
        read_image(BLANK)


@pytest.mark.parametrize("share", [0.1, 0.6])
def test_a_lattice_beyond_which_lines_run_on_gives_way_to_one_that_ends(share: float):
    """It has the same dots and a row more; where few lines run on, nothing is missing."""
    fit = next(fits_of(next(find_boards(Screenshot(screenshot_of(CURLED)), SETTINGS))))
    part, whole = reading_of("R.G\n...\nR.G\n", 0.95), reading_of("R.G\n...\nR.G\n...\n", 0.95)
    seen = [
        replace(tried(one), source=Interpretation(one, replace(fit, closed=closed).cut_board(SETTINGS)))
        for one, closed in ((part, False), (whole, True))
    ]
    asked = replace(seen[0], beyond=Beyond(share))
    objection = lacks_cells_of_lattice(Case(asked, BLANK, Options(), (), seen))
    assert (objection is not None) == (share > 0.5)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("runs_on", [False, True])
@pytest.mark.parametrize("played", [0, 2, 3, 5])
def test_a_board_beside_which_most_cells_are_played_is_a_part(played: int, runs_on: bool):
    """A column is tinted so strongly that no line shows; other lines may go on."""
    corner, pitch = (70, 70), 60
    bgr = screenshot_of("....\n" * 5, pitch, corner)
    x, y = corner[0] + 4 * pitch, corner[1]
    if runs_on:
        bgr[:y, [corner[0] + pitch, corner[0] + 2 * pitch]] = (63, 109, 63)
    bgr[y : y + played * pitch, x : x + pitch] = (65, 125, 70)
    bgr[y + 12 : y + played * pitch - 12, x + 20 : x + 40] = (40, 250, 60)
    shot = Screenshot(bgr)
    fit = even_fit(whole_picture(shot, SETTINGS), 5, 4, SETTINGS).placed(Frame.of_box(*corner, 60, 60))
    geometry = replace(fit, given=False).cut_board(SETTINGS)
    candidate = replace(tried(reading_of(FIVE)), source=Interpretation(reading_of(FIVE), geometry))
    objection = is_part_of_tinted_board(Case(candidate, shot, Options()))
    assert (objection is not None) == (played > 2)


@pytest.mark.parametrize("openings", [1, 3, 4])
def test_assumed_openings_are_said_and_few(monkeypatch: pytest.MonkeyPatch, openings: int):
    """What nobody saw is named and lowers the confidence; more than published boards have is refused."""
    reading = reading_of(FIVE)
    joined = tuple(((row, 0), (row, 4)) for row in range(openings))
    assumed = Crossings(None, reading.board, (), joined, no_ink(reading), seen=False)
    monkeypatch.setattr(search, "interpretations", lambda *_: iter([Interpretation(reading, assumed)]))
    if openings > SETTINGS.reading.assumed_max:
        with pytest.raises(DoubtfulReadingError) as caught:
            read_image(BLANK)
        assert caught.value.doubt.check == "openings assumed"
        return
    checked = read_image(BLANK)
    assert "No border is seen" in checked.warnings[0]
    assert checked.confidence == pytest.approx(SETTINGS.reading.assumed * reading.confidence)


def no_ink(reading: Reading) -> Floats:
    """No ink in any cell."""
    import numpy as np

    return np.zeros(len(reading.board.layout.cells))


def test_cells_found_one_by_one_give_way_to_a_surer_lattice():
    """Where it has the same dots and more cells, what was read there is refused, and the check is named."""
    shot = Screenshot(screenshot_of(CURLED))
    fit = next(fits_of(next(find_boards(shot, SETTINGS))))
    lattice = replace(
        tried(reading_of(CURLED, 0.95)),
        source=Interpretation(reading_of(CURLED, 0.95), fit.cut_board(SETTINGS)),
    )
    merged = tried(reading_of("R##\n...\n##R\n", 0.8))
    assert confidence_of(merged, ReadingSettings()) > 0.9
    alone, beside = (Case(merged, shot, Options(), (), seen) for seen in ([merged], [lattice, merged]))
    raise_if_refused(alone, Log())
    with pytest.raises(DoubtfulReadingError, match="3 rows and 3 columns") as caught:
        raise_if_refused(beside, Log())
    assert caught.value.doubt.check == "cells of a lattice"
    assert caught.value.evidence is lattice.reading
    faint = replace(lattice, source=replace(lattice.source, reading=reading_of(CURLED, 0.7)))
    surer = Case(tried(reading_of("R##\n...\n##R\n", 0.96)), shot, Options(), (), [faint])
    raise_if_refused(surer, Log())


@pytest.mark.parametrize(("astray_px", "is_refuted"), [(0, True), (20, False)])
def test_cells_merged_by_pipes_give_way_to_a_lattice_without_dots(astray_px: int, is_refuted: bool):
    """Where it has more cells, and every dot stands in the middle of one of them, it is the board."""
    shot = Screenshot(screenshot_of(CURLED))
    lattice = next(fits_of(next(find_boards(shot, SETTINGS)))).cut_board(SETTINGS)
    failed = failed_at("dots", DotsError("no dots"), lattice)
    one = tried(reading_of("R##\n...\n##R\n", 0.95, corner=(12 + astray_px, 140)))
    checked = refuted_at_once(Case(one, shot, Options(), [failed]))
    assert (checked.doubt is not None) == is_refuted
    assert checked.doubt is None or checked.doubt.check == "cells of other boards"
    assert refuted_at_once(Case(one, shot, Options())).doubt is None


def test_another_look_with_the_same_pairs_is_refused_alike():
    """Dots that one look at a board saw beside its pairs are missing from all looks with these pairs."""
    own, other = tried(reading_of(FIVE)), tried(reading_of(SEVERAL))
    missed = replace(own, doubt=refusing(MISSED_DOTS, "there are more"))
    assert misses_dots(Case(own, BLANK, Options(), (), [missed])) is not None
    assert misses_dots(Case(own, BLANK, Options(), (), [replace(other, doubt=missed.doubt)])) is None
    assert misses_dots(Case(own, BLANK, Options(), (), [replace(own, doubt=FEW_PAIRS)])) is None


@pytest.mark.parametrize("given", [{"grid": "5x5"}, {"colours": 2}, {"crop": (0, 0, 324, 580)}])
def test_two_pairs_are_no_level_unless_somebody_says_so(given: dict[str, object]):
    """They may be a part of a board, or no board at all."""
    bgr = screenshot_of("RG...\n...G.\n..R..\n.....\n.....\n")
    with pytest.raises(DoubtfulReadingError, match="with 2 pairs of dots, is not believed") as caught:
        read_image(bgr)
    assert caught.value.doubt.check == "few pairs"
    assert len(read_image(bgr, Options(**given)).reading.palette) == 2  # type: ignore[arg-type]


def test_smaller_boards_may_have_two_pairs():
    """Copies of the game have them."""
    assert len(read_image(screenshot_of("G..R\n..G.\n..R.\n....\n")).reading.palette) == 2
