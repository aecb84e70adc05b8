def add(numbers):
    return len(numbers)
