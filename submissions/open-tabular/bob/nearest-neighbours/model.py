from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


class Model:
    def fit(self, X, y):
        # Distances need features of like size: wine's proline is in the hundreds, its hue near 1.
        neighbours = KNeighborsClassifier(n_neighbors=5, n_jobs=1)
        self.pipeline = make_pipeline(StandardScaler(), neighbours).fit(X, y)

    def predict(self, X):
        return self.pipeline.predict(X)
