"""The journal: every step of a document, on disk before anybody is told that it is done.

One SQLite file per document: the scene it began with, then a row for each step. A row holds only
what no row before it holds. The file is locked as long as its process lives.
"""

from arcwright.server.journal.recovery import Left as Left
from arcwright.server.journal.recovery import discard as discard
from arcwright.server.journal.recovery import recover as recover
from arcwright.server.journal.recovery import unfinished as unfinished
from arcwright.server.journal.steps import Journal as Journal
from arcwright.server.journal.steps import JournalTrouble as JournalTrouble
