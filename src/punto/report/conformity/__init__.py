"""How Punto stands to the requirements of a standard, on paper."""
