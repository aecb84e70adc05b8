"""Chooses what the mask does not allow."""


class Agent:
    def reset(self, observation, info):
        self.number = 0

    def act(self, observation):
        return observation["action_mask"].index(0) if 0 in observation["action_mask"] else 10**6
