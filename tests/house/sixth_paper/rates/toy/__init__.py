"""[TOY]: the mean of records in [0, 1] under Laplace noise."""

from __future__ import annotations

from rates.toy.mean import mean_error
