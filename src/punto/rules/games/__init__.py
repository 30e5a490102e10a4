"""The approved games, one TOML file each."""
