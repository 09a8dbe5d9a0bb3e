"""Setuptools, told where the list of a source archive's files lies: not at the top."""

from setuptools.build_meta import *  # noqa: F403
from setuptools.command.egg_info import manifest_maker

manifest_maker.template = ".build/MANIFEST.in"
