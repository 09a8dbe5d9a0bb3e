"""Setuptools, told where the list of a source archive's files lies: not at the top.

It is asked for here, after the Python has been looked at: who has an old one downloads nothing.
"""

import sys

LEAST = (3, 11)
HOOKS = (
    "build_editable",
    "build_sdist",
    "build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
)


def get_requires_for_build_wheel(config_settings=None):
    """Return what a build needs."""
    if sys.version_info < LEAST:
        least, this = (".".join(map(str, version[:2])) for version in (LEAST, sys.version_info))
        sys.exit(
            f"private-rates needs Python {least} or newer, and this is {this}: "
            f"install a newer one and name it, as python{least} -m venv .venv"
        )
    return ["setuptools>=77"]


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def _hook(name):
    def hook(*given, **told):
        from setuptools import build_meta
        from setuptools.command.egg_info import manifest_maker

        manifest_maker.template = ".build/MANIFEST.in"
        return getattr(build_meta, name)(*given, **told)

    return hook


globals().update({name: _hook(name) for name in HOOKS})
