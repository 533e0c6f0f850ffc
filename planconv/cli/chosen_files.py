"""Which files ``fmt`` and ``check`` work on, and the settings that hold for each of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from planconv.settings import Settings, read_settings

if TYPE_CHECKING:
    from planconv.errors import UsageError
    from planconv.walk import Found


def split(words: list[str] | None) -> tuple[str, ...] | None:
    """Options that are given several times, or once with commas."""
    if words is None:
        return None
    return tuple(part.strip() for word in words for part in word.split(",") if part.strip())


class ChosenFiles:
    """Finds files; ``exclude`` takes the place of what the settings exclude, if it is not ``None``."""

    def __init__(self, exclude: tuple[str, ...] | None, *, force_exclude: bool) -> None:
        self._exclude = exclude
        self._force_exclude = force_exclude
        self._settings: dict[str, Settings] = {}
        self.unreadable: list[UsageError] = []
        """The folders that could not be looked into."""

    def found(self, paths: list[str]) -> list[Found]:
        """The files of all paths, each once, in their order.

        Raises:
            UsageError: a path is not there, or a setting is wrong.
        """
        from planconv.cli.format_file import JSON, MARKDOWN
        from planconv.walk import Walk

        files: dict[str, Found] = {}
        for path in paths:
            settings = self.settings_of(path)
            walk = Walk(
                wanted=lambda name: name.lower().endswith(MARKDOWN + JSON),
                exclude=settings.exclude if self._exclude is None else self._exclude,
                root=settings.folder if self._exclude is None and settings.folder else ".",
                force_exclude=self._force_exclude,
                unreadable=self.unreadable.append,
            )
            for found in walk.files([path]):
                files.setdefault(os.path.realpath(found.path), found)
        return list(files.values())

    def settings_of(self, path: str) -> Settings:
        """The settings for a file or folder.

        Raises:
            UsageError: a setting is wrong.
        """
        folder = path if os.path.isdir(path) else str(Path(path).parent)  # noqa: PTH112 - a NUL is no error
        if folder not in self._settings:
            self._settings[folder] = read_settings(folder)
        return self._settings[folder]
