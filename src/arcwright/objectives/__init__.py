"""Objectives: sampled constraints and pose models that several tools share; no gestures."""
