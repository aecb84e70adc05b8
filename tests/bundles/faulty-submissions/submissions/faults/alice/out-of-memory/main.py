blocks = []
while True:
    blocks.append(b"x" * 2**20)
