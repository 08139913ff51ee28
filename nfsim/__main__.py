"""``python -m nfsim`` is the command ``nfsim``."""

import sys

from nfsim.cli import main

if __name__ == "__main__":
    sys.exit(main())
