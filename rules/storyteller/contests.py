"""Two pools against each other, of which the rest of a resolution needs but the difference."""

from operator import attrgetter

from rules.core.margin import Margin
from rules.core.trail import Trail, part
from rules.storyteller.options import Options
from rules.storyteller.throws import Cast, RolledPool, throw, throw_in_answer

LEAD: Margin[RolledPool, RolledPool] = Margin(attrgetter("successes"), attrgetter("successes"))
"""By how many successes the acting side is ahead."""


def contest(acting: Cast, answering: Cast, options: Options, trail: Trail) -> tuple[RolledPool, RolledPool]:
    """Both sides of a resisted action, the acting one first; the other may be without dice."""
    return trail.opposed(LEAD, part(throw, acting, options), part(throw_in_answer, answering, options))
