"""Puppet: a character at the end of a stick, which walks, jumps and falls as it is moved."""
