"""The system calls of programs: fewer than any engine's own profile allows.

Engines differ in what theirs forbids, by their age. What is listed here the newest profile of
Docker allows, and ``tests/core/compute/engine/test_seccomp.py`` compares this with the engine's.
Beyond that it leaves out io_uring, which acts behind any filter, 32-bit programs, whose sockets no
filter can look at, and all sockets but those of programs: ``AF_VSOCK`` leads to the hypervisor,
whatever the network.

The side that shares a folder with a scorer makes no links, either. A link is followed where it is
read: one in the shared folder could mean a file among the scorer's, and a look at the folder comes
too late. No file system without links can be had without rights.
"""

import json

_FILES = """
    access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat
    faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchown fchownat fcntl fdatasync
    fgetxattr flistxattr flock fremovexattr fsetxattr fstat fstatfs fsync ftruncate getcwd getdents
    getdents64 getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioctl lchown
    lgetxattr link linkat listxattr llistxattr lremovexattr lseek lsetxattr lstat mkdir mkdirat
    mknod mknodat newfstatat open openat openat2 pipe pipe2 pread64 preadv preadv2 pwrite64 pwritev
    pwritev2 read readahead readlink readlinkat readv removexattr rename renameat renameat2 rmdir
    sendfile setxattr splice stat statfs statx sync sync_file_range syncfs tee truncate umask unlink
    unlinkat utime utimensat utimes futimesat vmsplice write writev
"""
_MEMORY = """
    brk madvise membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap msync
    munlock munlockall munmap remap_file_pages shmat shmctl shmdt shmget
"""
_PROCESSES = """
    alarm arch_prctl capget capset execve execveat exit exit_group fork futex futex_waitv
    get_robust_list get_thread_area getcpu getegid geteuid getgid getgroups getitimer getpgid
    getpgrp getpid getppid getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid
    ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset landlock_restrict_self
    pause pidfd_open pidfd_send_signal prctl prlimit64 process_mrelease restart_syscall rseq
    rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend
    rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min
    sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval
    sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp
    set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer
    setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setuid sigaltstack
    sysinfo tgkill time times tkill uname vfork wait4 waitid
"""
_EVENTS = """
    accept accept4 bind clock_getres clock_gettime clock_nanosleep connect epoll_create
    epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd
    eventfd2 getpeername getrandom getsockname getsockopt gettimeofday io_cancel io_destroy
    io_getevents io_pgetevents io_setup io_submit listen mq_getsetattr mq_notify mq_open
    mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd nanosleep poll ppoll pselect6
    recvfrom recvmmsg recvmsg select semctl semget semop semtimedop sendmmsg sendmsg sendto
    setsockopt shutdown signalfd signalfd4 timer_create timer_delete timer_getoverrun timer_gettime
    timer_settime timerfd_create timerfd_gettime timerfd_settime
"""
_LINKS = "symlink symlinkat"
_FAMILIES = (1, 2, 10, 16)
"""Linux's numbers of AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, which lists network devices."""
_NAMESPACES = 0x7E020000
"""All CLONE_NEW* bits: a process in a namespace of its own could mount."""
_ENOSYS = 38
_PERSONALITIES = (0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
"""Linux as it is, with the short names of uname's; and the question what it is."""


def profile(*, links: bool) -> str:
    calls = f"{_FILES} {_MEMORY} {_PROCESSES} {_EVENTS} {_LINKS if links else ''}"
    rules = [
        _rule(calls),
        _rule("clone", index=0, value=_NAMESPACES, valueTwo=0, op="SCMP_CMP_MASKED_EQ"),
        # Its flags lie in memory, where no filter looks: libraries then take ``clone``.
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
        *(_rule("personality", index=0, value=n, op="SCMP_CMP_EQ") for n in _PERSONALITIES),
        *(_rule("socket socketpair", index=0, value=n, op="SCMP_CMP_EQ") for n in _FAMILIES),
    ]
    if links:
        # Before Linux 4.8 it led around filters.
        rules.append({**_rule("ptrace"), "includes": {"minKernel": "4.8"}})
    return json.dumps({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": rules})


def _rule(names: str, **argument: object) -> dict[str, object]:
    arguments = {"args": [argument]} if argument else {}
    return {"names": names.split(), "action": "SCMP_ACT_ALLOW", **arguments}
