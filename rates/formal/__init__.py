"""Formal claims: one object from which LaTeX, checks on draws and certificates all come."""

from rates.formal import certify, verify
from rates.formal.book import claims
from rates.formal.certify import certificates
from rates.formal.claim import Claim, Range, Relation, Where
