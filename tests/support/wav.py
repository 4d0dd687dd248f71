"""Small WAV files."""

import io
import wave

import numpy as np

RATE = 8000  # samples a second


def wav(seconds=0.5, pitch=440.0, clicks=()):
    """A tone as a WAV file, silent but for short clicks if their times are given."""
    times = np.arange(round(RATE * seconds)) / RATE
    tone = np.sin(2 * np.pi * pitch * times)
    if clicks:
        tone *= np.min([np.abs(times - click) for click in clicks], axis=0) < 0.02
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((0.6 * 32767 * tone).astype("<i2").tobytes())
    return written.getvalue()
