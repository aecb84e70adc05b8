def add(numbers):
    return numbers[0]
