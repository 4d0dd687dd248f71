"""The biped: a friendly mannequin of 1.72 m with fingers and toes."""

from __future__ import annotations

from arcwright.characters.biped_body import PALETTE, sculptures
from arcwright.characters.biped_clips import activity_clips, clips
from arcwright.characters.biped_joints import JOINTS
from arcwright.characters.biped_stage import STAGES
from arcwright.characters.recipe import Recipe

RECIPE = Recipe("biped", JOINTS, sculptures, PALETTE, clips, STAGES, activity_clips)
