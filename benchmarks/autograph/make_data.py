"""Write input_data/ and reference_data/ in the files of the AutoGraph challenge.

Usage: make_data.py [CORA], where CORA is an archive of dataset a with the arrays x_indptr,
x_indices, n_features, edges, train_idx, train_label, test_idx and test_label. Without it only the
generated graphs are written. Needs the packages in requirements.txt; gives the same data again.
"""

import hashlib
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from graphs import GENERATED, Graph

HERE = Path(__file__).parent
CORA_SHA256 = "415a2acfc504acb56daf81bcb1a34e6a13d271083987682d85512443903d6bb6"


def cora(path: Path) -> Graph:
    """Read dataset a with the challenge's own split."""
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != CORA_SHA256:
        sys.exit(f"{path.name} has the digest {found}, not {CORA_SHA256}: it is another file")
    data = np.load(path)
    nodes = len(data["x_indptr"]) - 1
    features = np.zeros((nodes, int(data["n_features"])))
    rows = np.repeat(np.arange(nodes), np.diff(data["x_indptr"]))
    features[rows, data["x_indices"].astype(int)] = 1
    labels = np.zeros(nodes, dtype=int)
    train, test = data["train_idx"].astype(int), data["test_idx"].astype(int)
    labels[train], labels[test] = data["train_label"], data["test_label"]
    return Graph(
        edges=data["edges"].astype(int), weights=np.ones(len(data["edges"])),
        numbers=features, words=np.empty((nodes, 0), dtype=str),
        labels=labels, train=train, test=test, time_budget=100,
    )  # fmt: skip


def lines(*rows: Iterable[object]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def input_files(graph: Graph) -> dict[str, str]:
    """Name -> content, as the challenge's ingestion program reads them."""
    names = [f"f{place}" for place in range(graph.numbers.shape[1])]
    kinds = [f"c{place}" for place in range(graph.words.shape[1])]
    schema = "".join(
        f"  {name}: {kind}\n"
        for group, kind in ((names, "num"), (kinds, "cat"))
        for name in group
    )  # fmt: skip
    config = (
        f"n_class: {graph.classes}\ntime_budget: {graph.time_budget}\n"
        f"schema:{chr(10) + schema if schema else ' {}' + chr(10)}"
    )
    features = [
        (node, *(f"{value:.4g}" for value in numbers), *words)
        for node, (numbers, words) in enumerate(zip(graph.numbers, graph.words, strict=True))
    ]
    edges = zip(graph.edges, graph.weights, strict=True)
    return {
        "config.yml": config,
        "edge.tsv": lines(
            ("src_idx", "dst_idx", "edge_weight"),
            *((source, target, f"{weight:.4g}") for (source, target), weight in edges),
        ),
        "feature.tsv": lines(("node_index", *names, *kinds), *features),
        "train_label.tsv": label_file(graph, graph.train),
        "train_node_id.txt": lines(*([node] for node in graph.train)),
        "test_node_id.txt": lines(*([node] for node in graph.test)),
    }


def label_file(graph: Graph, nodes: np.ndarray) -> str:
    return lines(("node_index", "label"), *((node, graph.labels[node]) for node in nodes))


def write(name: str, graph: Graph, *, packed: bool) -> None:
    """Write one dataset; ``packed`` into a zip, for dense features of a sparse graph."""
    truth = HERE / "reference_data" / name / "test_label.tsv"
    truth.parent.mkdir(parents=True, exist_ok=True)
    truth.write_text(label_file(graph, graph.test), encoding="ascii")
    folder = HERE / "input_data" / name
    if packed:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(folder.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            for file, text in input_files(graph).items():
                # Without the time of day, so that the same data give the same bytes.
                archive.writestr(zipfile.ZipInfo(file), text, zipfile.ZIP_DEFLATED, 9)
        return
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in input_files(graph).items():
        (folder / file).write_text(text, encoding="ascii")


def main(words: list[str]) -> None:
    for name, make in GENERATED.items():
        write(name, make(), packed=False)
    for path in words[:1]:
        write("cora", cora(Path(path)), packed=True)


if __name__ == "__main__":
    main(sys.argv[1:])
