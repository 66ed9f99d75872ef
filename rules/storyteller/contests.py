"""Two pools against each other, of which the rest of a resolution needs but the difference."""

from rules.core.trail import Trail, part
from rules.storyteller.options import Options
from rules.storyteller.throws import Cast, RolledPool, throw, throw_in_answer


def contest(acting: Cast, answering: Cast, options: Options, trail: Trail) -> tuple[RolledPool, RolledPool]:
    """Both sides of a resisted action, the acting one first; the other may be without dice."""
    return trail.opposed(difference, part(throw, acting, options), part(throw_in_answer, answering, options))


def difference(acting: RolledPool, answering: RolledPool) -> int:
    """By how many successes the acting side is ahead."""
    return acting.successes - answering.successes
