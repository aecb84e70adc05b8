"""Records of version 1, one file for each cell, as commits before version 2 hold them."""

import msgspec

from evaluator.formats.record import Record, shortened


def read_version_1(content: bytes) -> Record | None:
    """Return the record of a cell; None where it cannot be read."""
    try:
        data = msgspec.json.decode(content)
        if data.pop("version") != 1:
            return None
        del data["keys"]["prediction"]
        data["keys"]["parts"] = shortened(data["keys"]["parts"])
        return msgspec.convert(data, Record)
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None
