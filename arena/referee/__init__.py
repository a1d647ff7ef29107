"""One match: who plays, what happens, and the record of it. Knows no particular game."""
