"""[TOY]: a private mean, simulated."""

from __future__ import annotations

from sims.toy.mean import MEAN
