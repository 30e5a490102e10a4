"""A transparency log by the C2SP specifications: tree, tiles, proofs, checkpoints, cosignatures. No input or output."""
