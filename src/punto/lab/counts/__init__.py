"""Card counting: systems of tags, what a count gains, and the counts that gain most."""
