"""The published test vectors of the random stream, made by the plain description and not by the engine.

`python -m tests.core.vectors` writes them anew into openapi/vectors; test_vectors.py says when they differ.
"""

import json
from pathlib import Path
from typing import Any

from tests.core import plain_stream

FOLDER = Path(__file__).parents[2] / "openapi" / "vectors"
ALGORITHM = "hmac-sha256-v1"

Rolls = list[tuple[int, int]]

SEEDS = {
    "ASCII": "table-7",
    "one character": "7",
    "128 characters, a key longer than a block of SHA-256": "0123456789abcdef" * 8,
    "64 bytes, a key of just one block": "k" * 64,
    "65 bytes, a key that is hashed first": "k" * 65,
    "spaces and punctuation, nothing trimmed or escaped": ' "a\\b" /\t',
    "Cyrillic": "стол семь",
    "Cyrillic, 128 characters in 256 bytes": "ё" * 128,
    "emoji": "🎲🐉",
    "emoji, 128 characters in 512 bytes": "🎲" * 128,
    "a letter and a combining accent, not normalised": "e\u0301",
    "the same letter in one character, another stream": "\u00e9",
}
DICE_SEED = "dice 1"
SIDES = (2, 3, 6, 10, 20, 100, 256)
MIXED = {
    "every die after every other": [(1, 2), (1, 3), (1, 6), (1, 10), (1, 20), (1, 100), (1, 256)] * 6,
    "an attack and its damage": [(3, 6), (3, 6), (2, 6)],
    "a pool, its waves and a chance die": [(12, 10), (3, 10), (1, 10), (1, 10)],
    "a roll that ends with a block, and the next": [(32, 256), (1, 6), (31, 256), (4, 100)],
    "no dice between dice": [(0, 6), (2, 6), (0, 100), (2, 10)],
}
BATCH = {"table-7": (0, 1, 9, 10, 999), "стол 🎲": (0, 1)}


def vector(name: str, seed: str, rolls: Rolls, **more: Any) -> dict[str, Any]:
    """One vector: the faces of these rolls from the start of this seed's stream."""
    shown = [{"count": count, "sides": sides} for count, sides in rolls]
    return {"name": name, **more, "seed": seed, "rolls": shown, "faces": plain_stream.faces(seed, rolls)}


def vectors() -> dict[str, list[dict[str, Any]]]:
    """Every vector, by file."""
    return {
        "seeds": [vector(name, seed, [(40, 6), (10, 10)]) for name, seed in SEEDS.items()],
        "dice": [vector(f"dice of {sides} sides", DICE_SEED, [(150, sides)]) for sides in SIDES],
        "mixed": [vector(name, "mixed", rolls) for name, rolls in MIXED.items()],
        "batch": [
            vector(f"item {item}", f"{seed}/{item}", [(40, 6)], batch_seed=seed, item=item)
            for seed, items in BATCH.items()
            for item in items
        ],
    }


def written(named: list[dict[str, Any]]) -> str:
    """The text of one file: a line for each vector."""
    lines = ",\n".join("    " + json.dumps(each, ensure_ascii=False) for each in named)
    return f'{{\n  "algorithm": "{ALGORITHM}",\n  "vectors": [\n{lines}\n  ]\n}}\n'


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, named in vectors().items():
        (FOLDER / f"{name}.json").write_text(written(named), "utf-8")


if __name__ == "__main__":
    main()
