"""The run of a tournament: begun or resumed, played, stored, exported."""
