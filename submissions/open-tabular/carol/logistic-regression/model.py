from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


class Model:
    def fit(self, X, y):
        logistic = LogisticRegression(C=1.0, max_iter=1000)
        self.pipeline = make_pipeline(StandardScaler(), logistic).fit(X, y)

    def predict(self, X):
        return self.pipeline.predict(X)
