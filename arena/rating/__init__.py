"""Ratings, statistics and the leaderboard made of them."""
