import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.errors import BadValue
from arcwright.kinematics import rotation as r
from arcwright.scene.rig import EULER_MODES

SEEDS = st.integers(0, 2**32 - 1)
RIGHT = np.pi / 2


def turns(seed, shape=(20,)):
    """Unit quaternions of every kind: random, tiny, half turns, and the identity."""
    rng = np.random.default_rng(seed)
    q = r.quaternion_normalise(rng.normal(size=(*shape, 4)))
    q[0] = [1.0, 0.0, 0.0, 0.0]
    q[1] = [0.0, 0.6, 0.8, 0.0]
    q[2] = r.quaternion_from_vector(1e-9 * rng.normal(size=3))
    return q


def axis_matrix(axis, angle):
    j, k = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[j, j] = matrix[k, k] = np.cos(angle)
    matrix[j, k], matrix[k, j] = -np.sin(angle), np.sin(angle)
    return matrix


def same_turn(a, b, atol=1e-12):
    return np.allclose(r.matrix_from_quaternion(a), r.matrix_from_quaternion(b), atol=atol)


@given(SEEDS)
@settings(max_examples=25, derandomize=True)
def test_quaternions_obey_the_group_laws(seed):
    a, b, c = turns(seed), turns(seed + 1)[::-1], turns(seed + 2)
    one = np.array([1.0, 0.0, 0.0, 0.0])
    product = r.quaternion_multiply
    assert np.allclose(product(product(a, b), c), product(a, product(b, c)))
    assert np.allclose(product(a, one), a)
    assert np.allclose(product(one, a), a)
    assert np.allclose(product(a, r.quaternion_conjugate(a)), one)
    assert np.allclose((product(a, b) ** 2).sum(axis=-1), 1.0)


@given(SEEDS)
@settings(max_examples=25, derandomize=True)
def test_matrices_and_quaternions_rotate_vectors_alike(seed):
    a, b = turns(seed), turns(seed + 1)[::-1]
    v = np.random.default_rng(seed).normal(size=(20, 3))
    matrix = r.matrix_from_quaternion(a)
    assert np.allclose((matrix @ v[..., None])[..., 0], r.quaternion_rotate(a, v))
    assert np.allclose(
        matrix @ r.matrix_from_quaternion(b), r.matrix_from_quaternion(r.quaternion_multiply(a, b))
    )
    assert np.allclose(matrix @ np.swapaxes(matrix, -1, -2), np.eye(3))
    assert np.allclose(np.linalg.det(matrix), 1.0)


FORMS = {
    "matrix": (r.matrix_from_quaternion, r.quaternion_from_matrix),
    "vector": (r.vector_from_quaternion, r.quaternion_from_vector),
    "vector and matrix": (
        lambda q: r.vector_from_matrix(r.matrix_from_quaternion(q)),
        lambda v: r.quaternion_from_matrix(r.matrix_from_vector(v)),
    ),
    **{
        order: (
            lambda q, order=order: r.euler_from_quaternion(q, order),
            lambda angles, order=order: r.quaternion_from_euler(angles, order),
        )
        for order in EULER_MODES
    },
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(5))
def test_every_form_of_a_rotation_comes_back_the_same(form, seed):
    there, back = FORMS[form]
    q = turns(seed, (40,))
    assert same_turn(back(there(q)), q)
    assert same_turn(back(there(-q)), q)


@pytest.mark.parametrize("order", EULER_MODES)
def test_euler_order_is_the_matrix_product_of_its_letters(order):
    a, b, c = angles = np.array([0.3, -1.1, 2.2])
    i, j, k = ("XYZ".index(letter) for letter in order)
    expected = axis_matrix(i, a) @ axis_matrix(j, b) @ axis_matrix(k, c)
    assert np.allclose(r.matrix_from_euler(angles, order), expected)


@pytest.mark.parametrize("order", EULER_MODES)
@pytest.mark.parametrize("middle", [RIGHT, -RIGHT, RIGHT - 1e-9, RIGHT - 1e-5, -RIGHT + 1e-7])
def test_gimbal_lock_still_gives_the_exact_rotation(order, middle):
    angles = np.array([0.4, middle, 2.5])
    q = r.quaternion_from_euler(angles, order)
    assert same_turn(r.quaternion_from_euler(r.euler_from_quaternion(q, order), order), q, 1e-14)
    near = r.euler_from_quaternion(q, order, near=angles)
    assert same_turn(r.quaternion_from_euler(near, order), q, 1e-14)
    assert np.allclose(near, angles, atol=1e-6)


