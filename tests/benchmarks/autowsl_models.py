"""Models that cheat, each in its own way, as the source of a ``model.py``. Budgets are one second.

Each is the base class below with some methods in place of its own.
"""

BASE = '''\
import ctypes, hashlib, os, signal, subprocess, sys, threading, time
from pathlib import Path

class Honest:
    def __init__(self, info):
        self.info = info
        self.state = None
    def train(self, X, y):
        self.state = "trained"
    def save(self, directory):
        Path(directory, "state").write_text(self.state)
    def load(self, directory):
        self.state = Path(directory, "state").read_text()
    def predict(self, X):
        assert self.state == "trained"
        return [value if value == value else 0.0 for value in X["c1"]]

def _reads(path):
    try:
        path.read_bytes()
    except OSError:
        return False
    return True

def others():
    """Processes beside this one and the one that keeps the time."""
    return [int(name) for name in os.listdir("/proc")
            if name.isdecimal() and int(name) not in (1, os.getpid())]

'''


def model(body: str) -> str:
    """Return the source of a model whose methods are those in ``body``."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    return f"{BASE}class Model(Honest):\n{lines}"


HONEST = model("pass")

STAGES = model("""
def staged_predict(self, X):
    assert self.state == "trained"
    while True:
        yield [1.0, 0.5, 0.5, 0.5]
""")

TRAINING_TOO_LONG = {
    "sleeps": """
def train(self, X, y):
    time.sleep(60)
""",
    "catches-exceptions": """
def train(self, X, y):
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
""",
    "ignores-signals": """
def train(self, X, y):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(60)
""",
    "sits-in-a-c-call": """
def train(self, X, y):
    hashlib.pbkdf2_hmac("sha256", b"a", b"b", 2**31 - 1)
""",
    "moves-the-clock": """
def train(self, X, y):
    for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC):
        try:
            time.clock_settime(clock, 0.0)
        except OSError:
            pass
    time.time = time.monotonic = time.perf_counter = lambda: 0.0
    while True:
        pass
""",
    "stops-the-clock": """
def train(self, X, y):
    libc = ctypes.CDLL(None)
    libc.ptrace(16, os.getppid(), 0, 0)
    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM, signal.SIGTSTP):
        os.kill(os.getppid(), number)
    try:
        open(f"/proc/{os.getppid()}/mem", "r+b")
    except OSError:
        time.sleep(60)
""",
    "waits-for-a-daemon": """
def train(self, X, y):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(60)
        os._exit(0)
    while True:
        time.sleep(60)
""",
    "goes-on-in-a-thread": """
def train(self, X, y):
    self.state = "half"
    threading.Thread(target=time.sleep, args=(60,)).start()
""",
    "trains-at-exit": """
def train(self, X, y):
    import atexit
    atexit.register(time.sleep, 60)
    self.state = "trained"
""",
    "floods-the-pipe": """
def train(self, X, y):
    while True:
        try:
            os.write(int(sys.argv[4]), b"done" * 8000)
        except BlockingIOError:
            pass
""",
    "forks-without-end": """
def train(self, X, y):
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
        except OSError:
            pass
""",
}
"""They are stopped when their training budget is over."""

NOTHING_SAVED = {
    "writes-the-model-later": """
def train(self, X, y):
    pass
def save(self, directory):
    if os.fork() == 0:
        time.sleep(0.6)
        Path(directory, "state").write_text("trained")
        os._exit(0)
def load(self, directory):
    time.sleep(0.8)
    super().load(directory)
""",
    "daemon-writes-the-model-later": """
def train(self, X, y):
    pass
def save(self, directory):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            time.sleep(0.6)
            Path(directory, "state").write_text("trained")
        os._exit(0)
    os.wait()
def load(self, directory):
    assert not others(), others()
    time.sleep(0.8)
    super().load(directory)
""",
    "ever-another-process": """
def save(self, directory):
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
        os._exit(0)
def load(self, directory):
    assert not others(), others()
    raise SystemExit(4)
""",
    "keeps-state-in-memory": """
