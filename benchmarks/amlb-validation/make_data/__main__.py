"""Write the files of the definition: python -B benchmarks/amlb-validation/make_data FOLDER

All tables come with scikit-learn. Then, from the root of the repository:

    pullbench import amlb benchmarks/amlb-validation/make_data/validation.yaml validation
        --constraints benchmarks/amlb-validation/make_data/constraints.yaml
        --userdir FOLDER --name amlb-validation
"""

import gzip
import io
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import arff
import pandas as pd
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.model_selection import KFold, StratifiedKFold

FOLDS = 2
TITANIC = "datasets/tests/data/openml/id_40945/data-v1-dl-16826755.arff.gz"
KEPT = ["pclass", "survived", "sex", "age", "sibsp", "parch", "fare", "embarked"]


def folds(table: pd.DataFrame, target: str, *, stratified: bool):
    splitter = StratifiedKFold if stratified else KFold
    made = splitter(FOLDS, shuffle=True, random_state=0)
    for train, test in made.split(table, table[target]):
        yield table.iloc[train], table.iloc[test]


def breast_cancer(folder: Path) -> None:
    data = load_breast_cancer(as_frame=True)
    table = data.data.assign(diagnosis=[data.target_names[t] for t in data.target])
    folder.mkdir()
    for number, parts in enumerate(folds(table, "diagnosis", stratified=True)):
        for name, part in zip(("train", "test"), parts, strict=True):
            part.to_csv(folder / f"cells_{name}_{number}.csv", index=False)


def wine(folder: Path) -> None:
    table = load_wine(as_frame=True).frame
    table = table[["target", *table.columns[:-1]]].rename(columns={"target": "cultivar"})
    folder.mkdir()
    pairs = folds(table, "cultivar", stratified=True)
    for word, (train, test) in zip(("first", "second"), pairs, strict=True):
        train.to_csv(folder / f"{word}.csv", index=False)
        test.to_csv(folder / f"held_out_{word}.csv", index=False)


def titanic(file: Path) -> None:
    packed = Path(sklearn.__file__).parent / TITANIC
    content = arff.loads(gzip.decompress(packed.read_bytes()).decode())
    kinds = dict(content["attributes"])
    table = pd.DataFrame(content["data"], columns=list(kinds))[KEPT]
    with zipfile.ZipFile(file, "w") as archive:
        for number, parts in enumerate(folds(table, "survived", stratified=True)):
            for name, part in zip(("train", "test"), parts, strict=True):
                cells = part.astype(object).where(part.notna(), None)
                text = arff.dumps({
                    "relation": "titanic", "attributes": [(key, kinds[key]) for key in KEPT],
                    "data": cells.to_numpy().tolist(),
                }).replace("@ATTRIBUTE survived", "@ATTRIBUTE class")  # fmt: skip
                archive.writestr(f"titanic_{name}_{number}.arff", text)


def diabetes(file: Path) -> None:
    table = load_diabetes(as_frame=True, scaled=False).frame
    with tarfile.open(file, "w:gz") as archive:
        for number, parts in enumerate(folds(table, "target", stratified=False)):
            for name, part in zip(("train", "test"), parts, strict=True):
                content = part.to_csv(index=False).encode()
                member = tarfile.TarInfo(f"diabetes_{name}_{number}.csv")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    breast_cancer(folder / "breast_cancer")
    wine(folder / "wine")
    titanic(folder / "titanic.zip")
    diabetes(folder / "diabetes.tgz")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
