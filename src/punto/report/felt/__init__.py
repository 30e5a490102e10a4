"""Pay tables as felts and rack cards print them, held against a game's rulebook before they are printed."""
