"""The server's pages: the studio itself, the wire, models, uploads and downloads."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from arcwright.errors import ArcwrightError
from arcwright.server.jobs.file_commands import Errands
from arcwright.server.jobs.uploads import TooLarge
from arcwright.server.transport.connection import connect
from arcwright.server.worker import Desk

FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}


def pages() -> Path:
    """Where the built page is."""
    return Path(os.environ.get("ARCWRIGHT_PAGES") or Path(__file__).parents[1] / "pages")


def app(desk: Desk, errands: Errands) -> Starlette:
    """The application around a desk."""

    async def wire(socket: WebSocket) -> None:
        await connect(socket, desk, socket.scope.get("role", "view"))

    async def model(request: Request) -> Response:
        now = desk.story.model
        if request.path_params["name"] != now.name:
            return PlainTextResponse("There is no such model any more.", 404)
        return Response(now.data, media_type="model/gltf-binary", headers=FOR_EVER)

    async def upload(request: Request) -> Response:
        try:
            word = await errands.uploads.receive(
                request.query_params.get("name", ""), request.stream()
            )
        except ClientDisconnect:
            return Response(status_code=400)
        except ArcwrightError as error:
            return PlainTextResponse(str(error), 413 if isinstance(error, TooLarge) else 400)
        return JSONResponse({"upload": word})

    async def download(request: Request) -> Response:
        path = errands.downloads.path(request.path_params["word"], request.path_params["name"])
        if path is None or not path.is_file():
            return PlainTextResponse("There is no such file any more: export it again.", 404)
        return FileResponse(path, filename=path.name)

    page = pages()
    built = (page / "index.html").is_file()
    return Starlette(
        routes=[
            WebSocketRoute("/wire", wire),
            Route("/model/{document:int}/{name}", model),
            Route("/upload", upload, methods=["POST"]),
            Route("/download/{word}/{name}", download),
            Route("/favicon.ico", _no_icon),
            Mount("/", StaticFiles(directory=page, html=True)) if built else Route("/", _no_page),
        ]
    )


async def _no_icon(_: Request) -> Response:
    """The page names its icon; a browser that leaves it early asks here all the same."""
    return Response(status_code=204)


async def _no_page(_: Request) -> Response:
    return PlainTextResponse("The page of the studio is not built: run `make studio`.", 503)
