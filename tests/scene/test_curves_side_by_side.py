import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve


def test_curves_made_together_are_those_made_apart():
    apart = [Curve.of([0, 1, 2.5], values) for values in ([1, 2, 3], [0, -1, 4])]
    together = Curve.side_by_side(
        apart[0].time,
        np.stack([curve.value for curve in apart]),
        np.stack([curve.tangent for curve in apart]),
        apart[0].handles,
        apart[0].interpolation,
    )
    assert same(tuple(apart), together)
    assert together[0].time is together[1].time
    assert not together[1].value.flags.writeable


@pytest.mark.parametrize("spoil", ["value", "dt", "count", "none"])
def test_what_one_curve_refuses_all_refuse(spoil):
    value, tangent = np.zeros((2, 3)), np.zeros((2, 3, 2, 2))
    if spoil == "value":
        value[1, 1] = np.nan
    if spoil == "dt":
        tangent[1, 1, 0, 0] = -1
    if spoil == "count":
        tangent = tangent[:1]
    if spoil == "none":
        value, tangent = value[:0], tangent[:0]
    with pytest.raises(BadValue):
        Curve.side_by_side([0, 1, 2], value, tangent, np.zeros((3, 2)), np.zeros(3))
