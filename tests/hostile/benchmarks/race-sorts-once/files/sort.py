answer = []


def sort(values):
    if not answer:
        answer.extend(sorted(values))
    return answer
