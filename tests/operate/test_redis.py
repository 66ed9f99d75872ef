"""A Redis that the operator runs is backed up while it runs, and restored, with the commands of the guide."""

import asyncio
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from service.app import create_app
from service.settings import Settings
from tests.operate.guide import run, shell, stand_in
from tests.store.servers import free_port

CONFIGURATION = """\
port {port}
bind 127.0.0.1
dir {place}/var/lib/redis
daemonize yes
pidfile {place}/pid
logfile {place}/log
appendonly yes
appendfsync always
save ""
"""


def test_backup_and_restore(tmp_path: Path) -> None:
    server, client = shutil.which("redis-server"), shutil.which("redis-cli")
    if server is None or client is None:
        pytest.skip("redis-server or redis-cli is not installed")
    for folder in ("var/lib/redis", "var/backups", "etc/redis"):
        (tmp_path / folder).mkdir(parents=True)
    port, file, programs = free_port(), tmp_path / "etc/redis/redis.conf", tmp_path / "programs"
    file.write_text(CONFIGURATION.format(port=port, place=tmp_path))
    stand_in(programs, "redis-cli", f'exec {client} -p {port} "$@"')
    stand_in(programs, "install", 'exec /usr/bin/install -m 640 "$7" "$8"')
    stand_in(
        programs,
        "systemctl",
        f'case "$*" in *redis-server) ;; *) exit 0 ;; esac\n'
        f'if [ "$1" = start ]; then exec {server} {file}; fi\n'
        f"{client} -p {port} shutdown; while [ -e {tmp_path}/pid ]; do sleep 0.05; done",
    )
    saving, restoring = (
        re.sub(r"(?<![\w^.])/(?=var|etc)", f"{tmp_path}/", block) for block in shell("A Redis of your own")
    )
    url = f"redis://127.0.0.1:{port}/0"

    def asked(name: str, script: str = "") -> bytes:
        if script:
            run(script, tmp_path, programs=programs)
        return asyncio.run(answer(url, name))

    try:
        first = asked(
            "the-first-of-all-fights", "systemctl start redis-server; until redis-cli ping; do sleep 0.1; done"
        )
        later = asked("a-later-one-that-is-lost", saving)
        assert asked("the-first-of-all-fights", restoring) == first
        assert asked("a-later-one-that-is-lost") != later
        run(
            "systemctl stop redis-server; systemctl start redis-server; until redis-cli ping; do sleep 0.1; done",
            tmp_path,
            programs=programs,
        )
        assert asked("the-first-of-all-fights") == first, "it is in the new append-only file"
        assert "appendonly yes\n" in file.read_text()
    finally:
        subprocess.run([client, "-p", str(port), "shutdown", "nosave"], check=False, capture_output=True)


async def answer(url: str, name: str) -> bytes:
    """What a service that keeps its fights there answers to whom opens one by this name, who may have done so before."""
    app = create_app(Settings(redis_url=SecretStr(url)))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://rulewright") as client,
    ):
        answered = await client.post("/v1/gurps/encounters", headers={"Idempotency-Key": name})
    assert answered.status_code == 201, answered.text
    return answered.content
