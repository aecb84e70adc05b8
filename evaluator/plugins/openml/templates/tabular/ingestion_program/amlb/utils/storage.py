"""Files and folders. ``touch``, ``zip_path`` and the like, as framework modules call them."""

import fnmatch
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from amlb.utils.namespace import Namespace


def dir_of(caller_file: str, rel_to_project_root: bool = False) -> str:
    return str(Path(caller_file).resolve().parent)


def touch(path: Any, as_dir: bool = False) -> str:
    path = Path(path)
    folder = path if as_dir else path.parent
    folder.mkdir(parents=True, exist_ok=True)
    if not as_dir:
        path.touch()
    return str(path)


def backup_file(path: Any) -> None:
    """Do nothing: a fold's output is empty at its start."""


def clean_dir(path: str, filter_: Callable[[str], bool] | None = None) -> None:
    for item in Path(path).iterdir():
        if filter_ is None or filter_(str(item)):
            shutil.rmtree(item) if item.is_dir() else item.unlink()


def list_all_files(paths: Any, include: Any = None, exclude: Any = None) -> list[str]:
    found: list[str] = []
    for path in [paths] if isinstance(paths, (str, Path)) else paths:
        path = Path(path)
        found += [str(item) for item in sorted(path.rglob("*")) if item.is_file()]
        found += [str(path)] if path.is_file() else []
    if include is not None:
        found = [name for name in found if any(fnmatch.fnmatch(name, p) for p in _list(include))]
    return [name for name in found if not any(fnmatch.fnmatch(name, p) for p in _list(exclude))]


def _list(value: Any) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def walk_apply(
    folder: str, apply: Callable[..., Any], topdown: bool = True, max_depth: int = -1,
    filter_: Callable[[str], bool] | None = None,
) -> None:  # fmt: skip
    for path in sorted(Path(folder).rglob("*"), reverse=not topdown):
        depth = len(path.relative_to(folder).parts)
        if (max_depth < 0 or depth <= max_depth) and (filter_ is None or filter_(str(path))):
            apply(str(path), isdir=path.is_dir())


def zip_path(
    path: str, dest_archive: str, compression: int = zipfile.ZIP_DEFLATED,
    arc_path_format: str = "short", filter_: Callable[[str], bool] | None = None,
) -> None:  # fmt: skip
    source = Path(path)
    files = [source] if source.is_file() else [p for p in source.rglob("*") if p.is_file()]
    touch(dest_archive)
    with zipfile.ZipFile(dest_archive, "w", compression) as archive:
        for file in files:
            if filter_ is None or filter_(str(file)):
                archive.write(file, file.relative_to(source.parent))


def split_path(path: str) -> Namespace:
    folder, file = os.path.split(path)
    base, extension = os.path.splitext(file)  # noqa: PTH122
    return Namespace(dirname=folder, filename=file, basename=base, extension=extension)


def path_from_split(parts: Namespace, real_path: bool = True) -> str:
    extension = parts.extension or ""
    if extension and not extension.startswith("."):
        extension = f".{extension}"
    path = os.path.join(parts.dirname, f"{parts.basename}{extension}")  # noqa: PTH118
    return os.path.realpath(path) if real_path else path


def json_load(file: Any, as_namespace: bool = False, **_: Any) -> Any:
    return json_loads(Path(file).read_text(encoding="utf-8"), as_namespace)


def json_loads(text: str, as_namespace: bool = False, **_: Any) -> Any:
    data = json.loads(text)
    return Namespace.from_dict(data) if as_namespace else data


def json_dump(obj: Any, file: Any, style: str = "default", **_: Any) -> None:
    if hasattr(file, "write"):
        file.write(json_dumps(obj, style))
        return
    touch(file)
    Path(file).write_text(json_dumps(obj, style), encoding="utf-8")


def json_dumps(obj: Any, style: str = "default", **_: Any) -> str:
    def plain(value: Any) -> Any:
        if isinstance(value, Namespace):
            return Namespace.dict(value)
        if hasattr(value, "tolist"):
            return value.tolist()
        return str(value)

    return json.dumps(obj, default=plain, indent=4 if style == "pretty" else None)


def as_cmd_args(*args: Any, **kwargs: Any) -> list[str]:
    words = [str(arg) for arg in args if arg is not None]
    for key, value in kwargs.items():
        option = f"-{key}" if len(key) == 1 else f"--{key.replace('_', '-')}"
        words += (
            [option] if value is True else [] if value in (None, False) else [option, str(value)]
        )
    return words
