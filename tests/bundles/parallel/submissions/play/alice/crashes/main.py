def answer(step, number, modulus):
    if step == 100:
        raise SystemExit(3)
    return number * 7 % modulus
