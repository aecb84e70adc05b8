"""Multinomial logistic regression by gradient descent with an L2 penalty."""

import numpy as np


def run(x_train, y_train, x_test):
    classes, labels = np.unique(y_train, return_inverse=True)
    wanted = np.eye(len(classes))[labels]
    shift = x_train.mean(axis=0)
    weights, bias = np.zeros((x_train.shape[1], len(classes))), np.zeros(len(classes))
    for _ in range(500):
        scores = (x_train - shift) @ weights + bias
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        shares /= shares.sum(axis=1, keepdims=True)
        error = (shares - wanted) / len(x_train)
        weights -= 1.0 * ((x_train - shift).T @ error + 1e-3 * weights)
        bias -= 1.0 * error.sum(axis=0)
    return classes[((x_test - shift) @ weights + bias).argmax(axis=1)]
