"""WebSocket connections: frames, messages, and the feed of each table."""
