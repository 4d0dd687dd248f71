"""An emulated phone: a page with touch, whose orientation and fingers follow a test."""

import time

from browser_window import NO_EFFECTS, NO_PIXELS, Window

PORTRAIT, LANDSCAPE = (390, 844), (844, 390)
UPRIGHT = 80.0  # degrees of beta: held before the face, a little tilted
# No vibration can be felt here, so it is noted.
NOTE_VIBRATION = "navigator.vibrate = (ms) => ((window.vibrated ??= []).push(ms), true);"
# Pages are answered, but no socket opens: as on a phone that does not trust the certificate.
NO_SOCKET = """
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(address) { super(String(address).replace("/wire", "/nowhere")); }
  };
"""


class Phone(Window):
    """A phone on a studio's link; `turn` and `touch` act on it."""

    def __init__(self, browser, address, size=PORTRAIT, extra="", picture=(NO_EFFECTS, NO_PIXELS)):
        made = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=True,
            is_mobile=True,
            ignore_https_errors=True,
        )
        for script in (*picture, NOTE_VIBRATION, extra):
            made.add_init_script(script)
        super().__init__(made.new_page())
        self.tools = made.new_cdp_session(self.page)
        self.fingers = {}
        self.yaw, self.pitch = 0.0, 0.0
        self.page.goto(address)
        self.wait("ready")

    def start(self):
        """Tap Start, and hold the phone before the face."""
        self.page.get_by_role("button", name="Start").tap()
        self.turn(0.0, 0.0)
        self.until(lambda: self.page.locator(".stick-start").count() == 0, "the sensors run")
        self.page.get_by_role("button", name="Recentre").tap()
        self.until(self.aims, "it points at the character")

    def aims(self):
        return self.page.locator('.crosshair svg[data-aimed="true"]').count() == 1

    def turn(self, yaw, pitch):
        """Turn to degrees to the left, and upwards, from how it was held at first."""
        self.yaw, self.pitch = yaw, pitch
        angles = {"alpha": (90.0 + yaw) % 360.0, "beta": UPRIGHT + pitch, "gamma": 0.0}
        self.tools.send("DeviceOrientation.setDeviceOrientationOverride", angles)

    def touch(self, kind, finger, place):
        """One finger of several is set down or moves."""
        self.fingers[finger] = place
        points = [{"x": x, "y": y, "id": each} for each, (x, y) in self.fingers.items()]
        self.tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def pad(self, across=0.5, down=0.5):
        """A place on the area to hold."""
        box = self.page.locator(".stick-pad").bounding_box()
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def grab(self):
        self.touch("touchStart", 0, self.pad())
        self.until(lambda: self.page.locator(".stick-pad[data-held]").count() == 1, "it is held")

    def lift(self, finger):
        """Lift one finger of several."""
        del self.fingers[finger]
        points = [{"x": x, "y": y, "id": each} for each, (x, y) in self.fingers.items()]
        self.tools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})

    def release(self):
        """Lift all fingers."""
        self.fingers = {}
        self.tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def cut_connection(self):
        """Close the socket; nothing can be reached until `restore_connection`."""
        self.page.route("**/*", lambda route: route.abort())
        self.page.evaluate("() => window.socket.close()")

    def restore_connection(self):
        self.page.unroute("**/*")

    def act(self, seconds, yaw=lambda t: 0.0, pitch=lambda t: 0.0, rate=60):
        """Turn along functions of time, in real time."""
        began = time.monotonic()
        while (at := time.monotonic() - began) < seconds:
            self.turn(yaw(at), pitch(at))
            time.sleep(max(0.0, 1 / rate - (time.monotonic() - began - at)))

    def close(self):
        self.page.context.close()
