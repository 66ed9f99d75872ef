"""What the metrics say, by name and labels."""

from prometheus_client.parser import text_string_to_metric_families

from service.observability.exposition import metrics_text

Samples = dict[tuple[str, tuple[str, ...]], float]


def samples(text: str | None = None) -> Samples:
    """The value of each sample of this process, or of a text, by its name and the values of its labels in their order."""
    told = metrics_text("")[0].decode() if text is None else text
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(told)
        for sample in family.samples
    }


def grown(before: Samples, name: str) -> dict[tuple[str, ...], float]:
    """By how much the samples of a name have grown since."""
    return {
        labels: value - before.get((each, labels), 0)
        for (each, labels), value in samples().items()
        if each == name and value != before.get((each, labels), 0)
    }
