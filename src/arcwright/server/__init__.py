"""The studio's server: one port, one open document for all clients, every edit journalled."""
