"""Gives no share."""


def program(bulk, reference):
    return {}
