import os
import sys

print("Traceback (most recent call last):")
print('  File "/app/program/ingestion.py", line 3, in <module>')
print("ModuleNotFoundError: No module named 'numpy'")
sys.stdout.flush()
os._exit(1)
