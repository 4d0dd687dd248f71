"""Poses, the pose library and markers as clients ask for them, previewed and undone."""

import pytest

from arcwright.arrays import same
from arcwright.server import messages as m
from arcwright.server.storage.journal import recover
from local_clients import LocalClient

AT = "biped", "walk"
PICTURE = "data:image/png;base64,AAAA"


@pytest.fixture
def client(studio) -> LocalClient:
    return studio()


def copied(client, time):
    client.send(m.RequestPose(*AT, time))
    return client.wait(m.CopiedPose)[-1][0].values


def test_a_pose_is_copied_and_pasted(client):
    values = copied(client, 0.25)
    client.send(m.ApplyChange(m.PastePose(*AT, 0.5, [], values)))
    client.sync()
    assert client.document.message(1).done == ["Paste pose at frame 12"]
    again = copied(client, 0.5)
    assert again["Hips.translate.y"] == pytest.approx(values["Hips.translate.y"])


@pytest.mark.parametrize(
    ("change", "label"),
    [
        (m.MirrorPose(*AT, 0.25, []), "Mirror pose at frame 6"),
        (m.ResetPose(*AT, 0.25, []), "Reset to rest pose at frame 6"),
        (m.TweenPose(*AT, 0.2, [], 0.5), "Tween 50 % at frame 4.8"),
        (m.StorePose(*AT, 0.25, [], "step", PICTURE), "Store pose step"),
        (m.AddMarker(*AT, "beat", 0.25), "Add marker beat at frame 6"),
    ],
)
def test_each_is_one_step_that_undo_takes_back(client, change, label):
    before = client.document.scene
    client.send(m.PreviewChange(1, change), m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    assert client.document.message(1).done == [label]
    client.send(m.Undo())
    client.sync()
    assert same(client.document.scene, before)


def test_the_library_and_markers_are_listed_changed_and_come_back_from_the_journal(client, studio):
    client.send(
        m.ApplyChange(m.StorePose(*AT, 0.25, [], "step", PICTURE)),
        m.ApplyChange(m.RenamePose(*AT, 0, "stride")),
        m.ApplyChange(m.ApplyStoredPose(*AT, 0.6, [], 0, mirrored=True, weight=0.5)),
        m.ApplyChange(m.AddMarker(*AT, "beat", 0.25)),
        m.ApplyChange(m.ChangeMarker(*AT, 0, name="clap", time=0.5)),
    )
    client.sync()
    sent = client.document.message(1)
    (pose,) = sent.poses
    assert (pose.name, pose.character, pose.picture) == ("stride", "biped", PICTURE)
    assert "LeftHand" in pose.joints
    assert sent.takes["biped"][0].markers == [m.MarkerInfo("clap", 0.5)]
    assert sent.done[2] == "Apply pose stride mirrored at frame 14.4"
    client.send(m.ApplyChange(m.RemovePose(*AT, 0)), m.ApplyChange(m.RemoveMarker(*AT, 0)))
    client.sync()
    assert not client.document.scene.poses
    client.send(m.Undo(), m.Undo())
    client.sync()
    client.worker.stop()
    history, _, journal = recover(studio.state, client.document.log.name)
    journal.close()
    assert same(history.scene, client.document.scene)
    assert history.scene.poses[0].name == "stride"
