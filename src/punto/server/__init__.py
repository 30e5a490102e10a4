"""Tables in service: commands decided one after the other, stored, then told."""
