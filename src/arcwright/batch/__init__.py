"""Run a function over many files: worker processes, limits per file, a manifest to go on from."""

from arcwright.batch.inputs import InputFile, find_files
from arcwright.batch.manifest import Record, read_manifest
from arcwright.batch.progress import Progress
from arcwright.batch.run import Failure, Report, map_files

__all__ = [
    "Failure",
    "InputFile",
    "Progress",
    "Record",
    "Report",
    "find_files",
    "map_files",
    "read_manifest",
]
