"""CodaLab v1.5 and 1.8 competition.yaml -> the same competition in version 2.

Keeps what Codabench's own conversion drops: ranks of ranks, column groups, several boards, forced
submissions, phases that end when the next begins (site/organisers/codabench-keys.md has the table).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.core.formats.schema import Key
from evaluator.importing.files import PLAIN_LOGO
from evaluator.importing.folder import SourceFolder
from evaluator.importing.notes import Notes
from evaluator.plugins.codalab.keys import home_of, say_misplaced
from evaluator.plugins.codalab.legacy_board import convert_board, submission_rule
from evaluator.plugins.codalab.legacy_phases import convert_phases

DEFAULT_IMAGE = "codalab/codalab-legacy:py37"
_SAME = (
    "title", "description", "image", "queue", "enable_detailed_results", "reward",
    "make_programs_available", "make_input_data_available", "contact_email", "competition_type",
    "show_detailed_results_in_submission_panel", "show_detailed_results_in_leaderboard",
    "auto_run_submissions", "fact_sheet",
)  # fmt: skip
_RENAMED = {
    "enable_forum": "forum_enabled",
    "allow_public_submissions": "can_participants_make_submissions_public",
}
_READ = frozenset(
    {
        *_SAME, *_RENAMED, "version", "phases", "html", "leaderboard", "has_registration",
        "competition_docker_image", "docker_image", "end_date", "force_submission_to_leaderboard",
        "force_best_submission_to_leaderboard", "disallow_leaderboard_modifying", "hidden_columns",
    }
)  # fmt: skip
# Mean what pullbench does anyway, or were cosmetics of CodaLab's pages.
_WITHOUT_MEANING = frozenset({"start_date", "show_datasets_from_yaml", "last_modified", "url"})
_FIRST = ("overview", "evaluation")
_TERMS = "terms.md"
_LOGO = "logo.png"
_STUB_TERMS = "# Terms\n\nThe competition that this benchmark was imported from has no terms.\n"
Entry = dict[str, Any]


def is_legacy(data: Entry, notes: Notes) -> bool:
    version = data.get("version")
    shaped = isinstance(data.get("phases"), dict)
    if version is None:
        if not shaped and "tasks" in data:
            notes.warn((), "has no 'version', but the form of version 2; it is read as that")
            return False
        return True
    if str(version) in {"1", "1.0", "1.5", "1.8"}:
        return True
    if str(version) not in {"2", "2.0"}:
        notes.refuse(("version",), f"'{version}' is not known; 1, 1.5, 1.8 and 2 are read.")
    elif shaped:
        notes.refuse(("phases",), "is not a list, which version 2 wants.", "Leave 'version' out.")
    return False


def convert(
    data: Entry, folder: SourceFolder, notes: Notes
) -> tuple[Entry, Mapping[str, Sequence[str]], Sequence[frozenset[str]]]:
    """Version 2; files are not touched, except for stubs of what is mandatory there.

    And what that has no word for: titles of boards with keys of columns, in the order in which
    they may rank; and the columns that each phase hides by itself.
    """
    result: Entry = {"version": 2}
    result |= {key: data[key] for key in _SAME if data.get(key) is not None}
    result |= {new: data[old] for old, new in _RENAMED.items() if data.get(old) is not None}
    image = data.get("competition_docker_image") or data.get("docker_image") or ""
    # CodaLab took the first word of it.
    result["docker_image"] = next(iter(str(image).split()), DEFAULT_IMAGE)
    result["registration_auto_approve"] = not data.get("has_registration", True)
    if not data.get("image"):
        result["image"] = _stub(folder, _LOGO, PLAIN_LOGO.read_bytes())
        notes.warn(("image",), f"is missing; a plain '{_LOGO}' is put in its place.")
    _pages(data.get("html"), result, folder, notes)
    phases = convert_phases(data, notes)
    result["tasks"], result["phases"] = phases.tasks, phases.entries
    board, extension, ranking = convert_board(data, notes)
    board["submission_rule"] = submission_rule(data, notes)
    if phases.blind:
        board["hidden"] = True
    result["leaderboards"] = [board]
    if extension:
        result["pullbench"] = {"columns": extension}
    _say_dropped(data, notes)
    notes.set_origins(phases.origins | _origins(result, data))
    return result, ranking, phases.hidden


def _origins(result: Entry, data: Entry) -> dict[Key, Key]:
    origins: dict[Key, Key] = {
        ("terms",): ("html", "terms"), ("leaderboards", 0): ("leaderboard",),
        ("registration_auto_approve",): ("has_registration",),
        **{(new,): (old,) for old, new in _RENAMED.items()},
    }  # fmt: skip
    if "competition_docker_image" in data:
        origins[("docker_image",)] = ("competition_docker_image",)
    for position, page in enumerate(result["pages"]):
        name = next((name for name, file in data["html"].items() if file == page["file"]), "")
        origins |= {("pages", position, key): ("html", str(name)) for key in ("title", "file")} | {
            ("pages", position): ("html", str(name))
        }
    renamed = {"title": "label", "sorting": "sort", "precision": "numeric_format"}
    for position, column in enumerate(result["leaderboards"][0]["columns"]):
        origin: Key = ("leaderboard", "columns", column["key"])
        key: Key = ("leaderboards", 0, "columns", position)
        origins |= {key: origin} | {(*key, new): (*origin, old) for new, old in renamed.items()}
        origins[("pullbench", "columns", column["key"])] = origin
    return origins


def _stub(folder: SourceFolder, name: str, content: bytes) -> str:
    while folder.is_file(name):
        name = f"imported-{name}"
    folder.write(name, content)
    return name


def _pages(html: Any, result: Entry, folder: SourceFolder, notes: Notes) -> None:
    pages = html if isinstance(html, dict) else {}
    if html is not None and not isinstance(html, dict):
        notes.refuse(("html",), "must hold names of pages and their files.")
    result["pages"] = []
    # CodaLab's own order came before that of the file.
    order = [name for name in _FIRST if name in pages]
    for name in [*order, *(name for name in pages if name not in order)]:
        file = pages[name]
        at: Key = ("html", str(name))
        if not file:
            notes.warn(at, "names no file; the page is left out.")
        elif name == "terms":
            result["terms"] = file
        else:
            title = str(name).replace("_", " ").strip()
            result["pages"].append({"title": title[:1].upper() + title[1:], "file": file})
    if "terms" not in result:
        result["terms"] = _stub(folder, _TERMS, _STUB_TERMS.encode())
        notes.warn(("html", "terms"), f"is missing; '{_TERMS}' says that there are none.")


def _say_dropped(data: Entry, notes: Notes) -> None:
    dropped = sorted(str(key) for key in data if key not in _READ and key not in _WITHOUT_MEANING)
    for key in [key for key in dropped if home_of(key) == "phases"]:
        dropped.remove(key)
        say_misplaced(notes, (key,), "phases")
    if dropped:
        message = f"{', '.join(dropped)}: left out, for a repository has no such switch"
        notes.warn((), message, "Who may approve and merge pull requests decides who organises.")
