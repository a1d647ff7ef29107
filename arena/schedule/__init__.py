"""The schedule of a tournament: who meets whom, in which seats, on which deals."""
