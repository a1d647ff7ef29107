"""The stdio door: programs that only read and write lines play over it."""
