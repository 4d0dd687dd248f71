"""The scene's values as JSON tables and one block of bytes; what is shared is stored once."""

from arcwright.files.values.restore import LOST as LOST
from arcwright.files.values.restore import Restore as Restore
from arcwright.files.values.store import Store as Store
