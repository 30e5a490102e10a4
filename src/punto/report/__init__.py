"""What is written for people to keep: PAR sheets, tables of figures, plots."""
