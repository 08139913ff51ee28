"""``python -m nfsim.run.bench CASE.json``: measure one case in this process and print its figure."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from nfsim.run.bench.cases import Case
from nfsim.run.bench.measuring import measure

if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    sys.stdout.write(json.dumps(measure(Case(**asked["case"]), asked["tries"])) + "\n")
