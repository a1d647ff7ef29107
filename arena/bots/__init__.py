"""Built-in bots of graded strength. They see observations and legal moves, nothing else."""
