"""What the sealed log says beside the database: its leaves, its checkpoints and the receipts in it."""
