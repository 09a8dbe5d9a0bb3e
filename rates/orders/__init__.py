"""Anybody's rate: the language, its regions, and claims that are decided."""

from rates.orders.inquiry import Inquiry, Said
