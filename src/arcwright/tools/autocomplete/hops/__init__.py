"""Hops: a database of a lamp that hops, found by searching controllers in simulation."""
