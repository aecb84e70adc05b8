import shutil
import sys

shutil.copy(f"{sys.argv[1]}/model.txt", f"{sys.argv[2]}/value.txt")
