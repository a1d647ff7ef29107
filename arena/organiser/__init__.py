"""The tournaments of a server: those that run, and those that are kept."""
