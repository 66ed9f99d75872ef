"""What the documents say is there, is there, and what README shows is what the service answers."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import httpx
import pytest

from rules.catalogue import SYSTEMS
from service.app import create_app
from service.settings import PREFIX, Settings
from tests.house.documents import FENCED, code, prose, rows
from tests.house.files import ROOT, all_files

README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
DOCUMENTS = [path for path in all_files() if path.suffix == ".md"]
NAMED_FILE = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
METHOD_AND_PATH = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`\s]+)`")
SCRIPTED = re.compile(r"\./dev (\w+)")


@pytest.fixture
def client() -> httpx.AsyncClient:
    """A client of the application, without a socket."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=create_app(Settings())), base_url="http://127.0.0.1:8000"
    )


# README


async def test_the_question_in_the_readme_has_the_answer_that_stands_there(client: httpx.AsyncClient) -> None:
    blocks = FENCED.findall(README)
    command = next(body for language, body in blocks if language == "sh" and "curl" in body)
    shown = next(body for language, body in blocks if language == "json")
    program, silent, url, header, declared, data, body = shlex.split(command)
    assert (program, silent, header, data) == ("curl", "-s", "-H", "-d")
    answer = await client.post(url, content=body, headers=dict([declared.split(": ")]))
    assert answer.status_code == 200
    assert in_order(answer.json()) == in_order(json.loads(shown))


def in_order(value: Any) -> str:
    """A JSON value as text: keys in the order in which they stand."""
    return json.dumps(value, indent=1, ensure_ascii=False)


def test_the_table_of_the_readme_has_every_system_and_action() -> None:
    told = {code(system)[0]: code(actions) for system, actions in rows(README, "system", "actions")}
    assert told == {system.slug: [action.slug for action in system.actions] for system in SYSTEMS}


def test_the_settings_of_the_readme_are_those_of_the_service() -> None:
    told = {
        code(variable)[0]: code(default) for variable, default, _ in rows(README, "variable", "default", "what it sets")
    }
    assert list(told) == [PREFIX + name.upper() for name in Settings.model_fields]
    for name, field in Settings.model_fields.items():
        if told[PREFIX + name.upper()]:
            assert told[PREFIX + name.upper()] == [as_variable(field.default)], name
        else:
            assert field.default is None or field.default_factory, f"{name} has a default that can be told"


def as_variable(value: Any) -> str:
    """A default as it would be set."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else str(value)


async def test_every_path_of_the_documents_exists(client: httpx.AsyncClient) -> None:
    operations = (await client.get("/openapi.json")).json()["paths"]
    for document in DOCUMENTS:
        for method, path in METHOD_AND_PATH.findall(prose((ROOT / document).read_text("utf-8"))):
            if method == "GET" and "{" not in path:
                assert (await client.get(path)).status_code == 200, f"{document}: {path}"
            else:
                assert any(is_like(known, path, method) for known in operations.items()), f"{document}: {method} {path}"


def is_like(known: tuple[str, dict[str, Any]], path: str, method: str) -> bool:
    """Whether an operation of the contract is of this method and of a path with these places."""
    pattern = "/".join("[^/]+" if "{" in part else re.escape(part) for part in path.split("/"))
    return method.lower() in known[1] and re.fullmatch(pattern, known[0]) is not None


# every document


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_somewhere(document: Path) -> None:
    text = prose((ROOT / document).read_text("utf-8"))
    targets = [target for target in LINK.findall(text) if "://" not in target and not target.startswith("mailto:")]
    broken = [target for target in targets if not (ROOT / document).parent.joinpath(target.partition("#")[0]).exists()]
    assert broken == []


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/performance.md"])
def test_commands_and_files_that_are_named_exist(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    known = re.findall(r"^    (\w+)\)$", (ROOT / "dev").read_text("utf-8"), re.MULTILINE)
    assert known
    assert set(SCRIPTED.findall(text)) <= set(known)
    example = {name for name, _ in NAMED_FILE.findall(text)} | {"rules/coin/README.md", "rules.coin"}
    first = {path.name for path in ROOT.iterdir()}
    named = {
        word
        for word in code(prose(text))
        if "/" in word and word.split("/")[0] in first and not re.search(r"[<{\s*]", word)
    }
    assert sorted(word for word in named - example if not (ROOT / word).exists()) == []


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "adr"
    files = sorted(path.name for path in folder.glob("0*.md"))
    listed = list(rows((folder / "README.md").read_text("utf-8"), "number", "decision"))
    assert files
    assert [LINK.findall(number)[0] for number, _ in listed] == files
    for (number, title), name in zip(listed, files, strict=True):
        heading = (folder / name).read_text("utf-8").splitlines()[0]
        assert heading == f"# {re.findall(r'[0-9]+', number)[0]}. {title}"
