"""Tokens: made once, shown once, kept hashed; and what the holder of each may do."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from service import problems
from service.encounters.kept import Kept, Role, Token
from service.problems import Problem

TOKEN_BYTES = 24
TICKET_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Access:
    """Who is asking: the token, its role, and the combatants that its holder acts for."""

    token: Token

    @property
    def role(self) -> Role:
        """What the holder is in the fight."""
        return self.token.role

    @property
    def own(self) -> frozenset[str]:
        """The combatants that the holder acts for."""
        return frozenset(self.token.combatants)

    def demand(self, *roles: Role) -> None:
        """A problem unless the holder is one of these."""
        if self.role not in roles:
            raise Problem(problems.NOT_FOR_YOU, {"role": self.role, "needed": ", ".join(roles)})


def hashed(secret: str) -> str:
    """A secret as it is kept and looked up."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def issue(
    kept: Kept, role: Role, combatants: Sequence[str], label: str | None, parent: str | None
) -> tuple[Token, str]:
    """A new token of an encounter, and the secret that is shown once."""
    secret = secrets.token_urlsafe(TOKEN_BYTES)
    token = Token(secrets.token_hex(4), role, list(combatants), hashed(secret), label, parent)
    kept.tokens.append(token)
    return token, secret


def access_with(kept: Kept, secret: str) -> Access:
    """What a secret gives access to; a problem when it gives none."""
    if not secret:
        raise Problem(problems.TOKEN_NEEDED, {})
    wanted = hashed(secret)
    found = [each for each in kept.tokens if hmac.compare_digest(each.hash, wanted)]
    if not found or found[0].revoked:
        raise Problem(problems.TOKEN_UNKNOWN, {})
    return Access(found[0])


def ticket_for(kept: Kept, access: Access) -> str:
    """A short-lived stand-in for a token that may stand in a URL: the token's id, the time it ends, and their seal."""
    until = int(time.time()) + TICKET_SECONDS
    return f"{access.token.id}.{until}.{_seal(kept, access.token.id, until)}"


def access_with_ticket(kept: Kept, ticket: str) -> Access:
    """What a ticket gives access to; a problem when it gives none, or no longer."""
    token_id, _, rest = ticket.partition(".")
    until, _, seal = rest.partition(".")
    if not (until.isascii() and until.isdigit() and len(until) <= 12 and seal.isascii()):
        raise Problem(problems.TOKEN_UNKNOWN)
    sealed = hmac.compare_digest(seal, _seal(kept, token_id, int(until)))
    found = [each for each in kept.tokens if each.id == token_id and not each.revoked]
    if not sealed or not found or int(until) < time.time():
        raise Problem(problems.TOKEN_UNKNOWN)
    return Access(found[0])


def _seal(kept: Kept, token_id: str, until: int) -> str:
    message = f"ticket/{kept.id}/{token_id}/{until}".encode("utf-8", "surrogatepass")
    return hmac.digest(kept.tokens[0].hash.encode(), message, "sha256").hex()


def revoke(kept: Kept, token_id: str) -> None:
    """Revoke a token, and those that were exchanged for it."""
    for each in kept.tokens:
        if each.id == token_id:
            each.revoked = True
            break
    else:
        raise Problem(problems.NOT_FOUND, {})
    for each in kept.tokens:
        if each.parent == token_id and not each.revoked:
            revoke(kept, each.id)
