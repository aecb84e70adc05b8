def answer(step, number, modulus):
    raise ValueError("no idea")
