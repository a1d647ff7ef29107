"""Finds out what this machine has for arena, by trying it."""
