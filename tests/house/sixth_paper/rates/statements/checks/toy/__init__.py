"""Checks of [TOY]."""
