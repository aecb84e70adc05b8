"""19.4.1: content and predictions in a folder, on S3 and behind HTTP, believed nowhere."""

import io
import tarfile
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import JobContents
from evaluator.core.compute.store import PredictionStore
from evaluator.core.errors import PlatformError
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.scores.jobs import make_jobs
from evaluator.importing.private_parts import LocalPrivateParts
from evaluator.plugins.dask.shared_store import SharedStore, SharedTrees
from tests.core.compute.test_store import ABOUT, KEY, STEP, fill
from tests.repository import Repository


class Shelf(BaseHTTPRequestHandler):
    """Files by PUT and GET, as WebDAV has them."""

    files: dict[str, bytes]

    def do_PUT(self) -> None:
        content = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                content += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.files[self.path] = content
        self.send_response(HTTPStatus.CREATED)
        self.end_headers()

    def do_GET(self) -> None:
        content = self.files.get(self.path)
        self.send_response(HTTPStatus.NOT_FOUND if content is None else HTTPStatus.OK)
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content or b"")

    do_HEAD = do_GET  # noqa: N815 - the name in http.server

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(params=["folder", "http", "s3"])
def address(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    if request.param == "folder":
        yield str(tmp_path / "store")
    elif request.param == "http":
        handler = type("OwnShelf", (Shelf,), {"files": {}})
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/store"
            server.shutdown()
    else:
        moto = pytest.importorskip("moto.server")
        server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        host, port = server.get_host_and_port()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
            "AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_DEFAULT_REGION": "us-east-1",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        boto3, s3fs = pytest.importorskip("boto3"), pytest.importorskip("s3fs")
        s3fs.S3FileSystem.clear_instance_cache()
        boto3.client("s3").create_bucket(Bucket="store")
        yield "s3://store/pullbench"
        server.stop()


def test_one_machine_stores_and_another_has_it(address: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep/program").write_text("x")
    (folder / "deep/program").chmod(0o755)
    (folder / "listing.json").write_text("{}")
    digest = SharedStore(address).put_tree(folder)
    store = SharedStore(address)
    there = SharedTrees(store, tmp_path / "cache").folder(digest)
    assert (there / "deep/program").stat().st_mode & 0o777 == 0o755
    assert (there / "listing.json").read_text() == "{}"
    with pytest.raises(PlatformError, match="has no content"):
        SharedTrees(store, tmp_path / "cache").folder("0" * 64)


def test_predictions_of_one_machine_are_scored_on_another(address: str, tmp_path: Path) -> None:
    one = PredictionStore(tmp_path / "one", "docker", SharedStore(address))
    two = PredictionStore(tmp_path / "two", "docker", SharedStore(address))
    assert two.get(KEY) is None
    one.put(KEY, fill, STEP, **ABOUT)
    stored = two.get(KEY)
    assert stored is not None
    assert (stored.folder / "secretive/answer.txt").read_text() == "42"
    stored.check()
    assert two.lacks_record(KEY, ABOUT["record"])
    PredictionStore(tmp_path / "client", "docker", SharedStore(address)).mark_recorded(
        KEY, ABOUT["record"]
    )
    assert not two.lacks_record(KEY, ABOUT["record"])
    two.drop(KEY)
    three = PredictionStore(tmp_path / "three", "docker", SharedStore(address))
    assert three.get(KEY) is None


def test_other_content_under_a_digest_is_refused(tmp_path: Path) -> None:
    store = SharedStore(str(tmp_path / "store"))
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    digests = [store.put_tree(tmp_path / name) for name in ("a", "b")]
    paths = [next((tmp_path / "store").rglob(f"{digest}.tar")) for digest in digests]
    paths[0].write_bytes(paths[1].read_bytes())
    with pytest.raises(PlatformError, match="something else under the digest"):
        SharedTrees(store, tmp_path / "cache").folder(digests[0])


@pytest.mark.parametrize("name", ["../climbs", "/tmp/absolute-from-a-store", "link"])
def test_an_archive_of_the_store_writes_nowhere_else(tmp_path: Path, name: str) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo(name)
        if name == "link":
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(member)
    store = SharedStore(str(tmp_path / "store"))
    place = tmp_path / "store/predictions/docker" / KEY[:2] / f"{KEY}.tar"
    place.parent.mkdir(parents=True)
    place.write_bytes(packed.getvalue())
    with pytest.raises(PlatformError, match="more than files"):
        PredictionStore(tmp_path / "one", "docker", store).get(KEY)
    assert not Path("/tmp/absolute-from-a-store").exists()
    assert not list(tmp_path.rglob("climbs"))


def test_a_name_that_is_not_text_is_the_stores_fault(tmp_path: Path) -> None:
    """Found by `make fuzz`: nothing could be said of the digest of such a tree."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("\udcff"))
    digest = "0" * 64
    place = tmp_path / f"store/trees/00/{digest}.tar"
    place.parent.mkdir(parents=True)
    place.write_bytes(packed.getvalue())
    with pytest.raises(PlatformError, match="could not read the store"):
        SharedTrees(SharedStore(str(tmp_path / "store")), tmp_path / "cache").folder(digest)


@pytest.mark.parametrize("where", ["sum", "step.json", "listing.json"])
def test_one_flipped_byte_in_shared_predictions_makes_them_absent(
    tmp_path: Path, where: str
) -> None:
    store = SharedStore(str(tmp_path / "store"))

    def write(folder: Path) -> None:
        (folder / "sum").write_text("forty-two")

    PredictionStore(tmp_path / "one", "docker", store).put(KEY, write, STEP, **ABOUT)
    (place,) = (tmp_path / "store").rglob("*.tar")
    with tarfile.open(place) as archive:
        member = next(one for one in archive if one.name.endswith(where))
    content = bytearray(place.read_bytes())
    content[member.offset_data + 2] ^= 1
    place.write_bytes(content)
    assert PredictionStore(tmp_path / "two", "docker", store).get(KEY) is None


def test_predictions_of_another_key_are_absent(tmp_path: Path) -> None:
    store = SharedStore(str(tmp_path / "store"))
    PredictionStore(tmp_path / "one", "docker", store).put(KEY, fill, STEP, **ABOUT)
    (place,) = (tmp_path / "store").rglob("*.tar")
    other = "cd" * 32
    target = place.parents[1] / other[:2] / f"{other}.tar"
    target.parent.mkdir()
    place.rename(target)
    assert PredictionStore(tmp_path / "two", "docker", store).get(other) is None


def test_a_worker_lays_out_the_same_from_a_store(small: Repository, tmp_path: Path) -> None:
    taken = small.snapshot()
    cells = [item.cell for item in make_local_plan(taken, utc_now()).missing]
    exporter = Exporter(taken.tree, tmp_path / "trees")
    store = SharedStore(str(tmp_path / "store"))
    private = LocalPrivateParts(data=None, cache=tmp_path, memory=Path, limit=0, isolated=False)
    here, there = JobContents(exporter, private), SharedTrees(store, tmp_path / "elsewhere")
    for job in make_jobs(taken, cells, exporter):
        inputs = here.inputs(job)
        for folder in (inputs.submission, inputs.scoring_program, inputs.reference_data):
            assert folder is not None
            other = there.folder(store.put_tree(folder))
            assert _content(other) == _content(folder)


def _content(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.relative_to(folder).as_posix(): (
            path.stat().st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in folder.rglob("*")
    }
