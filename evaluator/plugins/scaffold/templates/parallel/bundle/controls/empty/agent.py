"""Does not guess."""


class Agent:
    pass
