import subprocess
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
child = "import sys, time; time.sleep(1); open(sys.argv[1], 'w').write('owned')"
subprocess.Popen([sys.executable, "-c", child, str(answer)], start_new_session=True)
