"""Technical standards that a test laboratory holds a system against, and how Punto stands to each requirement."""
