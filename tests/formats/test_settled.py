"""A record told at a glance, which must never be wrong about what is current."""

from evaluator.errors import Actor
from evaluator.formats.cell import cell_keys
from evaluator.formats.record import Reason, Step
from evaluator.formats.record_json import is_settled, to_json
from tests.records import PARTS, failed, make_record

KEY = cell_keys(PARTS).score
OTHER = "f" * 64


def test_what_is_settled() -> None:
    record = make_record()
    assert is_settled(to_json(record), KEY)
    assert not is_settled(to_json(record), OTHER)
    assert not is_settled(b"", KEY)
    assert not is_settled(to_json(record)[:-20], KEY)
    assert is_settled(to_json(failed(record, Actor.PARTICIPANT, Reason.EXITED)), KEY)
    assert not is_settled(to_json(failed(record, Actor.PLATFORM)), KEY)


def test_what_participants_write_settles_nothing() -> None:
    line = f'\n    "score": "{OTHER}"'
    escaped = line.replace("\n", "\\n")
    steps = [
        Step(step="scoring", wall_seconds=1, exit_code=0, log=text) for text in (line, escaped)
    ]
    record = make_record().model_copy(update={"steps": steps, "extra": {line: 1.0, "score": 2.0}})
    assert not is_settled(to_json(record), OTHER)
    assert is_settled(to_json(record), KEY)
    fault = failed(record, Actor.PARTICIPANT, Reason.EXITED)
    assert fault.error is not None
    told = fault.error.model_copy(update={"message": f'{line}\n    "actor": "platform"'})
    assert is_settled(to_json(fault.model_copy(update={"error": told})), KEY)
