"""Edges of averaged points get their lengths back."""

from __future__ import annotations

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.tools.cycle.extraction.edge_lengths import edge_groups, edge_stretch, restore_lengths


def strand() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means of strands that swing apart: points (M, V, 3), edges, lengths."""
    angle = 2 * np.pi * np.arange(40)[:, None] / 40
    along = np.arange(8) * 0.1
    swings = [
        np.stack([along * np.sin(swing), -along * np.cos(swing), 0 * along * swing], axis=-1)
        for swing in (0.8 * np.sin(angle), 0.8 * np.sin(angle + 0.9))
    ]
    edges = np.stack([np.arange(7), np.arange(1, 8)], axis=1)
    return 0.5 * (swings[0] + swings[1]), edges, np.full(7, 0.1)


def test_lengths_are_restored_and_pinned_points_stay() -> None:
    points, edges, lengths = strand()
    pinned = np.arange(8) == 0
    restored = restore_lengths(points, edges, lengths, pinned=pinned, sweeps=60)
    before = abs(edge_stretch(points, edges, lengths)).max()
    after = abs(edge_stretch(restored, edges, lengths)).max()
    assert before > 0.05
    assert after < 0.15 * before
    assert (restored[:, 0] == points[:, 0]).all()


def test_a_smooth_loop_stays_smooth() -> None:
    points, edges, lengths = strand()
    restored = restore_lengths(points, edges, lengths, pinned=np.arange(8) == 0)
    steps = np.linalg.norm(np.diff(restored, axis=0, append=restored[:1]), axis=-1)
    bend = np.linalg.norm(
        np.roll(restored, -1, axis=0) - 2 * restored + np.roll(restored, 1, axis=0), axis=-1
    )
    assert bend.max() < 0.35 * steps.max()


def test_edges_of_a_group_share_no_point() -> None:
    _, edges, _ = strand()
    groups = edge_groups(edges)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(edges)))
    for group in groups:
        assert len(np.unique(edges[group])) == 2 * len(group)


def test_lengths_must_fit_the_edges() -> None:
    points, edges, lengths = strand()
    with pytest.raises(BadValue, match="as many lengths"):
        restore_lengths(points, edges, lengths[:3])
