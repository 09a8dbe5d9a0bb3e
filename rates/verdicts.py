"""Door to the stored verdicts: `python -m rates.verdicts` computes them anew."""

from rates.statements import main
from rates.statements.verdicts import *  # noqa: F403

if __name__ == "__main__":
    main()
