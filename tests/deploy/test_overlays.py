"""What the overlays promise beyond what every pod does: one that keeps its own store, and many before a Redis."""

import json
from typing import Any

from tests.deploy.sources import built, container, of_pod, pod, the
from tests.house.files import ROOT

FOR_OPERATORS = {"/healthz", "/readyz", "/metrics"}


def volume(overlay: str, path: str) -> dict[str, Any]:
    """What is mounted at a path."""
    (name,) = [each["name"] for each in container(overlay)["volumeMounts"] if each["mountPath"] == path]
    (found,) = [each for each in pod(overlay)["volumes"] if each["name"] == name]
    assert isinstance(found, dict)
    return found


# local


def test_one_pod_at_a_time_has_the_store() -> None:
    deployment = the("Deployment", "local")["spec"]
    assert (deployment["replicas"], deployment["strategy"]) == (1, {"type": "Recreate"})
    assert "RULEWRIGHT_REDIS_URL" not in of_pod("local")


def test_its_fights_outlive_the_pod() -> None:
    claim = the("PersistentVolumeClaim", "local")["metadata"]["name"]
    assert volume("local", "/data") == {"name": "data", "persistentVolumeClaim": {"claimName": claim}}


def test_nothing_goes_out_of_a_pod_that_needs_nobody() -> None:
    assert "egress" not in the("NetworkPolicy", "local")["spec"]


# production


def test_a_new_version_replaces_pods_without_a_gap() -> None:
    strategy = the("Deployment", "production")["spec"]["strategy"]
    assert strategy == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}


def test_the_autoscaler_alone_says_how_many_there_are() -> None:
    scaler = the("HorizontalPodAutoscaler", "production")
    assert scaler["apiVersion"] == "autoscaling/v2"
    assert scaler["spec"]["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": "rulewright"}
    assert 2 <= scaler["spec"]["minReplicas"] < scaler["spec"]["maxReplicas"]
    assert [each["resource"]["name"] for each in scaler["spec"]["metrics"]] == ["cpu"]
    assert "replicas" not in the("Deployment", "production")["spec"]


def test_a_drain_of_nodes_takes_one_pod_at_a_time() -> None:
    budget = the("PodDisruptionBudget", "production")["spec"]
    labels = the("Deployment", "production")["spec"]["template"]["metadata"]["labels"]
    assert budget["maxUnavailable"] == 1
    assert budget["selector"]["matchLabels"].items() <= labels.items()


def test_pods_are_spread_over_nodes_and_zones() -> None:
    spread = pod("production")["topologySpreadConstraints"]
    labels = the("Deployment", "production")["spec"]["template"]["metadata"]["labels"]
    assert [each["topologyKey"] for each in spread] == ["kubernetes.io/hostname", "topology.kubernetes.io/zone"]
    assert all(each["labelSelector"]["matchLabels"].items() <= labels.items() for each in spread)


def test_it_serves_on_until_nobody_sends_it_anything() -> None:
    """Longer than it takes the probe to be noticed."""
    probe = container("production")["readinessProbe"]
    noticed = probe["failureThreshold"] * (probe["periodSeconds"] + probe["timeoutSeconds"])
    assert float(of_pod("production")["RULEWRIGHT_DRAIN_SECONDS"]) >= noticed


def test_who_comes_in_and_where_it_goes() -> None:
    policy = the("NetworkPolicy", "production")["spec"]
    (entry,) = policy["ingress"]
    assert all(
        set(each) == {"namespaceSelector"} and each["namespaceSelector"]["matchLabels"] for each in entry["from"]
    )
    assert entry["ports"] == [{"port": 8000}]
    ports = [[(each.get("protocol", "TCP"), each["port"]) for each in way["ports"]] for way in policy["egress"]]
    assert ports == [[("UDP", 53), ("TCP", 53)], [("TCP", 6379)], [("TCP", 4318)]]
    assert all(way["to"] and {} not in way["to"] for way in policy["egress"])


def test_the_ingress_leads_to_all_that_clients_ask_for_and_to_nothing_else() -> None:
    documented = set(json.loads((ROOT / "openapi" / "openapi.json").read_text("utf-8"))["paths"]) - FOR_OPERATORS
    pages = {"/", "/docs", "/problems/not-found", "/static/docs.js", "/openapi.json"}
    assert {path for path in documented | pages if not led_through(path)} == set()
    assert {path for path in FOR_OPERATORS | {"/else", "/v1x", "/metrics/"} if led_through(path)} == set()


def led_through(path: str) -> bool:
    """Whether a path is one of the Ingress, in the sense of Kubernetes."""
    (rule,) = the("Ingress", "production")["spec"]["rules"]
    return any(
        path == each["path"] or (each["pathType"] == "Prefix" and path.startswith(each["path"].rstrip("/") + "/"))
        for each in rule["http"]["paths"]
    )


def test_the_ingress_ends_tls_and_is_the_one_proxy() -> None:
    ingress = the("Ingress", "production")["spec"]
    assert [each["hosts"] for each in ingress["tls"]] == [[rule["host"] for rule in ingress["rules"]]]
    service = the("Service", "production")
    backends = {
        (path["backend"]["service"]["name"], path["backend"]["service"]["port"]["name"])
        for path in ingress["rules"][0]["http"]["paths"]
    }
    assert backends == {(service["metadata"]["name"], service["spec"]["ports"][0]["name"])}
    assert of_pod("production")["RULEWRIGHT_TRUSTED_HOPS"] == "1"


def test_prometheus_finds_the_metrics_that_it_may_read() -> None:
    annotations = the("Deployment", "production")["spec"]["template"]["metadata"]["annotations"]
    assert annotations == {
        "prometheus.io/scrape": "true",
        "prometheus.io/path": "/metrics",
        "prometheus.io/port": str(container("production")["ports"][0]["containerPort"]),
    }
    assert of_pod("production")["RULEWRIGHT_METRICS"] == "open"


def test_each_overlay_has_what_it_needs_and_no_more() -> None:
    both = {"Namespace", "ServiceAccount", "ConfigMap", "Service", "Deployment", "NetworkPolicy"}
    assert {each["kind"] for each in built("local")} == both | {"PersistentVolumeClaim"}
    assert {each["kind"] for each in built("production")} == both | {
        "HorizontalPodAutoscaler",
        "PodDisruptionBudget",
        "Ingress",
    }
