"""A hand that does everyday tasks in a window and counts its steps."""

from contextlib import contextmanager


class CountedSteps:
    """Clicks, drags, keys and typed texts: each is one step of the task that is being done."""

    def __init__(self, window):
        self.window = window
        self.counted = {}
        self._task = None

    @contextmanager
    def task(self, name):
        """Do a task; its steps are counted under its name."""
        self._task, self.counted[name] = name, 0
        yield
        self._task = None

    def _step(self):
        self.counted[self._task] += 1

    def press(self, *keys):
        """Press keys one after the other."""
        for key in keys:
            self._step()
            self.window.keyboard.press(key)

    def type(self, text):
        """Type a text where the keyboard is."""
        self._step()
        self.window.keyboard.press("Control+a")
        self.window.keyboard.type(text)

    def click(self, place):
        """Click a place of the page, or an element."""
        self._step()
        if isinstance(place, list | tuple):
            self.window.mouse.click(*place)
        else:
            place.click()

    def choose(self, chooser, path):
        """Choose a file in the dialog of the system."""
        self._step()
        chooser.set_files(path)

    def drag(self, start, end, settle=0):
        """Press, move, release."""
        self._step()
        self.window.drag(start, end, settle=settle)

    def hover(self, place):
        """Move the pointer: no step, as the hand is there already."""
        self.window.mouse.move(*place)
