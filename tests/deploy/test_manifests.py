"""The manifests are valid, and what every pod promises holds in both overlays."""

from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest

from service.settings import Settings
from tests.deploy.sources import OVERLAYS, VERSION, built, container, of_image, of_pod, pod, the

KUBERNETES = "1.37"
HARMLESS_VOLUMES = {
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
}

pytestmark = pytest.mark.parametrize("overlay", OVERLAYS)


def test_they_are_valid_to_the_last_field(overlay: str) -> None:
    for each in built(overlay):
        kubernetes_validate.validate(each, KUBERNETES, strict=True)


def test_all_is_in_a_namespace_where_only_restricted_pods_run(overlay: str) -> None:
    namespace = the("Namespace", overlay)["metadata"]
    assert namespace["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    others = [each for each in built(overlay) if each["kind"] != "Namespace"]
    assert {each["metadata"]["namespace"] for each in others} == {namespace["name"]}


def test_a_pod_is_a_restricted_one(overlay: str) -> None:
    """All that the restricted standard asks for, and a file system that is only read."""
    specification = pod(overlay)
    assert not {"hostNetwork", "hostPID", "hostIPC", "initContainers"} & set(specification)
    security = specification["securityContext"]
    assert security["runAsNonRoot"] is True
    assert security["seccompProfile"] == {"type": "RuntimeDefault"}
    assert f"{security['runAsUser']}:{security['runAsGroup']}" == "10001:10001"
    assert security["fsGroup"] == 10001
    assert container(overlay)["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {kind for volume in specification["volumes"] for kind in volume if kind != "name"} <= HARMLESS_VOLUMES


def test_it_writes_to_its_data_and_to_tmp(overlay: str) -> None:
    volumes = {each["name"]: each for each in pod(overlay)["volumes"]}
    writable = {each["mountPath"] for each in container(overlay)["volumeMounts"] if not each.get("readOnly")}
    assert writable == {of_image()["RULEWRIGHT_DATA_DIR"], "/tmp"}
    assert {each["name"] for each in container(overlay)["volumeMounts"]} == set(volumes)


def test_it_has_no_token_and_no_variables_of_services(overlay: str) -> None:
    """A service named rulewright would set RULEWRIGHT_PORT to a URL."""
    account = the("ServiceAccount", overlay)
    assert account["automountServiceAccountToken"] is False
    assert pod(overlay)["automountServiceAccountToken"] is False
    assert pod(overlay)["serviceAccountName"] == account["metadata"]["name"]
    assert pod(overlay)["enableServiceLinks"] is False


def test_its_image_is_the_one_of_this_version(overlay: str) -> None:
    image, _, tag = container(overlay)["image"].rpartition(":")
    assert "/" in image
    assert tag == VERSION


def test_it_is_asked_whether_it_started_lives_and_is_ready(overlay: str) -> None:
    (port,) = container(overlay)["ports"]
    assert str(port["containerPort"]) == of_image()["RULEWRIGHT_PORT"]
    asked = {name: container(overlay)[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {each["port"] for each in asked.values()} == {port["name"]}
    assert [each["path"] for each in asked.values()] == ["/healthz", "/healthz", "/readyz"]


def test_its_resources_are_bounded(overlay: str) -> None:
    resources = container(overlay)["resources"]
    assert set(resources["requests"]) == set(resources["limits"]) == {"cpu", "memory", "ephemeral-storage"}


def test_it_is_given_the_time_to_end(overlay: str) -> None:
    told = of_pod(overlay)
    seconds = [
        float(told.get(f"RULEWRIGHT_{name.upper()}", Settings.model_fields[name].default))
        for name in ("drain_seconds", "grace_seconds")
    ]
    assert pod(overlay)["terminationGracePeriodSeconds"] >= sum(seconds) + 5


def test_the_service_and_the_policy_find_the_pods(overlay: str) -> None:
    labels: dict[str, Any] = the("Deployment", overlay)["spec"]["template"]["metadata"]["labels"]
    assert the("Service", overlay)["spec"]["selector"].items() <= labels.items()
    assert the("Deployment", overlay)["spec"]["selector"]["matchLabels"].items() <= labels.items()
    policy = the("NetworkPolicy", overlay)["spec"]
    assert policy["podSelector"]["matchLabels"].items() <= labels.items()
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert the("Service", overlay)["spec"]["ports"][0]["targetPort"] == container(overlay)["ports"][0]["name"]
