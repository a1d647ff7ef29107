"""New projects for bots and games: what `arena init` makes, and in which languages."""
