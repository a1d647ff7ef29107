"""Results directories: writing, reading and checking them."""
