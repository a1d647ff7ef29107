"""New projects for bots: what `arena init` makes, and in which languages."""
