from __future__ import annotations

import pytest

from arena.rating.student import student_probability, student_quantile


@pytest.mark.parametrize(("freedom", "expected"), [(9, 2.2622), (19, 2.0930), (100, 1.9840)])
def test_quantiles_are_those_of_the_tables(freedom, expected):
    """The quantiles agree with printed tables, and the probabilities with the quantiles."""
    assert student_quantile(freedom) == pytest.approx(expected, abs=4e-4)
    assert student_probability(student_quantile(freedom), freedom) == pytest.approx(0.975, abs=5e-5)


@pytest.mark.parametrize(
    ("value", "freedom", "expected"),
    [(0, 9, 0.5), (1, 9, 0.828282), (-2, 19, 0.030001), (3, 45, 0.997805), (1e9, 9, 1.0)],
)
def test_probabilities_are_those_of_the_tables(value, freedom, expected):
    """The probabilities agree with integrals of the density, and never leave 0 to 1."""
    assert student_probability(value, freedom) == pytest.approx(expected, abs=1e-5)
    assert student_probability(-value, freedom) == pytest.approx(1 - expected, abs=1e-5)
