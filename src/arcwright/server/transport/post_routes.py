"""The HTTP requests of clients that post and poll."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from arcwright.server.messages import Role
from arcwright.server.transport.posts import PostConnection, Posts, Refused, body_of
from arcwright.server.worker import DocumentWorker

NEVER_KEPT = {"cache-control": "no-store"}


def post_routes(worker: DocumentWorker) -> list[Route]:
    """Open a connection, post to it, poll it and end it."""
    posts = Posts(worker)

    def connection(request: Request) -> PostConnection:
        return posts.find(request.path_params["key"], _role(request))

    async def opened(request: Request) -> Response:
        return JSONResponse({"key": posts.open(_role(request)).key}, headers=NEVER_KEPT)

    async def posted(request: Request) -> Response:
        found = connection(request)
        received = await found.receive(await body_of(request.stream()))
        return JSONResponse({"received": received}, headers=NEVER_KEPT)

    async def polled(request: Request) -> Response:
        after = request.query_params.get("after", "")
        if not (after.isascii() and after.isdigit() and len(after) < 10):
            raise Refused(400, "`after` must be the number of the last message that was received.")
        data = await connection(request).poll(int(after))
        return Response(data, media_type="application/octet-stream", headers=NEVER_KEPT)

    async def ended(request: Request) -> Response:
        connection(request).close()
        return Response(status_code=204)

    return [
        Route("/posts", _answered(opened), methods=["POST"]),
        Route("/posts/{key}", _answered(posted), methods=["POST"]),
        Route("/posts/{key}", _answered(polled), methods=["GET"]),
        Route("/posts/{key}/end", _answered(ended), methods=["POST"]),
    ]


Endpoint = Callable[[Request], Awaitable[Response]]


def _answered(endpoint: Endpoint) -> Endpoint:
    """The same, with refusals as responses."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            return PlainTextResponse(str(refused), refused.status, headers=NEVER_KEPT)
        except ClientDisconnect:
            return Response(status_code=400)

    return answer


def _role(request: Request) -> Role:
    role: Role = request.scope.get("role", "view")
    return role
