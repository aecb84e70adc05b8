"""How long a block takes."""

import time
from typing import Any


class Timer:
    """``with Timer() as t``: ``t.duration`` is in seconds, while the block runs, too."""

    def __init__(self, clock: Any = time.time, enabled: bool = True) -> None:
        self.start = 0.0
        self.stop = 0.0
        self._time = clock if enabled else lambda: 0.0

    def __enter__(self) -> "Timer":
        self.start = self._time()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop = self._time()

    @property
    def duration(self) -> float:
        if not self.start:
            return 0.0
        return (self.stop or self._time()) - self.start
