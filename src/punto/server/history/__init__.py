"""What a patron has played: found in the logs, kept by patron, and told to that patron alone."""
