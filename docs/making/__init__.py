"""The parts of the documentation that are made from the project itself: rules, procedures, interface, sources."""
