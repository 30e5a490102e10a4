"""The ``punto`` command."""
