"""The half of the module that prepares the data."""

from amlb.benchmark import TaskConfig
from amlb.data import Dataset
from amlb.utils import call_script_in_same_dir


def setup(*args, **kwargs):
    call_script_in_same_dir(__file__, "setup.sh", *args, **kwargs)


def run(dataset: Dataset, config: TaskConfig):
    from amlb.datautils import impute_array
    from frameworks.shared.caller import run_in_venv

    train, test = impute_array(dataset.train.X_enc, dataset.test.X_enc)
    data = {
        "train": {"X": train, "y": dataset.train.y_enc},
        "test": {"X": test, "y": dataset.test.y_enc},
    }
    return run_in_venv(__file__, "exec.py", input_data=data, dataset=dataset, config=config)
