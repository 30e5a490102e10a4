"""Commands that run a house: the server, sign-in links, back-ups."""
