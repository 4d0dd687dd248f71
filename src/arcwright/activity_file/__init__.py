"""ACTIVITY.json: what a take is about, and what to change of it, in a file that people write."""

from arcwright.activity_file.edit_entries import ActivityEdit as ActivityEdit
from arcwright.activity_file.edit_entries import ElementEdit as ElementEdit
from arcwright.activity_file.edit_entries import EventRetime as EventRetime
from arcwright.activity_file.edit_entries import ObjectEdit as ObjectEdit
from arcwright.activity_file.edit_entries import Swap as Swap
from arcwright.activity_file.read import ActivityFile as ActivityFile
from arcwright.activity_file.read import parse_activity as parse_activity
from arcwright.activity_file.read import read_activity as read_activity
from arcwright.activity_file.write import activity_json as activity_json
from arcwright.activity_file.write import write_activity as write_activity
