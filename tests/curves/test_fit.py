import numpy as np

from arcwright.curves.fit import continuous
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig

TIME = np.linspace(0, 6, 200)


def rig_of(kinds: list[Kind], mode: str = "XYZ") -> Rig:
    count = len(kinds)
    return Rig(
        ("a",),
        np.array([-1]),
        np.zeros((1, 3)),
        np.array([[1.0, 0, 0, 0]]),
        np.ones((1, 3)),
        (mode,),
        ChannelTable.of([0] * count, kinds),
    )


def test_quaternions_get_signs_without_jumps() -> None:
    vector = np.stack([TIME, np.sin(TIME), np.cos(2 * TIME)], axis=-1)
    size = np.linalg.norm(vector, axis=1, keepdims=True)
    q = np.concatenate([np.cos(size / 2), np.sin(size / 2) * vector / size], axis=1)
    q[::7] *= -1
    kinds = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]
    values = continuous(Motion("spin", TIME, q), rig_of(kinds, "quaternion"))
    assert ((values[:, 1:] * values[:, :-1]).sum(axis=0) > 0).all()
    np.testing.assert_allclose(abs((values.T * q).sum(axis=1)), 1)


def test_angles_that_wrap_are_unwrapped() -> None:
    values = np.mod(TIME[:, None] * 2 + np.pi, 2 * np.pi) - np.pi
    straight = continuous(Motion("spin", TIME, values), rig_of([Kind.ROTATE_Y]))
    np.testing.assert_allclose(np.diff(straight[0]), 2 * np.diff(TIME))
