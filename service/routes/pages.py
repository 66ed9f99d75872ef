"""Pages for people: the documentation of the API, and a page for each problem type."""

import re
from html import escape
from pathlib import Path
from string import Template

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from service import problems
from service.http import texts_for
from service.problems import PROBLEM_TYPES, Problem

CODE = re.compile("`([^`]+)`")
STATIC = Path(__file__).parent.parent / "static"
ALONE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
SECURITY = {
    "content-security-policy": f"default-src 'none'; style-src 'self'; {ALONE}",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}
DOCS_SECURITY = {
    **SECURITY,
    "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    f"style-src 'self' 'unsafe-inline'; {ALONE}",
}
_page = Template((STATIC / "problem.html").read_text("utf-8"))
_docs = (STATIC / "docs.html").read_text("utf-8")

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home() -> Response:
    """The documentation is the front page."""
    return RedirectResponse("/docs")


@router.get("/docs")
async def docs() -> Response:
    """The contract, to be read and tried; every asset is served from here."""
    return HTMLResponse(_docs, headers=DOCS_SECURITY)


@router.get("/problems/{name}")
async def problem_page(name: str, request: Request) -> Response:
    """What a problem type means and what to do about it."""
    kind = next((each for each in PROBLEM_TYPES if each.name == name), None)
    if kind is None:
        raise Problem(problems.NOT_FOUND)
    texts = texts_for(request.scope)
    body = _page.substitute(
        language=texts.language,
        title=escape(texts.problem(name, "title", {})),
        status=kind.status,
        name=name,
        page=CODE.sub(r"<code>\1</code>", escape(texts.problem(name, "page", {}))),
    )
    return HTMLResponse(body, headers={**SECURITY, "content-language": texts.language, "vary": "Accept-Language"})
