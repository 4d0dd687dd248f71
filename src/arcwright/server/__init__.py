"""The studio's other half: one port, one document a desk, every edit journalled."""
