"""The laws that every codec keeps, and plans to try them on: for this project and for plug-ins.

A package that adds a format gets all of it in three lines (it needs ``hypothesis`` and ``pytest``)::

    from planconv.testing import CodecLaws

    class TestMyFormat(CodecLaws):
        codec = MY_FORMAT

:mod:`planconv.testing.laws` says what the laws are, :mod:`planconv.differences` where two
plans differ, :mod:`planconv.testing.plans` what the plans look like that are tried. This package is
the only one that imports hypothesis.
"""

from planconv.differences import Difference, differences, faults
from planconv.testing.laws import CodecLaws, LawError, honesty, silence, stability, totality
from planconv.testing.plans import blocks, lines, plans, tasks

__all__ = [
    "CodecLaws",
    "Difference",
    "LawError",
    "blocks",
    "differences",
    "faults",
    "honesty",
    "lines",
    "plans",
    "silence",
    "stability",
    "tasks",
    "totality",
]
