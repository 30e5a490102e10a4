"""Run the ``punto`` command with ``python -m punto``."""

from punto.cli.main import main

main()
