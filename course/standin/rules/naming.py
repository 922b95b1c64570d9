"""From a fault in the shapes to the rule of the catalogue that stands for it."""

from collections.abc import Callable
from typing import Any

from course.standin.rules.request import Values
from course.standin.rules.shapes import Fault


def place(fault: Fault, kind: str, *path: Any) -> Values | None:
    """The values for a rule's message if the fault is of this kind and at this path, else None.

    In `path` the type `int` stands for any index and "" for any key. The indexes are `i`, `j` and `k`, and `last` is
    the path's last part.
    """
    found = fault.path
    if fault.kind != kind or len(found) != len(path):
        return None
    indexes = []
    for part, wanted in zip(found, path, strict=True):
        if wanted is int:
            if type(part) is not int:
                return None
            indexes.append(part)
        elif wanted != part and wanted != "":
            return None
    values: Values = dict(zip("ijk", indexes, strict=False))
    values["last"] = found[-1]
    return values | fault.values


GENERAL = {
    "missing": "field_missing",
    "extra": "field_extra",
    "type": "field_type",
    "shape": "field_shape",
    "tag": "field_tag",
    "choice": "field_choice",
    "value": "field_value",
}


def name(fault: Fault, rules: tuple[Callable[[Fault], Values | None], ...]) -> tuple[str, Values]:
    """The catalogue id of a fault and the values for its message: of the rule that knows the place, else a general
    one.
    """
    for rule in rules:
        values = rule(fault)
        if values is not None:
            return rule.__name__, values
    return GENERAL[fault.kind], {"path": ".".join(map(str, fault.path)), **fault.values}
