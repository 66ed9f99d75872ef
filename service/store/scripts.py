"""The scripts beside this file, each carried out by the server as a whole or not at all."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from service.store.line import Command

Argument = str | bytes | int


class Script:
    """One script, and the commands that run it."""

    def __init__(self, file: str) -> None:
        self.name = Path(file).stem
        self._text = (Path(__file__).parent / file).read_text("utf-8")
        self._hash = hashlib.sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def by_hash(self, keys: Sequence[bytes], arguments: Sequence[Argument]) -> Command:
        """The command for a server that has seen the script; any other answers NOSCRIPT and does nothing."""
        return ("EVALSHA", self._hash, len(keys), *keys, *arguments)

    def in_full(self, keys: Sequence[bytes], arguments: Sequence[Argument]) -> Command:
        """The command for a server that has not seen the script yet, and then has."""
        return ("EVAL", self._text, len(keys), *keys, *arguments)


APPEND = Script("append.lua")
RESERVE = Script("reserve.lua")
SPEND = Script("spend.lua")
REPLACE = Script("replace.lua")
CHECK = Script("check.lua")
