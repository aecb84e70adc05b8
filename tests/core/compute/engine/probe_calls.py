"""Runs in a container: which system calls are refused there, by a child for each.

Arguments are such that a call which is let through fails by itself, or ends with its child.
"""

import ctypes
import json
import os
import signal
import socket

LIBC = ctypes.CDLL(None, use_errno=True)
LAST = 480
ENDING = {15, 56, 57, 58, 60, 231}  # rt_sigreturn, clone, fork, vfork, exit, exit_group
NAMESPACES = [1 << bit for bit in (7, 17, 25, 26, 27, 28, 29, 30)]


def outcome(number: int, *arguments: int) -> str:
    """Name of the error, ``done`` without one, ``ended`` where the child did not answer."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        answer = LIBC.syscall(number, *(ctypes.c_long(value) for value in arguments))
        os.write(writer, b"done" if answer >= 0 else str(ctypes.get_errno()).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    said = os.read(reader, 16).decode()
    os.close(reader)
    return said or "ended"


def main() -> None:
    found = {}
    for number in sorted({*range(LAST)} - ENDING):
        found[f"call {number}"] = outcome(number, *[-1] * 6)
    for family in range(64):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            found[f"socket {family} {kind}"] = outcome(41, family, kind, 0)
        pair = ctypes.addressof((ctypes.c_int * 2)())
        found[f"socketpair {family}"] = outcome(53, family, socket.SOCK_STREAM, 0, pair)
    for flag in NAMESPACES:
        found[f"clone {flag:#x}"] = outcome(56, flag | signal.SIGCHLD, 0, 0, 0, 0)
        found[f"unshare {flag:#x}"] = outcome(272, flag)
    for value in (0, 8, 0x20000, 0x20008, 0x40000, 0x400000, 0xFFFFFFFF):
        found[f"personality {value:#x}"] = outcome(135, value)
    parameters = ctypes.create_string_buffer(120)
    found["io_uring_setup"] = outcome(425, 4, ctypes.addressof(parameters))
    print(json.dumps(found))


main()
