"""What an organiser writes down: tournament.toml, bots.toml, --bot."""
