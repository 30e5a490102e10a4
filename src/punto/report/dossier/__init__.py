"""The dossier of a game: everything that is filed for its approval, made from the game's file."""
