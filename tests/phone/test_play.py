import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.cli import phone as command
from flowvision.doubts import WeakPart
from flowvision.errors import BoardNotFoundError, ExitCode, FlowvisionError, PhoneError, PlayError
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.phone import device as phones
from flowvision.phone.device import Device, chosen
from flowvision.phone.play import PlayRules, plan_of, play, refuse_doubts, solve_screen, strokes_of
from flowvision.puzzle import boards, model
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.words import Part
from tests.boards import SPECIAL_BOARDS, rhombi, unique_puzzle
from tests.commands import exit_code, invoke
from tests.drawing import LEVEL_5X5, SEVERAL, screenshot_of
from tests.phone.fake_phone import FAULTS, SMALL, FakeAdb, FakePhone, Faults
from tests.tools.synthetic import PHONES, Style

BOARDS = {"plain": LEVEL_5X5, **SPECIAL_BOARDS}
CELLS, FLOWS = 25, 5
"""Of ``LEVEL_5X5``."""
QUICK = PlayRules(patience=0.6, still=0.1, pause=0.01)
"""What is not there is given up soon."""
PATIENT = PlayRules(patience=600, still=600, pause=0.01)
"""A busy machine must not end what goes well."""


@contextmanager
def served(phone: FakePhone) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phones, "adb", FakeAdb(phone.run))
        patch.setattr(phones, "sleep", lambda _: None)
        yield


def played(phone: FakePhone, rules: PlayRules = QUICK) -> list[str]:
    """The steps of a game on that phone; the finger is up afterwards, and was never beside the board."""
    with served(phone):
        device = chosen(None)
        try:
            shot, answer = solve_screen(device, rules)
            return [event.step for event in play(device, shot, answer, rules)]
        finally:
            assert not phone.strays
            assert not phone.is_down


def level_of(kind: str) -> NamedPuzzle:
    if kind != "shapes":
        return parse(BOARDS[kind])
    star = rhombi(arms=5, parts=2)
    return NamedPuzzle("", star, unique_puzzle(star, seed=0, colours=3)[0], tuple("RGB"))


@pytest.mark.parametrize("kind", ["plain", "bridge", "warp", "hexagons", "shapes"])
def test_boards_end_solved(kind: str) -> None:
    level = level_of(kind)
    style = Style(phone=PHONES["small"], chrome=False) if kind == "shapes" else SMALL
    phone = FakePhone(level, style=style)
    steps, flows = played(phone), len(level.puzzle.terminals)
    assert steps == ["begin", *["touch", "there"] * flows, "end"]
    assert phone.game.solved()
    assert sum(command.startswith("input motion") for command in phone.commands) == flows
    if kind in ("plain", "hexagons"):  # the others need more events between cells
        assert phone.events == level.board.graph.size + flows


@pytest.mark.parametrize("kind", ["plain", "bridge"])
def test_phones_without_motionevent_get_swipes(kind: str) -> None:
    """Android 9 and older."""
    phone = FakePhone(parse(BOARDS[kind]), swipes=True)
    assert played(phone)[-1] == "end"
    assert phone.game.solved()
    assert not any("motionevent" in command for command in phone.commands)


def test_a_warp_that_takes_one_motion_is_passed_at_the_second_try() -> None:
    """Copies of the game differ in this."""
    phone = FakePhone(parse(SPECIAL_BOARDS["warp"]), warps="jump")
    steps = played(phone)
    assert phone.game.solved()
    assert steps.count("touch") > steps.count("there")


BEGUN = {
    "right": {0: [0, 5, 10], 2: [18, 13, 8]},
    "wrong": {0: [0, 1], 3: [7, 12, 11, 16]},
    "whole and wrong": {1: [2, 7, 12, 11, 16]},
    "from its other dot": {4: [23, 24, 19]},
}
"""Flows and cells of pipes on the first level, by what they are."""


@pytest.mark.parametrize("name", BEGUN)
def test_boards_that_are_begun_end_solved(name: str) -> None:
    phone = FakePhone(parse(LEVEL_5X5), BEGUN[name])
    pipes_before = {flow: list(pipe) for flow, pipe in phone.game.pipes.items()}
    assert played(phone)[-1] == "end"
    assert phone.game.solved()
    if "wrong" not in name:
        for flow, pipe in pipes_before.items():
            assert phone.game.pipes[flow][: len(pipe)] == pipe


def number_under(touch: tuple[int, int], outlines: list[np.ndarray]) -> int:
    """Return the number of the first outline that a touch lies in."""
    return next(n for n, outline in enumerate(outlines) if cv2.pointPolygonTest(outline, touch, False) > 0)


