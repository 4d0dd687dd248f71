"""The scene's values as JSON tables and one block of bytes; shared values are stored once."""

from arcwright.files.values.restore import LOST as LOST
from arcwright.files.values.restore import Restore as Restore
from arcwright.files.values.store import Store as Store
