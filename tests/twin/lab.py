"""Small tile sets made for one question.

They are written as a folder of CSV files, the form in which an owner of the box types in tiles, so that
the engine and the twin each read them in their own way.
"""

import csv
from pathlib import Path
from typing import Any

Row = dict[str, Any]
GRAY: Row = {"type": "gray", "good": "none"}
WORLD: Row = {"military": "no", "cost": 0, "colonists": 1, "vp": 0, "penalty": 0, "copies": 1, **GRAY}
HOME: Row = {"military": "no", "vp": 0, **GRAY}
DEVELOPMENT: Row = {"group": "always", "stack": "", "face": "A", "cost": 1, "vp": 0}
GOAL: Row = {"stockpile": "none"}
CONDITION: Row = {
    "campaign_name": "lab",
    "short_vp": 10,
    "long_vp": 10,
    "short_requires": "",
    "long_requires": "",
}
COLUMNS = {
    "worlds": "name military cost defense colonists type good keywords vp penalty powers scoring copies status rift",
    "empires": "mat side name military type good keywords vp powers status scoring rift",
    "developments": "name group stack face cost vp keywords powers scoring status rift",
    "goals": "name measure stockpile steps status rift",
    "conditions": "campaign campaign_name name short_vp long_vp short_requires long_requires status",
}
DEFAULTS = {
    "worlds": WORLD,
    "empires": HOME,
    "developments": DEVELOPMENT,
    "goals": GOAL,
    "conditions": CONDITION,
}


def write(folder: Path, **rows: list[Row]) -> Path:
    """Write a tile set; kinds that are not given get something harmless."""
    fillers: dict[str, list[Row]] = {
        "worlds": [{"name": "Rock", "copies": 20}],
        "empires": [{"mat": n, "side": s, "name": f"Home {n}{s}"} for n in range(1, 6) for s in "AB"],
        "developments": [{"name": "Shed", "cost": 5}],
        "goals": [{"name": f"Goal {n}", "measure": "colony", "steps": "20:1"} for n in range(8)],
        "conditions": [{"campaign": n, "name": f"Condition {n}"} for n in range(1, 7)],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for kind, columns in COLUMNS.items():
        with (folder / f"{kind}.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, columns.split())
            table.writeheader()
            for row in rows.get(kind, fillers[kind]):
                table.writerow({"status": "sourced"} | DEFAULTS[kind] | row)
    return folder


def homes(**fields: Any) -> list[Row]:
    """Five mats whose sides are all the same but for their names."""
    return [{"mat": n, "side": s, "name": f"Home {n}{s}", **fields} for n in range(1, 6) for s in "AB"]
