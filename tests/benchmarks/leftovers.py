"""Code of a hostile submission: one part leaves marks wherever it can, another looks for them."""

# Each place is tried, whatever the bundle thinks of: what can be written to is what must be empty.
COMMON = """
import ctypes
import json
import os
import signal
import socket
import time

LIBC = ctypes.CDLL(None, use_errno=True)
MARK = "left-by-another"
KEY = 4711

def folders():
    for place, inner, _ in os.walk("/"):
        inner[:] = [name for name in inner if place != "/" or name not in ("proc", "sys")]
        if os.access(place, os.W_OK):
            yield place

def in_sysv():
    return {kind: [line.split()[0] for line in open("/proc/sysvipc/" + kind)][1:]
            for kind in ("shm", "msg", "sem")}
"""

LEAVES = (
    COMMON
    + """
def leave():
    left = []
    for place in list(folders()):
        try:
            path = os.path.join(place, MARK)
            open(path, "w").close()
            if place != "/dev/mqueue":
                os.makedirs(path + "-closed/in/it")
                os.symlink("/etc/passwd", path + "-link")
                os.mkfifo(path + "-pipe")
                os.chmod(path + "-closed/in", 0)
                os.chmod(path + "-closed", 0)
            left.append(place)
        except OSError:
            pass
    if LIBC.shmget(KEY, 4096, 0o1666) >= 0: left.append("shm")
    if LIBC.msgget(KEY, 0o1666) >= 0: left.append("msg")
    if LIBC.semget(KEY, 1, 0o1666) >= 0: left.append("sem")
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        abstract = socket.socket(socket.AF_UNIX)
        abstract.bind("\\0" + MARK)
        abstract.listen()
        while True:
            for place in ("/tmp", "/dev/shm", "/app/output"):
                try: open(os.path.join(place, MARK + "-late"), "w").close()
                except OSError: pass
            time.sleep(0.001)
    os.wait()
    left.append("process")
    for path in ("/proc/1/mem", f"/proc/{os.getppid()}/mem"):
        try:
            open(path, "r+b")
            left.append(path)
        except OSError:
            pass
    os.environ["MARK"] = MARK
    print("left", json.dumps(left), flush=True)

leave()
"""
)

SEES = (
    COMMON
    + """
def see():
    seen = []
    for place in folders():
        try:
            seen += [os.path.join(place, name) for name in os.listdir(place) if MARK in name]
        except OSError as error:
            seen.append(place + ": " + str(error))
    seen += [kind for kind, keys in in_sysv().items() if keys]
    for name in os.listdir("/proc"):
        if name.isdecimal() and name not in ("1", str(os.getpid())):
            seen.append("process " + name)
    seen += ["socket" for line in open("/proc/net/unix") if MARK in line]
    if "MARK" in os.environ:
        seen.append("environment")
    print("sees", json.dumps(seen), flush=True)
    return seen

see()
"""
)