@pytest.mark.parametrize("seed", range(2))
def test_touches_lie_in_cells_from_one_to_its_neighbour(seed: int) -> None:
    board = rhombi(arms=5, parts=2)
    puzzle, solution = random_puzzle(board, seed)
    answer, frame = solve_image(screenshot_of(LEVEL_5X5)), Frame.of_box(300, 300, 100, 100)
    reading = replace(answer.reading, board=board, puzzle=puzzle, frame=frame)
    for flow, path in enumerate(solution.paths):
        (touches,) = strokes_of(reading, replace(plan_of(answer)[0], flow=flow, path=path, edges_kept=0))
        cells = [board.layout.cell_at(strand) for strand in path.vertices]
        middles = [(round(x), round(y)) for x, y in frame.to_px([cell.centre for cell in cells]).tolist()]
        assert [touch for touch in touches if touch in middles] == middles
        outlines = [frame.to_px(cell.outline).astype(np.float32) for cell in cells]
        places_on_path = [number_under(touch, outlines) for touch in touches]
        assert places_on_path == sorted(places_on_path)


@pytest.mark.parametrize(("jumping", "touches"), [(False, 3), (True, 4)])
def test_a_flow_that_ends_over_the_border_is_one_stroke(jumping: bool, touches: int) -> None:
    """A second touch of its dot would begin the flow again."""
    board, answer = boards.square(3, 3, warps=[((1, 0), (1, 2))]), solve_image(screenshot_of(LEVEL_5X5))
    middle, left, right = 4, 3, 5  # of the second row
    edges = [board.graph.edges.index(tuple(sorted(pair))) for pair in ((middle, left), (left, right))]
    path = model.Path((middle, left, right), tuple(edges))
    reading = replace(answer.reading, board=board, frame=Frame.of_box(300, 300, 100, 100))
    strokes = strokes_of(reading, replace(plan_of(answer)[0], path=path, edges_kept=0), jumping)
    assert [len(stroke) for stroke in strokes] == [touches]


@pytest.mark.parametrize(("faults", "words"), FAULTS)
def test_faults_are_named(faults: Faults, words: str) -> None:
    phone = FakePhone(parse(LEVEL_5X5), faults=faults)
    with pytest.raises((PlayError, PhoneError), match=words) as raised:
        played(phone)
    assert not phone.game.solved()
    notes_of_a_finger_that_stays_down = getattr(raised.value, "__notes__", [])
    assert not notes_of_a_finger_that_stays_down


@pytest.mark.parametrize("faults", [Faults(lost=frozenset({3})), Faults(lag=4)])
def test_faults_that_pass_are_overcome(faults: Faults) -> None:
    """The third touch has no effect, or four captures still show what was there before."""
    phone = FakePhone(parse(LEVEL_5X5), faults=faults)
    assert played(phone, PATIENT if faults.lag else QUICK)[-1] == "end"
    assert phone.game.solved()


def test_a_sure_answer_is_played() -> None:
    refuse_doubts(solve_image(screenshot_of(LEVEL_5X5)))


