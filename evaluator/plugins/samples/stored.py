"""What scoring programs write of samples and curves, as attachments of cells."""

from collections.abc import Callable, Collection
from pathlib import Path

from evaluator.core.compute.engine.output import read_regular
from evaluator.core.formats.bundle import Benchmark
from evaluator.plugins.samples.format import (
    MAX_CURVES,
    MAX_FILE,
    MAX_KEPT,
    pack_curves,
    pack_samples,
)


class _Packed:
    """A file that is checked and compressed, if the bundle asks for it by its key."""

    file: str
    max_file: int
    max_bytes = MAX_KEPT
    key: str
    pack: Callable[[bytes, Collection[str]], bytes]

    def takes(self, benchmark: Benchmark) -> bool:
        return bool(benchmark.of_plugins.get(self.key))

    def read(self, output: Path, columns: Collection[str]) -> bytes | None:
        path = output / self.file
        content = read_regular(path, self.max_file)
        if content is None:
            if path.is_file():
                raise ValueError(f"is larger than {self.max_file:,} bytes")
            return None
        packed = self.pack(content, columns)
        if len(packed) > self.max_bytes:
            raise ValueError(f"is larger than {self.max_bytes:,} bytes when it is compressed")
        return packed


class SampleFile(_Packed):
    """``samples.jsonl.gz``."""

    key, file, max_file, pack = "samples", "samples.jsonl", MAX_FILE, staticmethod(pack_samples)


class CurveFile(_Packed):
    """``curves.json.gz``."""

    key, file, max_file, pack = "curves", "curves.json", MAX_CURVES, staticmethod(pack_curves)


SAMPLE_FILE = SampleFile()
CURVE_FILE = CurveFile()
