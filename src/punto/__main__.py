"""``python -m punto`` is the same as ``punto``."""

from punto.cli.main import main

main()
