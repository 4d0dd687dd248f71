"""Humanoid: whether a character is built like a person."""

from __future__ import annotations

import numpy as np

from arcwright.kinematics.joint_roles import SIDES, body_of, joint_roles
from arcwright.scene.scene import Actor

UPRIGHT = 0.85  # cosine of the angle between the trunk and the vertical
LIMBS = tuple(f"{side}_{part}" for side in SIDES for part in ("lower_arm", "lower_leg", "foot"))


def is_humanoid(actor: Actor) -> bool:
    """Whether an actor has two arms, two legs and a head, and stands upright at rest."""
    body = body_of(actor)
    found = joint_roles(body)
    if not {"head", *LIMBS} <= found.keys():
        return False
    place = body.place
    hips, head = (place[body.rig.joint(found[role][0])] for role in ("hips", "head"))
    trunk = head - hips
    return bool(trunk[1] > UPRIGHT * max(float(np.linalg.norm(trunk)), 1e-9))
