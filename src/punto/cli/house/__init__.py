"""Commands that run a house: the server, people and their sign-in links, back-ups."""
