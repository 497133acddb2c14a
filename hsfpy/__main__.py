"""`python -m hsfpy` is the command hsfpy."""

import sys

from hsfpy.cli import main

sys.exit(main())
