"""A valid message of every kind, to be damaged."""

from __future__ import annotations

from arcwright.scene.constraint import (
    Contact,
    DistanceConstraint,
    FlightConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.point import Point
from arcwright.scene.region import Box
from arcwright.server import messages as m

SPOT = m.PointRef("Hips", (0.0, 0.0, 0.0), "biped")
AT = ("biped", "walk")
HIPS = Point("Hips", character="biped")
CONSTRAINTS = (
    Pin(HIPS, 0.1, 0.3),
    Contact(HIPS, 0.1, 0.2),
    DistanceConstraint(HIPS, Point("Head"), 0.0, 0.5),
    RegionConstraint(HIPS, 0.0, 0.5, Box([0, 0, 0], [1, 1, 1])),
    PathConstraint(HIPS, [0.0, 0.5], [[0.0, 1.0, 0.0], [0.1, 1.0, 0.0]]),
    OrientationConstraint(HIPS, 0.0, 0.5, [1.0, 0.0, 0.0, 0.0]),
    FlightConstraint(0.0, 0.5, 9.81),
)
EVENT = m.ActivityEventInfo(0.5, "event", ["hand"], ["hand"], [], [], [("hand", "box")], "box")
CHANGES: list[m.Change] = [
    m.MoveKeys(*AT, [(0, 0), (1, 1)], time=0.01, value=0.1),
    m.CopyKeys(*AT, [(0, 0)], 0.1),
    m.DeleteKeys(*AT, [(3, 1)]),
    m.AddKeys(*AT, [0, 1], 0.25),
    m.MoveHandle(*AT, (0, 0, 1), 0.1, 0.1),
    m.SetHandles(*AT, [(0, 0)], "flat"),
    m.SetInterpolation(*AT, [(0, 0)], "linear"),
    m.SetExtrapolation(*AT, [0], "hold", "cycle"),
    *(m.AddConstraint(*AT, constraint_values(each)) for each in CONSTRAINTS),
    *(m.ChangeConstraint(*AT, at, constraint_values(e)) for at, e in enumerate(CONSTRAINTS)),
    m.RemoveConstraint(*AT, 0),
    m.SetLimits(*AT, 5, -1.0, 1.0),
    m.SetLengths(*AT, [0], "locked"),
    m.SetRoot(*AT, 0),
    m.SetAttached(*AT, 1, 1),
    m.SetStiffness(*AT, [3, 4], 2.0),
    m.SetTiming(*AT, 30.0, 1.0, True),
    m.CopyTake(*AT, "copy"),
    m.MakeAvatar(*AT, {"Hips": (0.0, 9.0)}, {"top": [(0.1, 0.2, 0.3)]}, ["Hips"]),
    m.RenameTake(*AT, "other"),
    m.RemoveTake(*AT),
    m.RemoveActor(*AT),
    m.BeginActivity(*AT),
    m.AddToActivity(*AT, "", [], [m.EffectorInfo("hand", m.PointRef("b"))], [EVENT]),
    m.ChangeEvent(*AT, "", 0, EVENT),
    m.RemoveElement(*AT, "", "hand"),
    m.RemoveActivity(*AT, ""),
    m.MuteLayer(*AT, 0, True),
    m.SetLayerWeight(*AT, 0, 0.5),
    m.RenameLayer(*AT, 0, "other"),
    m.MoveLayer(*AT, 0, 1),
    m.CopyLayer(*AT, 0),
    m.RemoveLayer(*AT, 0),
]
VALID: list[m.ClientMessage] = [
    m.Subscribe(*AT, [SPOT]),
    m.RequestFrames(*AT, 0, 20),
    m.RequestKeys(*AT),
    m.RequestFootplants(*AT, True),
    m.RequestProposedEvents(*AT),
    m.ReplaceObject("missing", "activity", *AT, "box", {}),
    m.Retarget("missing", "activity", *AT),
    m.RequestRestOverlays("activity", *AT),
    m.BeginInteraction(1, "tangent", *AT, {}),
    m.BeginInteraction(3, "spacetime", *AT, {}),
    m.UpdateInteraction(3, SPOT, 0.3, (0.0, 0.9, 0.1)),
    m.CommitInteraction(3),
    m.UpdateInteraction(1, SPOT, 0.3, (0.0, 1.0, 0.0)),
    m.SetOptions(1, {}),
    m.CommitInteraction(1),
    m.CancelInteraction(1),
    m.AcceptOffer(1),
    *[m.PreviewChange(2, change) for change in CHANGES],
    *[m.ApplyChange(change) for change in CHANGES],
    m.ApplyChanges(CHANGES[:3]),
    m.DiscardRecovered("20260101-abcdef"),
    m.Undo(),
    m.Redo(),
    m.GoToStep(0),
    m.Open("builtin", "biped:walk"),
    m.ImportUpload("nothing", False),
    m.Save("saved.arc.glb"),
    m.ListFolder(""),
    m.CancelJob(1),
]
