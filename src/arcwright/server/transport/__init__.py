"""Transport: HTTP, WebSocket, TLS, authentication and limits, in front of the document."""
