"""Checking a results directory: arena verify."""
