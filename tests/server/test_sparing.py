from __future__ import annotations

import logging

from arena.server.sparing import SparingLog


def test_a_line_that_comes_too_often_is_counted(caplog):
    """Some lines at once, then a few a second; the next one says how many were left out."""
    caplog.set_level("INFO")
    log = SparingLog(logging.getLogger("sparing"), "refused", 0.0)
    for _ in range(1_000):
        log.info(0.0, detail="x")
    assert len(caplog.records) == 50
    log.info(1.0, detail="y")
    assert vars(caplog.records[-1])["left_out"] == 950
    log.info(1.0, detail="z")
    assert vars(caplog.records[-1])["left_out"] is None
