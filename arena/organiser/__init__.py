"""The tournaments of a standing arena: those that run, and those that are kept."""
