"""The half of the module that learns."""

from frameworks.shared.callee import call_run, result
from frameworks.shared.utils import Timer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor


def run(dataset, config):
    is_classification = config.type == "classification"
    estimator = RandomForestClassifier if is_classification else RandomForestRegressor
    forest = estimator(random_state=config.seed, n_jobs=config.cores, **config.framework_params)
    with Timer() as training:
        forest.fit(dataset.train.X, dataset.train.y.ravel())
    with Timer() as predict:
        predictions = forest.predict(dataset.test.X)
    return result(
        output_file=config.output_predictions_file,
        predictions=predictions,
        probabilities=forest.predict_proba(dataset.test.X) if is_classification else None,
        truth=dataset.test.y,
        target_is_encoded=is_classification,
        models_count=len(forest.estimators_),
        training_duration=training.duration,
        predict_duration=predict.duration,
    )


if __name__ == "__main__":
    call_run(run)
