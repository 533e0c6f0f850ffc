"""``python -m planconv``."""

from planconv.cli.main import main

main()
