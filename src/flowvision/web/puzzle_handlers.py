"""What is answered about puzzles in written form: solutions, hints, the search, new ones."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from flowvision.web import puzzle_tasks
from flowvision.web.bodies import read_body
from flowvision.web.desk import Desk
from flowvision.web.queries import bad, flag, puzzle_body, whole
from flowvision.workers.pool import Call

MOST_COUNTED = 1000


class PuzzleHandlers:
    """The addresses that take a puzzle, or none."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def puzzle(self, request: Request) -> Response:
        """A puzzle in any written form in, its solution out; ``count``, ``repair``, ``limit``."""
        given = puzzle_body(await self.desk.text(request), request.query_params)
        count = whole(given.asked, "count", 0, MOST_COUNTED, 0)
        seconds = self.desk.seconds(given.asked)
        args = (given.puzzle, count, flag(given.asked, "repair"), seconds)
        return await self.desk.object(request, "puzzle", Call(puzzle_tasks.solve_puzzle, args, seconds + 2))

    async def hint(self, request: Request) -> Response:
        """A puzzle and the steps known so far in, the next ones out; ``kind``: next, flow or a letter."""
        given = puzzle_body(await self.desk.text(request), request.query_params)
        seconds = self.desk.seconds(given.asked)
        args = (given.puzzle, given.asked.get("kind", "next"), given.known, seconds)
        return await self.desk.object(request, "hint", Call(puzzle_tasks.hint_for, args, seconds + 2))

    async def search(self, request: Request) -> Response:
        """The steps of the backtracking search for a puzzle."""
        given = puzzle_body(await self.desk.text(request), request.query_params)
        seconds = self.desk.seconds(given.asked)
        call = Call(puzzle_tasks.search_steps, (given.puzzle, seconds), seconds + 2)
        return await self.desk.object(request, "search", call)

    async def generate(self, request: Request) -> Response:
        """A new puzzle: size, tiling, colours, seed, holes, walls, bridges, warps."""
        await read_body(request, 0, self.desk.limits.header_seconds)
        query = request.query_params
        tiling = query.get("tiling", "square")
        if tiling not in ("square", "hex"):
            raise bad(f"tiling={tiling!r} is neither square nor hex.")
        seconds = self.desk.seconds(query)
        counts = {name: whole(query, name, 0, 1600, 0) for name in ("holes", "walls", "bridges", "warps")}
        args = (
            query.get("size", "7x7"),
            tiling,
            whole(query, "colours", 0, 800, 0),
            whole(query, "seed", 0, 1 << 40, 0),
            counts,
            seconds,
        )
        return await self.desk.object(request, "generate", Call(puzzle_tasks.generate, args, seconds))
