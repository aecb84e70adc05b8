def answer(step, number, modulus):
    return number * 7 % modulus
