"""What a page sends over its socket, as a test reads it."""

import json

from arcwright.server.messages import encoding

# Keeps what the page sends from now on, and the socket.
LISTEN = """() => {
  const send = WebSocket.prototype.send;
  window.sent = [];
  WebSocket.prototype.send = function (data) {
    window.sent.push(typeof data === "string" ? data : Array.from(data));
    window.socket = this;
    send.call(this, data);
  };
}"""


def sent(window, kind):
    """The messages of a type since the page was listened to."""
    messages = [_read(each) for each in window.page.evaluate("() => window.sent")]
    return [each for each in messages if each["type"] == kind]


def _read(data):
    if isinstance(data, str):
        return json.loads(data)
    message = encoding.decode_client(bytes(data))
    return {
        "type": "AppendPerformance",
        "interaction": message.interaction,
        **vars(message.performance),
    }
