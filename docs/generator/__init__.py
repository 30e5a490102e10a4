"""Documentation generated from the project's own data: rules, procedures, interface, sources."""
