"""The journal: every step of a document, on disk before it is acknowledged.

One append-only file per document: the scene it began with, in parts, then a record for each
event. A record holds only what no record before it holds, and is guarded by digests. The file is
locked as long as its process lives.
"""

from arcwright.server.storage.journal.journal import Journal as Journal
from arcwright.server.storage.journal.journal import JournalTrouble as JournalTrouble
from arcwright.server.storage.journal.recovery import Unsaved as Unsaved
from arcwright.server.storage.journal.recovery import discard as discard
from arcwright.server.storage.journal.recovery import recover as recover
from arcwright.server.storage.journal.recovery import unfinished as unfinished
