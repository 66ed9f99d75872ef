"""What a change with an `Idempotency-Key` was answered, as the store keeps it for the same request sent again.

An answer may show a token, which nobody is to find in the store. It is sealed with AES-GCM under the key itself and whoever may
repeat it, of which the store has a hash.
"""

import hmac
import secrets
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service import problems
from service.encounters.access import hashed
from service.problems import Problem
from service.store.records import Idempotency, Repeated

PURPOSE = b"rulewright: what a change was answered"
NONCE_BYTES = 12


@dataclass(frozen=True, slots=True)
class RepeatKey:
    """An idempotency key, among those of whoever may repeat the change, and what tells requests with it apart."""

    whose: str
    key: str
    fingerprint: bytes

    @property
    def hash(self) -> str:
        """The key as the store has it."""
        return hashed(self._secret)

    @property
    def _secret(self) -> str:
        return f"{self.whose}\n{self.key}"

    def remember(self, answer: bytes) -> Idempotency:
        """The answer, to be kept."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return Idempotency(self.hash, self.fingerprint, nonce + self._cipher().encrypt(nonce, answer, None))

    def answer(self, repeated: Repeated) -> bytes:
        """What was answered then; a problem when the key was another request's."""
        if repeated.fingerprint != self.fingerprint:
            raise Problem(problems.IDEMPOTENCY_KEY_REUSED, {})
        sealed = repeated.response
        return self._cipher().decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], None)

    def _cipher(self) -> AESGCM:
        return AESGCM(hmac.digest(self._secret.encode("utf-8", "surrogatepass"), PURPOSE, "sha256"))
