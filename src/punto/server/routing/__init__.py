"""What every route shares: the registry, answers, sessions, limits, and the OpenAPI document."""
