"""How fast things are. Figures are for comparing in one run on one machine; nothing here can fail."""
