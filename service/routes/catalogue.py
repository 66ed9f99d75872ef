"""`GET /v1/systems` and `GET /v1/systems/{system}`."""

from fastapi import APIRouter, Request, Response

from rules.catalogue import SYSTEMS
from service import problems
from service.answers import encode
from service.catalogue import system_description, system_list
from service.http import texts_for
from service.json_input import printable
from service.problems import Problem
from service.routes.made_once import Made, MadeOnce, unchanging
from service.texts import Texts

SLUGS = frozenset(system.slug for system in SYSTEMS)

router = APIRouter(prefix="/v1/systems", tags=["catalogue"])


@router.get("", operation_id="listSystems", summary="Every system with its actions", response_model=None)
async def list_systems(request: Request) -> Response:
    """The systems that can be asked, each with its actions and links."""
    texts = texts_for(request.scope)
    once: MadeOnce = request.app.state.made_once
    made = await once.get(("systems", texts.language), lambda: encode(system_list(texts)))
    return _json(request, made, texts)


@router.get("/{system}", operation_id="describeSystem", summary="One system, whole", response_model=None)
async def describe_system(system: str, request: Request) -> Response:
    """Actions with their rules, schemas and examples; options with defaults; every rule with its text; tables."""
    texts = texts_for(request.scope)
    if system not in SLUGS:
        raise Problem(problems.NOT_FOUND, {"system": printable(system[:64])})
    once: MadeOnce = request.app.state.made_once
    made = await once.get((system, texts.language), lambda: encode(system_description(system, texts)))
    return _json(request, made, texts)


def _json(request: Request, made: Made, texts: Texts) -> Response:
    return unchanging(request, made, {"content-language": texts.language, "vary": "Accept-Language"})
