"""The drills: one module per subject a dealer is examined in."""
