"""Tournaments: schedules, ratings, statistics, leaderboards, and the run that makes them."""
