"""`GET /v1/systems` and `GET /v1/systems/{system}`."""

from functools import lru_cache

from fastapi import APIRouter, Request, Response

from service import problems
from service.answers import encode
from service.catalogue import system_description, system_list
from service.http import texts_for
from service.json_input import printable
from service.problems import Problem
from service.texts import Texts

router = APIRouter(prefix="/v1/systems", tags=["catalogue"])


@router.get("", operation_id="listSystems", summary="Every system with its actions", response_model=None)
async def list_systems(request: Request) -> Response:
    """The systems that can be asked, each with its actions and links."""
    texts = texts_for(request.scope)
    return _json(_list_bytes(texts), texts)


@router.get("/{system}", operation_id="describeSystem", summary="One system, whole", response_model=None)
async def describe_system(system: str, request: Request) -> Response:
    """Actions with their rules, schemas and examples; options with defaults; every rule with its text; tables."""
    texts = texts_for(request.scope)
    body = _description_bytes(system, texts) if len(system) <= 64 else None
    if body is None:
        raise Problem(problems.NOT_FOUND, {"system": printable(system)})
    return _json(body, texts)


@lru_cache(maxsize=8)
def _list_bytes(texts: Texts) -> bytes:
    return encode(system_list(texts))


@lru_cache(maxsize=64)
def _description_bytes(system: str, texts: Texts) -> bytes | None:
    description = system_description(system, texts)
    return None if description is None else encode(description)


def _json(body: bytes, texts: Texts) -> Response:
    headers = {"content-language": texts.language, "vary": "Accept-Language", "cache-control": "public, max-age=300"}
    return Response(body, media_type="application/json", headers=headers)
