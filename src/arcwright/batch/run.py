"""`map_files`: run a function over many files; the coordinator of workers and manifest."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from multiprocessing import current_process
from pathlib import Path, PurePosixPath
from typing import Any

from arcwright.batch.cluster import LOCAL, Cluster, connected
from arcwright.batch.executor import Died, Executor, Outcome, OverTime
from arcwright.batch.inputs import InputFile, check_template, output_name
from arcwright.batch.manifest import (
    NAME,
    BadManifest,
    Claim,
    Manifest,
    Task,
    as_text,
    content_hash,
)
from arcwright.batch.pool import MAIN_GUARD, Pool
from arcwright.batch.progress import Progress
from arcwright.batch.worker import Result, check_memory_limit, is_disk_full, name_of, one_line
from arcwright.errors import ArcwrightError, BadFile, BadValue
from arcwright.files.atomic import sync_folder

DISK_FULL = "the disk is full: free some space and run again"
_POLL_SECONDS = 0.2  # between checks of what other runs are doing


@dataclass(frozen=True)
class Failure:
    """A file that failed, and why, in one line."""

    file: str
    error: str


@dataclass(frozen=True)
class Report:
    """What a run did."""

    done: int
    skipped: int  # done before, or by another run meanwhile
    failed: int
    retried: int  # because their worker died
    seconds: float
    failures: tuple[Failure, ...]
    values: dict[str, Any]  # by input; only without an output folder, else in the manifest
    manifest: Path | None
    stopped: str = ""  # why the run ended before its files did


def map_files(
    function: Callable[..., Any],
    files: Iterable[str | Path | InputFile],
    *,
    out: str | Path | None = None,
    template: str | None = None,
    options: Mapping[str, Any] | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    timeout: float | None = None,
    memory: float | None = None,
    overwrite: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Report:
    """Run an importable function on each file in worker processes; one for each core by default.

    With the address of a Dask scheduler as `cluster`, they run on its workers; "local" starts a
    cluster of `workers` on this machine.

    With a `template` of output names (fields {folder}, {name}, {stem}, {suffix}), it is called as
    `function(path, out_path, **options)` and writes `out_path`, which is moved into `out` when it
    is complete, with all other files written beside it. Without, as `function(path, **options)`.
    What it returns must fit into JSON; it is kept in the manifest of `out`, or in
    `Report.values` without `out`.

    A file is skipped where the manifest has it as done with the same contents, function and
    options. A task may take `timeout` seconds and `memory` megabytes; a task whose worker dies is
    run once more. Files that fail are in the report and stop no other. `options` fit into JSON.
    """
    if workers is not None and workers < 1:
        raise BadValue("workers", "1 or more", workers)
    if workers is not None and cluster not in (None, LOCAL):
        raise BadValue("workers", "none beside a cluster, which has workers of its own", workers)
    if timeout is not None and not timeout > 0:
        raise BadValue("timeout", "seconds above 0", timeout)
    if memory is not None:
        check_memory_limit(memory)
    if template is not None:
        check_template(template)
        if out is None:
            raise BadValue("template", "an output folder `out` beside it", "none")
    _check_process()
    name, given = name_of(function), _checked(options or {})
    if cluster is not None and name.startswith("__main__:"):
        raise BadValue("function", "one of a module that workers of the cluster import", name)
    size = workers or _available_cores()
    with ExitStack() as stack:
        client = None if cluster is None else stack.enter_context(connected(cluster, size))
        manifest = Manifest(None if out is None else _made(Path(out)), name, given)
        stack.callback(manifest.close)
        executor: Executor
        if client is None:
            executor = Pool(name, given, workers=size, timeout=timeout, memory=memory)
        else:
            executor = Cluster(name, given, client, manifest, timeout=timeout, memory=memory)
        stack.callback(executor.close)
        return _Run(manifest, executor, files, template, overwrite, progress).run()


@dataclass
class _Run:
    """A run: counts so far, and files that others are at."""

    manifest: Manifest
    executor: Executor
    files: Iterable[str | Path | InputFile]
    template: str | None
    overwrite: bool
    progress: Callable[[Progress], None] | None
    done: int = 0
    skipped: int = 0
    retried: int = 0
    stopped: str = ""
    failures: list[Failure] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    elsewhere: list[InputFile] = field(default_factory=list)
    submitted: int = 0  # tasks so far, to name their folders

    def run(self) -> Report:
        """Run all files, then those that another run had and has not finished."""
        self.start = time.monotonic()
        self.total = len(self.files) if isinstance(self.files, Sized) else None
        try:
            self._run_all(_as_input(each) for each in self.files)
            while self.elsewhere and not self.stopped:
                again, self.elsewhere = self.elsewhere, []
                self._run_all(iter(again))
                if self.elsewhere:
                    time.sleep(_POLL_SECONDS)
        except BadManifest as error:
            if not error.disk_full:
                raise
            self.stopped = DISK_FULL
        self._report_progress()
        return Report(
            done=self.done,
            skipped=self.skipped,
            failed=len(self.failures),
            retried=self.retried + self.executor.retried,
            seconds=time.monotonic() - self.start,
            failures=tuple(self.failures),
            values=self.values,
            manifest=None if self.manifest.folder is None else self.manifest.folder / NAME,
            stopped=self.stopped,
        )

    def _run_all(self, inputs: Iterator[InputFile]) -> None:
        more = True
        while True:
            looking = more and self.executor.room and not self.stopped
            if looking:
                file = next(inputs, None)
                more = looking = file is not None
                if file is not None:
                    self._claim(file)
            if self.stopped:
                self.executor.cancel_waiting()
            if not self.executor.pending and (self.stopped or not more):
                return
            for task, outcome in self.executor.collect(0 if looking else 1.0):
                self._handle(task, outcome)
            self._report_progress()

    def _submit(self, task: Task) -> None:
        if task.output:
            self.submitted += 1
            task = replace(task, work=self.manifest.work / str(self.submitted))
        self.executor.submit(task)

    def _claim(self, file: InputFile) -> None:
        """Claim the task of a file, unless it is done, or another run has it."""
        path = Path(os.path.abspath(file.path))  # noqa: PTH100  (links are kept as they are)
        task = Task(path, "", "")
        try:
            if self.template is not None:
                task = replace(task, output=output_name(self.template, file))
            task = replace(task, input_hash=content_hash(path))
            claim, error = self.manifest.claim(task, overwrite=self.overwrite)
        except BadManifest:
            raise
        except (BadValue, BadFile) as problem:
            self._fail(task, None, str(problem))
        else:
            if claim is Claim.TAKEN:
                self._submit(task)
            elif claim is Claim.DONE:
                self.skipped += 1
            elif claim is Claim.FAILED:
                self.failures.append(Failure(as_text(path), error))
            else:
                self.elsewhere.append(file)

    def _handle(self, task: Task, outcome: Outcome) -> None:
        if isinstance(outcome, Died):
            if outcome.final:
                self._fail(task, None, outcome.how)
            elif task.attempt == 1:
                self.retried += 1
                self._remove_work(task)
                self._submit(replace(task, attempt=2))
            else:
                self._fail(task, None, f"{outcome.how}, twice")
        elif isinstance(outcome, OverTime):
            limit = f"took longer than its limit of {outcome.limit:g} s"
            self._fail(task, outcome.seconds, limit)
        elif outcome.error:
            self._fail(task, outcome.seconds, outcome.error, disk_full=outcome.disk_full)
        else:
            self._finish(task, outcome)

    def _finish(self, task: Task, result: Result) -> None:
        try:
            if task.output:
                self._move(task, result)
        except (OSError, BadFile) as error:
            self._fail(task, result.seconds, one_line(error), disk_full=is_disk_full(error))
            return
        self.manifest.finish(task, result.seconds, result.value)
        self.done += 1
        if self.manifest.folder is None:
            value = None if result.value is None else json.loads(result.value)
            self.values[as_text(task.input)] = value
        self._remove_work(task)

    def _move(self, task: Task, result: Result) -> None:
        """Move the files of a task into the output folder, the output itself last.

        Their hashes are recorded before: after a crash in between, they are known as its own.
        """
        assert result.folder is not None
        assert self.manifest.folder is not None
        folder, output = self.manifest.folder, PurePosixPath(task.output)
        named = {str(output.with_name(name)): digest for name, digest in result.files.items()}
        replaced = {
            name: self.manifest.check_replaceable(task, name, overwrite=self.overwrite)
            for name in named
        }
        (folder / output.parent).mkdir(parents=True, exist_ok=True)
        self.manifest.keep_files(task, named, replaced)
        for name in sorted(named, key=lambda name: name == task.output):
            (result.folder / PurePosixPath(name).name).replace(folder / name)
        sync_folder(folder / output.parent)

    def _fail(
        self, task: Task, seconds: float | None, error: str, *, disk_full: bool = False
    ) -> None:
        if disk_full:
            self.stopped = DISK_FULL
        self.failures.append(Failure(as_text(task.input), error))
        self.manifest.fail(task, seconds, error)
        self._remove_work(task)

    def _remove_work(self, task: Task) -> None:
        if task.work is not None:
            shutil.rmtree(task.work, ignore_errors=True)

    def _report_progress(self) -> None:
        if self.progress is not None:
            seconds = time.monotonic() - self.start
            counts = (self.done, self.skipped, len(self.failures))
            self.progress(Progress(*counts, self.total, seconds, self.executor.workers))


def _as_input(file: str | Path | InputFile) -> InputFile:
    return file if isinstance(file, InputFile) else InputFile(Path(file))


def _check_process() -> None:
    """Refuse to run in a worker, which would start workers in turn."""
    process = current_process()
    importing = getattr(process, "_inheriting", False)  # what multiprocessing itself asks
    if importing or process.daemon:
        raise ArcwrightError(f"map_files was called in a worker: {MAIN_GUARD}")


def _available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as they come back from JSON: what workers get is what the manifest has."""
    try:
        given: dict[str, Any] = json.loads(json.dumps(dict(options), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise BadValue("options", f"values that fit into JSON ({error})", options) from error
    return given


def _made(folder: Path) -> Path:
    """The output folder, made where it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"cannot be the output folder: {error.strerror}") from error
    return folder.resolve()
