"""The events of the streams beside the tables: the house, the cage and the shoes."""
