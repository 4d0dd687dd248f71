"""The open document: its history, the clients subscribed to it, and the messages about it."""
