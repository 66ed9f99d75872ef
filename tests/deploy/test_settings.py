"""Every setting that is told to a container exists and works, and none that is secret is told in the open."""

import json
import re
from typing import get_args

import pytest
from pydantic import SecretStr

from service.settings import PREFIX, Settings, load_settings
from tests.deploy.sources import COMPOSE, OVERLAYS, built, container, of_compose, of_image, of_pod, pod
from tests.house.files import ROOT

SECRET = {
    PREFIX + name.upper() for name, field in Settings.model_fields.items() if SecretStr in get_args(field.annotation)
}
FROM_A_SECRET = {"RULEWRIGHT_REDIS_URL": "redis://user:password@redis.example.com:6379/0"}


def settings_of(place: str) -> dict[str, str]:
    """What a container of the image is told in a place."""
    image = {name: value for name, value in of_image().items() if name.startswith(PREFIX)}
    told = {} if place == "image" else of_compose() if place == "compose" else of_pod(place)
    return {**image, **told}


@pytest.mark.parametrize("place", ["image", "compose", *OVERLAYS])
def test_every_setting_exists_and_works(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = settings_of(place)
    assert [name for name in told if not name.startswith(PREFIX)] == []
    assert set(told) <= {PREFIX + name.upper() for name in Settings.model_fields}
    for name, value in {**told, **{name: FROM_A_SECRET[name] for name in told if name in SECRET}}.items():
        assert isinstance(value, str), f"{name} is a string, as all of an environment"
        monkeypatch.setenv(name, value)
    load_settings()


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_secret_is_in_the_repository(overlay: str) -> None:
    assert [each["metadata"]["name"] for each in built(overlay) if each["kind"] == "Secret"] == []
    for each in container(overlay).get("env", []):
        assert "value" not in each, f"{each['name']} stands in the open"
    told = of_pod(overlay)
    assert {name for name in told if name in SECRET} <= {each["name"] for each in container(overlay).get("env", [])}
    generated = [
        path
        for path in (ROOT / "k8s").rglob("*.yaml")
        if re.search(r"^secretGenerator:", path.read_text(), re.MULTILINE)
    ]
    assert generated == []


def test_redis_is_a_secret_in_production() -> None:
    assert {"RULEWRIGHT_REDIS_URL"} == SECRET
    told = json.loads(of_pod("production")["RULEWRIGHT_REDIS_URL"])
    assert told == {"name": "rulewright-redis", "key": "url"}


def test_keys_are_renewed_without_a_restart() -> None:
    """The folder is mounted whole, where the setting looks."""
    folder, _, file = of_pod("production")["RULEWRIGHT_KEYS"].rpartition("/")
    (mount,) = [each for each in container("production")["volumeMounts"] if each["mountPath"] == folder]
    assert "subPath" not in mount
    assert mount["readOnly"] is True
    (volume,) = [each for each in pod("production")["volumes"] if each["name"] == mount["name"]]
    assert volume["secret"] == {"secretName": "rulewright-keys", "defaultMode": 0o440}
    assert "items" not in volume["secret"], file

    (bound,) = [each for each in COMPOSE["services"]["rulewright"]["volumes"] if isinstance(each, dict)]
    assert of_compose()["RULEWRIGHT_KEYS"] == f"{bound['target']}/{file}"
    assert bound["read_only"] is True


def test_it_is_open_only_where_nobody_outside_comes_in() -> None:
    assert "RULEWRIGHT_OPEN" not in of_pod("production")
    assert "RULEWRIGHT_OPEN" not in of_compose()
    assert of_pod("local")["RULEWRIGHT_OPEN"] == "true"
    kinds = {each["kind"] for each in built("local")}
    assert not kinds & {"Ingress", "HTTPRoute"}
    (service,) = [each for each in built("local") if each["kind"] == "Service"]
    assert service["spec"]["type"] == "ClusterIP"
    (policy,) = [each for each in built("local") if each["kind"] == "NetworkPolicy"]
    assert [each["from"] for each in policy["spec"]["ingress"]] == [[{"podSelector": {}}]]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_one_process_a_pod(overlay: str) -> None:
    assert of_pod(overlay)["RULEWRIGHT_WORKERS"] == "1"


@pytest.mark.parametrize("document", ["Dockerfile", "compose.yaml", "k8s/README.md"])
def test_every_setting_that_is_told_of_exists(document: str) -> None:
    told = set(re.findall(rf"{PREFIX}[A-Z_]+", (ROOT / document).read_text("utf-8")))
    assert told
    assert told <= {PREFIX + name.upper() for name in Settings.model_fields}
