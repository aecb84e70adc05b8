"""Answer with the class whose mean is nearest."""

import numpy as np


def run(x_train, y_train, x_test):
    classes = np.unique(y_train)
    centres = np.stack([x_train[y_train == label].mean(axis=0) for label in classes])
    distances = np.linalg.norm(x_test[:, None, :] - centres[None, :, :], axis=2)
    return classes[distances.argmin(axis=1)]
