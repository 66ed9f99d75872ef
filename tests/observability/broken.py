"""An application with an endpoint that fails and a task that nobody waits for, for a process of its own."""

import asyncio
import gc

from tests.observability.conftest import app_with


async def _fails(what: str) -> None:
    raise RuntimeError(f"no such sheet: {what}")


async def _forgets() -> str:
    task = asyncio.create_task(_fails("Mira"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    gc.collect()
    return "forgotten"


app = app_with()
app.add_api_route("/forgets", _forgets)
app.add_api_route("/fails", _fails)
