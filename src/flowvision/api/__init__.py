"""The public names; ``flowvision`` loads them when one is first used."""

from flowvision.api.calls import (
    count_solutions as count_solutions,
    debug_page as debug_page,
    generate_puzzle as generate_puzzle,
    parse_puzzle as parse_puzzle,
    read_image as read_image,
    solve_folder as solve_folder,
    solve_image as solve_image,
    solve_puzzle as solve_puzzle,
)
from flowvision.api.results import (
    Answer as Answer,
    Flow as Flow,
    HintSteps as HintSteps,
    Puzzle as Puzzle,
    ReadBoard as ReadBoard,
    SolvedPuzzle as SolvedPuzzle,
)
from flowvision.corrections.correction import SetBoard as SetBoard, SetCell as SetCell
from flowvision.errors import FlowvisionError as FlowvisionError
from flowvision.image.picture import Rgb as Rgb
from flowvision.reading.options import Options as Options
from flowvision.render.look import Look as Look
