"""Graphs made by a seeded generator: stochastic block models with and without features."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Graph:
    """A dataset, test labels included."""

    edges: np.ndarray
    """Rows of source and target."""
    weights: np.ndarray
    numbers: np.ndarray
    """Numeric features, one row for each node; no columns where there are none."""
    words: np.ndarray
    """The same for categories."""
    labels: np.ndarray
    train: np.ndarray
    test: np.ndarray
    time_budget: int

    @property
    def classes(self) -> int:
        return int(self.labels.max()) + 1


def blocks(
    rng: np.random.Generator, labels: np.ndarray, mixing: np.ndarray, count: int
) -> np.ndarray:
    """Draw edges: any source, the target's class by ``mixing`` from the source's."""
    members = [np.flatnonzero(labels == label) for label in range(len(mixing))]
    source = rng.integers(len(labels), size=count)
    target = [rng.choice(members[rng.choice(len(mixing), p=mixing[labels[s]])]) for s in source]
    edges = np.stack([source, target], axis=1)
    return np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)


def both_ways(edges: np.ndarray) -> np.ndarray:
    return np.unique(np.concatenate([edges, edges[:, ::-1]]), axis=0)


def split(rng: np.random.Generator, nodes: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    order = rng.permutation(nodes)
    cut = round(nodes * share)
    return np.sort(order[:cut]), np.sort(order[cut:])


def homophilous() -> Graph:
    """Friends are alike: three of four neighbours share the class; features are faint."""
    rng = np.random.default_rng(1)
    labels = rng.integers(5, size=1000)
    mixing = np.full((5, 5), 0.25 / 4) + np.eye(5) * (0.75 - 0.25 / 4)
    centres = rng.normal(size=(5, 16))
    guess = np.where(rng.random(1000) < 0.3, labels, rng.integers(5, size=1000))
    train, test = split(rng, 1000, 0.2)
    edges = both_ways(blocks(rng, labels, mixing, 2200))
    return Graph(
        edges=edges, weights=np.ones(len(edges)),
        numbers=0.35 * centres[labels] + rng.normal(size=(1000, 16)),
        words=np.array(["red", "green", "blue", "grey", "black"])[guess][:, None],
        labels=labels, train=train, test=test, time_budget=30,
    )  # fmt: skip


def heterophilous() -> Graph:
    """Opposites attract: most neighbours belong to the next class of a ring of four."""
    rng = np.random.default_rng(2)
    labels = rng.integers(4, size=800)
    mixing = np.full((4, 4), 0.05) + np.roll(np.eye(4), 1, axis=1) * 0.8
    centres = rng.normal(size=(4, 12))
    train, test = split(rng, 800, 0.3)
    edges = blocks(rng, labels, mixing, 4000)
    return Graph(
        edges=edges, weights=np.ones(len(edges)),
        numbers=0.5 * centres[labels] + rng.normal(size=(800, 12)),
        words=np.empty((800, 0), dtype=str),
        labels=labels, train=train, test=test, time_budget=30,
    )  # fmt: skip


def imbalanced() -> Graph:
    """Three classes of 80, 14 and 6 percent, no features, and edges of different weight."""
    rng = np.random.default_rng(3)
    labels = rng.choice(3, size=1200, p=[0.8, 0.14, 0.06])
    mixing = np.array([[0.9, 0.07, 0.03], [0.35, 0.6, 0.05], [0.35, 0.1, 0.55]])
    train, test = split(rng, 1200, 0.3)
    edges = both_ways(blocks(rng, labels, mixing, 3000))
    alike = labels[edges[:, 0]] == labels[edges[:, 1]]
    return Graph(
        edges=edges, weights=np.where(alike, 1.0, 0.5) + rng.exponential(0.5, size=len(edges)),
        numbers=np.empty((1200, 0)), words=np.empty((1200, 0), dtype=str),
        labels=labels, train=train, test=test, time_budget=20,
    )  # fmt: skip


GENERATED = {
    "homophilous": homophilous,
    "heterophilous": heterophilous,
    "imbalanced": imbalanced,
}
