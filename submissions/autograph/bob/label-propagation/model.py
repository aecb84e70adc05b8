"""Label propagation: labels spread along the edges, and no feature is looked at."""

import numpy as np
import scipy.sparse as sp

ROUNDS = 30
KEPT = 0.1
"""Share of a node's label that stays its own in each round."""


class Model:
    def train_predict(self, data, time_budget, n_class, schema):
        nodes = len(data["fea_table"])
        label = data["train_label"]
        given = np.zeros((nodes, n_class))
        given[label["node_index"], label["label"]] = 1
        adjacency = propagation_matrix(data["edge_file"], nodes)
        spread = given
        for _ in range(ROUNDS):
            spread = (1 - KEPT) * (adjacency @ spread) + KEPT * given
        return spread[data["test_indices"]].argmax(axis=1)


def propagation_matrix(edges, nodes):
    """Adjacency with loops, both directions alike, divided by the roots of both degrees."""
    weights = (edges["edge_weight"], (edges["src_idx"], edges["dst_idx"]))
    adjacency = sp.csr_matrix(weights, shape=(nodes, nodes))
    adjacency = adjacency.maximum(adjacency.T) + sp.eye(nodes)
    scale = sp.diags(1 / np.sqrt(np.asarray(adjacency.sum(axis=1)).ravel()))
    return (scale @ adjacency @ scale).tocsr()
