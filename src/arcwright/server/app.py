"""The server's pages: the studio itself, the wire, models, uploads and downloads."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from arcwright.server.connection import connect
from arcwright.server.desk import Desk

FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}


def pages() -> Path:
    """Where the built page is."""
    return Path(os.environ.get("ARCWRIGHT_PAGES") or Path(__file__).parent / "pages")


def app(desk: Desk) -> Starlette:
    """The application around a desk."""

    async def wire(socket: WebSocket) -> None:
        await connect(socket, desk)

    async def model(request: Request) -> Response:
        now = desk.story.model
        if request.path_params["name"] != now.name:
            return PlainTextResponse("there is no such model any more", 404)
        return Response(now.data, media_type="model/gltf-binary", headers=FOR_EVER)

    routes = [
        WebSocketRoute("/wire", wire),
        Route("/model/{document:int}/{name}", model),
    ]
    if (pages() / "index.html").is_file():
        routes.append(Mount("/", StaticFiles(directory=pages(), html=True)))
    else:
        routes.append(Route("/", _no_page))
    return Starlette(routes=routes)


async def _no_page(_: Request) -> Response:
    return PlainTextResponse("The page of the studio is not built: run `make studio`.", 503)
