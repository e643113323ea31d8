"""What is answered about pictures: read, solved, drawn, shown, stage by stage."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from flowvision.forms import FORMS
from flowvision.web import drawing_tasks, picture_tasks
from flowvision.web.desk import Desk
from flowvision.web.faults import RefusedError
from flowvision.web.queries import bad, colours, frame, number, reading_options
from flowvision.web.replies import EventReply, object_reply, wants_events
from flowvision.workers.pool import Call

FORMATS = {name: form for name, form in FORMS.items() if form.on_page}
PREVIEW_PX = 2400


class PictureHandlers:
    """The addresses that take the bytes of a picture."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def read(self, solving: bool, request: Request) -> Response:
        """``/api/solve`` and ``/api/read``: the bytes of a picture in, the object of ``--json`` out."""
        options = reading_options(request.query_params, self.desk.limits.picture_seconds)
        name = request.query_params.get("name", "picture")[:200]
        data = await self.desk.picture(request)
        seconds = options.seconds + 5  # for what comes before and after the reading
        events = wants_events(request)
        call = Call(picture_tasks.read_picture, (data, options, name, solving), seconds, events)
        if events:
            return EventReply(request, self.desk.jobs, self.desk.client(request, "picture"), call, name)
        return object_reply(await self.desk.made(request, "picture", call))

    async def picture(self, request: Request) -> Response:
        """The solved picture of a screenshot, or a puzzle drawn: over the picture in the body, or alone."""
        query = request.query_params
        kind = query.get("format", "png")
        if kind not in FORMATS:
            raise bad(f"format={kind!r} is none of {', '.join(FORMATS)}.")
        form = FORMATS[kind]
        options = reading_options(query, self.desk.limits.picture_seconds)
        data = await self.desk.picture(request)
        if "puzzle" in query:
            drawn = drawing_tasks.DrawnPuzzle(query["puzzle"], frame(query.get("frame", "")), colours(query))
            if data and not drawn.frame:
                raise bad("With a picture and a puzzle, frame says where the board lies: nine numbers.")
            args = (data, options.rotate, drawn, form, options.seconds)
            call = Call(drawing_tasks.puzzle_picture, args, options.seconds + 5)
        elif data:
            call = Call(drawing_tasks.solved_picture, (data, options, form), options.seconds + 5)
        else:
            raise bad("There is neither a picture in the body nor a puzzle in the query.")
        made = await self.desk.made(request, "file", call)
        return Response(made, media_type=form.media_type)

    async def preview(self, request: Request) -> Response:
        """A picture as any browser can show it (PNG), turned as ``rotate`` says."""
        rotate = number(request.query_params, "rotate", -360, 360, 0)
        args = (await self.desk.picture(request), rotate, PREVIEW_PX)
        call = Call(picture_tasks.preview, args, self.desk.limits.picture_seconds)
        made = await self.desk.made(request, "preview", call)
        return Response(made, media_type="image/png")

    async def stages(self, request: Request) -> Response:
        """What pictures of stages there are for a picture: names, titles and captions."""
        options = reading_options(request.query_params, self.desk.limits.picture_seconds)
        data = await self.desk.picture(request)
        call = Call(picture_tasks.stage_list, (data, options), options.seconds + 5)
        made = await self.desk.made(request, "stage", call)
        return JSONResponse({"stages": made})

    async def stage(self, request: Request) -> Response:
        """The picture of one stage (JPEG); its title and caption are in two headers."""
        name = request.path_params["name"]
        if name not in picture_tasks.STAGE_NAMES:
            raise RefusedError(
                404,
                "no-such-stage",
                "There is no such stage.",
                f"One of {', '.join(picture_tasks.STAGE_NAMES)}.",
            )
        options = reading_options(request.query_params, self.desk.limits.picture_seconds)
        data = await self.desk.picture(request)
        call = Call(picture_tasks.stage_picture, (data, options, name), options.seconds + 5)
        try:
            made = await self.desk.made(request, "stage", call)
        except LookupError:
            raise RefusedError(
                404, "not-reached", "This stage was not reached.", "Earlier ones show how far it went."
            ) from None
        picture, title, caption = made
        headers = {"X-Title": quote(title), "X-Caption": quote(caption)}
        return Response(picture, media_type="image/jpeg", headers=headers)
