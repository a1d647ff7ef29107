"""Waits for somebody to come to it."""

from __future__ import annotations

import time

time.sleep(3600)
