"""Every codec that reads and writes keeps every law.

100 examples for each law and codec; ``PLANCONV_LAWS=long pytest tests/test_laws.py`` tries 2,000.
"""

import pytest

from planconv import registry
from planconv.testing import CodecLaws


@pytest.fixture(params=registry.BUILT_IN, autouse=True)
def codec(request):
    codec = registry.get(request.param)
    if not (codec.info.reads and codec.info.writes):
        pytest.skip("only one way")
    request.instance.codec = codec


class TestLaws(CodecLaws):
    """``codec`` is each of the built-in ones in turn."""
