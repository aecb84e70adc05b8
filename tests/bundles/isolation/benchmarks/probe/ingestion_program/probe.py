"""Tells what a program in the prediction step can see and do."""

# ruff: noqa: PTH107, PTH113, PTH118, PTH202, PTH208

import json
import os
import socket
import sys
import time
from pathlib import Path

SECRETS = (b"THE-REFERENCE", b"THE-NEIGHBOUR")
SKIPPED = ("/proc", "/sys", "/usr", "/lib")


def status():
    lines = Path("/proc/self/status").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def attempt(action):
    try:
        action()
    except OSError as error:
        return type(error).__name__
    return "done"


def named_files():
    """Paths of everything that is called as the reference data or the neighbour's file is."""
    for parent, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(parent, name) not in SKIPPED[:2]]
        yield from (
            os.path.join(parent, name)
            for name in (*folders, *files)
            if name.startswith(("the-reference", "the-neighbour", "docker.sock", "score.py"))
        )


def files_with_secrets():
    for parent, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(parent, name) not in SKIPPED]
        for name in files:
            path = os.path.join(parent, name)
            try:
                if not os.path.isfile(path) or os.path.getsize(path) > 2**20:
                    continue
                content = Path(path).read_bytes()
            except OSError:
                continue
            if any(secret in content for secret in SECRETS) and path != __file__:
                yield path


def children_until_refused():
    children = []
    try:
        for _ in range(500):
            child = os.fork()
            if child == 0:
                time.sleep(30)
                os._exit(0)
            children.append(child)
    except BlockingIOError:
        pass
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)
    return len(children)


facts = {
    "interfaces": [name for _, name in socket.if_nameindex()],
    "connect": attempt(lambda: socket.create_connection(("198.51.100.1", 80), timeout=2)),
    "resolve": attempt(lambda: socket.getaddrinfo("example.org", 80)),
    "app": sorted(os.listdir("/app")),
    "submission": sorted(os.listdir("/app/ingested_program")),
    "output": sorted(os.listdir("/app/output")),
    "named_files": list(named_files()),
    "files_with_secrets": list(files_with_secrets()),
    "environment": dict(os.environ),
    "processes": [name for name in os.listdir("/proc") if name.isdecimal()],
    "uid": os.getuid(),
    "gid": os.getgid(),
    "groups": os.getgroups(),
    "status": {
        key: value
        for key, value in status().items()
        if key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")
    },
    "writes": {
        folder: attempt(lambda folder=folder: Path(folder, "written").write_text("x"))
        for folder in (
            "/",
            "/etc",
            "/usr",
            "/var/tmp",
            "/app",
            "/app/program",
            "/app/input_data",
            "/app/ingested_program",
            "/tmp",
            "/dev/shm",
            "/app/output",
        )
    },
    "setuid": attempt(lambda: os.setuid(0)),
    "mknod": attempt(lambda: os.mknod("/tmp/device", 0o60600, os.makedev(8, 0))),
    "raw_socket": attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)),
    "tmp": sorted(set(os.listdir("/tmp")) - {"written"}),
    "shm": sorted(set(os.listdir("/dev/shm")) - {"written"}),
    "children": children_until_refused(),
}
Path("/tmp/left-behind").write_text("x")
Path("/dev/shm/left-behind").write_text("x")
os.remove("/app/output/written")
Path(sys.argv[1]).write_text(json.dumps(facts))
