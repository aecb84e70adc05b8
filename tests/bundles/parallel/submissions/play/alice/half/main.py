def answer(step, number, modulus):
    return number * 7 % modulus if step % 2 else -1
