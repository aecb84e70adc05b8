"""An agent that does something else in each episode: what, and what is said of it."""

AGENT = '''\
import json, os, signal, socket, sys, time

LINE = int(sys.argv[1])


def write(content):
    while content:
        content = content[os.write(LINE, content):]


def others():
    found = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return [other for other in found if other != os.getpid()]


class OwnError(Exception):
    pass


def stalls(agent): time.sleep(60)
def raises(agent): raise ValueError("what I saw")
def raises_its_own(agent): raise OwnError("what I saw")
def leaves(agent): os._exit(3)
def exits(agent): sys.exit("enough")
def not_a_number(agent): return float("nan")
def a_fraction(agent): return 0.5
def nothing(agent): return None
def not_allowed(agent): return 99
def below_zero(agent): return -1
def a_huge_number(agent): return 10 ** 100
def a_flood(agent): write(b"7" * 10 ** 6)
def no_json(agent): write(b"hello\\n"); time.sleep(60)
def deep_json(agent): write(b"[" * 4000 + b"\\n"); time.sleep(60)
def true_for_one(agent): write(b'{"action": true}\\n'); time.sleep(60)
def forged_reason(agent):
    write(b'{"failed": "raised", "where": "act", "type": "I saw it"}\\n')
    time.sleep(60)
def always_waits(agent): agent.waits = True; return agent.wait
def reads_files(agent): open("/app/input/ref/task.json")
def reads_the_program(agent): open("/app/program/environment.py")
def is_slow(agent): agent.slow = True; return agent.first()
def takes_memory(agent):
    kept = []
    while True:
        kept.append(bytearray(10 ** 8))


def looks_around(agent):
    """Does all that could touch another episode, and plays on."""
    found = []
    for path in ("/app", "/app/shared", "/proc/1/fd", "/tmp", "/sys/class/net"):
        try:
            found.append((path, sorted(os.listdir(path))))
        except OSError as error:
            found.append((path, type(error).__name__))
    print("sees", json.dumps(found), flush=True)
    for other in others():
        for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
            try:
                os.kill(other, number)
            except OSError:
                pass
    for folder in ("/app/shared", "/app/output", "/tmp", "/dev/shm"):
        try:
            os.symlink("/app/input/ref/task.json", folder + "/answer")
            open(folder + "/left", "w").write("for the next one")
        except OSError:
            pass
    return agent.first()


def leaves_a_daemon(agent):
    if os.fork() == 0:
        os.setsid()
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            try:
                os.symlink("/etc/passwd", "/app/shared/link")
            except OSError:
                time.sleep(0.001)
    return agent.first()


class Agent:
    def reset(self, observation, info):
        self.seen, self.turn, self.slow, self.waits = observation, 0, False, False
        self.fault = FAULTS[info["episode"]]
        self.wait = len(observation["action_mask"]) - 1
        if self.fault == "starts_late":
            time.sleep(60)

    def first(self):
        return self.seen["action_mask"].index(1)

    def act(self, observation):
        self.seen = observation
        self.turn += 1
        if self.slow:
            time.sleep(0.4)
        if self.waits:
            return self.wait
        if self.turn == 3 and self.fault in globals():
            return globals()[self.fault](self)
        return self.first()
'''

SENT_ELSE = "sent something else than an action"
REASONS = {  # what is said ends with it
    "honest": "",
    "stalls": "decision 3: took more than 1 s for a decision",
    "raises": "decision 3: raised ValueError in act",
    "raises_its_own": "decision 3: raised an exception in act",
    "leaves": "decision 3: ended before the episode did",
    "exits": "decision 3: raised SystemExit in act",
    "not_a_number": "decision 3: returned NaN, not the number of an action",
    "a_fraction": "decision 3: returned a float, not the number of an action",
    "nothing": "decision 3: returned None, not the number of an action",
    "not_allowed": "decision 3: chose 99, which the mask does not allow",
    "below_zero": "decision 3: chose -1, which the mask does not allow",
    "a_huge_number": "decision 3: chose a huge number, which the mask does not allow",
    "a_flood": "decision 3: sent more than 4096 bytes for an action",
    "no_json": f"decision 3: {SENT_ELSE}",
    "deep_json": f"decision 3: {SENT_ELSE}",
    "true_for_one": f"decision 3: {SENT_ELSE}",
    "forged_reason": f"decision 3: {SENT_ELSE}",
    "always_waits": "chose 6, which the mask does not allow",
    "reads_files": "decision 3: raised FileNotFoundError in act",
    "reads_the_program": "decision 3: raised FileNotFoundError in act",
    "takes_memory": "decision 3: ",  # is killed for it, or first for its time on a busy machine
    "is_slow": "had not ended after 5 s",
    "starts_late": "decision 1: was not ready within 4 s",
    "looks_around": "",
    "leaves_a_daemon": "",
    "honest_again": "",
}


def agent(*faults: str) -> str:
    """Source of an agent.py: what it does in episode 0, 1, and so on."""
    return f"{AGENT}\n\nFAULTS = {list(faults)!r}\n"
