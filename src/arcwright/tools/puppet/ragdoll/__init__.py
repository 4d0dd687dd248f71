"""Ragdoll: a puppet's body as rigid segments on hinges, simulated by MuJoCo."""
