"""What lies in a run folder, read back: the manifest and its types, and parts as they were written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nfsim.errors import BadInput
from nfsim.files import parse_json, read_bytes
from nfsim.log.parts import READERS, what_is_wrong
from nfsim.validation import checked, quoted

MANIFEST = "manifest.json"  # of a finished run
RUN = "run.json"  # of a run under way
FORMAT = 2  # of both
REPLACE = "remove that folder and run again"  # what helps whatever was changed: also if it is another run's now
MOST_BYTES = 1_000_000_000  # of a manifest: that of 10⁹ games has a tenth
OPTIONAL = ("objectives",)  # only solo has them


class _Kept(BaseModel):
    """Base: what a manifest holds besides is nobody's business here."""

    model_config = ConfigDict(strict=True, frozen=True)


Count = Annotated[int, Field(ge=0, le=2**63 - 1)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Part(_Kept):
    file: str
    first: Count | None = None
    games: Count | None = None
    rows: Count | None = None
    bytes: Count | None = None
    sha256: str | None = None


class _Table(_Kept):
    rows: Count | None = None
    columns: dict[str, Literal["bool", "int8", "int16", "int32", "int64", "label"]]
    parts: list[_Part]


class _Chunk(_Kept):
    first: Count
    games: Count


class _Share(_Kept):
    text: str


class _Records(_Kept):
    share: _Share


class _Objective(_Kept):
    name: str
    campaign: str
    score: int
    requires: str


class _Manifest(_Kept):
    """Types of what is read back from a manifest. What is missing besides the tables is seen by `is_complete`."""

    tables: dict[str, _Table]
    name: str = ""
    title: str = ""
    games: Count = 0
    seed: Count = 0
    log: str = ""
    policies: list[str] = []
    statuses: dict[str, int] = {}
    scenario: dict[str, Any] = {}
    identity: dict[str, Any] = {}
    tiles: _Records | None = None
    objectives: list[_Objective] = []
    chunks: list[_Chunk] = []
    digest: str = ""
    wall_seconds: Seconds = 0.0
    cpu_seconds: Seconds = 0.0


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run."""
    file = folder / MANIFEST
    if not folder.is_dir():
        raise BadInput(folder, "", "there is no such folder", "name the folder of a run, for example runs/demo_short")
    if not file.is_file():
        if (folder / RUN).is_file():
            raise BadInput(folder, "", "the run is not finished", "go on with the same nfsim run command")
        raise BadInput(folder, "", "is not the folder of a run (no manifest.json)")
    return check_manifest(read_json(file), file)


def check_manifest(manifest: dict[str, Any], file: object) -> dict[str, Any]:
    """Return a manifest whose entries have the types that are relied on; `BadInput` names `file` and what has not."""
    check_format(manifest, file)
    checked(_Manifest, manifest, file)
    return manifest


def check_format(data: Mapping[str, Any], file: object) -> None:
    """Refuse what a version wrote that keeps runs otherwise: it would be taken for damaged, and played again."""
    if data.get("format") != FORMAT:
        found = f"is {quoted(data['format'])}" if "format" in data else "is missing"
        problem = f"{found}, and this version of nfsim reads format {FORMAT} only"
        raise BadInput(file, "format", problem, "use the version that wrote it, or name another folder with --out")


def read_identity(file: Path) -> dict[str, Any]:
    """Read from a manifest or `RUN` what makes the run the same as another."""
    return identity_of(read_json(file), file)


def identity_of(data: Mapping[str, Any], file: object) -> dict[str, Any]:
    """Return the identity that a manifest or `RUN` tells; `BadInput` names `file` if it tells none."""
    check_format(data, file)
    identity = data.get("identity")
    if not isinstance(identity, dict):
        raise BadInput(file, "identity", "is missing: not a file of this program", "name another folder")
    return identity


def read_json(file: Path) -> dict[str, Any]:
    """Read a JSON file that this program wrote; `BadInput` if it is anything else."""
    try:
        return parse_json(read_bytes(file, MOST_BYTES, "a file of this program"))
    except ValueError:
        raise BadInput(file, "", "is not JSON: damaged, or not a file of this program", "name another folder") from None


def is_complete(manifest: Mapping[str, Any], games: int) -> bool:
    """Tell whether a manifest has all that this version writes and reads back, and so many games are all of its."""
    has_all = all(key in manifest for key in _Manifest.model_fields if key not in OPTIONAL)
    return has_all and bool(games == manifest["games"])


def damaged_parts(folder: Path, manifest: Mapping[str, Any], *, content: bool) -> dict[str, str]:
    """Return the parts that are missing or not as they were written, each with a few words about what is wrong.

    Parameters
    ----------
    folder : Path
        Of the run.
    manifest : mapping
        As `read_manifest` gives it.
    content : bool
        Compare checksums too, which reads every part, in several threads.
    """

    def wrong(part: Mapping[str, Any]) -> tuple[str, str]:
        digest = part.get("sha256") if content else None
        return part["file"], what_is_wrong(part_path(folder, part["file"]), part.get("bytes"), digest)

    parts = [part for table in manifest["tables"].values() for part in table["parts"]]
    if not content:
        found = map(wrong, parts)
        return {name: words for name, words in found if words}
    with ThreadPoolExecutor(READERS) as readers:
        return {name: words for name, words in readers.map(wrong, parts) if words}


def digest_of(told: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what a manifest or record says, apart from its own `digest`, which shows any change."""
    rest = {key: value for key, value in told.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def trusted_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run, and refuse one that was changed afterwards: results are read from it."""
    manifest = read_manifest(folder)
    if not is_as_written(manifest):
        problem = "was changed after the run: what it says need not be what was played"
        raise BadInput(folder / MANIFEST, "", problem, REPLACE)
    return manifest


def is_as_written(manifest: Mapping[str, Any]) -> bool:
    """Tell whether a manifest agrees with its digest."""
    return bool(manifest.get("digest") == digest_of(manifest))


def part_path(folder: Path, name: str) -> Path:
    """Return the path of a part, which must lie in the run's folder."""
    parts = PurePosixPath(name).parts
    if PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name or "\0" in name:
        raise BadInput(folder / MANIFEST, "tables", "names a file outside the folder")
    return folder.joinpath(*parts)
