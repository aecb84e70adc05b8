"""Prints far more than is kept, and what would act on a terminal or a CI log."""

print("x" * 79 + "\n", end="")
for _ in range(20_000):
    print("y" * 79)
print("\x1b[31mred\x1b]0;title\x07\u202ebackwards")
print("the last line")
