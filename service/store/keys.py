"""How keys and channels are named. All keys of one encounter lie in one slot of a cluster, by its id in braces."""

PREFIX = "rulewright:"


def record_key(encounter: str) -> bytes:
    """The hash that holds the newest snapshot."""
    return f"{PREFIX}{{{encounter}}}:record".encode()


def log_key(encounter: str) -> bytes:
    """The stream that holds the events."""
    return f"{PREFIX}{{{encounter}}}:log".encode()


def answer_key(encounter: str, key_hash: str) -> bytes:
    """The hash that holds what a change with an idempotency key was answered."""
    return f"{PREFIX}{{{encounter}}}:answer:{key_hash}".encode()


def news_channel(encounter: str) -> bytes:
    """The channel on which a change tells that there are events to fetch."""
    return f"{PREFIX}{{{encounter}}}:news".encode()


def open_key(owner: str) -> bytes:
    """The encounters that an owner has open, by the time when they were counted."""
    return f"{PREFIX}owner:{{{owner}}}:counted".encode()


def bucket_key(name: str) -> bytes:
    """The bucket from which those of this name pay."""
    return f"{PREFIX}bucket:{{{name}}}".encode()


API_KEYS = f"{PREFIX}api-keys".encode()
"""The hash that holds the API keys, each by its id."""
