"""Tables in service: one actor per table, the floor that holds them, their shoes and automatic Dealers."""
