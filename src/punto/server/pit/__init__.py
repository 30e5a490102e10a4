"""What the pit is told and decides: holds, money before it moves, receipts, alerts."""
