"""`python -m service serve`, the same as `rulewright serve`."""

import sys

from service.command import main

if __name__ == "__main__":  # a worker that is spawned imports this module again
    sys.exit(main())
