"""Checkpoints: the state of a training as one .npz, written whole or not at all."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from arcwright.errors import BadFile

State = dict[str, dict[str, Tensor]]


def save_checkpoint(path: Path, state: State, progress: dict[str, Any]) -> None:
    """Write groups of tensors and the progress (JSON)."""
    arrays = {
        f"{group}/{name}": value.detach().cpu().numpy()
        for group, tensors in state.items()
        for name, value in tensors.items()
    }
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, progress=np.array(json.dumps(progress)), **arrays)
    part.replace(path)


def load_checkpoint(path: Path, state: State) -> dict[str, Any]:
    """Copy a checkpoint into tensors of the same names and shapes, and return the progress."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            for group, tensors in state.items():
                for name, value in tensors.items():
                    with torch.no_grad():
                        value.copy_(torch.from_numpy(stored[f"{group}/{name}"]))
            progress: dict[str, Any] = json.loads(str(stored["progress"]))
            return progress
    except (OSError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile) as error:
        raise BadFile(path, f"is no checkpoint of this training: {error}", "remove it") from error
