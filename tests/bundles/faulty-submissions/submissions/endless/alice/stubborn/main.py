"""Children in sessions of their own, all deaf to what can be ignored."""

import signal
import subprocess
import sys
import time

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
    signal.signal(number, signal.SIG_IGN)
child = "import time; time.sleep(60) # a-stubborn-child"
for _ in range(3):
    subprocess.Popen([sys.executable, "-c", child], start_new_session=True)
time.sleep(60)
