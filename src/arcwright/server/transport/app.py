"""The web application: the studio's page, the WebSocket and posts, models, transfers of files."""

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
from arcwright.server.storage.transfers import TooLarge
from arcwright.server.transport.authentication import PAGES
from arcwright.server.transport.connection import connect
from arcwright.server.transport.device_paths import device_path
from arcwright.server.transport.post_routes import post_routes
from arcwright.server.worker import DocumentWorker

CACHE_FOREVER = {"cache-control": "private, max-age=31536000, immutable"}


def pages() -> Path:
    """The folder of the built page."""
    return Path(os.environ.get("ARCWRIGHT_PAGES") or Path(__file__).parents[1] / "pages")


def app(worker: DocumentWorker) -> Starlette:
    """The application around a document worker."""

    async def wire(socket: WebSocket) -> None:
        await connect(socket, worker, socket.scope.get("role", "view"))

    async def model(request: Request) -> Response:
        now = worker.opened.document.model
        if request.path_params["name"] != now.name:
            return PlainTextResponse("This model no longer exists.", 404)
        return Response(now.data, media_type="model/gltf-binary", headers=CACHE_FOREVER)

    async def sound(request: Request) -> Response:
        now = worker.opened.document.scene.sound
        if now is None or request.path_params["name"] != now.file.digest:
            return PlainTextResponse("This sound no longer exists.", 404)
        return Response(now.file.data, media_type=now.file.mime, headers=CACHE_FOREVER)

    async def upload(request: Request) -> Response:
        try:
            name = request.query_params.get("name", "")
            key = await worker.files.uploads.receive(name, request.stream())
        except ClientDisconnect:
            return Response(status_code=400)
        except ArcwrightError as error:
            return PlainTextResponse(str(error), 413 if isinstance(error, TooLarge) else 400)
        return JSONResponse({"upload": key})

    async def path(request: Request) -> Response:
        return await device_path(request, worker.files.uploads)

    async def download(request: Request) -> Response:
        key, name = request.path_params["key"], request.path_params["name"]
        path = worker.files.downloads.path(key, name)
        if path is None or not path.is_file():
            return PlainTextResponse("This file no longer exists: export it again.", 404)
        return FileResponse(path, filename=path.name)

    async def named_page(_: Request) -> Response:
        return FileResponse(page / "index.html") if built else await _no_page(_)

    page = pages()
    built = (page / "index.html").is_file()
    return Starlette(
        routes=[
            WebSocketRoute("/wire", wire),
            *post_routes(worker),
            Route("/model/{document:int}/{name}", model),
            Route("/sound/{name}", sound),
            Route("/upload", upload, methods=["POST"]),
            Route("/device-path", path, methods=["POST"]),
            Route("/download/{key}/{name}", download),
            Route("/favicon.ico", _no_icon),
            *(Route(path, named_page) for path in PAGES if path != "/"),
            Mount("/", StaticFiles(directory=page, html=True)) if built else Route("/", _no_page),
        ]
    )


async def _no_icon(_: Request) -> Response:
    """The page names its icon; browsers that leave the page early ask here all the same."""
    return Response(status_code=204)


async def _no_page(_: Request) -> Response:
    return PlainTextResponse("The studio's page is not built: run `make studio`.", 503)
