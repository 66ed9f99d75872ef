"""Tokens: made once, shown once, kept hashed; and what the holder of each may do."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from service import problems
from service.encounters.kept import Kept, Role, Token
from service.faults import Fault
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
            facts = {"role": self.role, "needed": " / ".join(roles)}
            raise Problem(problems.NOT_FOR_YOU, facts, (Fault("#", "role", facts),))


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
    if not found:
        raise Problem(problems.TOKEN_UNKNOWN, {})
    return Access(found[0])


def ticket_for(kept: Kept, access: Access) -> str:
    """A short-lived stand-in for a token that may stand in a URL: the token's id, the time it ends, and their seal."""
    until = int(time.time()) + TICKET_SECONDS
    return f"{access.token.id}.{until}.{_seal(kept, access.token, until)}"


def access_with_ticket(kept: Kept, ticket: str) -> Access:
    """What a ticket gives access to; a problem when it gives none, or no longer."""
    token_id, _, rest = ticket.partition(".")
    until, _, seal = rest.partition(".")
    if not (until.isascii() and until.isdigit() and len(until) <= 12 and seal.isascii()):
        raise Problem(problems.TOKEN_UNKNOWN)
    found = [each for each in kept.tokens if each.id == token_id]
    if not found or int(until) < time.time() or not hmac.compare_digest(seal, _seal(kept, found[0], int(until))):
        raise Problem(problems.TOKEN_UNKNOWN)
    return Access(found[0])


def _seal(kept: Kept, token: Token, until: int) -> str:
    message = f"ticket/{kept.id}/{token.id}/{until}".encode("utf-8", "surrogatepass")
    return hmac.digest(token.hash.encode(), message, "sha256").hex()


def forget_combatant(kept: Kept, combatant_id: str) -> None:
    """Whoever acted for one with this id before does not act for the one who has it now."""
    for each in kept.tokens:
        if combatant_id in each.combatants:
            each.combatants.remove(combatant_id)


def revoke(kept: Kept, token_id: str) -> list[str]:
    """Forget a token and those that were exchanged for it; the ids of all of them. One game master's token has to stay."""
    gone = {token_id}
    while more := {each.id for each in kept.tokens if each.parent in gone} - gone:
        gone |= more
    if token_id not in {each.id for each in kept.tokens}:
        raise Problem(problems.NOT_FOUND, {})
    left = [each for each in kept.tokens if each.id not in gone]
    if not any(each.role is Role.GM for each in left):
        fault = Fault("#", "last_gm_token", {})
        raise Problem(problems.NOT_ALLOWED, {}, (fault,), {"refused_by": []})
    revoked = [each.id for each in kept.tokens if each.id in gone]
    kept.tokens = left
    return revoked
