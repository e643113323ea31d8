"""The public names; ``flowvision`` loads them when one is first used."""

from flowvision.api.calls import (
    debug_page as debug_page,
    generate_puzzle as generate_puzzle,
    parse_puzzle as parse_puzzle,
    solve_folder as solve_folder,
    solve_image as solve_image,
)
from flowvision.corrections.correction import SetBoard as SetBoard, SetCell as SetCell
from flowvision.errors import FlowvisionError as FlowvisionError
from flowvision.export.answer import Answer as Answer
from flowvision.export.board import Flow as Flow, Puzzle as Puzzle
from flowvision.export.pictures import HintSteps as HintSteps
from flowvision.reading.options import Options as Options
from flowvision.render.look import Look as Look
