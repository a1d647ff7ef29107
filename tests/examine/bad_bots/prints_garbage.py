"""Is no bot at all."""

from __future__ import annotations

import sys

sys.stderr.buffer.write(b"\x1b[31m\xff\xfe garbage \x07\n")
sys.exit(7)
