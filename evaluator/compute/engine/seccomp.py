"""System calls of the side that shares a folder with a scorer: those of any program, without links.

A link is followed where it is read. One that an agent makes in the shared folder could stand for
a file among the scorer's, so that it must never come to be: a look at the folder comes too late.
No file system without links can be had without rights, but a filter of system calls can.

What is listed is a part of what Docker's own profile allows (its documentation names what that
forbids, and why), so that this filter is never the weaker one. Beyond links are left out: io_uring,
which acts behind any filter, tracing of processes, clocks to be set, and calls of 32-bit programs.
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
    setsockopt shutdown signalfd signalfd4 socket socketpair timer_create timer_delete
    timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime
"""
_NAMESPACES = 0x7E020000
"""All CLONE_NEW* bits: a process in a namespace of its own could mount."""
_PERSONALITIES = (0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
"""Linux as it is, with the short names of uname's; and the question what it is."""
_ENOSYS = 38


def without_links() -> str:
    """Make the profile, as Docker takes it."""
    names = f"{_FILES} {_MEMORY} {_PROCESSES} {_EVENTS}".split()
    rules: list[dict[str, object]] = [
        {"names": names, "action": "SCMP_ACT_ALLOW"},
        {
            "names": ["clone"],
            "action": "SCMP_ACT_ALLOW",
            "args": [{"index": 0, "value": _NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}],
        },
        # Its flags lie in memory, where no filter looks: libraries then take ``clone``.
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
    ]
    for value in _PERSONALITIES:
        arguments = [{"index": 0, "value": value, "op": "SCMP_CMP_EQ"}]
        rules.append({"names": ["personality"], "action": "SCMP_ACT_ALLOW", "args": arguments})
    return json.dumps({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": rules})
