"""Events of a take detected from its movement, as a report and as an activity to edit."""

from arcwright.activity_detection.activity import detected_activity, proposed_activity
from arcwright.activity_detection.events import detect_report, detected_events
from arcwright.activity_detection.proposal import ProposedActivity

__all__ = [
    "ProposedActivity",
    "detect_report",
    "detected_activity",
    "detected_events",
    "proposed_activity",
]
