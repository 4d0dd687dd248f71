"""A phone on the page "from reality to virtuality", which goes through its stages."""

import json
import math
import time

from phone import Phone

NAMES = ("Place", "Avatar", "Augmented", "Mixed", "Virtual")
LEAD = 40  # px of the second finger
PATIENCE = 30.0  # s to lead a puppet somewhere


def stages_link(studio):
    return studio.address.replace("/?", "/stages?")


class StagesPhone(Phone):
    """Taps by the names of buttons, and leads the puppet to places."""

    def begin(self, button="Drawn room"):
        self.page.get_by_role("button", name=button, exact=True).tap()
        self.turn(0.0, 0.0)
        self.until(lambda: self.shown != "start", "the game has begun")

    @property
    def shown(self):
        return self.page.locator("#studio").get_attribute("data-stage")

    def open_stages(self):
        return [
            name
            for name in NAMES
            if self.page.get_by_role("navigation").get_by_role("button", name=name).is_enabled()
        ]

    def kept(self, name):
        return json.loads(self.page.evaluate(f"localStorage['arcwright.stages_{name}']"))

    def tap_picture(self, across, down):
        """A tap on the picture, by shares of its width and height."""
        size = self.page.viewport_size
        self.page.touchscreen.tap(across * size["width"], down * size["height"])

    def go_on(self, name):
        button = self.page.get_by_role("button", name=f"Next: {name}")
        button.wait_for()
        self.until(button.is_enabled, "nothing is held")
        button.tap()
        self.until(lambda: self.shown == name.lower(), f"the stage {name}")

    def use_figure(self, joints):
        """The drawn figure as the photo, with joints dragged to pixels of it."""
        self.page.get_by_role("button", name="Drawn figure").tap()
        photo = self.page.locator(".stages-photo")
        photo.wait_for()
        for name, place in joints.items():
            circle = photo.locator(f'[data-joint="{name}"]')
            x, y, scale, left, top = circle.evaluate(
                """(circle) => {
                  const { a, e, f } = circle.ownerSVGElement.getScreenCTM();
                  return [circle.cx.baseVal.value, circle.cy.baseVal.value, a, e, f];
                }"""
            )
            self.mouse.move(left + scale * x, top + scale * y)
            self.mouse.down()
            self.mouse.move(left + scale * place[0], top + scale * place[1], steps=3)
            self.mouse.up()

    def lead_to(self, place, reached):
        """Turn towards a place on the ground, and lead the puppet there until something is true."""
        self.grab()
        eye = self.kept("sight")["position"]
        self.turn(self.yaw + self._turn_to(eye, place), self.pitch)
        x, y = self.pad(0.8, 0.6)
        self.touch("touchStart", 1, (x, y))
        late = time.monotonic() + PATIENCE
        while not reached() and time.monotonic() < late:
            now = self.ask('worldOf({joint: "Hips"})')
            far = math.dist((eye[0], eye[2]), (place[0], place[2]))
            further = far > math.dist((eye[0], eye[2]), (now[0], now[2]))
            self.touch("touchMove", 1, (x, y - LEAD if further else y + LEAD))
            self.page.wait_for_timeout(50)
        assert reached(), "the puppet did not arrive"
        self.release()
        hint = self.page.locator(".stick-hint")
        self.until(lambda: hint.inner_text().startswith("Hold"), "the performance is saved")

    def _turn_to(self, eye, place):
        """Degrees to the left from the puppet to a place, seen from the camera."""
        now = self.ask('worldOf({joint: "Hips"})')
        seen = [math.atan2(eye[0] - x, eye[2] - z) for x, z in ((now[0], now[2]), place[::2])]
        return math.degrees(math.remainder(seen[1] - seen[0], math.tau))
