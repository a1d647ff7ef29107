"""Engines: what plays the matches of a tournament, in this process or elsewhere."""
