import time


def answer(step, number, modulus):
    if step == 10:
        time.sleep(60)
    return number * 7 % modulus
