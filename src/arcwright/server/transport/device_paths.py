"""Captures as devices: the path of one joint, which the page plays as if it were acted now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from arcwright.errors import ArcwrightError, BadFile
from arcwright.kinematics.hands import hands
from arcwright.open import read
from arcwright.scene.rig import Rig
from arcwright.server.storage.transfers import TooLarge, Uploads
from arcwright.tools.recorded_device import performance_from

MOST_ROWS = 40_000  # of a path that the page plays


async def device_path(request: Request, uploads: Uploads) -> Response:
    """The path of a joint of the sent file; of a hand where none is named."""
    name, joint = (request.query_params.get(each, "") for each in ("name", "joint"))
    try:
        key = await uploads.receive(name, request.stream())
    except ClientDisconnect:
        return Response(status_code=400)
    except ArcwrightError as error:
        return PlainTextResponse(str(error), 413 if isinstance(error, TooLarge) else 400)
    try:
        return JSONResponse(await run_in_threadpool(joint_path, uploads.path(key), joint))
    except ArcwrightError as error:
        return PlainTextResponse(str(error).replace(str(uploads.path(key)), name), 400)
    finally:
        uploads.delete(key)


def joint_path(path: Path, joint: str = "") -> dict[str, Any]:
    """Times (T,) s and poses (T, 7) m, wxyz, of a joint of a file's first take, and all joints."""
    scene = read(path)
    actor = next((each for each in scene.actors if each.takes), None)
    if actor is None:
        raise BadFile(path, "has no motion", "choose a file with a take, such as a BVH capture")
    take, chosen = actor.takes[0], joint or _acting(actor.rig)
    performance = performance_from(take, chosen)
    if len(performance.times) > MOST_ROWS:
        fault = f"has {len(performance.times)} frames, at most {MOST_ROWS} are played"
        raise BadFile(path, fault, "cut the part that you need")
    return {
        "times": performance.times.tolist(),
        "poses": np.round(performance.poses[:, 0], 6).tolist(),
        "joint": chosen,
        "joints": list(actor.rig.names),
    }


def _acting(rig: Rig) -> str:
    """A hand; the last joint of a rig that has none."""
    found = [point.joint for side in hands(rig) for point in side]
    return found[0] if found else rig.names[-1]
