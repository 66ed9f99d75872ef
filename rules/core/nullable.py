"""The mark of a field that may be sent as null; any other field that may be absent is simply left out."""

from typing import Final


class _NullAllowed:
    """Stands in `Annotated[X | None, NULL_ALLOWED]`."""


NULL_ALLOWED: Final = _NullAllowed()
