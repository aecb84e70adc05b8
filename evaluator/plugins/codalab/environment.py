"""What programs of other platforms count on, and silently do not have here: warned about, by line.

Codabench's worker gives every container a network, lets programs write to their own folder, in
which they begin, mounts a folder of the worker at /app/data, and blames nobody for a scoring
program that ends with an error.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evaluator.core.errors import some_of
from evaluator.core.formats.competition import LeaderboardEntry
from evaluator.core.importers.folder import METADATA, Folder
from evaluator.core.importers.notes import Notes
from evaluator.plugins.codalab.inputs import SOURCES, first_uses

Part = Literal["scoring_program", "ingestion_program"]
# A name of a file as a program writes it that goes to where it begins: no slash, no variable.
_HERE = r"\(\s*[\"'](?![/~{])[^\"'{}]+[\"']"


@dataclass(frozen=True, kw_only=True)
class _Use:
    """Something that a line of a program may do."""

    pattern: re.Pattern[str]
    message: str
    """With ``{part}`` for what the bundle's key is called."""
    hints: Mapping[Part, str]
    """By the program that does it; of others nothing is said."""


def _both(hint: str) -> Mapping[Part, str]:
    return {"scoring_program": hint, "ingestion_program": hint}


_USES: Mapping[str, _Use] = {
    "network": _Use(
        pattern=re.compile(
            r"\b(?:pip3?|conda|mamba|apt|apt-get|npm|git)\b[\"',\s]+(?:install|clone|update)\b"
            r"|\b(?:wget|curl)\s+\S|\binstall\.packages\(|\bPkg\.add\b"
            r"|-m[\"',\s]+(?:venv|virtualenv)\b|\bvenv\.create\b|\bvirtualenv\b"
            r"|\brequests\.(?:get|post|put|request|Session)\b|\burllib2?\.request\b|\burlopen\("
            r"|\burlretrieve\(|\bhttp\.client\b|\bhttpx\.|\baiohttp\.|\bgdown\.|\bboto3\."
            r"|\bsnapshot_download\(|\bhf_hub_download\(|\bload_dataset\("
            r"|\bfrom_pretrained\(\s*[\"'](?![./])|\btorch\.hub\.load|\bnltk\.download\("
            r"|\bOpenAI\(|\bAnthropic\(|\bopenai\.\w|\bsmtplib\.|\bsocket\.create_connection\("
        ),
        message="seems to need a network, to install, download or ask something: there is none",
        hints={
            "scoring_program": "Put what it needs into docker_image or beside it; or name a "
            "Docker network in pullbench.scoring_network.",
            "ingestion_program": "Put what it needs into docker_image or beside it; or name a "
            "Docker network in pullbench.network.",
        },
    ),
    "writes": _Use(
        pattern=re.compile(
            rf"\bopen{_HERE}\s*,\s*(?:mode\s*=\s*)?[\"'][wax]"
            rf"|\.(?:to_csv|to_json|to_pickle|savefig|savetxt){_HERE}"
            rf"|\b(?:makedirs|mkdir){_HERE}"
            r"|/app/program\b.*(?:[\"'][wax]b?\+?[\"']|mkdir|makedirs|\.write|>\s*\S)"
            r"|>\s*[\"']?/app/program\b|\bmkdir\b.*/app/program\b"
            r"|__file__.*[\"'][wax]b?\+?[\"']"
        ),
        message="seems to write to /app/program, in which programs begin: it is read only",
        hints=_both("Write to the folder that the command names as $output, or to /tmp."),
    ),
    "data": _Use(
        pattern=re.compile(r"/app/data\b"),
        message="reads /app/data, a folder of Codabench's workers: nothing is there",
        hints=_both(
            "Copy it below the folder that [tool.pullbench] data names, and pin it: `private: "
            "[{task: 0, file: data, path: FOLDER, sha256: DIGEST}]` under pullbench."
        ),
    ),
    "copy": _Use(
        pattern=re.compile(
            r"(?:\bsys\.path\b|\bPYTHONPATH\b|\bchdir\(|^\s*cd\s|\bspec_from_file_location\()"
            r".*(?:/app/output|\boutput\w*)"
            r"|\b(?:python3?|bash|sh|Rscript|julia)\s+/app/output/"
        ),
        message="looks for the submission in /app/output, where Codabench leaves a copy of one "
        "without metadata.yaml: there is none",
        hints={
            "scoring_program": "Let the ingestion program copy what scoring needs of it to $output "
            "and read that below /app/input/res.",
            "ingestion_program": "It is in /app/ingested_program, as on Codabench: read it there.",
        },
    ),
    "raises": _Use(
        pattern=re.compile(r"^\s*raise\s+[\w(\"']|\bsys\.exit\(\s*(?:[1-9\"'f]|-)|^\s*assert\s"),
        message="ends with an error, for which you are asked, not the participant",
        hints={
            "scoring_program": "Where predictions are at fault say why before it: "
            "`open(os.path.join(output_dir, 'rejected.txt'), 'w').write('row 3: not a number')`, "
            "which the participant is shown.",
        },
    ),
}  # fmt: skip


def check_environment(folder: Folder, path: str, part: Part) -> None:
    """Warn of what a program counts on that it does not have, at the line of its first use."""
    wanted = {name: use for name, use in _USES.items() if part in use.hints}
    names = folder.below(path)
    sources = {
        name: folder.read(name)
        for name in names
        if name.lower().endswith(SOURCES) or name.rpartition("/")[2] in METADATA
    }
    if any(b"rejected.txt" in content for content in sources.values()):
        wanted.pop("raises", None)
    patterns = {name: use.pattern for name, use in wanted.items()}
    for name, content in sources.items():
        for line, what in first_uses(content, patterns):
            use = wanted[what]
            folder.notes.warn(name, use.message, use.hints[part], line=line)


def check_hidden(board: LeaderboardEntry, notes: Notes) -> None:
    """Warn that what a board hides is hidden on pages alone."""
    hidden = [column.key for column in board.columns if column.hidden]
    if board.hidden or hidden:
        what = "the board" if board.hidden else some_of([f"'{key}'" for key in hidden])
        notes.warn(
            ("leaderboards", 0, "hidden") if board.hidden else ("leaderboards", 0, "columns"),
            f"hides {what} on pages alone: the scores lie in git, where everybody reads them.",
            "`pullbench keygen` makes a key for [tool.pullbench] seal, to which they are "
            "encrypted; or keep the repository private.",
        )