@pytest.mark.parametrize(
    ("text", "changes", "words"),
    [
        (SEVERAL, {}, "exactly one solution"),
        (LEVEL_5X5, {"confidence": 0.94}, "confidence is 0.94"),
        (LEVEL_5X5, {"doubts": (WeakPart(Part("the walls")),)}, "the walls"),
    ],
)
def test_an_answer_in_doubt_is_not_played(text: str, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(PlayError, match=words):
        refuse_doubts(replace(solve_image(screenshot_of(text)), **changes))


@pytest.mark.parametrize(
    ("activity", "words"),
    [
        ("com.whatsapp/com.whatsapp.Home", "com.whatsapp is in front, not com.bigduckgames"),
        ("com.bigduckgames.flow/com.unity3d.ads.adunit.AdUnitActivity", "An advertisement is in front"),
        ("NotificationShade", "No app is in front, but 'NotificationShade'"),
    ],
)
def test_only_the_game_is_touched(activity: str, words: str) -> None:
    phone = FakePhone(parse(LEVEL_5X5), activity=activity)
    with pytest.raises(PlayError, match=words):
        played(phone)
    assert not phone.events


def test_another_app_is_touched_on_request() -> None:
    phone = FakePhone(parse(LEVEL_5X5), activity="com.whatsapp/com.whatsapp.Home")
    assert played(phone, replace(QUICK, any_app=True))[-1] == "end"


@pytest.mark.parametrize(
    "printed",
    [
        "  mCurrentFocus=Window{a1 u0 com.bigduckgames.flow/x.Game}\n",
        "  mCurrentFocus=null\n  mCurrentFocus=Window{a1 u10 com.bigduckgames.flow/x.Game}\r\n",
        "  mCurrentFocus=Window{a1 com.bigduckgames.flow/x.Game paused=false}\n",
    ],
)
def test_phones_of_all_ages_name_the_app_in_front(printed, monkeypatch):
    monkeypatch.setattr(phones, "output_of", lambda *_: printed.encode())
    assert phones.app_in_front(Device("A", "device")) == "com.bigduckgames.flow/x.Game"


def test_a_phone_that_names_no_app_is_refused(monkeypatch):
    monkeypatch.setattr(phones, "output_of", lambda *_: b"  mCurrentFocus=null\n")
    with pytest.raises(PlayError, match="No app is in front, but something unknown"):
        phones.app_in_front(Device("A", "device"), any_app=True)


EMPTY_SCREEN, BOARD_SCREEN = np.full((300, 200, 3), 90, np.uint8), screenshot_of(LEVEL_5X5)


def show_in_turn(monkeypatch: pytest.MonkeyPatch, *screens: Bgr) -> None:
    """Let a phone show these screens, one a capture, and no other."""
    captures = iter(screens)
    monkeypatch.setattr("flowvision.phone.play.capture", lambda _: next(captures))


def test_a_refused_screen_is_read_again_once_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    show_in_turn(monkeypatch, EMPTY_SCREEN, BOARD_SCREEN)
    _, answer = solve_screen(Device("A", "device"), PATIENT)
    assert answer.size == (5, 5)


@pytest.mark.parametrize(("rules", "captures"), [(PATIENT, 2), (replace(QUICK, patience=-1), 1)])
def test_a_refused_screen_that_holds_still_or_takes_too_long_is_refused(rules, captures, monkeypatch) -> None:
    show_in_turn(monkeypatch, *[EMPTY_SCREEN] * captures)
    with pytest.raises(BoardNotFoundError):
        solve_screen(Device("A", "device"), rules)


def test_a_screen_that_changed_since_it_was_read_is_not_touched() -> None:
    phone = FakePhone(parse(LEVEL_5X5))
    with served(phone):
        device = chosen(None)
        shot, _ = solve_screen(device, QUICK)
        of_earlier = Screenshot(np.roll(shot.bgr, 90, axis=0))
        with pytest.raises(PlayError, match="The screen changed since it was read"):
            list(play(device, of_earlier, solve_image(of_earlier), QUICK))
    assert not phone.events


def test_ctrl_c_lifts_the_finger() -> None:
    phone = FakePhone(parse(LEVEL_5X5))
    events_before, events_of_cut_request, lift = 7, 3, 1

    def run_or_interrupt(request: str) -> bytes:
        if phone.events == events_before and "DOWN" in request:
            phone.run(";".join(request.split(";")[:events_of_cut_request]))
            raise KeyboardInterrupt
        return phone.run(request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phones, "adb", FakeAdb(run_or_interrupt))
        assert exit_code("phone", "play", "--yes") == ExitCode.INTERRUPTED
    assert phone.events == events_before + events_of_cut_request + lift
    assert not phone.is_down


@pytest.fixture
def at_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePhone]:
    """A phone with the first level, for the command; pictures are written into an empty folder."""
    monkeypatch.chdir(tmp_path)
    phone = FakePhone(parse(LEVEL_5X5))
    with served(phone):
        yield phone


@pytest.mark.parametrize(
    ("has_dialog", "flows_seen", "end"),
    [
        (False, FLOWS, f"solved, {CELLS + FLOWS} touch events"),
        (True, FLOWS - 1, "something covered the board"),
    ],
)
def test_the_command_plays(at_phone: FakePhone, has_dialog: bool, flows_seen: int, end: str) -> None:
    """A dialog covers the board once it is solved."""
    at_phone.has_dialog = has_dialog
    result = invoke("phone", "play", "--yes")
    assert result.exit_code == 0, result.output
    assert at_phone.game.solved()
    assert f"plan: {FLOWS} flows, {CELLS - FLOWS} steps" in result.stdout
    assert result.stdout.count(" is there\n") == flows_seen
    assert end in result.stdout.splitlines()[-1]
    assert "not for leaderboards and time trials" in result.stderr
    assert not list(Path().iterdir())


@pytest.mark.parametrize(("key", "plays"), [("y", True), ("n", False), (None, False)])
def test_without_yes_play_waits_for_a_key(at_phone, monkeypatch, key, plays):
    monkeypatch.setattr(command, "has_keys", lambda: key is not None)
    monkeypatch.setattr(command.click, "getchar", lambda: key)
    assert exit_code("phone", "play") == 0
    assert at_phone.game.solved() == bool(at_phone.events) == plays


def test_programs_get_an_object_per_event(at_phone: FakePhone) -> None:
    result = invoke("phone", "play", "--yes", "--json")
    plan, *events, end = (json.loads(line) for line in result.stdout.splitlines())
    assert plan["event"] == "plan"
    assert plan["answer"]["ok"]
    assert [flow["from"] for flow in plan["flows"]] == [0] * FLOWS  # nothing is drawn yet: from the first dot
    assert [event["event"] for event in events] == ["begin", *["touch", "there"] * FLOWS]
    # A flow is a touch for each of its cells, and the lifting of the finger.
    assert end == {"event": "end", "touches": CELLS + FLOWS, "seen": True}


def test_programs_get_an_object_of_what_stopped_a_game(at_phone: FakePhone) -> None:
    at_phone.activity = "com.whatsapp/com.whatsapp.Home"
    result = invoke("phone", "play", "--yes", "--json")
    assert json.loads(result.stdout.splitlines()[-1])["error"]["code"] == "not-played"
    assert isinstance(result.exception, FlowvisionError)
