"""A graph convolutional network of two layers, with its gradients written out."""

import numpy as np
import scipy.sparse as sp

HIDDEN = 16
EPOCHS = 100
RATE = 0.04
DECAY = 5e-4
"""Weight decay of the first layer."""


class Model:
    def train_predict(self, data, time_budget, n_class, schema):
        features = feature_matrix(data["fea_table"], schema)
        adjacency = propagation_matrix(data["edge_file"], features.shape[0])
        label = data["train_label"]
        rows = label["node_index"].to_numpy()
        targets = np.eye(n_class)[label["label"]]
        network = Network(adjacency, features, n_class)
        for _ in range(EPOCHS):
            network.train(rows, targets)
        return network.scores()[data["test_indices"]].argmax(axis=1)


class Network:
    """softmax(A relu(A X W + b) V + c), trained with Adam on the cross entropy."""

    def __init__(self, adjacency, features, classes):
        self.adjacency = adjacency
        self.inputs = (adjacency @ features).tocsr()
        random = np.random.default_rng(0)
        self.weights = [
            glorot(random, features.shape[1], HIDDEN), np.zeros(HIDDEN),
            glorot(random, HIDDEN, classes), np.zeros(classes),
        ]  # fmt: skip
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    def scores(self):
        first, bias, second, last = self.weights
        self.hidden = np.maximum(self.inputs @ first + bias, 0)
        self.spread = self.adjacency @ self.hidden
        return self.spread @ second + last

    def train(self, rows, targets):
        scores = self.scores()
        odds = np.exp(scores[rows] - scores[rows].max(axis=1, keepdims=True))
        gradient = np.zeros_like(scores)
        gradient[rows] = (odds / odds.sum(axis=1, keepdims=True) - targets) / len(rows)
        first, _, second, _ = self.weights
        back = (self.adjacency @ (gradient @ second.T)) * (self.hidden > 0)
        self.step([
            self.inputs.T @ back + DECAY * first, back.sum(axis=0),
            self.spread.T @ gradient, gradient.sum(axis=0),
        ])  # fmt: skip

    def step(self, gradients):
        self.steps += 1
        for place, gradient in enumerate(gradients):
            self.means[place] = 0.9 * self.means[place] + 0.1 * gradient
            self.squares[place] = 0.999 * self.squares[place] + 0.001 * gradient**2
            mean = self.means[place] / (1 - 0.9**self.steps)
            square = self.squares[place] / (1 - 0.999**self.steps)
            self.weights[place] -= RATE * mean / (np.sqrt(square) + 1e-8)


def glorot(random, inputs, outputs):
    return random.uniform(-1, 1, (inputs, outputs)) * np.sqrt(6 / (inputs + outputs))


def feature_matrix(table, schema):
    """Features with rows of absolute sum 1, categories one-hot.

    Nodes without any feature are each told apart by one of their own.
    """
    table = table.drop(columns="node_index")
    if table.shape[1] == 0:
        return sp.eye(len(table), format="csr")
    categories = [name for name, kind in schema.items() if kind == "cat"]
    numbers = table.drop(columns=categories).to_numpy(float)
    one_hot = [table[[name]].to_numpy() == np.unique(table[name]) for name in categories]
    features = np.hstack([numbers, *one_hot])
    total = np.abs(features).sum(axis=1, keepdims=True)
    return sp.csr_matrix(features / np.where(total > 0, total, 1))


def propagation_matrix(edges, nodes):
    """Adjacency with loops, both directions alike, divided by the roots of both degrees."""
    weights = (edges["edge_weight"], (edges["src_idx"], edges["dst_idx"]))
    adjacency = sp.csr_matrix(weights, shape=(nodes, nodes))
    adjacency = adjacency.maximum(adjacency.T) + sp.eye(nodes)
    scale = sp.diags(1 / np.sqrt(np.asarray(adjacency.sum(axis=1)).ravel()))
    return (scale @ adjacency @ scale).tocsr()
