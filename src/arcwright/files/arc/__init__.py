"""The project file: a GLB that any viewer plays, carrying the whole scene bit for bit.

The plain part is ordinary glTF. The extension `ARCWRIGHT_scene` mirrors the frozen values
of the scene. A digest over the file tells whether another program has changed it: then the
plain part counts, with a warning.
"""

from arcwright.files.arc.read import read as read
from arcwright.files.arc.write import write as write
