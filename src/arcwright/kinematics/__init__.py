"""Kinematics: positions and orientations of joints, points and meshes, and their derivatives."""
