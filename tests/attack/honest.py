"""One who plays by the rules, and has to be answered whatever others do."""

import time

import httpx

from service.answers import encode, resolution_body
from service.questions import QUESTIONS
from service.texts import texts_in

UVICORN = ("fast", "plain")
PATH = "/v1/gurps/success-roll"
REQUEST = {"roll": {"skill": 12}, "seed": "table-7"}
JSON = {"content-type": "application/json"}
SECONDS = 3.0
"""What an attack may take at the most, on a slow machine with others at work."""


def right_answer() -> bytes:
    """What the honest request is answered, to the byte."""
    question = QUESTIONS["gurps", "success-roll"]
    return encode(resolution_body(question.resolve(question.read(REQUEST)), texts_in("en")))


async def still_answers(client: httpx.AsyncClient) -> None:
    """The honest client gets exactly the right answer, soon."""
    began = time.perf_counter()
    answer = await client.post(PATH, json=REQUEST)
    assert answer.status_code == 200
    assert answer.content == right_answer()
    assert time.perf_counter() - began < SECONDS


def is_problem(answer: httpx.Response, *statuses: int) -> bool:
    """Whether an answer is a problem of one of these statuses, and shows nothing of the inside."""
    assert answer.status_code in statuses, (answer.status_code, answer.text[:300])
    assert answer.headers["content-type"] == "application/problem+json"
    for inside in ("Traceback", 'File "', ".py", "site-packages", "pydantic", "rulewright:{"):
        assert inside not in answer.text, answer.text[:300]
    return True