trained = []
def train(self, X, y):
    self.trained.append("trained")
def save(self, directory):
    pass
def load(self, directory):
    self.state = self.trained[0]
""",
    "keeps-state-elsewhere": """
places = ("/tmp/state", "/dev/shm/state", "/app/output/state")
def save(self, directory):
    for place in self.places:
        Path(place).write_text("trained")
def load(self, directory):
    self.state = [Path(place).read_text() for place in self.places if Path(place).exists()][0]
""",
}
"""They end in time, and their second half finds nothing."""

PREDICTION_TOO_LONG = {
    "trains-in-predict": """
def predict(self, X):
    while True:
        self.state = hashlib.sha256(str(self.state).encode()).hexdigest()
""",
    "trains-in-load": """
def load(self, directory):
    time.sleep(60)
""",
}

SEES_NOTHING = {
    "constructor": """
def __init__(self, info):
    super().__init__(info)
    folder = Path(sys.argv[5])
    seen = [str(path) for path in folder.rglob("*") if path.is_file() and _reads(path)]
    seen += [str(path) for path in Path(sys.argv[2], "data").iterdir()]
    frames, frame = [], sys._getframe()
    while frame:
        frames += [name for name in frame.f_locals if name in ("table", "labels")]
        frame = frame.f_back
    assert not seen and not frames, (seen, frames)
""",
    "training": """
def train(self, X, y):
    assert not _reads(Path(sys.argv[5], "test.data"))
    os.symlink(sys.argv[5], "/tmp/link")
    assert not _reads(Path("/tmp/link/test.data"))
    assert not _reads(Path("/proc/self/root", sys.argv[5].lstrip("/"), "test.data"))
    assert subprocess.run(["cat", sys.argv[5] + "/test.data"], capture_output=True).returncode
    super().train(X, y)
""",
    "prediction": """
def predict(self, X):
    for name in ("train.data", "train.solution", "info.json"):
        assert not _reads(Path(sys.argv[5], name)), name
    assert os.listdir(Path(sys.argv[2], "data")) == ["test.data"]
    # and the rest of the machine is as it was
    Path("/tmp/mine").write_text("x")
    os.makedirs("/tmp/one/two")
    os.rename("/tmp/mine", "/tmp/one/two/mine")
    assert Path("/tmp/one/two/mine").read_text() == "x"
    return super().predict(X)
""",
}
"""They look for what they must not see, and would fail if they saw it."""

START_TOO_LONG = {
    "trains-in-the-constructor": """
def __init__(self, info):
    time.sleep(60)
""",
}

REFUSED = {
    "gives-up": ("def train(self, X, y):\n    os._exit(0)",
                 "training ended with exit code 0 before it was done"),
    "raises": ("def train(self, X, y):\n    raise ValueError('no')",
               "training ended with exit code 1 before it was done"),
    "kills-itself": ("def predict(self, X):\n    os.kill(os.getpid(), signal.SIGKILL)",
                     "prediction ended with signal 9 before it was done"),
    "predicts-nan": ("def predict(self, X):\n    return [0.5, float('nan'), 0.1, 0.2]",
                     "predict returned nan for row 2, not a finite number"),
    "predicts-too-few": ("def predict(self, X):\n    return [0.5]",
                         "predict returned 1 values for 4 test rows"),
    "predicts-text": ("def predict(self, X):\n    return ['yes'] * 4",
                      "prediction ended with exit code 1 before it was done"),
    "stages-too-few": ("def staged_predict(self, X):\n    return [self.predict(X), [0.5]]",
                       "stage 2 of staged_predict returned 1 values for 4 test rows"),
    "stages-raise": ("def staged_predict(self, X):\n    raise ValueError('no')",
                     "prediction ended with exit code 1 before it was done"),
    "stages-elsewhere": ("def predict(self, X):\n"
                         "    Path(sys.argv[2], 'stages.csv').symlink_to('/etc/passwd')\n"
                         "    return [0.1, 0.2, 0.3, 0.4]",
                         "prediction left no stages.csv"),
}  # fmt: skip
"""Body and what its participant is told."""