@pytest.mark.parametrize("order", EULER_MODES)
@given(seed=SEEDS)
@settings(max_examples=10, derandomize=True)
def test_angles_near_themselves_are_unchanged(order, seed):
    angles = np.random.default_rng(seed).uniform(-9, 9, (30, 3))
    q = r.quaternion_from_euler(angles, order)
    assert np.allclose(r.euler_from_quaternion(q, order, near=angles), angles, atol=1e-7)


def test_an_unknown_order_is_refused_by_name():
    with pytest.raises(BadValue, match="Euler order: expected XYZ or .* got 'XYX'"):
        r.quaternion_from_euler([0, 0, 0], "XYX")


def test_a_zero_quaternion_becomes_the_identity_and_tiny_ones_keep_their_direction():
    q = r.quaternion_normalise(np.array([[0.0] * 4, [0, 1e-300, 0, 0], [3e200, 0, 4e200, 0]]))
    assert np.allclose(q, [[1, 0, 0, 0], [0, 1, 0, 0], [0.6, 0, 0.8, 0]])


@given(SEEDS)
@settings(max_examples=25, derandomize=True)
def test_slerp_meets_its_ends_at_constant_speed_along_the_shorter_arc(seed):
    a, b = turns(seed), turns(seed + 1)[::-1]
    assert same_turn(r.slerp(a, b, 0.0), a)
    assert same_turn(r.slerp(a, b, 1.0), b)
    whole = r.vector_from_quaternion(r.quaternion_multiply(b, r.quaternion_conjugate(a)))
    third = r.slerp(a, b, 1 / 3)
    part = r.vector_from_quaternion(r.quaternion_multiply(third, r.quaternion_conjugate(a)))
    unambiguous = np.linalg.norm(whole, axis=-1) < np.pi - 1e-6
    assert np.allclose(part[unambiguous], whole[unambiguous] / 3, atol=1e-9)


def test_slerp_of_nearly_equal_rotations_is_accurate():
    a = r.quaternion_from_vector(np.array([0.3, 0.2, 0.1]))
    step = np.array([0.0, 0.0, 1e-9])
    b = r.quaternion_multiply(a, r.quaternion_from_vector(step))
    half = r.slerp(a, b, 0.5)
    turned = r.vector_from_quaternion(r.quaternion_multiply(r.quaternion_conjugate(a), half))
    assert np.allclose(turned, step / 2, atol=1e-15)


def test_unwrapped_tracks_have_no_jumps_and_the_same_rotations():
    time = np.linspace(0, 1, 60)
    smooth = np.stack([9 * time, 1.2 * np.sin(7 * time), -8 * time], axis=-1)[:, None]
    q = r.quaternion_from_euler(smooth, "ZYX")
    flipped = q * np.where(np.random.default_rng(3).random((60, 1, 1)) < 0.5, -1.0, 1.0)
    signed = r.unwrap_quaternion(flipped)
    assert (np.abs(np.diff(signed, axis=0)) < 0.3).all()
    assert same_turn(signed, q)
    angles = r.unwrap_euler(r.euler_from_quaternion(q, "ZYX"))
    assert (np.abs(np.diff(angles, axis=0)) < 0.3).all()
    assert same_turn(r.quaternion_from_euler(angles, "ZYX"), q)


def test_own_cross_product_is_numpys():
    a, b = np.random.default_rng(0).normal(size=(2, 5, 4, 3))
    assert np.allclose(r.cross(a, b), np.cross(a, b))


def test_sine_and_cosine_are_exact_at_every_angle_and_its_poles():
    right = np.arange(-9, 10) * np.pi / 2
    near = np.nextafter(right, [[-np.inf], [np.inf]])
    spread = np.random.default_rng(0).uniform(-1, 1, (4, 1000)) * [[1e-12], [1], [10], [1e6]]
    for angle in (right, near, spread):
        sine, cosine = r.sine_and_cosine(angle)
        assert np.abs(sine - np.sin(angle)).max() < 1e-15
        assert np.abs(cosine - np.cos(angle)).max() < 1e-15
